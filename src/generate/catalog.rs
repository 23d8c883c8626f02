//! Keystone's service catalog, filled through K-ORC from the facts of every component: services,
//! endpoints, users with their passwords and roles. What Keystone's own bootstrap makes is imported, not made.

use crate::generate::facts::object_name;
use crate::generate::{application_credential, credential, korc};
use crate::map;
use crate::record::OwnDomain;
use crate::resolve::{ADMIN_CREDENTIAL, Cloud, Component, DOMAIN, PROJECT, ROLES};
use crate::value::{Map, Text};

/// The component whose objects these are.
const HOME: &str = "catalog";

/// The component whose service and endpoints Keystone's bootstrap registers itself.
const BOOTSTRAPPED: &str = "keystone";

/// Who may do everything in a project or domain.
const ADMIN: &str = "admin";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let Some(keystone) = keystone(cloud).filter(|_| component.name() == HOME) else {
        return Vec::new();
    };
    let mut objects = own_account(cloud, keystone);
    let role = |role: &&'static str| korc::imported(cloud, "Role", *role, map! { "name" => *role });
    objects.extend(ROLES.iter().map(role));
    bootstrapped(cloud, keystone, &mut objects);
    objects.push(korc::managed(
        cloud,
        "Project",
        PROJECT,
        map! { "name" => PROJECT, "domainRef" => DOMAIN, "description" => "Accounts of the services", "enabled" => true },
    ));
    for registered in cloud.components.iter().filter(|component| is_registered(cloud, component)) {
        register(cloud, registered, &mut objects);
    }
    objects
}

/// How K-ORC logs in, and the domain that everything is in.
fn own_account(cloud: &Cloud, keystone: &Component) -> Vec<Map> {
    let domain = map! { "name" => korc::DOMAIN_NAME };
    let mut objects = vec![
        korc::clouds_yaml(cloud, keystone, korc::CLOUDS_YAML, ADMIN_CREDENTIAL, "admin"),
        korc::imported_by_password("Domain", DOMAIN, domain),
    ];
    if cloud.application_credentials {
        // As the domain it must be there before the credential is, so it cannot be found with that.
        let administrator = map! { "name" => "admin", "domainRef" => DOMAIN };
        let user = application_credential::ADMINISTRATOR;
        objects.push(korc::imported_by_password("User", user, administrator));
        objects.extend(application_credential::of_korc(cloud, keystone));
    }
    objects
}

pub fn keystone<'a>(cloud: &'a Cloud) -> Option<&'a Component<'a>> {
    cloud.component(BOOTSTRAPPED)
}

/// Whether the component has an account in Keystone.
pub fn is_registered(cloud: &Cloud, component: &Component) -> bool {
    component.name() != BOOTSTRAPPED
        && component.identity().is_some()
        && cloud.component(HOME).is_some()
}

/// Found by what they are, not by their address: which one they have is for bootstrap to say.
fn bootstrapped(cloud: &Cloud, keystone: &Component, objects: &mut Vec<Map>) {
    let identity = keystone.identity();
    let kind =
        identity.map_or(Text::Borrowed("identity"), |identity| identity.service_type.clone());
    let filter = map! { "name" => BOOTSTRAPPED, "type" => kind };
    objects.push(korc::imported(cloud, "Service", BOOTSTRAPPED, filter));
    // Only cobaltcore's operator still registers one for administrators.
    let interfaces: &[&str] = if keystone.is_cobaltcore() {
        &["admin", "internal", "public"]
    } else {
        &["internal", "public"]
    };
    for interface in interfaces {
        let filter = map! { "interface" => *interface, "serviceRef" => BOOTSTRAPPED };
        objects.push(korc::imported(
            cloud,
            "Endpoint",
            format!("{BOOTSTRAPPED}-{interface}"),
            filter,
        ));
    }
}

/// A service in the catalog, and where it is inside and outside.
fn entry(
    cloud: &Cloud,
    name: &str,
    service_type: &Text,
    summary: &Text,
    (internal, public): (Option<String>, Option<String>),
    objects: &mut Vec<Map>,
) {
    objects.push(korc::managed(
        cloud,
        "Service",
        name.to_owned(),
        map! {
            "name" => name.to_owned(),
            "type" => service_type.clone(),
            "description" => summary.clone(),
            "enabled" => true,
        },
    ));
    // Clients ask for the public one unless told otherwise, so there always is one.
    let public = public.or_else(|| internal.clone());
    for (interface, url) in [("internal", internal), ("public", public)] {
        let Some(url) = url else { continue };
        objects.push(korc::managed(
            cloud,
            "Endpoint",
            format!("{name}-{interface}"),
            map! { "interface" => interface, "serviceRef" => name.to_owned(), "url" => url, "enabled" => true },
        ));
    }
}

fn register(cloud: &Cloud, component: &Component, objects: &mut Vec<Map>) {
    let Some(identity) = component.identity() else { return };
    let name = component.name();
    let summary = &component.record.summary;
    if !identity.service_type.is_empty() {
        let urls = (cloud.internal_url(component), cloud.public_url(component));
        entry(cloud, name, &identity.service_type, summary, urls, objects);
    }
    for door in component.doors().filter(|door| !door.service_type.is_empty()) {
        let (internal, public) = cloud.door_urls(component, door);
        entry(cloud, &door.host, &door.service_type, summary, (Some(internal), public), objects);
    }
    // Here and not with the service, which comes after the catalog: an account without its password is
    // never ready, and the catalog waits for it.
    let password = application_credential::password_of(component);
    objects.extend(credential::password(cloud, &password, &identity.user));
    objects.push(korc::managed(
        cloud,
        "User",
        identity.user.clone(),
        map! {
            "name" => identity.user.clone(),
            "domainRef" => DOMAIN,
            "defaultProjectRef" => PROJECT,
            "passwordRef" => password,
            "enabled" => true,
        },
    ));
    for role in identity.roles.iter() {
        objects.push(korc::managed(
            cloud,
            "RoleAssignment",
            format!("{}-{role}", identity.user),
            map! { "roleRef" => role.clone(), "userRef" => identity.user.clone(), "projectRef" => PROJECT },
        ));
    }
    for role in identity.own_roles.iter() {
        objects.push(korc::managed(
            cloud,
            "Role",
            object_name(role),
            map! { "name" => role.clone() },
        ));
    }
    if let Some(domain) = &identity.domain {
        own_domain(cloud, component, domain, objects);
    }
}

/// The Secret with the credential of who administers the domain of a service.
pub fn domain_credential(component: &Component) -> String {
    format!("{}-domain-credentials", component.name())
}

/// A domain that a service makes users in, and an administrator of nothing but that.
fn own_domain(cloud: &Cloud, component: &Component, domain: &OwnDomain, objects: &mut Vec<Map>) {
    let OwnDomain { name, user } = domain;
    let (administrator, password) = (object_name(user), domain_credential(component));
    objects.push(korc::managed(
        cloud,
        "Domain",
        name.clone(),
        map! {
            "name" => name.clone(),
            "description" => format!("Users that {} makes", component.name()),
            "enabled" => true,
        },
    ));
    objects.extend(credential::password(cloud, &password, user));
    objects.push(korc::managed(
        cloud,
        "User",
        administrator.clone(),
        map! {
            "name" => user.clone(),
            "domainRef" => name.clone(),
            "passwordRef" => password,
            "enabled" => true,
        },
    ));
    objects.push(korc::managed(
        cloud,
        "RoleAssignment",
        format!("{administrator}-{ADMIN}"),
        map! { "roleRef" => ADMIN, "userRef" => administrator, "domainRef" => name.clone() },
    ));
}
