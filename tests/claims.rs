//! What people do to the claims of the blueprint, and what they are told: as for a ControlPlane, at the
//! place in the claim where they would mend it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use drive::{Answer, Mutated, Mutation, render};
use strata::finding::Code;

const CLAIMS: Mutated = Mutated { fixture: "claim", file: "claims.yaml" };

#[rustfmt::skip]
const MUTATIONS: &[Mutation] = &[
    (
        "a typo in a field",
        "  size: large",
        "  sice: large",
        &["S0101 claims.yaml:9:3 spec.sice: there is no field `sice` here | help: did you mean `size`?"],
    ),
    (
        "a size that is none",
        "  size: large",
        "  size: huge",
        &["S0103 claims.yaml:9:9 spec.size: `huge` is not a value this field takes | help: write one of: small, medium, large, xlarge"],
    ),
    (
        "a field of the ControlPlane",
        "  region: eu-de-1",
        "  global: {region: eu-de-1}",
        &["S0101 claims.yaml:8:3 spec.global: there is no field `global` here | help: remove it, or use one of: …"],
    ),
    (
        "what a tenant does not decide",
        "  region: eu-de-1",
        "  region: eu-de-1\n  platform: {install: true}",
        &["S0101 claims.yaml:9:3 spec.platform: there is no field `platform` here | help: remove it, or use one of: …"],
    ),
    (
        "a typo in a service",
        "    octavia: true",
        "    octavai: true",
        &["S0101 claims.yaml:24:5 spec.services.octavai: there is no field `octavai` here | help: did you mean `octavia`?"],
    ),
    (
        "a quoted switch",
        "    octavia: true",
        "    octavia: \"true\"",
        &["S0102 claims.yaml:24:14 spec.services.octavia: expected true, false or a map of fields, found the text \"true\" | help: leave the quotes off: true"],
    ),
    (
        "a word for a switch",
        "    octavia: true",
        "    octavia: please",
        &["S0102 claims.yaml:24:14 spec.services.octavia: expected true, false or a map of fields, found the text \"please\" | help: write true, false or a map of fields"],
    ),
    (
        "a typo in a service's setting",
        "    octavia: true",
        "    octavia: {enabled: true, replcias: 3}",
        &["S0101 claims.yaml:24:30 spec.services.octavia.replcias: there is no field `replcias` here | help: did you mean `replicas`?"],
    ),
    (
        "a service off that others need",
        "    glance: true",
        "    glance: false",
        &["S0304 claims.yaml:23:13 spec.services.glance: glance is off and needed by nova, octavia | help: switch glance on, or switch off all that need it: services.nova, services.octavia"],
    ),
    (
        "an even number of Galera members",
        "  region: eu-de-1",
        "  region: eu-de-1\n  infrastructure: {mariadb: {replicas: 4}}",
        &["S0301 claims.yaml:9:40 spec.infrastructure.mariadb.replicas: with 4 members a split leaves two halves of 2, and neither may write | help: set replicas to 3 or 5"],
    ),
    (
        "a pipeline that is none",
        "      - cinder",
        "      - cinders",
        &["S0103 claims.yaml:31:9 spec.cortex.pipelines[1]: `cinders` is not a value this field takes | help: did you mean `cinder`? Known: nova, cinder"],
    ),
    (
        "pools as text",
        "  hypervisorClusters:\n    - hv-pool-a      # Standard pool (50 nodes)\n    - hv-pool-b ",
        "  hypervisorClusters: hv-pool-a ",
        &["S0102 claims.yaml:12:23 spec.hypervisorClusters: expected a list, found the text \"hv-pool-a\" | help: write [hv-pool-a]"],
    ),
    (
        "a pool that is none",
        "    - hv-pool-b ",
        "    - hv-pool-c ",
        &["S0320 claims.yaml:14:7 spec.hypervisorClusters[1]: there is no HypervisorCluster `hv-pool-c` in the input | help: did you mean `hv-pool-a`?"],
    ),
    (
        "another region",
        "  region: eu-de-1",
        "  region: us-east-1",
        &["S0321 claims.yaml:13:7 spec.hypervisorClusters[0]: `hv-pool-a` is in eu-de-1, and the cloud in us-east-1 | help: name a pool of us-east-1, or write spec.region: eu-de-1", "S0321 claims.yaml:14:7 spec.hypervisorClusters[1]: `hv-pool-b` is in eu-de-1, and the cloud in us-east-1 | help: name a pool of us-east-1, or write spec.region: eu-de-1", "S0321 claims.yaml:16:7 spec.storageClusters[0]: `st-pool-a` is in eu-de-1, and the cloud in us-east-1 | help: name a pool of us-east-1, or write spec.region: eu-de-1"],
    ),
    (
        "an issuer with a space",
        "issuerRef: letsencrypt-prod",
        "issuerRef: Lets Encrypt",
        &["S0105 claims.yaml:36:16 spec.tls.issuerRef: `Lets Encrypt` is no name that Kubernetes takes | help: did you mean `lets-encrypt`?"],
    ),
    (
        "an issuer without a name",
        "issuerRef: letsencrypt-prod",
        "issuerRef: {kind: Issuer}",
        &["S0106 claims.yaml:36:16 spec.tls.issuerRef: `name` is missing here | help: add `name:` (lower-case letters, digits, '-' and '.', such as ceph-rbd or cloud.example.com)"],
    ),
    (
        "a list of issuers",
        "issuerRef: letsencrypt-prod",
        "issuerRef: [letsencrypt-prod]",
        &["S0102 claims.yaml:36:16 spec.tls.issuerRef: expected text or a map of fields, found a list | help: write text or a map of fields"],
    ),
    (
        "a release that is none",
        "  region: eu-de-1",
        "  region: eu-de-1\n  release: \"2019.1\"",
        &["S0302 claims.yaml:9:12 spec.release: the catalogue has no release 2019.1 | help: write one of: 2024.2, 2025.1, 2025.2, 2026.1"],
    ),
    (
        "a typo in kind",
        "kind: OpenStackCluster",
        "kind: OpenstackCluster",
        &["S0010 claims.yaml:3:7 kind: there is no kind OpenstackCluster in c5c3.io/v1alpha1 | help: did you mean `OpenStackCluster`?"],
    ),
    (
        "no spec",
        "spec:\n  region: eu-de-1\n  size: large",
        "spce:\n  region: eu-de-1\n  size: large",
        &["S0101 claims.yaml:7:1 spce: there is no field `spce` here | help: did you mean `spec`?"],
    ),
];

