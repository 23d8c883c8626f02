//! Keystone's service catalog, filled through K-ORC from the facts of every component: services,
//! endpoints, users and their roles. What Keystone's own bootstrap makes is imported, not made.

use crate::generate::credential;
use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::{Map, Text, Value};

const API: &str = "openstack.k-orc.cloud/v1alpha1";

/// The component whose objects these are.
const HOME: &str = "catalog";

/// The component whose service and endpoints Keystone's bootstrap registers itself.
const BOOTSTRAPPED: &str = "keystone";

/// The Secret that tells K-ORC how to speak to this Keystone, and the cloud's name in it.
const CLOUDS_YAML: &str = "k-orc-clouds-yaml";
const CLOUD: &str = "openstack";

/// The domain, the project of service users and the roles that Keystone's bootstrap makes. It makes
/// no `service` project: that one is ours.
const DOMAIN: &str = "default";
const PROJECT: &str = "service";
const ROLES: &[&str] = &["admin", "member", "reader", "service"];

pub fn is_catalog(component: &Component) -> bool {
    component.name() == HOME
}

/// Whether the component has an account in Keystone.
pub fn is_registered(cloud: &Cloud, component: &Component) -> bool {
    component.name() != BOOTSTRAPPED
        && component.record.identity.is_some()
        && cloud.component(HOME).is_some()
}

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    if !is_catalog(component) {
        return Vec::new();
    }
    let Some(keystone) = cloud.component(BOOTSTRAPPED) else { return Vec::new() };
    let mut objects = vec![clouds_yaml(cloud, keystone)];
    objects.push(imported("Domain", DOMAIN, map! { "name" => "Default" }));
    objects.extend(ROLES.iter().map(|role| imported("Role", role, map! { "name" => *role })));
    objects.push(imported(
        "Service",
        BOOTSTRAPPED,
        map! { "name" => BOOTSTRAPPED, "type" => service_type(keystone) },
    ));
    objects.push(managed(
        "Project",
        PROJECT,
        map! { "name" => PROJECT, "domainRef" => DOMAIN, "description" => "Accounts of the services", "enabled" => true },
    ));
    for registered in cloud.components.iter().filter(|component| is_registered(cloud, component)) {
        register(cloud, registered, &mut objects);
    }
    objects
}

fn register(cloud: &Cloud, component: &Component, objects: &mut Vec<Map>) {
    let Some(identity) = &component.record.identity else { return };
    let name = component.name();
    if !identity.service_type.is_empty() {
        objects.push(managed(
            "Service",
            name,
            map! {
                "name" => name.to_owned(),
                "type" => identity.service_type.clone(),
                "description" => component.record.summary.clone(),
                "enabled" => true,
            },
        ));
        let internal = cloud.internal_url(component);
        // Clients ask for the public one unless told otherwise, so there always is one.
        let public = cloud.public_url(component).or_else(|| internal.clone());
        for (interface, url) in [("internal", internal), ("public", public)] {
            let Some(url) = url else { continue };
            objects.push(managed(
                "Endpoint",
                &format!("{name}-{interface}"),
                map! { "interface" => interface, "serviceRef" => name.to_owned(), "url" => url, "enabled" => true },
            ));
        }
    }
    objects.push(managed(
        "User",
        &identity.user,
        map! {
            "name" => identity.user.clone(),
            "domainRef" => DOMAIN,
            "defaultProjectRef" => PROJECT,
            "passwordRef" => format!("{name}-keystone-credentials"),
            "enabled" => true,
        },
    ));
    for role in identity.roles.iter() {
        objects.push(managed(
            "RoleAssignment",
            &format!("{}-{role}", identity.user),
            map! { "roleRef" => role.clone(), "userRef" => identity.user.clone(), "projectRef" => PROJECT },
        ));
    }
}

fn service_type(component: &Component) -> Text {
    component
        .record
        .identity
        .as_ref()
        .map_or(Text::Borrowed("identity"), |identity| identity.service_type.clone())
}

/// K-ORC reads `endpoint_type`, not `interface`, and its endpoints have no region: a client that
/// names one finds nothing.
fn clouds_yaml(cloud: &Cloud, keystone: &Component) -> Map {
    let auth_url = cloud.internal_url(keystone).unwrap_or_default();
    let text = format!(
        "clouds:\n  {CLOUD}:\n    auth_type: password\n    auth:\n      auth_url: {auth_url}\n      username: '{{{{ .username }}}}'\n      password: '{{{{ .password }}}}'\n      project_name: admin\n      user_domain_name: Default\n      project_domain_name: Default\n    identity_api_version: 3\n    endpoint_type: internal\n"
    );
    let mut keys = map! { "clouds.yaml" => text };
    let mut data = vec![
        credential::remote(cloud, "username", ADMIN, "username"),
        credential::remote(cloud, "password", ADMIN, "password"),
    ];
    if cloud.tls {
        // K-ORC looks for the authority beside the file, not in it.
        keys.insert("cacert", "{{ .ca }}");
        data.push(credential::remote(cloud, "ca", "ca", "ca.crt"));
    }
    map! {
        "apiVersion" => "external-secrets.io/v1",
        "kind" => "ExternalSecret",
        "metadata" => map! { "name" => CLOUDS_YAML },
        "spec" => map! {
            "refreshInterval" => "1h",
            "secretStoreRef" => credential::store_ref(cloud),
            "target" => map! {
                "name" => CLOUDS_YAML,
                "creationPolicy" => "Owner",
                "deletionPolicy" => "Retain",
                "template" => map! { "engineVersion" => "v2", "data" => keys },
            },
            "data" => data,
        },
    }
}

/// The credential of Keystone's first administrator.
const ADMIN: &str = "keystone-admin-credentials";

fn imported(kind: &'static str, name: &'static str, filter: Map) -> Map {
    object(
        kind,
        name,
        map! { "managementPolicy" => "unmanaged", "import" => map! { "filter" => filter } },
    )
}

/// Detached, not deleted, when the object goes: a prune must not take a service out of the catalog.
fn managed(kind: &'static str, name: &str, resource: Map) -> Map {
    object(
        kind,
        name,
        map! {
            "managementPolicy" => "managed",
            "managedOptions" => map! { "onDelete" => "detach" },
            "resource" => resource,
        },
    )
}

fn object(kind: &'static str, name: &str, mut spec: Map) -> Map {
    spec.insert("cloudCredentialsRef", map! { "cloudName" => CLOUD, "secretName" => CLOUDS_YAML });
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name.to_owned() },
        "spec" => Value::Map(spec),
    }
}
