//! What people want in Keystone of their own, as K-ORC objects, and the password of every user.

use crate::generate::{credential, korc};
use crate::map;
use crate::resolve::{Account, Cloud, Component, Grant, Sort};
use crate::value::Map;

/// The component whose objects these are.
const HOME: &str = "accounts";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    if component.name() != HOME {
        return Vec::new();
    }
    let mut objects = Vec::new();
    for account in &cloud.accounts {
        objects.push(object(cloud, account));
        if account.sort == Sort::User && !account.imported {
            objects.extend(credential::password(cloud, &password(account), &account.name));
        }
        objects.extend(account.grants.iter().map(|grant| assignment(cloud, account, grant)));
    }
    objects
}

/// The Secret with a user's name and password.
fn password(account: &Account) -> String {
    format!("identity-user-{}", account.key)
}

fn object(cloud: &Cloud, account: &Account) -> Map {
    let kind = account.sort.kind();
    let mut named = map! { "name" => account.name.clone() };
    if let Some(domain) = &account.domain {
        named.insert("domainRef", domain.clone());
    }
    if account.imported {
        return korc::imported(cloud, kind, account.key.clone(), named);
    }
    let mut resource = named;
    if let Some(description) = &account.description {
        resource.insert("description", description.clone());
    }
    if let Some(enabled) = account.enabled {
        resource.insert("enabled", enabled);
    }
    if !account.tags.is_empty() {
        resource.insert("tags", account.tags.clone());
    }
    if let Some(project) = &account.project {
        resource.insert("defaultProjectRef", project.clone());
    }
    if account.sort == Sort::User {
        resource.insert("passwordRef", password(account));
    }
    korc::managed(cloud, kind, account.key.clone(), resource)
}

/// Its name says all that it holds, since it can never be changed; a dot stands in none of the parts.
/// Who no longer finds a role in the spec must no longer have it.
fn assignment(cloud: &Cloud, account: &Account, grant: &Grant) -> Map {
    let who = account.sort.kind().to_lowercase();
    let place = grant.place.kind().to_lowercase();
    let Grant { role, target, .. } = grant;
    korc::owned(
        cloud,
        "RoleAssignment",
        format!("{who}.{}.{role}.{place}.{target}", account.key),
        map! {
            "roleRef" => role.clone(),
            format!("{who}Ref") => account.key.clone(),
            format!("{place}Ref") => target.clone(),
        },
    )
}
