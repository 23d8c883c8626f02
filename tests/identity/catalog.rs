//! What K-ORC made in Keystone, and what a service can do there with what was delivered to it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::cloud::text;
use crate::keystone::{IDENTITY, id};
use crate::real::{progress, report};
use crate::stage::{NAMESPACE, STAGE};

/// Fields of the things in a list.
fn fields(things: &[Value], names: &[&str]) -> BTreeSet<Vec<String>> {
    let row = |thing: &Value| names.iter().map(|name| text(&thing[name])).collect();
    things.iter().map(row).collect()
}

#[test]
fn keystone_has_what_is_rendered() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let keystone = &identity.keystone;
    let admin = keystone.token("admin", &identity.admin_password, "admin").unwrap();
    for (kind, collection, names) in [
        ("Service", "services", &["name", "type", "description"][..]),
        ("Endpoint", "endpoints", &["interface", "url"]),
        ("Project", "projects", &["name", "description"]),
        ("User", "users", &["name"]),
    ] {
        let wanted = fields(&stage.cloud.managed(kind), names);
        assert!(!wanted.is_empty(), "no {kind} is rendered");
        // What bootstrap made has no description, and is not asked for.
        let found = keystone.list(collection, &admin);
        let found: Vec<Value> = found
            .into_iter()
            .filter(|thing| names.iter().all(|name| thing[name].is_string()))
            .collect();
        let found = fields(&found, names);
        let missing: Vec<_> = wanted.difference(&found).collect();
        assert!(missing.is_empty(), "{collection} lack {missing:?}, and have {found:?}");
    }
    report(&format!(
        "identity: {} objects Available through K-ORC in Keystone",
        stage.cloud.identity.len()
    ));
}

#[test]
fn every_service_reads_the_catalog_with_its_delivered_password() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let keystone = &identity.keystone;
    let users = stage.cloud.managed("User");
    let password = |user: &Value| {
        let secret = stage.server.secret(NAMESPACE, &text(&user["passwordRef"])).unwrap();
        secret["password"].clone()
    };
    for user in &users {
        let name = text(&user["name"]);
        let refused = keystone.token(&name, &password(user), "service");
        assert!(refused.is_err(), "{name} has a role that nobody gave it");
    }
    grant_roles();
    let wanted = fields(&stage.cloud.managed("Endpoint"), &["interface", "url"]);
    for user in &users {
        let name = text(&user["name"]);
        let token = keystone.token(&name, &password(user), "service");
        let token = token.unwrap_or_else(|error| panic!("{name}: {error}"));
        let catalog = token.about["catalog"].as_array().cloned().unwrap_or_default();
        let endpoints: Vec<Value> = catalog
            .iter()
            .flat_map(|service| service["endpoints"].as_array().cloned().unwrap_or_default())
            .collect();
        let found = fields(&endpoints, &["interface", "url"]);
        assert!(found.is_superset(&wanted), "{name} sees {found:?}");
    }
    progress("asking the client openstack");
    let glance = users.iter().find(|user| user["name"] == "glance").unwrap();
    let listed = keystone.openstack("glance", &password(glance), "service", &["catalog", "list"]);
    let listed: BTreeSet<String> =
        listed.as_array().unwrap().iter().map(|service| text(&service["Name"])).collect();
    let services = stage.cloud.managed("Service");
    let missing: Vec<&Value> =
        services.iter().filter(|service| !listed.contains(&text(&service["name"]))).collect();
    assert!(missing.is_empty(), "openstack lists {listed:?}, not {missing:?}");
    report(&format!(
        "identity: {} services log in with their delivered passwords and see {} endpoints",
        users.len(),
        wanted.len()
    ));
}

/// What the rendered role assignments say: the released K-ORC serves none, so the test does it.
fn grant_roles() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let admin = identity.keystone.token("admin", &identity.admin_password, "admin").unwrap();
    let assignments = &stage.cloud.role_assignments;
    assert!(!assignments.is_empty(), "no RoleAssignment is rendered");
    for assignment in assignments {
        let resource = &assignment.value()["spec"]["resource"];
        let path = format!(
            "/v3/projects/{}/users/{}/roles/{}",
            id(stage, "Project", &text(&resource["projectRef"])),
            id(stage, "User", &text(&resource["userRef"])),
            id(stage, "Role", &text(&resource["roleRef"])),
        );
        let answer = identity.keystone.request("PUT", &path, &admin.id, "");
        assert_eq!(answer.status, 204, "{}: {}", assignment.label(), answer.message());
    }
    report(&format!(
        "identity: {} RoleAssignments granted by the test, since K-ORC v2.6.0 serves none",
        assignments.len()
    ));
}
