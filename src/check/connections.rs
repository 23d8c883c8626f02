//! Limits of connections hold what the services can open: those that somebody set by hand, and those that
//! follow from settings where somebody changed by hand how many processes there are.

use super::processes;
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

/// What all services together can open, with what people changed by hand.
pub fn of_all(contents: &Contents, cloud: &Cloud) -> i64 {
    connections::of_cloud(cloud, |client| needed(contents, client))
}

/// What a component can open to all databases that it has.
fn needed(contents: &Contents, component: &Component) -> i64 {
    let processes = processes::of(component, contents);
    connections::of_processes(&processes, databases(contents, component))
}

/// The same by its settings alone, which limits follow.
fn by_settings(contents: &Contents, component: &Component) -> i64 {
    connections::of_processes(&component.processes, databases(contents, component))
}

fn databases(contents: &Contents, component: &Component) -> usize {
    let is_database = |made: &&Made| {
        made.component == component.name()
            && made.object.kind() == "Database"
            && made.object.api_version().starts_with(MARIADB)
    };
    contents.objects.iter().filter(is_database).count()
}

/// The most that a server can be told (MariaDB, `max_connections`); it takes this for anything above.
const MOST: i64 = 100_000;

/// What the server takes, and what all services together can open.
fn server(
    object: &Object,
    component: &Component,
    contents: &Contents,
    cloud: &Cloud,
    findings: &mut Findings,
) {
    let Some(limit) = limit_of(object) else { return };
    let all = of_all(contents, cloud);
    let takes = limit.min(MOST);
    if takes >= all {
        return;
    }
    let mut clients: Vec<&Component> = connections::clients(cloud).collect();
    clients.sort_by_key(|client| std::cmp::Reverse(needed(contents, client)));
    let largest: Vec<String> = clients
        .iter()
        .take(NAMED)
        .map(|client| format!("{} {}", client.name(), needed(contents, client)))
        .collect();
    let beyond = |client: &&&Component| needed(contents, client) > by_settings(contents, client);
    // A limit that follows from settings is nobody's mistake; it is those who go beyond it.
    let follows = limit == connections::of_cloud(cloud, |client| by_settings(contents, client));
    let culprit = clients.iter().find(beyond).filter(|_| follows);
    let place = match (culprit, clients.first()) {
        (Some(client), _) => place(client, None, cloud),
        (None, Some(largest)) if follows => cloud.written.place(&largest.path),
        _ => place(component, Some(("maxConnections", limit)), cloud),
    };
    let option = cloud.written.shown(&component.path.key("maxConnections"));
    let remedy = match culprit {
        _ if all > MOST => {
            format!("run fewer replicas and workers of these: MariaDB takes {MOST} at most")
        }
        Some(client) => format!(
            "write replicas and workers of {} as its settings, which the limit follows, or let {option} be {all}",
            client.name()
        ),
        None => format!("let max_connections be {all}, leave this out, or run fewer replicas"),
    };
    findings.push(
        Code::TooFewConnections
            .at(place)
            .because(format!(
                "the server takes {takes}, and all services can open {all}; most of them {}",
                largest.join(", ")
            ))
            .remedy(remedy),
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