#[test]
fn every_mutation_gives_the_finding_a_person_would_want() {
    CLAIMS.check(MUTATIONS);
}

const PAGE: &str = include_str!("../docs/claims.md");

/// Every block of YAML in the page, as one input.
fn page() -> Answer {
    let blocks = PAGE.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let text = blocks.collect::<Vec<_>>().join("---\n");
    render(&[("page.yaml", &text)])
}

#[test]
fn the_page_of_claims_renders_what_it_says() {
    let page = page();
    assert_eq!(page.outcome.clouds, ["openstack-shop/shop"], "{}", page.report());
    let has = |kind: &str, name: &str, expected: &str| {
        let yaml = &page.object(kind, name).yaml;
        assert!(yaml.contains(expected), "no {expected:?} in\n{yaml}");
    };
    // Of the claim, of its pools, of Defaults of all clouds and of those of its namespace.
    has("Heat", "heat", "kind: Heat\n");
    has("Placement", "placement", "  replicas: 2\n");
    has("Nova", "nova", "  - availabilityZone: az-1\n");
    has("Nova", "nova", "    name: hv-standard\n");
    has("Cinder", "cinder", "  defaultVolumeType: st-nvme\n");
    has("MariaDB", "openstack-db", "    storageClassName: ceph-rbd\n");
    has("ExternalSecret", "nova-db-credentials", "    name: vault\n");
    has("Keystone", "keystone", "  replicas: 2\n");
    has("Namespace", "openstack-shop", "kind: Namespace\n");
}

#[test]
fn the_page_of_claims_warns_of_nothing_but_operators_that_nobody_publishes() {
    let page = page();
    let others: Vec<_> =
        page.outcome.findings.iter().filter(|it| it.code != Code::NoController).collect();
    assert!(others.is_empty(), "{}", page.report());
}
