//! Names under which servers know what an object stands for, and addresses that the catalog hands out. Others
//! have them, too: Secrets, configurations, grants, routes and certificates. A change by hand would reach only
//! the one object, so that they disagree.

use super::Changed;
use crate::finding::{Code, Findings, Path};
use crate::resolve::Cloud;
use crate::value::Value;

const MARIADB: &str = "k8s.mariadb.com";
const ORC: &str = "openstack.k-orc.cloud";
const RABBITMQ: &str = "rabbitmq.com";

/// API group, kind, and the field below `spec` that others know it by.
const ROWS: &[(&str, &str, &str)] = &[
    (MARIADB, "Database", "name"),
    (MARIADB, "Grant", "database"),
    (MARIADB, "Grant", "username"),
    (MARIADB, "User", "name"),
    (RABBITMQ, "Permission", "vhost"),
    (RABBITMQ, "Vhost", "name"),
    (ORC, "Domain", "import.filter.name"),
    (ORC, "Domain", "resource.name"),
    (ORC, "Endpoint", "resource.interface"),
    (ORC, "Endpoint", "resource.serviceRef"),
    (ORC, "Endpoint", "resource.url"),
    (ORC, "Project", "import.filter.name"),
    (ORC, "Project", "resource.name"),
    (ORC, "Role", "import.filter.name"),
    (ORC, "Role", "resource.name"),
    (ORC, "Service", "import.filter.name"),
    (ORC, "Service", "resource.name"),
    (ORC, "Service", "resource.type"),
    (ORC, "User", "import.filter.name"),
    (ORC, "User", "resource.name"),
];

pub fn check(changed: &Changed, cloud: &Cloud, findings: &mut Findings) {
    let Changed { object, rendered, component, .. } = changed;
    let is_about = |row: &&(&str, &str, &str)| (row.0, row.1) == (object.group(), object.kind());
    for (.., field) in ROWS.iter().filter(is_about) {
        let field = format!("spec.{field}");
        let steps: Vec<&str> = field.split('.').collect();
        let [before, after] = [rendered, object].map(|object| object.body().at(&steps));
        if before == after {
            continue;
        }
        let origin = changed.origin(&Path::from(field.as_str())).unwrap_or_else(|| changed.last());
        let before = before.and_then(Value::as_str).unwrap_or_else(|| object.name());
        findings.push(
            Code::ChangedIdentity
                .at(cloud.written.place(&origin))
                .because(format!(
                    "{} {}, {field}: what uses it knows it as `{}`",
                    object.kind(),
                    object.name().escape_debug(),
                    before.escape_debug()
                ))
                .remedy(match object.kind() {
                    "Endpoint" => "leave it as it is; `endpoints.domain` changes public addresses, with the routes to them".to_owned(),
                    _ => format!(
                        "leave it as it is; other names of {} are a record of your own",
                        component.name()
                    ),
                }),
        );
    }
}
