//! The shape of every K-ORC object, and of the Secret by which a user speaks to Keystone.

use crate::generate::credential;
use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::{Map, Text};

pub const API: &str = "openstack.k-orc.cloud/v1alpha1";

/// The Secret that tells K-ORC how to speak to this Keystone, with the administrator's password, and the cloud's name in it.
pub const CLOUDS_YAML: &str = "k-orc-clouds-yaml";
/// The same with a credential that rotates. External Secrets makes the first and the companion operator this one: K-ORC
/// lets no Secret go that its objects name, so one name could not be handed over from the one to the other.
pub const CREDENTIAL_CLOUDS_YAML: &str = "k-orc-credential-clouds-yaml";
pub const CLOUD: &str = "openstack";
/// K-ORC looks for the authority under this key, beside the file and not in it.
pub const CACERT: &str = "cacert";
/// The domain of all accounts of the cloud itself.
pub const DOMAIN_NAME: &str = "Default";

/// What is in Keystone already: looked up, never changed.
pub fn imported(cloud: &Cloud, kind: &'static str, name: impl Into<Text>, filter: Map) -> Map {
    object(login(cloud), kind, name.into(), found_by(filter))
}

/// The same, found with the administrator's password.
pub fn imported_by_password(kind: &'static str, name: impl Into<Text>, filter: Map) -> Map {
    object(CLOUDS_YAML, kind, name.into(), found_by(filter))
}

fn found_by(filter: Map) -> Map {
    map! { "managementPolicy" => "unmanaged", "import" => map! { "filter" => filter } }
}

/// The Secret that K-ORC logs in with.
fn login(cloud: &Cloud) -> &'static str {
    if cloud.application_credentials { CREDENTIAL_CLOUDS_YAML } else { CLOUDS_YAML }
}

/// Detached, not deleted, when the object goes: a prune must not take a service out of the catalog.
pub fn managed(cloud: &Cloud, kind: &'static str, name: impl Into<Text>, resource: Map) -> Map {
    made(cloud, kind, name.into(), "detach", resource)
}

/// Gone from Keystone when the object goes.
pub fn owned(cloud: &Cloud, kind: &'static str, name: impl Into<Text>, resource: Map) -> Map {
    made(cloud, kind, name.into(), "delete", resource)
}

fn made(
    cloud: &Cloud,
    kind: &'static str,
    name: Text,
    on_delete: &'static str,
    resource: Map,
) -> Map {
    object(
        login(cloud),
        kind,
        name,
        map! {
            "managementPolicy" => "managed",
            "managedOptions" => map! { "onDelete" => on_delete },
            "resource" => resource,
        },
    )
}

fn object(login: &'static str, kind: &'static str, name: Text, mut spec: Map) -> Map {
    spec.insert("cloudCredentialsRef", map! { "cloudName" => CLOUD, "secretName" => login });
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name },
        "spec" => spec,
    }
}

/// An ExternalSecret with the `clouds.yaml` of a user whose password the store holds. K-ORC reads
/// `endpoint_type`, not `interface`, and its endpoints have no region: a client that names one finds
/// nothing.
pub fn clouds_yaml(
    cloud: &Cloud,
    keystone: &Component,
    name: &str,
    credential: &str,
    project: &str,
) -> Map {
    let auth_url = cloud.internal_url(keystone).unwrap_or_default();
    let text = format!(
        "clouds:\n  {CLOUD}:\n    auth_type: password\n    auth:\n      auth_url: {auth_url}\n      username: '{{{{ .username }}}}'\n      password: '{{{{ .password }}}}'\n      project_name: {project}\n      user_domain_name: {DOMAIN_NAME}\n      project_domain_name: {DOMAIN_NAME}\n    identity_api_version: 3\n    endpoint_type: internal\n"
    );
    let mut keys = map! { "clouds.yaml" => text };
    let mut data = vec![
        credential::remote(cloud, "username", credential, "username"),
        credential::remote(cloud, "password", credential, "password"),
    ];
    if cloud.tls {
        keys.insert(CACERT, "{{ .ca }}");
        data.push(credential::remote(cloud, "ca", "ca", "ca.crt"));
    }
    map! {
        "apiVersion" => "external-secrets.io/v1",
        "kind" => "ExternalSecret",
        "metadata" => map! { "name" => name.to_owned() },
        "spec" => map! {
            "refreshInterval" => "1h",
            "secretStoreRef" => credential::store_ref(cloud),
            "target" => map! {
                "name" => name.to_owned(),
                "creationPolicy" => "Owner",
                "deletionPolicy" => "Retain",
                "template" => map! { "engineVersion" => "v2", "data" => keys },
            },
            "data" => data,
        },
    }
}

/// The `clouds.yaml` of an application credential, as a template of the companion operator over these
/// keys.
pub fn clouds_of_credential(auth_url: &str, id: &str, secret: &str) -> String {
    format!(
        "clouds:\n  {CLOUD}:\n    auth_type: v3applicationcredential\n    auth:\n      auth_url: {auth_url}\n      application_credential_id: '{{{{ {id} }}}}'\n      application_credential_secret: '{{{{ {secret} }}}}'\n    identity_api_version: 3\n    endpoint_type: internal\n"
    )
}
