//! How the readiness of each kind is read, in CEL. Flux takes an object whose status says nothing for
//! ready, and an operator that has not seen a new object yet has said nothing.
//!
//! An expression that cannot be evaluated, because there is no status yet, means to keep waiting; and
//! `exists` is never true of an empty list, as `all` is.

use crate::generate::AWAITED;
use crate::map;
use crate::record::HEALTH;
use crate::value::{Map, Value};

/// What a record says of kinds that are ready as soon as they are applied.
const APPLIED: &str = "applied";

const READY: &str = "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')";
const READY_AT_GENERATION: &str = "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True' && \
     c.observedGeneration == metadata.generation)";
const COMPLETE: &str = "status.conditions.exists(c, c.type == 'Complete' && (c.status == 'True' || \
     c.reason.startsWith('CronJob')))";
/// A failed job of the MariaDB operator is `Complete` too.
const JOB_FAILED: &str = "status.conditions.exists(c, c.type == 'Complete' && c.reason in ['JobFailed', \
     'SnapshotFailed', 'Failed'])";
const PHASE_READY: &str = "status.phase == 'Ready'";
const PHASE_FAILURE: &str = "status.phase == 'Failure'";

/// No row has `Ready == False` as a failure: most operators pass through it while they start, and
/// Flux gives up at the first failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Health {
    in_progress: &'static str,
    failed: &'static str,
    current: &'static str,
}

const fn current(current: &'static str) -> Option<Health> {
    Some(Health { in_progress: "", failed: "", current })
}

const fn unless(failed: &'static str, current: &'static str) -> Option<Health> {
    Some(Health { in_progress: "", failed, current })
}

/// Group, kind or `*` for all others of the group, and the expressions; none where Flux can tell by
/// itself or the kind has no status.
const TABLE: &[(&str, &str, Option<Health>)] = &[
    // Not Ready, which is false while a rotation stands still: nobody must wait for whoever waits for it.
    (
        "c5c3.io",
        "CredentialRotation",
        current(
            "status.conditions.exists(c, c.type in ['KeysAvailable', 'Delivered'] && \
             c.status == 'True')",
        ),
    ),
    ("c5c3.io", "*", current(READY)),
    ("k8s.mariadb.com", "Backup", unless(JOB_FAILED, COMPLETE)),
    ("k8s.mariadb.com", "PhysicalBackup", unless(JOB_FAILED, COMPLETE)),
    ("k8s.mariadb.com", "Restore", unless(JOB_FAILED, COMPLETE)),
    ("k8s.mariadb.com", "SqlJob", unless(JOB_FAILED, COMPLETE)),
    (
        "cache.cs.sap.com",
        "*",
        unless(
            "has(status.state) && status.state == 'Error'",
            "has(status.state) && status.state == 'Ready'",
        ),
    ),
    (
        "valkey.io",
        "*",
        unless("has(status.state) && status.state == 'Failed'", READY_AT_GENERATION),
    ),
    // It has no condition Ready; NoWarnings may be false of a cluster that works.
    (
        "rabbitmq.com",
        "RabbitmqCluster",
        current(
            "['AllReplicasReady', 'ClusterAvailable', 'ReconcileSuccess'].all(t, \
             status.conditions.exists(c, c.type == t && c.status == 'True'))",
        ),
    ),
    (
        "openstack.k-orc.cloud",
        "*",
        Some(Health {
            in_progress: "!status.conditions.exists(c, c.type == 'Progressing' && \
                 c.observedGeneration == metadata.generation)",
            failed: "status.conditions.exists(c, c.type == 'Progressing' && c.status == 'False' && \
                 c.reason in ['InvalidConfiguration', 'UnrecoverableError'])",
            current: "status.conditions.exists(c, c.type == 'Available' && c.status == 'True') && \
                 status.conditions.exists(c, c.type == 'Progressing' && c.status == 'False')",
        }),
    ),
    ("cert-manager.io", "*", current(READY_AT_GENERATION)),
    (
        "ceph.rook.io",
        "CephCluster",
        unless(
            "has(status.ceph) && status.ceph.health == 'HEALTH_ERR'",
            "status.phase == 'Ready' && has(status.ceph) && status.ceph.health in ['HEALTH_OK', \
             'HEALTH_WARN']",
        ),
    ),
    ("ceph.rook.io", "*", unless(PHASE_FAILURE, PHASE_READY)),
    // The gateway that a route names has taken it.
    (
        "gateway.networking.k8s.io",
        "HTTPRoute",
        current(
            "status.parents.exists(p, p.conditions.exists(c, c.type == 'Accepted' && \
             c.status == 'True'))",
        ),
    ),
    (
        "gateway.networking.k8s.io",
        "Gateway",
        current("status.conditions.exists(c, c.type == 'Programmed' && c.status == 'True')"),
    ),
    ("gateway.networking.k8s.io", "*", None),
    (
        "apiextensions.crossplane.io",
        "CompositeResourceDefinition",
        current("status.conditions.exists(c, c.type == 'Established' && c.status == 'True')"),
    ),
    ("apiextensions.crossplane.io", "*", None),
    (
        "pkg.crossplane.io",
        "*",
        current(
            "['Installed', 'Healthy'].all(t, status.conditions.exists(c, c.type == t && \
             c.status == 'True'))",
        ),
    ),
    (
        "core.gardener.cloud",
        "Shoot",
        unless(
            "has(status.lastOperation) && status.lastOperation.state == 'Failed'",
            "has(status.lastOperation) && status.lastOperation.state == 'Succeeded' && \
             ['APIServerAvailable', 'ControlPlaneHealthy', 'EveryNodeReady', \
             'SystemComponentsHealthy'].all(t, status.conditions.exists(c, c.type == t && \
             c.status == 'True'))",
        ),
    ),
    // Kinds without a status.
    ("generators.external-secrets.io", "*", None),
    ("monitoring.coreos.com", "*", None),
    ("core.gardener.cloud", "*", None),
    // Their operators say Ready; rows, so that objects which people add are waited for as well.
    ("k8s.mariadb.com", "*", current(READY)),
    ("rabbitmq.com", "*", current(READY)),
    ("memcached.c5c3.io", "*", current(READY)),
    ("external-secrets.io", "*", current(READY)),
];

