//! A virtual host, its user and their permission, for every component that has a queue.

use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::Map;

const API: &str = "rabbitmq.com/v1beta1";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let (Some(vhost), Some(broker)) = (component.queue(), cloud.component("rabbitmq")) else {
        return Vec::new();
    };
    let broker = map! { "name" => broker.record.object_name.clone() };
    let user = component.name();
    vec![
        object(
            "Vhost",
            vhost.to_string(),
            map! {
                "name" => vhost.clone(),
                // Classic queues lose messages with their node.
                "defaultQueueType" => "quorum",
                "deletionPolicy" => "retain",
                "rabbitmqClusterReference" => broker.clone(),
            },
        ),
        object(
            "User",
            user.to_owned(),
            map! {
                // Without it the operator invents a name and a password that no consumer knows.
                "importCredentialsSecret" => map! { "name" => format!("{user}-rabbitmq-credentials") },
                "rabbitmqClusterReference" => broker.clone(),
            },
        ),
        object(
            "Permission",
            format!("{user}-{vhost}"),
            map! {
                "vhost" => vhost.clone(),
                "userReference" => map! { "name" => user.to_owned() },
                "permissions" => map! { "configure" => ".*", "read" => ".*", "write" => ".*" },
                "rabbitmqClusterReference" => broker,
            },
        ),
    ]
}

fn object(kind: &'static str, name: String, spec: Map) -> Map {
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name, "annotations" => map! { super::PRUNE => "disabled" } },
        "spec" => spec,
    }
}
