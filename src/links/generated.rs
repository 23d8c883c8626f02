//! Credentials that the MariaDB operator generates for objects which name none, by names of its own.

use crate::links::made::group;
use crate::object::Object;
use crate::value::Value;

/// Who generates them, as people call it.
pub const GENERATOR: &str = "MariaDB operator";
const GROUP: &str = "k8s.mariadb.com";

/// When the operator generates one.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    /// Several proxies tell each other of their configuration through the database.
    Several,
    Measured,
}

/// Kind, the field below `spec` that would name another Secret, and what stands behind the object's name: the
/// operator's defaults of 25.10.
const ROWS: &[(&str, [&str; 2], &str, When)] = &[
    ("MariaDB", ["metrics", "passwordSecretKeyRef"], "-metrics-password", When::Measured),
    ("MaxScale", ["auth", "adminPasswordSecretKeyRef"], "-admin", When::Always),
    ("MaxScale", ["auth", "clientPasswordSecretKeyRef"], "-client", When::Always),
    ("MaxScale", ["auth", "metricsPasswordSecretKeyRef"], "-metrics", When::Measured),
    ("MaxScale", ["auth", "monitorPasswordSecretKeyRef"], "-monitor", When::Always),
    ("MaxScale", ["auth", "serverPasswordSecretKeyRef"], "-server", When::Always),
    ("MaxScale", ["auth", "syncPasswordSecretKeyRef"], "-sync", When::Several),
];

/// The Secrets that are generated for an object, each with the field that would name another.
pub fn generated(object: &Object) -> Vec<(String, String)> {
    if group(object) != GROUP {
        return Vec::new();
    }
    let Some(spec) = object.body().at(&["spec"]) else { return Vec::new() };
    let is_true = |path: &[&str]| spec.at(path).and_then(Value::as_bool) == Some(true);
    let rows = ROWS.iter().filter(|(kind, field, _, when)| {
        let is_due = match when {
            When::Always => true,
            When::Several => spec.at(&["replicas"]).and_then(Value::as_int) > Some(1),
            When::Measured => is_true(&["metrics", "enabled"]),
        };
        object.kind() == *kind && is_due && spec.at(field).is_none()
    });
    rows.map(|(_, field, after, _)| {
        (format!("{}{after}", object.name()), format!("spec.{}.name", field.join(".")))
    })
    .collect()
}
