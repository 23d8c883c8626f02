//! Claims, Defaults and sizes: what lies below and beside a ControlPlane, and who wins.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use drive::{Answer, Fixture, render};
use strata::catalogue::{self, Catalogue};
use strata::finding::{Findings, Path};
use strata::layers::control_planes;
use strata::load;
use strata::record::Phase;
use strata::yaml::place::line_column;

const CLAIMED: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: customer-a-prod, namespace: openstack-customer-a-prod}
spec:
  size: large
  global:
    region: eu-de-1
    tls: {enabled: true, issuerRef: {name: letsencrypt-prod, kind: ClusterIssuer}}
  compute: {hypervisorClusters: [hv-pool-a, hv-pool-b]}
  storage: {storageClusters: [st-pool-a]}
  services:
    nova: {enabled: true}
    neutron: {enabled: true}
    cinder: {enabled: true}
    glance: {enabled: true}
    octavia: {enabled: true}
  cortex: {enabled: true, pipelines: [nova, cinder]}
";

fn file(fixture: &str, name: &str) -> String {
    let sources = Fixture::named(fixture).sources();
    let source = sources.into_iter().find(|source| source.name == name).unwrap();
    String::from_utf8(source.bytes).unwrap()
}

#[test]
fn a_claim_gives_the_bytes_of_the_control_plane_written_by_hand() {
    let claims = file("claim", "claims.yaml");
    let (claim, _) = claims.split_once("---\n").unwrap();
    let pools = file("claim", "pools.yaml");
    let claimed = render(&[("claim.yaml", claim), ("pools.yaml", &pools)]);
    let by_hand = render(&[("controlplane.yaml", CLAIMED), ("pools.yaml", &pools)]);
    assert_eq!(claimed.stream(), by_hand.stream());
    assert_eq!(claimed.outcome.clouds, ["openstack-customer-a-prod/customer-a-prod"]);
    for outsider in ["kind: OpenStackCluster\n", "kind: HypervisorCluster\n", "tenant-customer-a"] {
        assert!(!claimed.stream().contains(outsider), "{outsider} is in the output");
    }
}

#[test]
fn pools_become_aggregates_backends_and_volume_types() {
    let answer = Fixture::named("pools").render();
    let nova = &answer.object("Nova", "nova").yaml;
    let cinder = &answer.object("Cinder", "cinder").yaml;
    for (yaml, expected) in [
        (
            nova,
            "  - availabilityZone: hv-pool-b\n    computeRef:\n      name: hv-pool-b\n      namespace: infrastructure\n    name: hv-pool-b\n",
        ),
        (nova, "  - availabilityZone: az-1\n"),
        (nova, "        name: nova-ceph-st-pool-b\n"),
        (cinder, "        name: cinder-ceph-credentials-st-pool-a\n"),
        (cinder, "  defaultVolumeType: st-pool-a\n"),
        (
            cinder,
            "  volumeTypes:\n  - backend: st-pool-a\n    name: st-pool-a\n  - backend: st-pool-b\n    name: st-pool-b\n",
        ),
    ] {
        assert!(yaml.contains(expected), "no\n{expected}in\n{yaml}");
    }
    let without = Fixture::named("minimal").render();
    let nova = &without.object("Nova", "nova").yaml;
    assert!(!nova.contains("hostAggregates") && !nova.contains("storage:"), "{nova}");
    let cinder = &without.object("Cinder", "cinder").yaml;
    assert!(
        cinder.contains("  - driver: cinder.volume.drivers.rbd.RBDDriver\n    name: ceph-rbd\n")
    );
    assert!(cinder.contains("  defaultVolumeType: ceph-rbd\n") && !cinder.contains("volumeTypes"));
}

