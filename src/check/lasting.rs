//! What lasts in a cluster: kinds that hold data, and fields that operators let grow and never shrink,
//! or never change at all. Data, from the operators' own checks.

use crate::finding::{Code, Findings, Place};
use crate::object::Object;
use crate::value::Value;

/// Deleting one of these deletes data, where its operator is not told otherwise.
const STATE: &[(&str, &str)] = &[
    ("", "Namespace"),
    ("", "PersistentVolumeClaim"),
    ("", "PersistentVolume"),
    ("", "Secret"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("k8s.mariadb.com", "MariaDB"),
    ("k8s.mariadb.com", "Database"),
    ("rabbitmq.com", "RabbitmqCluster"),
    ("rabbitmq.com", "Vhost"),
    ("cache.cs.sap.com", "Valkey"),
    ("valkey.io", "ValkeyCluster"),
    ("ceph.rook.io", "CephCluster"),
    ("ceph.rook.io", "CephBlockPool"),
    ("ceph.rook.io", "CephFilesystem"),
    ("ceph.rook.io", "CephObjectStore"),
    ("ovn.c5c3.io", "OVNCluster"),
    ("core.gardener.cloud", "Shoot"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// A volume: Kubernetes enlarges and never shrinks.
    Grows,
    /// A number of members.
    KeepsMembers,
    Stays,
}

/// Group, kind, the field, what holds of it, and who says so.
const RULES: &[(&str, &str, &[&str], Rule, &str)] = &[
    (
        "k8s.mariadb.com",
        "MariaDB",
        &["spec", "storage", "size"],
        Rule::Grows,
        "the MariaDB operator",
    ),
    (
        "k8s.mariadb.com",
        "MariaDB",
        &["spec", "replicas"],
        Rule::KeepsMembers,
        "a Galera cluster of the MariaDB operator",
    ),
    (
        "rabbitmq.com",
        "RabbitmqCluster",
        &["spec", "persistence", "storage"],
        Rule::Grows,
        "the RabbitMQ cluster operator",
    ),
    (
        "rabbitmq.com",
        "RabbitmqCluster",
        &["spec", "replicas"],
        Rule::KeepsMembers,
        "the RabbitMQ cluster operator",
    ),
    (
        "cache.cs.sap.com",
        "Valkey",
        &["spec", "persistence", "size"],
        Rule::Stays,
        "the Valkey operator",
    ),
    (
        "cache.cs.sap.com",
        "Valkey",
        &["spec", "sentinel", "enabled"],
        Rule::Stays,
        "the Valkey operator",
    ),
    // A class is in the template of volumes, which Kubernetes lets nobody change.
    (
        "k8s.mariadb.com",
        "MariaDB",
        &["spec", "storage", "storageClassName"],
        Rule::Stays,
        "the MariaDB operator",
    ),
    (
        "rabbitmq.com",
        "RabbitmqCluster",
        &["spec", "persistence", "storageClassName"],
        Rule::Stays,
        "Kubernetes",
    ),
    (
        "cache.cs.sap.com",
        "Valkey",
        &["spec", "persistence", "storageClass"],
        Rule::Stays,
        "Kubernetes",
    ),
    (
        "ovn.c5c3.io",
        "OVNCluster",
        &["spec", "northbound", "storage", "size"],
        Rule::Grows,
        "Kubernetes",
    ),
    (
        "ovn.c5c3.io",
        "OVNCluster",
        &["spec", "southbound", "storage", "size"],
        Rule::Grows,
        "Kubernetes",
    ),
    (
        "",
        "PersistentVolumeClaim",
        &["spec", "resources", "requests", "storage"],
        Rule::Grows,
        "Kubernetes",
    ),
];

pub(super) fn holds_state(object: &Object) -> bool {
    STATE.contains(&(group(object), object.kind()))
}

/// Adds a finding for each field whose change will be refused.
pub(super) fn check(
    before: &Object,
    after: &Object,
    place: impl Fn() -> Place,
    findings: &mut Findings,
) {
    let id = (group(before), before.kind());
    for (_, _, path, rule, who) in RULES.iter().filter(|row| (row.0, row.1) == id) {
        let (Some(old), Some(new)) = (before.body().at(path), after.body().at(path)) else {
            continue;
        };
        // A single server has no members to lose.
        let alone = *rule == Rule::KeepsMembers && old.as_int() == Some(1);
        let code = match rule {
            _ if old == new || alone => continue,
            Rule::Grows if amount(old) > amount(new) => Code::Shrinks,
            Rule::KeepsMembers if amount(old) > amount(new) => Code::FewerMembers,
            Rule::Stays => Code::Unchangeable,
            Rule::Grows | Rule::KeepsMembers => continue,
        };
        let (old, new) = (text(old), text(new));
        findings.push(
            code.at(place())
                .because(format!(
                    "{} {}, {}: {old} becomes {new}, which {who} refuses",
                    before.kind(),
                    before.name().escape_debug(),
                    path.join(".")
                ))
                .remedy(match code {
                    Code::Unchangeable => format!("leave it at {old}"),
                    _ => format!("leave it at {old}, or make it larger"),
                }),
        );
    }
}

fn group(object: &Object) -> &str {
    object.api_version().split_once('/').map_or("", |(group, _)| group)
}

fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// A number, or a quantity as Kubernetes writes it; nothing for what is neither.
fn amount(value: &Value) -> Option<f64> {
    let text = text(value);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok()?;
    let power = |base: f64, suffix: &str, units: &str| {
        units.find(suffix).map(|place| base.powi(i32::try_from(place).unwrap_or(0) + 1))
    };
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "m" => 0.001,
        binary if binary.ends_with('i') => power(1024.0, &binary[..1], "KMGTPE")?,
        decimal => power(1000.0, decimal, "kMGTPE")?,
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_compared_by_what_they_mean() {
        let of = |text: &str| amount(&Value::from(text.to_owned()));
        assert!(of("100Gi") > of("100G"));
        assert!(of("1Ti") > of("1000Gi"));
        assert_eq!(of("1024Mi"), of("1Gi"));
        assert_eq!(of("1k"), of("1000"));
        assert_eq!(of("500m"), Some(0.5));
        assert_eq!(of("much"), None);
        assert_eq!(amount(&Value::Int(3)), Some(3.0));
    }
}
