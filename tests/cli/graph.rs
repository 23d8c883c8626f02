use crate::desk::{Desk, SPEC};

/// The smallest cloud that has a secret: a database and nothing on it.
const LEAN: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: test, namespace: openstack}
spec:
  global: {monitoring: {enabled: false}}
  infrastructure:
    mariadb: {storageClass: fast}
    rabbitmq: {enabled: false}
    valkey: {enabled: false}
    memcached: {enabled: false}
  services:
    keystone: {enabled: false}
    glance: {enabled: false}
    placement: {enabled: false}
    cinder: {enabled: false}
    nova: {enabled: false}
    neutron: {enabled: false}
  network: {ovn: {enabled: false}}
  korc: {enabled: false}
";

fn lean(command: &str) -> String {
    Desk::new().file("cloud.yaml", LEAN).run(command).to_string()
}

#[test]
fn the_plan_is_shown_by_phase() {
    insta::assert_snapshot!(lean("graph cloud.yaml"), @r"
    openstack/test

    platform
      namespace
      certificates  needs namespace
      monitoring    needs namespace

    infrastructure
      mariadb       needs namespace, certificates
    exit 0
    ");
}

#[test]
fn the_plan_is_drawn() {
    insta::assert_snapshot!(lean("graph cloud.yaml --as mermaid"), @r#"
    flowchart LR
      subgraph openstack_0["openstack/test"]
        subgraph openstack_1["platform"]
          openstack_2["namespace"]
          openstack_3["certificates"]
          openstack_4["monitoring"]
        end
        subgraph openstack_5["infrastructure"]
          openstack_6["mariadb"]
        end
        openstack_2 --> openstack_3
        openstack_2 --> openstack_4
        openstack_2 --> openstack_6
        openstack_3 --> openstack_6
      end
    exit 0
    "#);
}

#[test]
fn secrets_are_followed_from_producer_to_consumer() {
    insta::assert_snapshot!(lean("graph cloud.yaml --secrets"), @r"
    openstack/test, store: ClusterSecretStore openbao-cluster-store

    mariadb-root-password
      made by mariadb: Password openstack-password → PushSecret mariadb-root-password → openstack/openstack/test/mariadb-root-password → ExternalSecret mariadb-root-password
      read by mariadb: MariaDB openstack-db, spec.rootPasswordSecretKeyRef.name

    openstack-ca
      made by certificates: Issuer openstack-selfsigned → Certificate openstack-ca
      read by certificates: Issuer openstack-ca, spec.ca.secretName
      read by certificates: PushSecret openstack-ca, spec.selector.secret.name

    openstack-ca-bundle
      made by certificates: Certificate openstack-ca → Secret openstack-ca → PushSecret openstack-ca → openstack/openstack/test/ca → ExternalSecret openstack-ca-bundle
      read by no object of the cloud

    openstack-db-mxs-admin
      made by mariadb: MariaDB operator
      read by mariadb: MaxScale openstack-db-mxs, spec.auth.adminPasswordSecretKeyRef.name

    openstack-db-mxs-client
      made by mariadb: MariaDB operator
      read by mariadb: MaxScale openstack-db-mxs, spec.auth.clientPasswordSecretKeyRef.name

    openstack-db-mxs-monitor
      made by mariadb: MariaDB operator
      read by mariadb: MaxScale openstack-db-mxs, spec.auth.monitorPasswordSecretKeyRef.name

    openstack-db-mxs-server
      made by mariadb: MariaDB operator
      read by mariadb: MaxScale openstack-db-mxs, spec.auth.serverPasswordSecretKeyRef.name

    openstack-db-mxs-sync
      made by mariadb: MariaDB operator
      read by mariadb: MaxScale openstack-db-mxs, spec.auth.syncPasswordSecretKeyRef.name
    exit 0
    ");
}

#[test]
fn secrets_are_drawn() {
    insta::assert_snapshot!(lean("graph cloud.yaml --secrets --as mermaid"), @r#"
    flowchart LR
      subgraph openstack_0["openstack/test"]
        openstack_1(["Secret mariadb-root-password"])
        openstack_2["Password openstack-password"]
        openstack_3["PushSecret mariadb-root-password"]
        openstack_2 --> openstack_3
        openstack_4[("openstack/openstack/test/mariadb-root-password")]
        openstack_3 --> openstack_4
        openstack_5["ExternalSecret mariadb-root-password"]
        openstack_4 --> openstack_5
        openstack_5 --> openstack_1
        openstack_6["MariaDB openstack-db"]
        openstack_1 --> openstack_6
        openstack_7(["Secret openstack-ca"])
        openstack_8["Issuer openstack-selfsigned"]
        openstack_9["Certificate openstack-ca"]
        openstack_8 --> openstack_9
        openstack_9 --> openstack_7
        openstack_10["Issuer openstack-ca"]
        openstack_7 --> openstack_10
        openstack_11["PushSecret openstack-ca"]
        openstack_7 --> openstack_11
        openstack_12(["Secret openstack-ca-bundle"])
        openstack_13[("openstack/openstack/test/ca")]
        openstack_11 --> openstack_13
        openstack_14["ExternalSecret openstack-ca-bundle"]
        openstack_13 --> openstack_14
        openstack_14 --> openstack_12
        openstack_15(["Secret openstack-db-mxs-admin"])
        openstack_16["MariaDB operator"]
        openstack_16 --> openstack_15
        openstack_17["MaxScale openstack-db-mxs"]
        openstack_15 --> openstack_17
        openstack_18(["Secret openstack-db-mxs-client"])
        openstack_16 --> openstack_18
        openstack_18 --> openstack_17
        openstack_19(["Secret openstack-db-mxs-monitor"])
        openstack_16 --> openstack_19
        openstack_19 --> openstack_17
        openstack_20(["Secret openstack-db-mxs-server"])
        openstack_16 --> openstack_20
        openstack_20 --> openstack_17
        openstack_21(["Secret openstack-db-mxs-sync"])
        openstack_16 --> openstack_21
        openstack_21 --> openstack_17
      end
    exit 0
    "#);
}

/// Three operators have a User, and each reads another credential.
#[test]
fn kinds_that_share_a_name_are_told_apart() {
    let text = Desk::with_spec().run("graph cloud.yaml --secrets").output();
    for line in [
        "  read by cinder: User.k8s.mariadb.com cinder, spec.passwordSecretKeyRef.name",
        "  read by cinder: User.rabbitmq.com cinder, spec.importCredentialsSecret.name",
        "  read by catalog: User.openstack.k-orc.cloud cinder, spec.resource.passwordRef",
        "  must exist: holds the key of the Ceph client",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

/// What the companion operator makes is followed as everything else.
#[test]
fn what_rotates_is_followed() {
    let spec = include_str!("../../fixtures/rotation/controlplane.yaml");
    let text = Desk::new().file("cloud.yaml", spec).run("graph cloud.yaml --secrets").output();
    for line in [
        "  made by nova: CredentialRotation nova-app-credential → Secret nova-app-credential-current → PushSecret nova-app-credential → openstack/openstack/production/nova-app-credential → ExternalSecret nova-app-credential",
        "  made by catalog: Secret k-orc-app-credential → SecretAggregate k-orc-credential-clouds-yaml",
        "  read by nova: User.k8s.mariadb.com nova-b, spec.passwordSecretKeyRef.name",
        "  read by keystone: Keystone keystone, spec.fernet.keysSecretRef.name",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    assert!(!text.contains("must exist: \n"), "{text}");
}

/// Flux's own objects are none of the cloud's, and read Secrets all the same.
#[test]
fn secrets_that_flux_reads_are_followed() {
    let spec = format!(
        "{LEAN}  delivery:\n    decryption: {{provider: sops, secretRef: {{name: sops-age}}}}\n    kubeConfig: {{secretRef: {{name: munich}}}}\n    source: {{url: oci://registry.example.com/clouds, tag: \"1\", secretRef: {{name: registry}}}}\n"
    );
    let desk = Desk::new().file("cloud.yaml", &spec);
    let text = desk.run("graph cloud.yaml --secrets").output();
    for part in [
        "flux-system/munich\n  must exist: leads to the cluster that the cloud runs in\n  read by Flux: Kustomization of every component, spec.kubeConfig.secretRef.name\n",
        "flux-system/sops-age\n  must exist: holds the keys that SOPS decrypts with\n  read by Flux: Kustomization of every component, spec.decryption.secretRef.name\n",
        "flux-system/registry\n  must exist: lets Flux read the source of the tree\n  read by Flux: OCIRepository test, spec.secretRef.name\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let drawn = desk.run("graph cloud.yaml --secrets --as mermaid").output();
    assert!(drawn.contains("\"Kustomization of every component\""), "{drawn}");
}

/// The operator makes them by names of its own, for several proxies and for metrics as well.
#[test]
fn credentials_that_the_database_operator_generates_are_followed() {
    let spec = LEAN.replace("storageClass: fast", "storageClass: fast, maxscale: {replicas: 1}");
    let text = Desk::new().file("cloud.yaml", &spec).run("graph cloud.yaml --secrets").output();
    let made = "\n  made by mariadb: MariaDB operator\n  read by mariadb: MaxScale openstack-db-mxs, spec.auth.";
    let client = format!("openstack-db-mxs-client{made}clientPasswordSecretKeyRef.name\n");
    assert!(text.contains(&client), "{text}");
    assert!(!text.contains("openstack-db-mxs-sync"), "{text}");
    assert!(!text.contains("openstack-db-mxs-metrics"), "{text}");
    let spec = spec
        .replace("replicas: 1", "replicas: 2")
        .replace("enabled: false}}\n  inf", "enabled: true}}\n  inf");
    let text = Desk::new().file("cloud.yaml", &spec).run("graph cloud.yaml --secrets").output();
    for secret in
        ["openstack-db-mxs-sync", "openstack-db-mxs-metrics", "openstack-db-metrics-password"]
    {
        assert!(
            text.contains(&format!("{secret}\n  made by mariadb: MariaDB operator\n")),
            "{text}"
        );
    }
}

#[test]
fn clouds_come_one_after_the_other() {
    let second = SPEC.replace("openstack", "other");
    let desk = Desk::with_spec().file("other.yaml", &second);
    let text = desk.run("graph cloud.yaml other.yaml").output();
    let titles: Vec<&str> = text.lines().filter(|line| line.contains('/')).collect();
    assert_eq!(titles, ["openstack/test", "other/test"]);
    let drawn = desk.run("graph cloud.yaml other.yaml --as mermaid").output();
    assert_eq!(drawn.matches("flowchart").count(), 1);
    assert!(drawn.contains("subgraph other_0[\"other/test\"]"), "{drawn}");
}

#[test]
fn what_must_exist_is_listed() {
    insta::assert_snapshot!(lean("requirements cloud.yaml"), @r"
    openstack/test

    what must exist
      ClusterSecretStore openbao-cluster-store: holds every secret of the cloud, unless `secrets.store` names another; if it is kept to some namespaces, then with openstack
        for certificates, mariadb
      StorageClass fast: gives the volumes of the database
        for mariadb

    paths in ClusterSecretStore openbao-cluster-store
      openstack/openstack/test/ca: written and read
      openstack/openstack/test/mariadb-root-password: written and read

    operators that must run, and the kinds they serve
      External Secrets, tested with 1.3.2
        external-secrets.io/v1: ExternalSecret
        external-secrets.io/v1alpha1: PushSecret
        generators.external-secrets.io/v1alpha1: Password
        comes with `platform.external-secrets.enabled: true`, unless the cluster has it
      MariaDB operator, tested with 25.10.4
        k8s.mariadb.com/v1alpha1: Backup, MariaDB, MaxScale
        comes with `platform.mariadb-operator.enabled: true`, unless the cluster has it
      cert-manager, tested with v1.21.1
        cert-manager.io/v1: Certificate, Issuer
        comes with `platform.cert-manager.enabled: true`, unless the cluster has it
    exit 0
    ");
}

#[test]
fn what_must_exist_is_listed_for_programs() {
    let desk = Desk::new().file("cloud.yaml", LEAN);
    let text = desk.run("requirements cloud.yaml --format json").output();
    let clouds: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(clouds[0]["cloud"], "openstack/test");
    assert_eq!(clouds[0]["objects"][1]["kind"], "StorageClass");
    assert_eq!(clouds[0]["objects"][1]["neededBy"][0], "mariadb");
    assert_eq!(clouds[0]["store"]["paths"][0]["read"], true);
    assert_eq!(clouds[0]["kinds"][0]["kinds"][0], "Certificate");
    assert_eq!(clouds[0]["operators"][1]["name"], "MariaDB operator");
    assert_eq!(clouds[0]["operators"][1]["setting"], "platform.mariadb-operator.enabled");
    assert_eq!(clouds[0]["operators"][1]["comesWithCloud"], false);
}

/// It is no object, so it is not listed as one.
#[test]
fn an_authority_that_must_be_trusted_is_said_in_words() {
    let text = Desk::with_spec().run("requirements cloud.yaml").output();
    let (_, trusted) = text.split_once("\nauthorities that must be trusted\n").unwrap();
    let line = "  that of Secret openstack/openstack-ca-bundle: must be trusted by the RabbitMQ topology operator";
    assert!(trusted.starts_with(line), "{text}");
    assert!(!text.contains("TrustedAuthority"), "{text}");
}

#[test]
fn a_store_of_ones_own_need_not_exist() {
    let spec = LEAN.replace("spec:\n", "spec:\n  platform: {openbao: {enabled: true}}\n");
    let text = Desk::new().file("cloud.yaml", &spec).run("requirements cloud.yaml").output();
    assert!(!text.contains("holds every secret of the cloud"), "{text}");
    assert!(text.contains("paths in ClusterSecretStore openbao-cluster-store"), "{text}");
}

/// What no object of the cloud can say to them.
#[test]
fn a_gateway_and_a_store_are_asked_to_let_the_cloud_in() {
    let spec = include_str!("../../fixtures/production/controlplane.yaml");
    let text = Desk::new().file("cloud.yaml", spec).run("requirements cloud.yaml").output();
    for line in [
        "  ClusterSecretStore openbao-cluster-store: holds every secret of the cloud, unless `secrets.store` names another; if it is kept to some namespaces, then with openstack, rabbitmq-system",
        "  Gateway gateways/public: lets the world in; allowedRoutes of its listeners must admit the namespace openstack; its listener of HTTPS must use Secret openstack/openstack-public-tls; it must take a Secret in caCertificateRefs of a BackendTLSPolicy, as Envoy Gateway does",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn what_flux_is_told_to_use_must_exist() {
    let delivery = "delivery: {sourceRef: {kind: OCIRepository, name: clouds, namespace: sources}, \
        serviceAccountName: applier, decryption: {provider: sops, secretRef: {name: age}}, \
        kubeConfig: {secretRef: {name: remote}}}";
    let spec = LEAN.replace("spec:\n", &format!("spec:\n  {delivery}\n"));
    let text = Desk::new().file("cloud.yaml", &spec).run("requirements cloud.yaml").output();
    for line in [
        "  OCIRepository sources/clouds: is where the tree lies",
        "  Secret flux-system/age: holds the keys that SOPS decrypts with",
        "  Secret flux-system/remote: leads to the cluster that the cloud runs in",
        "  ServiceAccount flux-system/applier: has the rights that Flux applies with",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

/// A name written by hand is taken at its word, and listed.
#[test]
fn what_a_patch_names_must_exist() {
    let patch = "mariadb: {storageClass: fast, extraConfig: {imagePullSecrets: [{name: pull}]}}";
    let spec = LEAN.replace("mariadb: {storageClass: fast}", patch);
    let text = Desk::new().file("cloud.yaml", &spec).run("requirements cloud.yaml").output();
    let line = "  Secret openstack/pull: named by hand in the settings of the component";
    assert!(text.lines().any(|other| other == line), "{text}");
}

#[test]
fn a_spec_with_errors_is_not_drawn() {
    let desk = Desk::new().file("cloud.yaml", &SPEC.replace("spec: {}", "spec: {sice: small}"));
    for command in ["graph cloud.yaml", "requirements cloud.yaml"] {
        let ran = desk.run(command);
        assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran}");
        assert!(ran.stderr.contains("S0101"), "{ran}");
    }
}

#[test]
fn the_plan_is_written_for_graphviz() {
    insta::assert_snapshot!(lean("graph cloud.yaml --as dot"), @r#"
    digraph strata {
      rankdir=LR;
      node [shape=box, fontname="sans-serif"];
      subgraph "cluster openstack 0" {
        label="openstack/test";
        subgraph "cluster openstack 1" {
          label="platform";
          "openstack namespace" [label="namespace", shape=box];
          "openstack certificates" [label="certificates", shape=box];
          "openstack monitoring" [label="monitoring", shape=box];
        }
        subgraph "cluster openstack 2" {
          label="infrastructure";
          "openstack mariadb" [label="mariadb", shape=box];
        }
        "openstack namespace" -> "openstack certificates";
        "openstack namespace" -> "openstack monitoring";
        "openstack namespace" -> "openstack mariadb";
        "openstack certificates" -> "openstack mariadb";
      }
    }
    exit 0
    "#);
    assert!(lean("graph cloud.yaml --as dot --secrets").contains("shape=cylinder"));
}

#[test]
fn the_page_holds_all_it_needs() {
    let page = lean("graph cloud.yaml --as html");
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    for column in ["platform", "infrastructure"] {
        assert!(page.contains(&format!(">{column}</text>")), "{column}");
    }
    assert_eq!(page.matches("class=\"node").count(), 4);
    assert!(page.contains("class=\"node stateful\" data-name=\"mariadb\""));
    // The line from the namespace to the database follows from the two others.
    assert_eq!(page.matches("class=\"edge\"").count(), 3);
    assert_eq!(lean("graph cloud.yaml --as html --secrets").lines().last(), Some("exit 2"));
}
