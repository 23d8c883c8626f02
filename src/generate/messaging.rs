//! Virtual hosts, their users and the permissions of these, for every component that has a queue.

use crate::generate::facts::{Account, Facts, object_name};
use crate::generate::scope::Scope;
use crate::map;
use crate::value::{Map, Text, Value};

pub const API: &str = "rabbitmq.com/v1beta1";

pub fn objects(facts: &Facts, scope: &Scope) -> Vec<Map> {
    let Some(broker) = scope.provided("rabbitmq", "ref") else { return Vec::new() };
    let mut objects = Vec::with_capacity(1 + 2 * facts.vhosts.len());
    let turns = facts.queue_turns.is_some();
    for vhost in &facts.vhosts {
        objects.push(object(
            "Vhost",
            object_name(vhost),
            map! {
                "name" => vhost.clone(),
                // Classic queues lose messages with their node.
                "defaultQueueType" => "quorum",
                "deletionPolicy" => "retain",
                "rabbitmqClusterReference" => broker.clone(),
            },
            false,
        ));
        for Account { user, .. } in &facts.queue_users {
            objects.push(object(
                "Permission",
                format!("{user}-{}", object_name(vhost)),
                map! {
                    "vhost" => vhost.clone(),
                    "userReference" => map! { "name" => user.clone() },
                    "permissions" => map! { "configure" => ".*", "read" => ".*", "write" => ".*" },
                    "rabbitmqClusterReference" => broker.clone(),
                },
                turns,
            ));
        }
    }
    for Account { user, secret } in &facts.queue_users {
        objects.push(object(
            "User",
            user.clone(),
            map! {
                // Without it the operator invents a name and a password that no consumer knows.
                "importCredentialsSecret" => map! { "name" => secret.clone() },
                "rabbitmqClusterReference" => broker.clone(),
            },
            turns,
        ));
    }
    objects
}

/// The address of each virtual host with user and password in it, as a template of External Secrets:
/// `transport_url` is that of the first.
pub fn addresses(facts: &Facts, scope: &Scope) -> Vec<(Text, String)> {
    let hosts = scope.provided("rabbitmq", "hosts").and_then(Value::as_list).unwrap_or_default();
    let members: Vec<String> = hosts
        .iter()
        .filter_map(Value::as_str)
        .map(|host| format!("{{{{ .username }}}}:{{{{ .password }}}}@{host}"))
        .collect();
    if members.is_empty() {
        return Vec::new();
    }
    let members = members.join(",");
    // The file by which clients know the broker; none if connections are not encrypted.
    let authority = scope.provided("rabbitmq", "caFile").and_then(Value::as_str);
    let query = authority.map(|file| format!("?ssl=1&ssl_ca_file={file}")).unwrap_or_default();
    let key = |index: usize, vhost: &String| match index {
        0 => Text::Borrowed("transport_url"),
        _ => Text::Owned(format!("{vhost}_transport_url")),
    };
    let vhosts = facts.vhosts.iter().enumerate();
    vhosts
        .map(|(index, vhost)| (key(index, vhost), format!("rabbit://{members}/{vhost}{query}")))
        .collect()
}

fn object(kind: &'static str, name: String, spec: Map, turns: bool) -> Map {
    let mut annotations = map! { super::PRUNE => "disabled" };
    if turns {
        annotations.insert(super::AWAITED, "false");
    }
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name, "annotations" => annotations },
        "spec" => spec,
    }
}
