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
    for user in &users {
        let (name, password) = account(user);
        let refused = keystone.token(&name, &password, "service");
        assert!(refused.is_err(), "{name} has a role that nobody gave it");
    }
    grant_roles();
    let wanted = endpoints_in(&id(stage, "Project", "service"));
    for user in &users {
        let (name, password) = account(user);
        let token = keystone.token(&name, &password, "service");
        let token = token.unwrap_or_else(|error| panic!("{name}: {error}"));
        let catalog = token.about["catalog"].as_array().cloned().unwrap_or_default();
        let endpoints: Vec<Value> = catalog
            .iter()
            .flat_map(|service| service["endpoints"].as_array().cloned().unwrap_or_default())
            .collect();
        let found = fields(&endpoints, &["interface", "url"]);
        let missing: Vec<_> = wanted.difference(&found).collect();
        assert!(missing.is_empty(), "{name} does not see {missing:?}, but {found:?}");
    }
    progress("asking the client openstack");
    let (glance, password) =
        account(&stage.cloud.identity("User", "glance").value()["spec"]["resource"]);
    let listed = keystone.openstack(&glance, &password, "service", &["catalog", "list"]);
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

/// The name and the password that were delivered to the service whose account this is.
fn account(user: &Value) -> (String, String) {
    let name = text(&user["passwordRef"]);
    let secret =
        STAGE.server.secret(NAMESPACE, &name).unwrap_or_else(|| panic!("no Secret {name}"));
    assert_eq!(secret["username"], text(&user["name"]), "{name}");
    (secret["username"].clone(), secret["password"].clone())
}

/// The rendered endpoints as somebody in a project sees them: Keystone fills in the project, under its
/// name of today or the old one, which Heat's documentation still uses.
fn endpoints_in(project: &str) -> BTreeSet<Vec<String>> {
    let rendered = fields(&STAGE.cloud.managed("Endpoint"), &["interface", "url"]);
    let filled =
        |field: &String| field.replace("%(project_id)s", project).replace("%(tenant_id)s", project);
    rendered.iter().map(|row| row.iter().map(filled).collect()).collect()
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
