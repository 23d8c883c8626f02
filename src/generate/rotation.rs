//! What everything that rotates is made of: a `CredentialRotation`, the way of its Secret into the store,
//! and the way back under the name that consumers know. The companion operator makes the Secret itself.

use strata_rotation_api::{
    API, Consumer, ConsumerKind, CredentialRotationSpec, Delivery, KeyOfSecret, RotationType,
    ScheduleSpec, names,
};

use crate::generate::{certificate, credential};
use crate::map;
use crate::resolve::{Cloud, Component, Rhythm};
use crate::spec::from_json;
use crate::value::{Map, Text, Value};

/// A rotation without what is particular to its type.
pub fn spec(
    rotation_type: RotationType,
    rhythm: Rhythm,
    delivered: &str,
    consumers: Vec<Consumer>,
) -> CredentialRotationSpec {
    CredentialRotationSpec {
        target_service_user: None,
        rotation_type,
        schedule: ScheduleSpec {
            interval_days: rhythm.interval_days,
            pre_rotation_days: rhythm.pre_rotation_days,
            cron: None,
        },
        grace_period_days: rhythm.grace_period_days,
        suspend: false,
        keys: None,
        application_credential: None,
        alternating_users: None,
        delivery: Delivery {
            push_secret_name: delivered.to_owned(),
            first_push_secret_name: None,
            external_secret_name: delivered.to_owned(),
            secret_name: delivered.to_owned(),
            cache_seconds: Delivery::CACHE_SECONDS,
        },
        consumers,
        no_consumers: false,
    }
}

pub fn object(name: &str, spec: &CredentialRotationSpec) -> Map {
    companion("CredentialRotation", name, from_json(&serde_json::json!(spec)))
}

/// An object that the companion operator serves.
pub fn companion(kind: &'static str, name: &str, spec: Value) -> Map {
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name.to_owned() },
        "spec" => spec,
    }
}

/// Every generation replaces the one before: the store keeps older versions of a path itself. The
/// whole Secret is pushed at once: key by key, a new id would lie beside an old secret for a moment.
pub fn push(cloud: &Cloud, rotation: &str, delivered: &str) -> Map {
    let path = map! { "remoteKey" => cloud.secret_path(delivered) };
    map! {
        "apiVersion" => "external-secrets.io/v1alpha1",
        "kind" => "PushSecret",
        "metadata" => map! { "name" => delivered.to_owned() },
        "spec" => map! {
            "updatePolicy" => "Replace",
            "deletionPolicy" => "None",
            "refreshInterval" => "1h",
            "secretStoreRefs" => vec![credential::store_ref(cloud)],
            "selector" => map! { "secret" => map! { "name" => names::published(rotation) } },
            "data" => vec![map! { "match" => map! { "remoteRef" => path } }],
        },
    }
}

/// The way back, as one reading for the same reason; `keys` are those that a template repeats when it
/// makes further ones of them.
pub fn deliver(
    cloud: &Cloud,
    delivered: &str,
    keys: &[&'static str],
    further: &[(Text, String)],
) -> Map {
    let path = map! { "key" => cloud.secret_path(delivered) };
    let mut spec = credential::delivery(cloud, delivered, keys, further);
    spec.insert("dataFrom", vec![map! { "extract" => path }]);
    credential::external_secret(delivered, spec)
}

/// The workloads of a component. With the distribution `reference` they are Deployments, called after
/// the component if it is one process, and after each process behind it if it is several. None of its
/// operators puts the hash of a credential on its pods, so the companion does.
pub fn consumers(component: &Component) -> Vec<Consumer> {
    let base = &component.record.object_name;
    let is_one = component.processes.len() == 1;
    let called = |process: &str| match process {
        "" if is_one => base.to_string(),
        "" => format!("{base}-api"),
        process => format!("{base}-{}", with_hyphens(process)),
    };
    let deployment = |name| Consumer { kind: ConsumerKind::Deployment, name, stamped: false };
    component.processes.iter().map(|process| deployment(called(&process.name))).collect()
}

/// `consoleProxy` as names of objects have it.
fn with_hyphens(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// What Keystone's certificate is checked against.
pub fn authority(cloud: &Cloud) -> Option<KeyOfSecret> {
    let (name, key) = (certificate::BUNDLE, certificate::BUNDLE_KEY);
    cloud.tls.then(|| KeyOfSecret { name: name.to_owned(), key: key.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::with_hyphens;

    #[test]
    fn a_process_is_called_as_objects_are() {
        assert_eq!(with_hyphens("consoleProxy"), "console-proxy");
        assert_eq!(with_hyphens("api"), "api");
    }
}