/// An entry of `healthCheckExprs`; none where Flux can tell by itself. `component` is what the record
/// says of kinds that the table does not know; nothing for an object that no record made.
pub fn check(api_version: &str, kind: &str, component: Option<&str>) -> Option<Map> {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let entry = |health: Health| {
        let mut entry = map! { "apiVersion" => api_version.to_owned(), "kind" => kind.to_owned() };
        for (key, expression) in [
            ("inProgress", health.in_progress),
            ("failed", health.failed),
            ("current", health.current),
        ] {
            if !expression.is_empty() {
                entry.insert(key, expression);
            }
        }
        entry
    };
    let row = TABLE.iter().find(|row| row.0 == group && (row.1 == kind || row.1 == "*"));
    match (row, component) {
        (Some((_, _, health)), _) => health.map(entry),
        _ if is_known_to_flux(group) => None,
        (None, None | Some(APPLIED)) => None,
        (None, Some(HEALTH)) => current(READY).map(entry),
        (None, Some(expression)) => Some(map! {
            "apiVersion" => api_version.to_owned(),
            "kind" => kind.to_owned(),
            "current" => expression.to_owned(),
        }),
    }
}

/// The same where some objects of the kind are not waited for.
pub fn unless_unawaited(check: &mut Map) {
    if let Some(current) = check.get("current").and_then(Value::as_str) {
        let current = format!("{current} || '{AWAITED}' in metadata.annotations");
        check.insert("current", current);
    }
}

/// Kubernetes' own kinds, and Flux's: these have an `observedGeneration` from the start.
fn is_known_to_flux(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io") || group.ends_with(".toolkit.fluxcd.io")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn current_of(api_version: &str, kind: &str, component: Option<&str>) -> String {
        check(api_version, kind, component)
            .and_then(|entry| Some(entry.get("current")?.as_str()?.to_owned()))
            .unwrap_or_default()
    }

    #[test]
    fn a_kind_is_read_by_its_row_then_by_its_record() {
        assert_eq!(current_of("k8s.mariadb.com/v1alpha1", "MariaDB", None), READY);
        assert_eq!(current_of("k8s.mariadb.com/v1alpha1", "Backup", None), COMPLETE);
        assert_eq!(current_of("nova.openstack.c5c3.io/v1alpha1", "Nova", Some("ready")), READY);
        assert_eq!(current_of("example.com/v1", "Motto", Some("status.up")), "status.up");
        for (api_version, kind, component) in [
            ("v1", "ConfigMap", Some("ready")),
            ("apps/v1", "Deployment", Some("ready")),
            ("rbac.authorization.k8s.io/v1", "Role", Some("ready")),
            ("helm.toolkit.fluxcd.io/v2", "HelmRelease", Some("ready")),
            ("monitoring.coreos.com/v1", "ServiceMonitor", Some("ready")),
            ("generators.external-secrets.io/v1alpha1", "Password", Some("ready")),
            ("example.com/v1", "Motto", Some("applied")),
            ("example.com/v1", "Motto", None),
        ] {
            assert_eq!(check(api_version, kind, component), None, "{kind}");
        }
    }

    #[test]
    fn a_row_for_all_kinds_of_a_group_comes_after_those_for_one() {
        for (position, (group, kind, _)) in TABLE.iter().enumerate() {
            let hidden = TABLE[..position]
                .iter()
                .any(|row| row.0 == *group && (row.1 == "*" || row.1 == *kind));
            assert!(!hidden, "{group} {kind} is never reached");
        }
    }
}