/// Replicas of Keystone by what the layers write, the installation's first.
fn keystones(system: &str, namespace: &str, spec: &str) -> String {
    let defaults = |home: &str, spec: &str| {
        format!(
            "apiVersion: strata.c5c3.io/v1alpha1\nkind: Defaults\nmetadata: {{name: x, namespace: {home}}}\nspec: {spec}\n"
        )
    };
    let cloud = format!(
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {{name: a, namespace: a}}\nspec: {spec}\n"
    );
    let mut files = vec![("cloud.yaml", cloud)];
    files.extend((!system.is_empty()).then(|| ("system.yaml", defaults("strata-system", system))));
    files.extend((!namespace.is_empty()).then(|| ("own.yaml", defaults("a", namespace))));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let answer = render(&files);
    let backwards: Vec<(&str, &str)> = files.iter().rev().copied().collect();
    assert_eq!(answer.stream(), render(&backwards).stream(), "the order of the input shows");
    replicas(&answer)
}

fn replicas(answer: &Answer) -> String {
    let yaml = &answer.object("Keystone", "keystone").yaml;
    let line = yaml.lines().find(|line| line.starts_with("  replicas: ")).unwrap();
    line.trim_start_matches("  replicas: ").to_owned()
}

#[test]
fn each_layer_wins_over_those_below() {
    let keystone = |count: i32| format!("{{services: {{keystone: {{replicas: {count}}}}}}}");
    let alias = "{openstack: {keystone: {replicas: 8}}}";
    let nothing = "{services: {keystone: {replicas: }}}";
    for (system, namespace, spec, expected) in [
        ("", "", "{}", "3"),
        (keystone(5).as_str(), "", "{}", "5"),
        (&keystone(5), &keystone(6), "{}", "6"),
        (&keystone(5), &keystone(6), &keystone(7), "7"),
        (&keystone(5), "", &keystone(7), "7"),
        (&keystone(5), alias, "{}", "8"),
        (alias, "", &keystone(7), "7"),
        (&keystone(5), "", "{services: {nova: {api: {replicas: 2}}}}", "5"),
        (&keystone(5), "", nothing, "3"),
        (&keystone(5), nothing, "{}", "3"),
        (&keystone(5), "", "{services: }", "3"),
        ("{size: xlarge}", "{size: small}", "{}", "1"),
        ("{size: xlarge}", "", "{}", "5"),
    ] {
        assert_eq!(keystones(system, namespace, spec), expected, "{system} {namespace} {spec}");
    }
}

#[test]
fn a_field_knows_the_layer_that_wrote_it() {
    let sources = Fixture::named("defaults").sources();
    let mut findings = Findings::default();
    let documents = load::read(&sources, &mut findings);
    let spec = load::load(&documents, &strata::Options::default(), &mut findings);
    let catalogue = catalogue::assemble(&spec, &mut findings).unwrap();
    let clouds = control_planes(&spec, &catalogue, &mut findings);
    let origin = |cloud: &str, path: &str| {
        let written = clouds.iter().find(|written| written.name == cloud).unwrap();
        let (layer, place) = written.origin(&Path::from(path))?;
        let source = &sources[layer.document.source];
        let text = std::str::from_utf8(&source.bytes).unwrap();
        let (line, column) = line_column(text, place.span.unwrap().start);
        Some(format!("{}:{line}:{column} {}", source.name, place.path))
    };
    for (cloud, path, expected) in [
        ("production", "spec.release", Some("system.yaml:5:12 spec.release")),
        ("production", "spec.size", Some("of-production.yaml:5:9 spec.size")),
        (
            "production",
            "spec.services.keystone.replicas",
            Some("of-production.yaml:9:26 spec.openstack.keystone.replicas"),
        ),
        (
            "production",
            "spec.infrastructure.mariadb.storageSize",
            Some("clouds.yaml:9:20 spec.infrastructure.mariadb.storageSize"),
        ),
        (
            "production",
            "spec.infrastructure.mariadb.resources",
            Some("clouds.yaml:10:7 spec.infrastructure.mariadb.resources"),
        ),
        ("production", "spec.infrastructure.mariadb.resources.requests", None),
        ("production", "spec.infrastructure.mariadb.replicas", None),
        ("production", "metadata.name", Some("clouds.yaml:3:18 metadata.name")),
        (
            "lab",
            "spec.services.heat.enabled",
            Some("clouds.yaml:20:21 spec.openstack.heat.enabled"),
        ),
        (
            "customer-c",
            "spec.global.tls.issuerRef.name",
            Some("clouds.yaml:26:20 spec.tls.issuerRef"),
        ),
        ("customer-c", "spec.global.region", Some("system.yaml:8:13 spec.global.region")),
        (
            "customer-c",
            "spec.services.horizon.enabled",
            Some("clouds.yaml:27:23 spec.services.horizon"),
        ),
        (
            "customer-c",
            "spec.services.horizon.replicas",
            Some("of-customer-c.yaml:6:34 spec.services.horizon.replicas"),
        ),
    ] {
        assert_eq!(origin(cloud, path).as_deref(), expected, "{cloud} {path}");
    }
}

