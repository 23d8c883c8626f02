//! What a cluster must have, over all fixtures: every kind has somebody who serves it, by name and version.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeSet;

use drive::{Fixture, fixtures};
use strata::Options;
use strata::catalogue::Catalogue;
use strata::finding::Findings;
use strata::load;
use strata::requirements::{By, Requirements, Served, requirements};

fn of_fixture(fixture: &Fixture) -> Vec<Requirements> {
    let mut findings = Findings::default();
    let sources = fixture.sources();
    let documents = load::read(&sources, &mut findings);
    let options = Options::default();
    strata::look(&documents, findings, &options, |cloud, _, contents| requirements(cloud, contents))
        .0
}

fn kinds(served: &Served) -> impl Iterator<Item = (&str, &str)> {
    served.kinds.iter().flat_map(|(version, kinds)| {
        kinds.iter().map(move |kind| (version.as_str(), kind.as_str()))
    })
}

#[test]
fn every_kind_has_an_operator_or_is_known_to_have_none() {
    let mut named = BTreeSet::new();
    for fixture in fixtures().iter().filter(|fixture| !fixture.is_invalid()) {
        for served in of_fixture(fixture).iter().flat_map(|cloud| &cloud.operators) {
            match &served.by {
                By::Operator { name, version, setting, .. } => {
                    assert!(version.is_some(), "{name} has no version");
                    assert!(setting.starts_with("platform."), "{name}: {setting}");
                    named.insert(name.clone());
                }
                By::Nobody if fixture.name != "own-record" => {
                    for (version, kind) in kinds(served) {
                        let is_ours = strata::crds::schema_of(version, kind).is_some();
                        assert!(is_ours, "{}: nobody serves {version} {kind}", fixture.name);
                    }
                }
                By::Flux | By::Nobody => {}
            }
        }
    }
    let operators = Catalogue::built_in();
    for operator in operators.records().filter_map(|record| record.operator.as_ref()) {
        assert!(named.contains(operator.name.as_ref()), "no fixture needs {}", operator.name);
    }
}

#[test]
fn an_operator_that_comes_with_the_cloud_is_told_from_one_that_must_be_there() {
    let comes = |fixture: &str| {
        let clouds = of_fixture(&Fixture::named(fixture));
        let mut operators = clouds[0].operators.iter().filter_map(|served| match &served.by {
            By::Operator { name, comes, .. } if name == "MariaDB operator" => Some(*comes),
            _ => None,
        });
        operators.next().unwrap()
    };
    assert!(!comes("minimal"));
    assert!(comes("platform"));
}

/// Whose contents nobody here can say: the reference distribution names no key of a Ceph client's Secret, and a
/// person who names a Secret by hand knows what reads it.
const UNKNOWN: &[&str] =
    &["of a Ceph client", "of the Ceph client", "a storage pool", "by hand", "SOPS", "Flux"];

