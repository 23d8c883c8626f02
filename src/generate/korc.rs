//! The shape of every K-ORC object, and of the Secret by which a user speaks to Keystone.

use crate::generate::credential;
use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::{Map, Text};

const API: &str = "openstack.k-orc.cloud/v1alpha1";

/// The Secret that tells K-ORC how to speak to this Keystone, and the cloud's name in it.
pub const CLOUDS_YAML: &str = "k-orc-clouds-yaml";
const CLOUD: &str = "openstack";

/// What is in Keystone already: looked up, never changed.
pub fn imported(kind: &'static str, name: impl Into<Text>, filter: Map) -> Map {
    object(
        kind,
        name.into(),
        map! { "managementPolicy" => "unmanaged", "import" => map! { "filter" => filter } },
    )
}

/// Detached, not deleted, when the object goes: a prune must not take a service out of the catalog.
pub fn managed(kind: &'static str, name: impl Into<Text>, resource: Map) -> Map {
    made(kind, name.into(), "detach", resource)
}

/// Gone from Keystone when the object goes.
pub fn owned(kind: &'static str, name: impl Into<Text>, resource: Map) -> Map {
    made(kind, name.into(), "delete", resource)
}

fn made(kind: &'static str, name: Text, on_delete: &'static str, resource: Map) -> Map {
    object(
        kind,
        name,
        map! {
            "managementPolicy" => "managed",
            "managedOptions" => map! { "onDelete" => on_delete },
            "resource" => resource,
        },
    )
}

fn object(kind: &'static str, name: Text, mut spec: Map) -> Map {
    spec.insert("cloudCredentialsRef", map! { "cloudName" => CLOUD, "secretName" => CLOUDS_YAML });
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
        "clouds:\n  {CLOUD}:\n    auth_type: password\n    auth:\n      auth_url: {auth_url}\n      username: '{{{{ .username }}}}'\n      password: '{{{{ .password }}}}'\n      project_name: {project}\n      user_domain_name: Default\n      project_domain_name: Default\n    identity_api_version: 3\n    endpoint_type: internal\n"
    );
    let mut keys = map! { "clouds.yaml" => text };
    let mut data = vec![
        credential::remote(cloud, "username", credential, "username"),
        credential::remote(cloud, "password", credential, "password"),
    ];
    if cloud.tls {
        // K-ORC looks for the authority beside the file, not in it.
        keys.insert("cacert", "{{ .ca }}");
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
