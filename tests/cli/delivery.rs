//! The tree as Flux follows it, and the steps from one tree to the next.

use std::fs;

use crate::desk::{Desk, RECORD, SPEC};

const LEAN: &str = "\
spec:
  global: {monitoring: {enabled: false}}
  infrastructure: {rabbitmq: {enabled: false}, valkey: {enabled: false}, memcached: {enabled: false}}
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

fn lean(more: &str) -> String {
    SPEC.replace("spec: {}\n", &format!("{LEAN}{more}"))
}

#[test]
fn each_component_waits_for_those_it_needs_and_the_last_for_all() {
    let desk = Desk::new().file(
        "cloud.yaml",
        &lean(
            "  delivery:\n    path: clouds/test\n    interval: 30m\n    serviceAccountName: applier\n    source: {url: \"https://git.example.com/clouds\"}\n",
        ),
    );
    desk.run("render cloud.yaml --out rendered").output();
    insta::assert_snapshot!(desk.list("rendered/flux").join("\n"), @r"
    gitrepository-test.yaml
    kustomization-test-certificates.yaml
    kustomization-test-mariadb.yaml
    kustomization-test-namespace.yaml
    kustomization-test.yaml
    kustomization.yaml
    ready/configmap-strata-test-ready.yaml
    ready/kustomization.yaml
    ");
    insta::assert_snapshot!(desk.read("rendered/flux/kustomization-test-mariadb.yaml"), @r"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      labels:
        app.kubernetes.io/managed-by: strata
        app.kubernetes.io/part-of: test
        strata.c5c3.io/component: mariadb
      name: test-mariadb
      namespace: flux-system
    spec:
      deletionPolicy: Orphan
      dependsOn:
      - name: test-namespace
      - name: test-certificates
      healthCheckExprs:
      - apiVersion: external-secrets.io/v1
        current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
        kind: ExternalSecret
      - apiVersion: external-secrets.io/v1alpha1
        current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
        kind: PushSecret
      - apiVersion: k8s.mariadb.com/v1alpha1
        current: status.conditions.exists(c, c.type == 'Complete' && (c.status == 'True'
          || c.reason.startsWith('CronJob')))
        failed: status.conditions.exists(c, c.type == 'Complete' && c.reason in ['JobFailed',
          'SnapshotFailed', 'Failed'])
        kind: Backup
      - apiVersion: k8s.mariadb.com/v1alpha1
        current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
        kind: MariaDB
      - apiVersion: k8s.mariadb.com/v1alpha1
        current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
        kind: MaxScale
      interval: 30m
      path: ./clouds/test/mariadb
      prune: true
      retryInterval: 1m
      serviceAccountName: applier
      sourceRef:
        kind: GitRepository
        name: test
      timeout: 30m
      wait: true
    ");
    insta::assert_snapshot!(desk.read("rendered/flux/kustomization-test.yaml"), @r"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      labels:
        app.kubernetes.io/managed-by: strata
        app.kubernetes.io/part-of: test
        strata.c5c3.io/component: ready
      name: test
      namespace: flux-system
    spec:
      dependsOn:
      - name: test-namespace
      - name: test-certificates
      - name: test-mariadb
      interval: 30m
      path: ./clouds/test/flux/ready
      prune: true
      retryInterval: 1m
      serviceAccountName: applier
      sourceRef:
        kind: GitRepository
        name: test
      timeout: 10m
      wait: true
    ");
    insta::assert_snapshot!(desk.read("rendered/flux/gitrepository-test.yaml"), @r"
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata:
      name: test
      namespace: flux-system
    spec:
      interval: 5m
      ref:
        branch: main
      url: https://git.example.com/clouds
    ");
}

#[test]
fn a_component_with_many_objects_is_split() {
    let record = RECORD
        .replace(
            "text: {type: string, default: Hello, description: What it says.}",
            "lines: {type: array, items: {type: integer}, description: What it says.}",
        )
        .replace("metadata: {name: '{{ name }}'}", "metadata: {name: 'motto-{{ item }}'}")
        .replace("    data: {text: '{{ options.text }}'}\n", "")
        .replace("- object:", "- each: '{{ options.lines }}'\n  object:");
    let lines: Vec<String> = (0..1201).map(|line| line.to_string()).collect();
    let motto = format!("    motto: {{lines: [{}]}}\n  network", lines.join(", "));
    let desk = Desk::new()
        .file("cloud.yaml", &lean("").replace("  network", &motto))
        .file("records/motto.yaml", &record);
    desk.run("render cloud.yaml --generators records --out rendered").output();
    let parts = |number: usize| desk.list(&format!("rendered/motto/shard-{number}")).len();
    // A list of files beside the objects.
    assert_eq!([parts(1), parts(2), parts(3)], [501, 501, 202]);
    for number in 1..=3 {
        let stage = desk.read(&format!("rendered/flux/kustomization-test-motto-{number}.yaml"));
        assert!(stage.contains(&format!("  path: ./motto/shard-{number}\n")), "{stage}");
        let last = desk.read("rendered/flux/kustomization-test.yaml");
        assert!(last.contains(&format!("  - name: test-motto-{number}\n")), "{last}");
    }
}

#[test]
fn what_holds_state_goes_only_with_permission() {
    let desk = Desk::with_spec();
    desk.run("render cloud.yaml --out rendered").output();
    let before = fs::metadata(desk.path("rendered")).unwrap();
    let without = SPEC.replace("spec: {}", "spec: {services: {cinder: {enabled: false}}}");
    desk.write("cloud.yaml", &without);
    let ran = desk.run("render cloud.yaml --out rendered");
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("error[S0703]"), "{ran}");
    assert!(ran.stderr.contains("let it go with --allow-removal cinder"), "{ran}");
    assert!(desk.path("rendered/cinder").is_dir());
    assert_eq!(
        fs::metadata(desk.path("rendered")).unwrap().modified().unwrap(),
        before.modified().unwrap()
    );
    // Another name permits nothing.
    assert_eq!(desk.run("render cloud.yaml --out rendered --allow-removal nova").status, 1);
    let ran = desk.run("render cloud.yaml --out rendered --allow-removal cinder");
    assert_eq!(ran.status, 0, "{ran}");
    assert!(ran.stderr.contains("warning[S0704]"), "{ran}");
    assert!(!desk.path("rendered/cinder").exists());
}

#[test]
fn what_kustomize_printed_gives_the_same_tree() {
    let desk = Desk::with_spec();
    desk.run("render cloud.yaml --out rendered").output();
    let stream = desk.run("render cloud.yaml").output();
    desk.run_with_input("stage --out staged", &stream).output();
    let files = desk.list("rendered");
    assert_eq!(desk.list("staged"), files);
    for file in files {
        let [one, other] = ["rendered", "staged"].map(|tree| desk.read(&format!("{tree}/{file}")));
        assert_eq!(one, other, "{file}");
    }
}

/// An alert about the database goes with the database; a quota names nothing of the cloud.
const ADDED: &str = "\
---
apiVersion: k8s.mariadb.com/v1alpha1
kind: Backup
metadata: {name: nightly, namespace: openstack}
spec: {mariaDbRef: {name: openstack-db}, schedule: {cron: '0 2 * * *'}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: all, namespace: openstack}
spec: {hard: {pods: '500'}}
---
apiVersion: v1
kind: Secret
metadata: {name: hidden, namespace: openstack}
data: {key: 'ENC[AES256_GCM,data:x]'}
sops: {version: 3.9.0}
";

#[test]
fn what_people_added_goes_to_what_it_names_or_to_extra() {
    let desk = Desk::with_spec();
    let stream = desk.run("render cloud.yaml").output();
    desk.run_with_input("stage --out staged", &format!("{stream}{ADDED}")).output();
    assert!(desk.path("staged/mariadb/backup-nightly.yaml").is_file());
    assert!(desk.path("staged/extra/resourcequota-all.yaml").is_file());
    assert!(desk.path("staged/extra/secret-hidden.yaml").is_file());
    let stage = desk.read("staged/flux/kustomization-test-extra.yaml");
    assert!(stage.contains("  dependsOn:\n  - name: test-namespace\n  interval"), "{stage}");
    let stage = desk.read("staged/flux/kustomization-test-mariadb.yaml");
    assert!(stage.contains("    kind: Backup\n"), "{stage}");
}

#[test]
fn a_stream_that_is_no_cloud_is_refused() {
    let desk = Desk::new();
    let without_cloud = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";
    let secret =
        "---\napiVersion: v1\nkind: Secret\nmetadata: {name: open}\ndata: {key: c2VjcmV0}\n";
    for (stream, code) in
        [("", "S0710"), (without_cloud, "S0710"), (secret, "S0711"), ("kind: X\n", "S0712")]
    {
        let ran = desk.run_with_input("stage --out staged", stream);
        assert_eq!(ran.status, 1, "{ran}");
        assert!(ran.stderr.contains(&format!("error[{code}]")), "{ran}");
        assert!(!desk.path("staged").exists());
    }
}

/// A stream that was not read holds no cloud either; that is one mistake.
#[test]
fn a_stream_that_cannot_be_read_is_one_finding() {
    let desk = Desk::new().file("broken.yaml", "a: [\n");
    for (file, code) in [("missing.yaml", "S0006"), ("broken.yaml", "S0001")] {
        let ran = desk.run(&format!("stage {file} --out staged"));
        assert!(ran.stderr.contains(&format!("error[{code}]")), "{ran}");
        assert_eq!(ran.stderr.matches("error[").count(), 1, "{ran}");
    }
}

#[test]
fn an_artifact_is_the_same_wherever_it_is_packed() {
    let (desk, other) = (Desk::with_spec(), Desk::with_spec());
    for desk in [&desk, &other] {
        desk.run("render cloud.yaml --out rendered").output();
    }
    other.write("rendered/.hidden", "left out");
    let digest = desk.run("artifact rendered -o a.tar.gz").output();
    assert_eq!(other.run("artifact rendered -o b.tar.gz").output(), digest);
    let bytes = fs::read(desk.path("a.tar.gz")).unwrap();
    assert_eq!(bytes, fs::read(other.path("b.tar.gz")).unwrap());
    assert_eq!(digest, format!("sha256:{}\n", strata::deliver::tree::hash(&bytes)));
    // What tar reads back is the tree.
    let status = std::process::Command::new("tar")
        .args(["-xzf", "a.tar.gz", "--one-top-level=unpacked"])
        .current_dir(desk.path(""))
        .status();
    assert!(status.unwrap().success());
    let mut files = desk.list("rendered");
    files.retain(|file| file != ".strata");
    assert_eq!(desk.list("unpacked"), files);
    for file in files {
        assert_eq!(desk.read(&format!("unpacked/{file}")), desk.read(&format!("rendered/{file}")));
    }
}

#[test]
fn an_archive_in_a_folder_that_is_not_there_names_the_folder() {
    let desk = Desk::new().file("cloud.yaml", &lean(""));
    desk.run("render cloud.yaml --out rendered").output();
    let ran = desk.run("artifact rendered -o packed/cloud.tar.gz");
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("there is no folder packed: create it"), "{ran}");
    let ran = desk.run("artifact renderd -o cloud.tar.gz");
    assert!(ran.stderr.contains("there is no folder renderd"), "{ran}");
}

#[test]
fn a_tree_that_is_not_as_rendered_is_not_packed() {
    let desk = Desk::with_spec().file("empty/.strata", "").file("own/secret.yaml", "kind: Secret");
    for (folder, why) in [
        ("empty", "empty holds no manifests"),
        ("own", "own is no tree of strata's: it has no .strata"),
        ("nowhere", "cannot read nowhere"),
    ] {
        let ran = desk.run(&format!("artifact {folder} -o a.tar.gz"));
        assert!(ran.status == 1 && ran.stderr.contains(why), "{ran}");
        assert!(!desk.path("a.tar.gz").exists());
    }
    desk.run("render cloud.yaml --out rendered").output();
    desk.write("rendered/keystone/keystone-keystone.yaml", "mine\n");
    let ran = desk.run("artifact rendered -o a.tar.gz");
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("keystone/keystone-keystone.yaml"), "{ran}");
    assert!(!desk.path("a.tar.gz").exists());
}

/// Keystone comes after its keys, nobody waits for a user whose turn it is not, and a rotation is there
/// when what it makes can be used, whatever else it is doing.
#[test]
fn what_rotates_holds_nobody_up() {
    let spec = include_str!("../../fixtures/rotation/controlplane.yaml");
    let desk = Desk::new().file("cloud.yaml", spec);
    desk.run("render cloud.yaml --out rendered").output();
    let flux = |component: &str| {
        let text = desk.read(&format!("rendered/flux/kustomization-production-{component}.yaml"));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let keystone = flux("keystone");
    for need in ["keystone-keys", "strata-operator"] {
        assert!(keystone.contains(&format!("- name: production-{need} ")), "{keystone}");
    }
    let there = "current: status.conditions.exists(c, c.type in ['KeysAvailable', 'Delivered'] && \
                 c.status == 'True') kind: CredentialRotation";
    let ready = "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')";
    let unawaited = format!("current: {ready} || 'strata.c5c3.io/awaited' in metadata.annotations");
    for component in ["keystone-keys", "nova", "catalog"] {
        assert!(flux(component).contains(there), "{}", flux(component));
    }
    for (component, kind) in [
        ("nova", "User"),
        ("nova", "Grant"),
        ("nova", "Permission"),
        ("keystone-keys", "PushSecret"),
    ] {
        let wanted = format!("{unawaited} kind: {kind}");
        assert!(flux(component).contains(&wanted), "{}", flux(component));
    }
    // What the cloud has without rotation is waited for as ever.
    assert!(flux("mariadb").contains(&format!("current: {ready} kind: PushSecret")));
}
