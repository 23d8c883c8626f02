//! Application credentials: all of them but the credential itself. Keystone lets only a user make its
//! own, and the secret in it must not be here, so the companion operator makes every generation; what
//! it needs for that, and the way from it to the service, is timeless and rendered.

use crate::companion;
use crate::generate::{catalog, credential, korc};
use crate::map;
use crate::resolve::{Cloud, Component, PROJECT};
use crate::value::{Map, Value};

/// The keys by which Keystone's clients know the two halves.
const ID: &str = "application_credential_id";
const SECRET: &str = "application_credential_secret";

/// The Secret with the password of a service's account. The service itself reads it only where it
/// has no application credential.
pub fn password_of(cloud: &Cloud, component: &Component) -> String {
    let name = component.name();
    match cloud.application_credentials {
        true => format!("{name}-keystone-password"),
        false => format!("{name}-keystone-credentials"),
    }
}

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let identity = component.record.identity.as_ref();
    let (Some(identity), Some(keystone)) = (identity, catalog::keystone(cloud)) else {
        return Vec::new();
    };
    if !cloud.application_credentials || !catalog::is_registered(cloud, component) {
        return Vec::new();
    }
    let name = component.name();
    let delivered = format!("{name}-keystone-credentials");
    vec![
        // With its own password the user makes its own credential.
        korc::clouds_yaml(
            cloud,
            keystone,
            &format!("{name}-clouds-yaml"),
            &password_of(cloud, component),
            PROJECT,
        ),
        rotation(cloud, name, &identity.user),
        aggregate(name),
        push(cloud, name, &delivered),
        deliver(cloud, &delivered),
    ]
}

/// The name of the rotation, of what it comes to, and of the Secret that both are joined into.
fn joined(component: &str) -> String {
    format!("{component}-app-credential")
}

fn rotation(cloud: &Cloud, component: &str, user: &str) -> Map {
    let mut spec = map! {
        "targetServiceUser" => user.to_owned(),
        "rotationType" => "applicationCredential",
        "gracePeriodDays" => cloud.rotation.grace_period_days,
    };
    if cloud.rotation.enabled {
        spec.insert(
            "schedule",
            map! {
                "intervalDays" => cloud.rotation.interval_days,
                "preRotationDays" => cloud.rotation.pre_rotation_days,
            },
        );
    }
    object("CredentialRotation", component, spec)
}

/// The id is in the status of the rotation, the secret in the Secret that it keeps beside itself.
fn aggregate(component: &str) -> Map {
    let status = map! {
        "apiVersion" => companion::API,
        "kind" => "CredentialRotation",
        "name" => joined(component),
        "field" => "credentialId",
        "key" => ID,
    };
    let secret = map! { "name" => format!("{}-current", joined(component)) };
    let sources: Vec<Value> = vec![
        map! { "statusRef" => status }.into(),
        map! { "secretRef" => secret, "keys" => vec![SECRET] }.into(),
    ];
    let target = map! { "name" => joined(component) };
    object("SecretAggregate", component, map! { "sources" => sources, "target" => target })
}

fn object(kind: &'static str, component: &str, spec: Map) -> Map {
    map! {
        "apiVersion" => companion::API,
        "kind" => kind,
        "metadata" => map! { "name" => joined(component) },
        "spec" => spec,
    }
}

/// Every generation replaces the one before: the store keeps older versions of a path itself.
fn push(cloud: &Cloud, component: &str, delivered: &str) -> Map {
    let data = [ID, SECRET].map(|key| {
        map! {
            "match" => map! {
                "secretKey" => key,
                "remoteRef" => map! { "remoteKey" => cloud.secret_path(delivered), "property" => key },
            },
        }
    });
    map! {
        "apiVersion" => "external-secrets.io/v1alpha1",
        "kind" => "PushSecret",
        "metadata" => map! { "name" => delivered.to_owned() },
        "spec" => map! {
            "updatePolicy" => "Replace",
            "deletionPolicy" => "None",
            "refreshInterval" => "1h",
            "secretStoreRefs" => vec![credential::store_ref(cloud)],
            "selector" => map! { "secret" => map! { "name" => joined(component) } },
            "data" => data.to_vec(),
        },
    }
}

fn deliver(cloud: &Cloud, delivered: &str) -> Map {
    credential::deliver(cloud, delivered, &[ID, SECRET], &[])
}
