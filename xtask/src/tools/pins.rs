//! What a cloud installs and what the tests judge it by are pinned in two places: records and the table of
//! tools. They are the same version, or it is said here why not.

#![allow(clippy::panic)]

use std::fs;

use super::TABLE;
use crate::workspace;

struct Pair {
    /// A row of the table.
    part: &'static str,
    /// The record that installs the same project, below `generators/`.
    record: &'static str,
    /// The version, as the record writes it.
    pinned: &'static str,
    /// Why the table has another; empty where it has the same.
    why: &'static str,
}

const fn pair(
    part: &'static str,
    record: &'static str,
    pinned: &'static str,
    why: &'static str,
) -> Pair {
    Pair { part, record, pinned, why }
}

const PAIRS: &[Pair] = &[
    pair("cert-manager", "platform/cert-manager.yaml", "version: v1.21.1", ""),
    pair("external-secrets", "platform/external-secrets.yaml", "version: 1.3.2", ""),
    pair(
        "external-secrets-manager",
        "platform/external-secrets.yaml",
        "version: 1.3.2",
        "later ones than 0.20 are split into modules that are not published, so that none can be built; objects \
         are judged by the CRDs of 1.3.2",
    ),
    pair("gateway-api", "platform/gateway-api-crds.yaml", "ref: {tag: v1.6.1}", ""),
    pair("mariadb-operator", "platform/mariadb-operator.yaml", "version: 25.10.4", ""),
    pair("memcached-operator", "platform/memcached-operator.yaml", "ref: {tag: 0.4.0}", ""),
    pair(
        "prometheus-operator",
        "platform/prometheus-operator-crds.yaml",
        "Prometheus operator v0.93.0",
        "",
    ),
    pair(
        "rabbitmq-cluster-operator",
        "platform/rabbitmq-cluster-operator.yaml",
        "newTag: 2.20.0",
        "",
    ),
    pair(
        "rabbitmq-topology-operator",
        "platform/rabbitmq-topology-operator.yaml",
        "newTag: 1.20.1",
        "",
    ),
    pair("k-orc", "platform/k-orc.yaml", "newTag: commit-c22784c", K_ORC),
    pair("k-orc-manager", "platform/k-orc.yaml", "newTag: commit-c22784c", K_ORC),
    pair(
        "keystone",
        "identity/keystone.yaml",
        "\"2026.1\": 29.0.2",
        "one Keystone stands in the tests for all series: what is asked of it is the same in each",
    ),
];

const K_ORC: &str = "no release has RoleAssignment, and only releases are published as modules; where the tests need \
                     one, they grant it themselves and say so";

/// Records that install what no row of the table is about, and why.
const NOT_JUDGED: &[(&str, &str)] = &[
    (
        "platform/barbican-operator.yaml",
        "its CRDs are in no registry: STRATA_CRDS names a folder that has them",
    ),
    ("platform/glance-operator.yaml", "as above"),
    ("platform/horizon-operator.yaml", "as above"),
    ("platform/keystone-operator.yaml", "as above"),
    ("platform/placement-operator.yaml", "as above"),
    ("platform/valkey-operator.yaml", "as above"),
    (
        "platform/openbao.yaml",
        "a chart of its own; the tests have a store that speaks the same API",
    ),
    ("platform/strata-operator.yaml", "built from this repository"),
];

#[test]
fn what_is_installed_is_what_is_tested() {
    for Pair { part, record, pinned, why } in PAIRS {
        let Some(row) = TABLE.iter().find(|row| row.name == *part) else {
            panic!("the table has no {part}")
        };
        assert!(text(record).contains(pinned), "{record} does not say `{pinned}`");
        let version = pinned.rsplit([' ', ':']).next().unwrap_or_default();
        let version = version.trim_matches(['{', '}', 'v']);
        let is_same = row.version.trim_start_matches('v') == version;
        assert_ne!(
            is_same,
            !why.is_empty(),
            "{part}: {} and {version}, because `{why}`",
            row.version
        );
    }
}

#[test]
fn every_record_that_installs_something_is_held_against_the_table() {
    let folder = workspace::root().join("generators/platform");
    let mut count = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let record = format!("platform/{}", entry.file_name().display());
        let pins = |line: &str| {
            let line = line.trim_start();
            ["ref: {", "version: ", "newTag: "].iter().any(|key| line.starts_with(key))
        };
        if !text(&record).lines().any(pins) {
            continue;
        }
        count += 1;
        let held = PAIRS.iter().any(|pair| pair.record == record);
        let known =
            held || NOT_JUDGED.iter().any(|(other, why)| *other == record && !why.is_empty());
        assert!(known, "{record} pins a version that nothing here is about");
    }
    assert!(count >= 15, "only {count} records were looked at");
}

fn text(record: &str) -> String {
    fs::read_to_string(workspace::root().join("generators").join(record)).unwrap_or_default()
}