/// What runs inside a cloud asks for what it needs; only operators are not ours to size.
#[test]
fn every_process_of_a_cloud_has_a_class() {
    // Its memory follows from its cache, which a person may set.
    let by_itself = ["memcached"];
    let catalogue = Catalogue::built_in();
    let sized = catalogue.records().filter(|record| {
        record.phase != Phase::Platform && !by_itself.contains(&record.component.as_ref())
    });
    let mut count = 0;
    for record in sized {
        for process in record.all_processes() {
            assert!(!process.class.is_empty(), "{} {}", record.component, process.name);
            count += 1;
        }
    }
    assert!(count > 30, "only {count} processes");
}

#[test]
fn a_size_scales_replicas_workers_memory_and_volumes() {
    let cloud = |size: &str| {
        render(&[(
            "cloud.yaml",
            &format!(
                "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {{name: a, namespace: a}}\nspec: {{size: {size}, services: {{heat: {{enabled: true}}}}, cortex: {{enabled: true}}, tempest: {{enabled: true}}}}\n"
            ),
        )])
    };
    let sizes = ["small", "medium", "large", "xlarge"].map(cloud);
    for (kind, name) in [
        ("MariaDB", "openstack-db"),
        ("MaxScale", "openstack-db-mxs"),
        ("RabbitmqCluster", "openstack-rabbitmq"),
        ("Valkey", "openstack-valkey"),
        ("Memcached", "openstack-memcached"),
        ("Keystone", "keystone"),
        ("Glance", "glance"),
        ("Placement", "placement"),
        ("Nova", "nova"),
        ("Neutron", "neutron"),
        ("Cinder", "cinder"),
        ("OVNCluster", "ovn"),
        ("Heat", "heat"),
        ("Cortex", "cortex"),
        ("Tempest", "tempest"),
    ] {
        let yaml = sizes.each_ref().map(|cloud| &cloud.object(kind, name).yaml);
        for (smaller, larger) in yaml.iter().zip(&yaml[1..]) {
            assert_ne!(smaller, larger, "{kind} is the same at two sizes");
        }
        assert!(yaml[0].contains("memory: "), "{}", yaml[0]);
    }
    let volume = |cloud: &Answer| {
        let yaml = &cloud.object("MariaDB", "openstack-db").yaml;
        yaml.lines().find(|line| line.starts_with("    size: ")).unwrap().trim().to_owned()
    };
    assert_eq!(
        sizes.each_ref().map(volume),
        ["size: 20Gi", "size: 100Gi", "size: 200Gi", "size: 500Gi"]
    );
}

#[test]
fn resources_of_ones_own_stand_alone() {
    let answer = render(&[(
        "cloud.yaml",
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: a}\nspec: {services: {keystone: {resources: {requests: {memory: 9Gi}}}}}\n",
    )]);
    let yaml = &answer.object("Keystone", "keystone").yaml;
    assert!(yaml.contains("  resources:\n    requests:\n      memory: 9Gi\n"), "{yaml}");
    assert!(!yaml.contains("limits"), "{yaml}");
}
