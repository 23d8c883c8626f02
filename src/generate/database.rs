//! Databases, the users that own them and their grants, for every component that declares some.

use crate::generate::connections;
use crate::generate::facts::{Account, Facts, object_name};
use crate::generate::scope::Scope;
use crate::map;
use crate::resolve::Component;
use crate::value::{Map, Text, Value};

pub const API: &str = "k8s.mariadb.com/v1alpha1";

/// Every host of the cluster network; which pod a service runs on is not known here.
const ANY_HOST: &str = "%";

pub fn objects(component: &Component, facts: &Facts, scope: &Scope) -> Vec<Map> {
    let Some(server) = scope.provided("mariadb", "ref") else { return Vec::new() };
    let mut objects = Vec::with_capacity(1 + 2 * facts.databases.len());
    let turns = facts.database_turns.is_some();
    for database in &facts.databases {
        objects.push(kept(
            "Database",
            object_name(database),
            map! {
                "mariaDbRef" => server.clone(),
                "name" => database.clone(),
                // The CRD's default is three-byte utf8, in which an emoji in a server's name is an error.
                "characterSet" => "utf8mb4",
                "collate" => "utf8mb4_general_ci",
            },
            false,
        ));
        for Account { user, .. } in &facts.database_users {
            objects.push(kept(
                "Grant",
                format!("{user}-{}", object_name(database)),
                map! {
                    "mariaDbRef" => server.clone(),
                    "privileges" => vec!["ALL PRIVILEGES"],
                    "database" => database.clone(),
                    "table" => "*",
                    "username" => user.clone(),
                    "host" => ANY_HOST,
                    "grantOption" => false,
                },
                turns,
            ));
        }
    }
    for Account { user, secret } in &facts.database_users {
        let mut spec = map! {
            "mariaDbRef" => server.clone(),
            "host" => ANY_HOST,
            // The CRD's default is 10, which one worker exceeds.
            "maxUserConnections" => connections::of_processes(&component.processes, facts.databases.len()),
            "passwordSecretKeyRef" => map! { "name" => secret.clone(), "key" => "password" },
        };
        if authority(scope).is_some() {
            spec.insert("require", map! { "ssl" => true });
        }
        objects.push(kept("User", user.clone(), spec, turns));
    }
    objects
}

/// The address of each database with user and password in it, as a template of External Secrets:
/// `connection` is that of the first.
pub fn addresses(facts: &Facts, scope: &Scope) -> Vec<(Text, String)> {
    let host = scope.provided("mariadb", "host").and_then(Value::as_str);
    let port = scope.provided("mariadb", "port").and_then(Value::as_int);
    let (Some(host), Some(port)) = (host, port) else { return Vec::new() };
    let authority = authority(scope).map(|file| format!("&ssl_ca={file}")).unwrap_or_default();
    let address = |database: &String| {
        format!(
            "mysql+pymysql://{{{{ .username }}}}:{{{{ .password }}}}@{host}:{port}/{database}?charset=utf8mb4{authority}"
        )
    };
    let key = |index: usize, database: &String| match index {
        0 => Text::Borrowed("connection"),
        _ => Text::Owned(format!("{database}_connection")),
    };
    let databases = facts.databases.iter().enumerate();
    databases.map(|(index, database)| (key(index, database), address(database))).collect()
}

/// The file by which clients know the server; none if connections are not encrypted.
fn authority<'a>(scope: &'a Scope) -> Option<&'a str> {
    scope.provided("mariadb", "caFile").and_then(Value::as_str)
}

/// Deleting such an object drops what it stands for, unless told otherwise twice: once for the
/// operator, once for Flux.
fn kept(kind: &'static str, name: String, mut spec: Map, turns: bool) -> Map {
    spec.insert("cleanupPolicy", "Skip");
    let mut annotations = map! { super::PRUNE => "disabled" };
    if turns {
        annotations.insert(super::AWAITED, "false");
    }
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name, "annotations" => annotations },
        "spec" => Value::Map(spec),
    }
}