#[test]
fn a_secret_that_must_be_brought_says_what_it_holds() {
    let mut seen = 0;
    for fixture in fixtures().iter().filter(|fixture| !fixture.is_invalid()) {
        for cloud in of_fixture(fixture) {
            for needed in cloud.objects.iter().filter(|needed| needed.kind == "Secret") {
                let is_unknown = UNKNOWN.iter().any(|text| needed.why.contains(text));
                let (name, why) = (&needed.name, &needed.why);
                assert!(is_unknown || !needed.keys.is_empty(), "{}: {name}: {why}", fixture.name);
                seen += usize::from(!needed.keys.is_empty());
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

fn of_spec(spec: &str) -> Vec<Requirements> {
    let text = format!(
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {{name: test}}\nspec: {spec}\n"
    );
    let source = load::Source { name: "cloud.yaml".to_owned(), bytes: text.into_bytes() };
    let mut findings = Findings::default();
    let documents = load::read(&[source], &mut findings);
    let options = Options::default();
    let (clouds, _) = strata::look(&documents, findings, &options, |cloud, _, contents| {
        requirements(cloud, contents)
    });
    clouds
}

/// The companion operator makes them, and K-ORC has to serve them.
#[test]
fn what_is_made_of_a_rotation_needs_an_operator_too() {
    let needs = |spec: &str| {
        let operators = of_spec(spec).into_iter().flat_map(|cloud| cloud.operators);
        operators.into_iter().any(|served| {
            let is_korc =
                matches!(&served.by, By::Operator { name, .. } if name.starts_with("K-ORC"));
            is_korc && kinds(&served).any(|(_, kind)| kind == "ApplicationCredential")
        })
    };
    assert!(needs("{korc: {credentials: applicationCredential}}"));
    assert!(!needs("{}"));
}

#[test]
fn public_names_that_no_route_leads_from_are_for_something_else_to_route() {
    let needed = |spec: &str| -> Vec<String> {
        let objects = of_spec(spec).into_iter().flat_map(|cloud| cloud.objects);
        let names = objects.filter(|needed| needed.kind == "PublicName");
        names.map(|needed| format!("{}: {}", needed.name, needed.why)).collect()
    };
    assert_eq!(needed("{}"), Vec::<String>::new());
    let routed = needed("{endpoints: {domain: example.com, gateway: {name: public}}}");
    assert!(!routed[0].contains("must lead to Service"), "{routed:#?}");
    let names = needed("{endpoints: {domain: example.com}, services: {horizon: {enabled: true}}}");
    let of = |name: &str| names.iter().find(|line| line.starts_with(name)).cloned();
    let keystone = of("keystone.example.com: ").unwrap();
    assert!(keystone.contains("Service openstack/keystone, port 5000, which speaks HTTPS"));
    assert!(keystone.contains("a certificate of yours"), "{keystone}");
    assert!(keystone.contains("`endpoints.gateway`"), "{keystone}");
    // What is in no catalog has a public name too.
    assert!(of("horizon.example.com: ").is_some(), "{names:#?}");
    let certified = needed(
        "{endpoints: {domain: example.com}, global: {tls: {issuerRef: {name: letsencrypt}}}}",
    );
    assert!(certified[0].contains("Secret openstack/openstack-public-tls"), "{certified:#?}");
}

fn shown(clouds: Vec<Requirements>, kind: &str) -> Vec<String> {
    let objects = clouds.into_iter().flat_map(|cloud| cloud.objects);
    let needed = objects.filter(|needed| needed.kind == kind);
    needed
        .map(|needed| {
            let by = Vec::from_iter(needed.by).join(", ");
            format!("{}: {} (for {by})", needed.name, needed.why)
        })
        .collect()
}

#[test]
fn public_names_lead_to_the_gateway_by_dns() {
    let spec = "{endpoints: {domain: example.com, gateway: {name: public, namespace: edge}}}";
    let names = shown(of_spec(spec), "PublicName");
    let keystone = "keystone.example.com: must lead, by a record in DNS, to the address of Gateway edge/public (for keystone)";
    assert!(names.contains(&keystone.to_owned()), "{names:#?}");
    let own = "{endpoints: {domain: example.com, gateway: {name: public}}}";
    let names = shown(of_spec(own), "PublicName");
    assert!(names[0].contains("Gateway openstack/public"), "{names:#?}");
}

#[test]
fn a_cloud_without_a_domain_says_that_nobody_outside_reaches_it() {
    let says = |spec: &str| of_spec(spec)[0].text().contains("\nno public names\n");
    assert!(says("{}"));
    assert!(!says("{endpoints: {domain: example.com}}"));
}

#[test]
fn nodes_that_objects_select_must_have_these_labels() {
    assert_eq!(
        shown(of_spec("{}"), "Node"),
        [
            "node-role.kubernetes.io/hypervisor=: run spec.controller of OVNCluster ovn; run spec.ovs of OVNCluster ovn (for ovn)"
        ]
    );
    assert_eq!(
        shown(
            of_spec(
                "{infrastructure: {valkey: {nodeSelector: {rack: a1, disk: fast}}}, network: {ovn: {enabled: false}}, services: {neutron: {enabled: false}, nova: {enabled: false}}}"
            ),
            "Node"
        ),
        ["disk=fast,rack=a1: run spec of Valkey openstack-valkey (for valkey)"]
    );
    let everywhere = "{infrastructure: {valkey: {nodeSelector: {kubernetes.io/os: linux}}}}";
    assert_eq!(shown(of_spec(everywhere), "Node").len(), 1);
    let defined = "{platform: {strata-operator: {enabled: true}}}";
    assert_eq!(shown(of_spec(defined), "Node").len(), 1, "a CRD has a field of that name");
}

#[test]
fn pools_that_a_cloud_consumes_must_exist() {
    let of = |kind| shown(of_fixture(&Fixture::named("pools")), kind);
    let why = "is a storage pool, whose Ceph holds volumes; is a storage pool, whose Ceph hypervisors reach";
    assert_eq!(
        of("StorageCluster"),
        ["a", "b"].map(|pool| format!("infrastructure/st-pool-{pool}: {why} (for cinder, nova)"))
    );
    assert_eq!(
        of("HypervisorCluster"),
        ["a", "b"].map(|pool| format!(
            "infrastructure/hv-pool-{pool}: is a pool of hypervisors (for nova)"
        ))
    );
}

#[test]
fn what_several_components_need_says_what_each_needs_it_for() {
    let spec = "{infrastructure: {mariadb: {storageClass: a, backup: {volume: {storageClass: a}}}, rabbitmq: {storageClass: a}}}";
    assert_eq!(
        shown(of_spec(spec), "StorageClass"),
        [
            "a: gives the volumes of the database; gives the volume of backups; gives the volumes of the broker (for mariadb, rabbitmq)"
        ]
    );
}

#[test]
fn what_is_named_by_hand_in_whatever_field_must_exist() {
    let spec = "{services: {nova: {priorityClassName: high}}, infrastructure: {mariadb: {extraConfig: {\
                myCnfConfigMapKeyRef: {name: tuning, key: my.cnf}, volumes: [{name: a, persistentVolumeClaim: \
                {claimName: archive}}]}}}, platform: {cert-manager: {enabled: true, patches: [{kind: HelmRelease, \
                merge: {spec: {valuesFrom: [{kind: Secret, name: values}]}}}]}}}";
    for (kind, name) in [
        ("PriorityClass", "high"),
        ("ConfigMap", "openstack/tuning"),
        ("PersistentVolumeClaim", "openstack/archive"),
        ("Secret", "cert-manager/values"),
    ] {
        let found = shown(of_spec(spec), kind);
        assert!(found.iter().any(|line| line.starts_with(&format!("{name}: "))), "{found:?}");
    }
}

#[test]
fn servers_and_buckets_that_are_elsewhere_must_exist() {
    let of = |fixture: &str, kind| shown(of_fixture(&Fixture::named(fixture)), kind);
    assert_eq!(
        of("external", "Server"),
        [
            "cache-1.example.com:11211: is a cache of the cloud (for memcached)",
            "cache-2.example.com:11211: is a cache of the cloud (for memcached)",
            "mq.example.com:5673: is the broker of the cloud (for rabbitmq)",
            "valkey.example.com:6380: is the key-value store of the cloud (for valkey)",
        ]
    );
    assert_eq!(
        of("cobaltcore", "Bucket"),
        ["https://s3.example.com/glance-images: holds images (for glance)"]
    );
    let bridged =
        "{network: {ovn: {bridgeMappings: [{physicalNetwork: external, bridge: br-ex}]}}}";
    assert_eq!(shown(of_spec(bridged), "Bridge").len(), 1);
}

#[test]
fn a_namespace_that_an_operator_elsewhere_makes_must_exist() {
    let topology = "{platform: {rabbitmq-topology-operator: {enabled: true}";
    let alone = shown(of_spec(&format!("{topology}}}}}")), "Namespace");
    assert_eq!(alone.len(), 1, "{alone:?}");
    assert!(alone[0].starts_with("rabbitmq-system"), "{alone:?}");
    let both = format!("{topology}, rabbitmq-cluster-operator: {{enabled: true}}}}}}");
    assert_eq!(shown(of_spec(&both), "Namespace"), Vec::<String>::new());
}

#[test]
fn servers_of_services_must_exist() {
    let spec = "{cortex: {enabled: true, database: {secretName: db, host: pg.example.com}}}";
    let servers = shown(of_spec(spec), "Server").join("\n");
    assert!(servers.contains("pg.example.com:5432"), "{servers}");
    assert!(servers.contains("http://prometheus.monitoring:9090"), "{servers}");
}

#[test]
fn pools_of_ceph_must_exist() {
    let of = |spec| shown(of_spec(spec), "CephPool");
    assert_eq!(
        of("{}"),
        ["images: holds images (for glance)", "volumes: holds volumes (for cinder)"]
    );
    let named = of("{services: {glance: {ceph: {pool: pictures}}, cinder: {enabled: false}}}");
    assert_eq!(named, ["pictures: holds images (for glance)"]);
}

/// What stands between Flux and a cloud stands before each of its components.
#[test]
fn what_flux_applies_with_is_needed_by_every_component() {
    let clouds = of_spec("{delivery: {serviceAccountName: applier}}");
    let [cloud] = clouds.as_slice() else { panic!("{} clouds", clouds.len()) };
    let account = cloud.objects.iter().find(|needed| needed.kind == "ServiceAccount").unwrap();
    assert_eq!(account.by, cloud.components);
    assert!(account.by.contains("keystone"), "{:?}", account.by);
    let text = cloud.text();
    let line = "ServiceAccount flux-system/applier: has the rights that Flux applies with\n    for every component\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_backup_to_start_from_must_be_there_unless_it_is_the_clouds_own() {
    let needed = |spec: &str| {
        let objects = of_spec(spec).into_iter().flat_map(|cloud| cloud.objects);
        let backups = objects.filter(|needed| needed.kind.ends_with("Backup"));
        backups.map(|needed| format!("{}/{}", needed.kind, needed.name)).collect::<Vec<_>>()
    };
    let own = "{infrastructure: {mariadb: {restore: {backup: openstack-db}}}}";
    assert_eq!(needed(own), Vec::<String>::new());
    // The cloud takes backups of that name, and of another kind.
    let other = "{infrastructure: {mariadb: {backup: {method: physical}, restore: {backup: openstack-db}}}}";
    assert_eq!(needed(other), ["Backup/openstack/openstack-db"]);
}

#[test]
fn volumes_without_a_class_need_a_default_one() {
    let by = |spec: &str| {
        let mut objects = of_spec(spec).into_iter().flat_map(|cloud| cloud.objects);
        let needed = objects.find(|needed| needed.kind == "DefaultStorageClass");
        needed.map(|needed| Vec::from_iter(needed.by)).unwrap_or_default()
    };
    assert_eq!(by("{}"), ["mariadb", "ovn", "rabbitmq", "valkey"]);
    assert_eq!(
        by(
            "{infrastructure: {mariadb: {storageClass: a}, rabbitmq: {storageClass: a}, valkey: {storageClass: a}}}"
        ),
        ["ovn"]
    );
    assert_eq!(
        by(
            "{infrastructure: {mariadb: {storageClass: a}, rabbitmq: {storageClass: a}, valkey: {storageClass: a}}, network: {ovn: {storageClass: a}}}"
        ),
        Vec::<String>::new()
    );
}

/// The operator beside whose pod the authority of a cloud must lie cannot read a store of that cloud's own, and
/// nobody has to carry it there.
#[test]
fn an_authority_comes_to_whoever_must_trust_it_by_itself() {
    let clouds = of_fixture(&Fixture::named("own-store"));
    let [cloud] = clouds.as_slice() else { panic!("{} clouds", clouds.len()) };
    let objects: Vec<&str> = cloud.objects.iter().map(|needed| needed.name.as_str()).collect();
    assert!(!objects.iter().any(|name| name.contains("ca-own-store")), "{objects:?}");
    assert!(!objects.contains(&"openstack-ca-bundle"), "{objects:?}");
    for path in cloud.paths.keys() {
        assert!(path.starts_with("clouds/own-store/own-store/"), "{path} is not in the store");
    }
}

#[test]
fn a_secret_says_which_namespace_it_must_be_in() {
    let mut seen = 0;
    for fixture in fixtures().iter().filter(|fixture| !fixture.is_invalid()) {
        for needed in of_fixture(fixture).iter().flat_map(|cloud| &cloud.objects) {
            if needed.kind == "Secret" {
                let is_placed = needed.name.split('/').count() == 2;
                assert!(is_placed, "{}: Secret {}", fixture.name, needed.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
    let names = |fixture: &str| {
        let clouds = of_fixture(&Fixture::named(fixture)).into_iter();
        let objects = clouds.flat_map(|cloud| cloud.objects);
        objects.map(|needed| format!("{} {}", needed.kind, needed.name)).collect::<Vec<_>>()
    };
    let external = names("external");
    assert!(external.contains(&"Secret external/external-valkey".to_owned()), "{external:#?}");
    // Beside the operator that reads it.
    let everything = names("everything");
    assert!(
        everything.contains(&"Secret rabbitmq-system/ca-staging".to_owned()),
        "{everything:#?}"
    );
}

#[test]
fn a_database_elsewhere_must_take_all_that_services_can_open() {
    let connections = |spec: &str| of_spec(spec).remove(0).connections;
    assert_eq!(connections("{}"), None);
    let external = "external: {host: db.example.com, secretName: admin, tls: false}";
    let elsewhere = |services: &str| {
        let spec = format!("{{infrastructure: {{mariadb: {{{external}}}}}, services: {services}}}");
        connections(&spec).unwrap()
    };
    let (host, usual) = elsewhere("{}");
    assert_eq!(host, "db.example.com");
    // 17 more of 4 workers with 55 connections each, by a setting or by hand.
    let more = usual + 17 * 4 * 55;
    assert_eq!(elsewhere("{keystone: {replicas: 20}}").1, more);
    assert_eq!(elsewhere("{keystone: {extraConfig: {replicas: 20}}}").1, more);
}
