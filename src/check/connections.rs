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
    let Some(limit) = limit_of(object) else { return };
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
            .at(place(component, Some(("maxConnections", limit)), cloud))
            .because(format!(
                "the server takes {limit}, and all services can open {all}; most of them {}",
                largest.join(", ")
            ))
            .remedy(format!("let max_connections be {all}, leave this out, or run fewer replicas")),
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
            .at(place(component, None, cloud))
            .because(format!(
                "the user {} may open {limit}, and {} can open {needed}",
                object.name().escape_debug(),
                component.name()
            ))
            .remedy(format!("allow {needed}, leave it out, or run fewer replicas")),
    );
}

/// The option, if the limit is what it says; else where changes by hand stand.
fn place(component: &Component, option: Option<(&str, i64)>, cloud: &Cloud) -> Place {
    let path = &component.path;
    let hatches = &component.hatches;
    let is_said = |(name, limit): &(&str, i64)| {
        component.options.get(name).and_then(Value::as_int) == Some(*limit)
    };
    cloud.written.place(&match option.filter(is_said) {
        Some((name, _)) => path.key(name),
        None if !hatches.patches.is_empty() => path.key("patches"),
        None if !hatches.overrides.is_empty() => path.key("overrides"),
        None => path.key("extraConfig"),
    })
}

/// What a server takes that is told nothing (MariaDB, `max_connections`). A record tells it; a file that
/// somebody put in the place of the record's may not.
const UNTOLD: i64 = 151;

/// None if it cannot be known here.
fn limit_of(server: &Object) -> Option<i64> {
    let spec = |field| server.body().at(&["spec", field]);
    match spec("myCnf").and_then(Value::as_str) {
        Some(configuration) => Some(max_connections(configuration).unwrap_or(UNTOLD)),
        None => spec("myCnfConfigMapKeyRef").is_none().then_some(UNTOLD),
    }
}

/// What a server reads of its file: `_` and `-` are the same to it, the last one wins, and what stands
/// behind a `#` is a comment.
fn max_connections(configuration: &str) -> Option<i64> {
    let lines = configuration.lines().rev();
    lines.filter_map(|line| line.split_once('=')).find_map(|(key, value)| {
        let is_it = key.trim().replace('-', "_") == "max_connections";
        let value = value.split('#').next().unwrap_or_default();
        is_it.then(|| value.trim().trim_matches(['"', '\'']).parse().ok()).flatten()
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
            ("max_connections=20 # few\n", Some(20)),
            ("max_connections='20'\n", Some(20)),
            ("max_connections=many\n", None),
            ("", None),
        ] {
            assert_eq!(max_connections(configuration), expected, "{configuration:?}");
        }
    }
}
