//! What lasts in a cluster: kinds that hold data, and fields that operators let grow and never shrink,
//! or never change at all. Data, from the operators' own checks.

use crate::check::quantity::{amount, text};
use crate::finding::{Code, Findings, Place};
use crate::layers::{At, SIZE};
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

/// A field that does not change as it likes.
struct Row {
    /// Group and kind.
    id: (&'static str, &'static str),
    field: &'static [&'static str],
    /// The setting it comes from; empty for none.
    setting: &'static str,
    rule: Rule,
    /// Who says so.
    who: &'static str,
}

const fn row(
    id: (&'static str, &'static str),
    field: &'static [&'static str],
    setting: &'static str,
    rule: Rule,
    who: &'static str,
) -> Row {
    Row { id, field, setting, rule, who }
}

const MARIADB: (&str, &str) = ("k8s.mariadb.com", "MariaDB");
const MAXSCALE: (&str, &str) = ("k8s.mariadb.com", "MaxScale");
const RABBITMQ: (&str, &str) = ("rabbitmq.com", "RabbitmqCluster");
const VALKEY: (&str, &str) = ("cache.cs.sap.com", "Valkey");
const OVN: (&str, &str) = ("ovn.c5c3.io", "OVNCluster");
const RELEASE: (&str, &str) = ("helm.toolkit.fluxcd.io", "HelmRelease");
const CLAIM: (&str, &str) = ("", "PersistentVolumeClaim");

const RULES: &[Row] = &[
    row(MARIADB, &["spec", "storage", "size"], "storageSize", Rule::Grows, "the MariaDB operator"),
    row(
        MARIADB,
        &["spec", "replicas"],
        "replicas",
        Rule::KeepsMembers,
        "a Galera cluster of the MariaDB operator",
    ),
    row(
        RABBITMQ,
        &["spec", "persistence", "storage"],
        "storageSize",
        Rule::Grows,
        "the RabbitMQ cluster operator",
    ),
    row(
        RABBITMQ,
        &["spec", "replicas"],
        "replicas",
        Rule::KeepsMembers,
        "the RabbitMQ cluster operator",
    ),
    row(
        VALKEY,
        &["spec", "persistence", "size"],
        "storageSize",
        Rule::Stays,
        "the Valkey operator",
    ),
    row(
        VALKEY,
        &["spec", "sentinel", "enabled"],
        "sentinel.enabled",
        Rule::Stays,
        "the Valkey operator",
    ),
    // A class is in the template of volumes, which Kubernetes lets nobody change.
    row(
        MARIADB,
        &["spec", "storage", "storageClassName"],
        "storageClass",
        Rule::Stays,
        "the MariaDB operator",
    ),
    // The operator enlarges volumes of the database, and those of the proxy it leaves as they are.
    row(
        MAXSCALE,
        &["spec", "config", "volumeClaimTemplate", "storageClassName"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    row(
        MAXSCALE,
        &["spec", "config", "volumeClaimTemplate", "resources", "requests", "storage"],
        "",
        Rule::Stays,
        "Kubernetes",
    ),
    row(
        RABBITMQ,
        &["spec", "persistence", "storageClassName"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    row(
        VALKEY,
        &["spec", "persistence", "storageClass"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    row(OVN, &["spec", "northbound", "storage", "size"], "storageSize", Rule::Grows, "Kubernetes"),
    row(OVN, &["spec", "southbound", "storage", "size"], "storageSize", Rule::Grows, "Kubernetes"),
    row(
        OVN,
        &["spec", "northbound", "storage", "storageClass"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    row(
        OVN,
        &["spec", "southbound", "storage", "storageClass"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    // OpenBao's chart: its volumes come of such a template, too.
    row(
        RELEASE,
        &["spec", "values", "server", "dataStorage", "size"],
        "storageSize",
        Rule::Stays,
        "Kubernetes",
    ),
    row(
        RELEASE,
        &["spec", "values", "server", "dataStorage", "storageClass"],
        "storageClass",
        Rule::Stays,
        "Kubernetes",
    ),
    row(CLAIM, &["spec", "resources", "requests", "storage"], "", Rule::Grows, "Kubernetes"),
];

pub(super) fn holds_state(object: &Object) -> bool {
    STATE.contains(&(group(object), object.kind()))
}

/// Adds a finding for each field whose change will be refused.
pub(super) fn check(
    before: &Object,
    after: &Object,
    component: &str,
    place: impl Fn(At) -> Place,
    findings: &mut Findings,
) {
    let id = (group(before), before.kind());
    for Row { field: path, setting, rule, who, .. } in RULES.iter().filter(|row| row.id == id) {
        let (old, new) = (before.body().at(path), after.body().at(path));
        let less = || matches!((old, new), (Some(old), Some(new)) if amount(old) > amount(new));
        // A single server has no members to lose.
        let alone = *rule == Rule::KeepsMembers && old.and_then(Value::as_int) == Some(1);
        let code = match rule {
            _ if old == new || alone => continue,
            Rule::Grows if less() => Code::Shrinks,
            Rule::KeepsMembers if less() => Code::FewerMembers,
            // What is not written has a value too: the default class of the cluster, as it was then.
            Rule::Stays => Code::Unchangeable,
            Rule::Grows | Rule::KeepsMembers => continue,
        };
        let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), text);
        let at = place(At::Value { component, setting, field: path });
        // Everything follows the size, and one thing can be kept from it.
        let kept = match old {
            Some(old) if at.path.to_string() == SIZE => {
                let own = place(At::Setting { component, setting }).path;
                format!(": write {own}: {}", text(old))
            }
            _ => String::new(),
        };
        findings.push(
            code.at(at)
                .because(format!(
                    "{} {}, {}: {} becomes {}, which {who} refuses",
                    before.kind(),
                    before.name().escape_debug(),
                    path.join("."),
                    shown(old),
                    shown(new)
                ))
                .remedy(match (code, old) {
                    (Code::Unchangeable, None) => "leave it out, as it was".to_owned(),
                    (Code::Unchangeable, Some(old)) => format!("leave it at {}{kept}", text(old)),
                    _ => format!("leave it at {}, or make it larger{kept}", shown(old)),
                }),
        );
    }
}

fn group(object: &Object) -> &str {
    object.api_version().split_once('/').map_or("", |(group, _)| group)
}
