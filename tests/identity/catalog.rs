//! What K-ORC made in Keystone, and what a service can do there with what was delivered to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cloud::text;
use crate::keystone::{IDENTITY, REGION, id};
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
        ("Domain", "domains", &["name", "description"]),
        ("Project", "projects", &["name"]),
        ("Role", "roles", &["name"]),
        ("Group", "groups", &["name", "description"]),
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

/// What Keystone's own start registered is referred to and left alone: it alone has a region.
#[test]
fn the_endpoints_of_keystone_itself_are_imported() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let admin = identity.keystone.token("admin", &identity.admin_password, "admin").unwrap();
    let service = id(stage, "Service", "keystone");
    let endpoints = identity.keystone.list("endpoints", &admin);
    let own: Vec<&Value> =
        endpoints.iter().filter(|endpoint| endpoint["service_id"] == service.as_str()).collect();
    assert_eq!(own.len(), 2, "{own:#?}");
    for endpoint in own {
        let interface = text(&endpoint["interface"]);
        assert_eq!(endpoint["region"], REGION, "{interface}");
        let found = id(stage, "Endpoint", &format!("keystone-{interface}"));
        assert_eq!(endpoint["id"], found.as_str(), "{interface}");
    }
}

#[test]
fn every_service_reads_the_catalog_with_its_delivered_password() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let keystone = &identity.keystone;
    let users = services();
    for user in &users {
        let (name, password) = account(user);
        let refused = keystone.token(&name, &password, "service");
        assert!(refused.is_err(), "{name} has a role that nobody gave it");
    }
    grant(&|assignment| assignment["projectRef"] == "service");
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

/// The accounts of the services, not those of people.
fn services() -> Vec<Value> {
    let users = STAGE.cloud.managed("User").into_iter();
    users.filter(|user| user["defaultProjectRef"] == "service").collect()
}

#[test]
fn a_user_of_ones_own_logs_in_with_the_delivered_password() {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let people = ["alice", "robot"];
    grant(&|assignment| people.iter().any(|name| assignment["userRef"] == *name));
    for name in people {
        let user = stage.cloud.identity("User", name).value()["spec"]["resource"].clone();
        let (username, password) = account(&user);
        let domain = id(stage, "Domain", &text(&user["domainRef"]));
        let held = assignments(&|assignment| assignment["userRef"] == name);
        assert!(!held.is_empty(), "{name} has no role");
        for assignment in &held {
            let (place, target) = place(assignment);
            let target = id(stage, place, &target);
            let scope = json!({ place.to_lowercase(): {"id": target} });
            let token = identity.keystone.token_of((&username, &domain), &password, &scope);
            let token = token.unwrap_or_else(|error| panic!("{name} in {scope}: {error}"));
            let roles: Vec<String> = token.about["roles"]
                .as_array()
                .unwrap()
                .iter()
                .map(|role| text(&role["name"]))
                .collect();
            let role = text(&assignment["roleRef"]);
            assert!(roles.contains(&role), "{name} in {scope} is {roles:?}, not {role}");
        }
        let wrong = identity.keystone.token_of((&username, &domain), "wrong", &json!({}));
        assert!(wrong.is_err(), "{name} logs in with any password");
    }
    report(&format!("identity: {} users of one's own log in", people.len()));
}

/// The rendered role assignments that are asked for.
fn assignments(wanted: &dyn Fn(&Value) -> bool) -> Vec<Value> {
    let all = STAGE.cloud.role_assignments.iter();
    let resources = all.map(|assignment| assignment.value()["spec"]["resource"].clone());
    resources.filter(|resource| wanted(resource)).collect()
}

/// The kind and the name of what a role is held in.
fn place(assignment: &Value) -> (&'static str, String) {
    match assignment["projectRef"].as_str() {
        Some(project) => ("Project", project.to_owned()),
        None => ("Domain", text(&assignment["domainRef"])),
    }
}

/// What the rendered role assignments say: the released K-ORC serves none, so the test does it.
fn grant(wanted: &dyn Fn(&Value) -> bool) {
    let (stage, identity) = (&*STAGE, &*IDENTITY);
    let admin = identity.keystone.token("admin", &identity.admin_password, "admin").unwrap();
    let assignments = assignments(wanted);
    assert!(!assignments.is_empty(), "no such RoleAssignment is rendered");
    for assignment in &assignments {
        let (place, target) = place(assignment);
        let path = format!(
            "/v3/{}s/{}/users/{}/roles/{}",
            place.to_lowercase(),
            id(stage, place, &target),
            id(stage, "User", &text(&assignment["userRef"])),
            id(stage, "Role", &text(&assignment["roleRef"])),
        );
        let answer = identity.keystone.request("PUT", &path, &admin.id, "");
        assert_eq!(answer.status, 204, "{assignment}: {}", answer.message());
    }
    report(&format!(
        "identity: {} RoleAssignments granted by the test, since K-ORC v2.6.0 serves none",
        assignments.len()
    ));
}
