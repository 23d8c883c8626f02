//! Limits of connections hold what the services can open: those that somebody set by hand, and those that
//! follow from settings where somebody changed by hand how many processes there are.

use super::hatches;
use super::processes::{self, Grown};
use crate::finding::{Code, Findings, Path};
use crate::generate::{Contents, Made, connections};
use crate::object::Object;
use crate::resolve::{Cloud, Component};
use crate::value::Value;

/// So many of the largest consumers are named.
const NAMED: usize = 3;

const MARIADB: &str = "k8s.mariadb.com/";

pub fn check(contents: &Contents, cloud: &Cloud, findings: &mut Findings) {
    for (index, Made { component, object }) in contents.objects.iter().enumerate() {
        if !object.api_version().starts_with(MARIADB) {
            continue;
        }
        let Some(component) = cloud.component(component) else { continue };
        match object.kind() {
            "MariaDB" => server(index, object, component, contents, cloud, findings),
            "User" => user(index, object, component, contents, cloud, findings),
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
    index: usize,
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
    let because = format!(
        "the server takes {takes}, and all services can open {all}; most of them {}",
        largest.join(", ")
    );
    let option = component.path.key("maxConnections");
    let raised = format!("`{}: {all}`", cloud.written.shown(&option));
    let file = hatches::origin(index, &Path::from("spec.myCnf"), contents, cloud);
    // A limit that follows from settings is nobody's mistake; it is those who go beyond it.
    let grown = || clients.iter().find_map(|client| processes::grown(client, contents, cloud));
    let (at, because, remedy) = match (file, cloud.written.get(&option)) {
        (Some(file), _) => {
            let line = format!("max_connections={all}");
            let shown = cloud.written.shown(&file);
            (
                file,
                format!("{because}; {} has its own file here", shown_as(object)),
                format!(
                    "let {shown} have the line `{line}`, or leave it out: max_connections follows from settings then"
                ),
            )
        }
        (None, Some(_)) => {
            let remedy = format!("write {raised}, or leave it out: it follows from settings then");
            (option, because, remedy)
        }
        (None, None) => match (grown(), clients.first()) {
            (Some(grown), _) => {
                let remedy = format!("{}; or write {raised}", by_setting(&grown, cloud));
                (grown.origin.clone(), format!("{because}; {}", has_more(&grown)), remedy)
            }
            (None, largest) => {
                let path = largest.map_or(&component.path, |largest| &largest.path);
                (path.clone(), because, format!("write {raised}"))
            }
        },
    };
    let remedy = match all {
        ..=MOST => remedy,
        _ => format!("run fewer replicas and workers of these: MariaDB takes {MOST} at most"),
    };
    findings
        .push(Code::TooFewConnections.at(cloud.written.place(&at)).because(because).remedy(remedy));
}

/// What one user may open, and what its service can.
fn user(
    index: usize,
    object: &Object,
    component: &Component,
    contents: &Contents,
    cloud: &Cloud,
    findings: &mut Findings,
) {
    const LIMIT: &str = "maxUserConnections";
    let limit = object.body().at(&["spec", LIMIT]).and_then(Value::as_int);
    let Some(limit) = limit else { return };
    let needed = needed(contents, component);
    if limit >= needed {
        return;
    }
    let because = format!(
        "{} may open {limit} ({LIMIT}), and {} can open {needed}",
        shown_as(object),
        component.name()
    );
    let own = hatches::origin(index, &Path::from("spec").key(LIMIT), contents, cloud);
    let (at, because, remedy) = match (own, processes::grown(component, contents, cloud)) {
        (Some(own), _) => {
            let shown = cloud.written.shown(&own);
            let remedy =
                format!("let {shown} be {needed}, or leave it out: it follows from settings then");
            (own, because, remedy)
        }
        (None, Some(grown)) => {
            let because = format!("{because}; {}", has_more(&grown));
            (grown.origin.clone(), because, by_setting(&grown, cloud))
        }
        (None, None) => {
            (component.path.clone(), because, "run fewer replicas and workers of it".to_owned())
        }
    };
    findings
        .push(Code::TooFewConnections.at(cloud.written.place(&at)).because(because).remedy(remedy));
}

/// With its group: others have a User, too.
fn shown_as(object: &Object) -> String {
    format!("{}.{} {}", object.kind(), object.group(), object.name().escape_debug())
}

fn has_more(Grown { object, field, count, .. }: &Grown) -> String {
    format!("{} has {field}: {count} by hand", shown_as(object))
}

fn by_setting(grown: &Grown, cloud: &Cloud) -> String {
    let Grown { count, origin, setting, .. } = grown;
    let (setting, origin) = (cloud.written.shown(setting), cloud.written.shown(origin));
    format!("write `{setting}: {count}`, which limits follow, in place of {origin}")
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
