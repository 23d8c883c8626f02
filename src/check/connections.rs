//! Limits of connections that somebody set by hand hold what the services can open.

use crate::finding::{Code, Findings, Place};
use crate::generate::{Contents, Made, connections};
use crate::object::Object;
use crate::resolve::{Cloud, Component};
use crate::value::Value;

/// So many of the largest consumers are named.
const NAMED: usize = 3;

const MARIADB: &str = "k8s.mariadb.com/";

pub fn check(contents: &Contents, cloud: &Cloud, findings: &mut Findings) {
    for Made { component, object } in &contents.objects {
        if !object.api_version().starts_with(MARIADB) {
            continue;
        }
        let Some(component) = cloud.component(component) else { continue };
        match object.kind() {
            "MariaDB" => server(object, component, contents, cloud, findings),
            "User" => user(object, component, contents, cloud, findings),
            _ => {}
        }
    }
}

/// What a component can open to all databases that it has.
fn needed(contents: &Contents, component: &Component) -> i64 {
    connections::of_component(component, databases(contents, component))
}

fn databases(contents: &Contents, component: &Component) -> usize {
    let is_database = |made: &&Made| {
        made.component == component.name()
            && made.object.kind() == "Database"
            && made.object.api_version().starts_with(MARIADB)
    };
    contents.objects.iter().filter(is_database).count()
}

/// What the server takes, and what all services together can open.
fn server(
    object: &Object,
    component: &Component,
    contents: &Contents,
    cloud: &Cloud,
    findings: &mut Findings,
) {
    let configuration = object.body().at(&["spec", "myCnf"]).and_then(Value::as_str);
    let Some(limit) = configuration.and_then(max_connections) else { return };
    let all = connections::of_cloud(cloud, |client| databases(contents, client));
    if limit >= all {
        return;
    }
    let mut clients: Vec<&Component> = connections::clients(cloud).collect();
    clients.sort_by_key(|client| std::cmp::Reverse(needed(contents, client)));
    let largest: Vec<String> = clients
        .iter()
        .take(NAMED)
        .map(|client| format!("{} {}", client.name(), needed(contents, client)))
        .collect();
    findings.push(
        Code::TooFewConnections
            .at(place(component, "maxConnections", cloud))
            .because(format!(
                "the server takes {limit}, and all services can open {all}; most of them {}",
                largest.join(", ")
            ))
            .remedy(format!("allow {all}, leave it out, or run fewer replicas")),
    );
}

/// What one user may open, and what its service can.
fn user(
    object: &Object,
    component: &Component,
    contents: &Contents,
    cloud: &Cloud,
    findings: &mut Findings,
) {
    let limit = object.body().at(&["spec", "maxUserConnections"]).and_then(Value::as_int);
    let Some(limit) = limit else { return };
    let needed = needed(contents, component);
    if limit >= needed {
        return;
    }
    findings.push(
        Code::TooFewConnections
            .at(place(component, "", cloud))
            .because(format!(
                "the user {} may open {limit}, and {} can open {needed}",
                object.name().escape_debug(),
                component.name()
            ))
            .remedy(format!("allow {needed}, leave it out, or run fewer replicas")),
    );
}

/// The option, if it is what was written; else where changes by hand stand.
fn place(component: &Component, option: &str, cloud: &Cloud) -> Place {
    let path = &component.path;
    cloud.written.place(&if component.options.get(option).is_some() {
        path.key(option)
    } else if component.hatches.patches.is_empty() {
        path.key("extraConfig")
    } else {
        path.key("patches")
    })
}

/// What a server reads of its file: `_` and `-` are the same to it, and the last one wins.
fn max_connections(configuration: &str) -> Option<i64> {
    let lines = configuration.lines().rev();
    lines.filter_map(|line| line.split_once('=')).find_map(|(key, value)| {
        let is_it = key.trim().replace('-', "_") == "max_connections";
        is_it.then(|| value.trim().parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::max_connections;

    #[test]
    fn the_last_limit_wins() {
        for (configuration, expected) in [
            ("[mariadb]\nmax_connections=10\n", Some(10)),
            ("max_connections = 10\nmax-connections= 20 \n", Some(20)),
            ("max_connections=10\n# max_connections=20\n", Some(10)),
            ("max_connections=many\n", None),
            ("", None),
        ] {
            assert_eq!(max_connections(configuration), expected, "{configuration:?}");
        }
    }
}
