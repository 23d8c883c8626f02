//! Databases, the user that owns them and its grants, for every component that declares some.

use crate::generate::connections;
use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::{Map, Value};

const API: &str = "k8s.mariadb.com/v1alpha1";

/// Every host of the cluster network; which pod a service runs on is not known here.
const ANY_HOST: &str = "%";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let databases = &component.record.databases;
    let Some(server) = cloud.component("mariadb").filter(|_| !databases.is_empty()) else {
        return Vec::new();
    };
    let server = map! { "name" => server.record.object_name.clone() };
    let user = component.name();
    let mut objects = Vec::with_capacity(1 + 2 * databases.len());
    for database in databases.iter() {
        // An object's name cannot hold the `_` that OpenStack puts into database names.
        let object_name = database.replace('_', "-");
        objects.push(kept(
            "Database",
            object_name.clone(),
            map! {
                "mariaDbRef" => server.clone(),
                "name" => database.clone(),
                // The CRD's default is three-byte utf8, in which an emoji in a server's name is an error.
                "characterSet" => "utf8mb4",
                "collate" => "utf8mb4_general_ci",
            },
        ));
        objects.push(kept(
            "Grant",
            format!("{user}-{object_name}"),
            map! {
                "mariaDbRef" => server.clone(),
                "privileges" => vec!["ALL PRIVILEGES"],
                "database" => database.clone(),
                "table" => "*",
                "username" => user.to_owned(),
                "host" => ANY_HOST,
                "grantOption" => false,
            },
        ));
    }
    let mut spec = map! {
        "mariaDbRef" => server,
        "host" => ANY_HOST,
        // The CRD's default is 10, which one worker exceeds.
        "maxUserConnections" => connections::of_component(component),
        "passwordSecretKeyRef" => map! { "name" => format!("{user}-db-credentials"), "key" => "password" },
    };
    if cloud.tls {
        spec.insert("require", map! { "ssl" => true });
    }
    objects.push(kept("User", user.to_owned(), spec));
    objects
}

/// Deleting such an object drops what it stands for, unless told otherwise twice: once for the
/// operator, once for Flux.
fn kept(kind: &'static str, name: String, mut spec: Map) -> Map {
    spec.insert("cleanupPolicy", "Skip");
    map! {
        "apiVersion" => API,
        "kind" => kind,
        "metadata" => map! { "name" => name, "annotations" => map! { super::PRUNE => "disabled" } },
        "spec" => Value::Map(spec),
    }
}
