//! Names that Kubernetes accepts.

use crate::object::Object;
use crate::schema::Format;
use crate::value::Value;

/// MariaDB's identifiers end there, though the CRD takes 80.
const LONGEST_DATABASE: usize = 64;
/// As its CRD has it.
const LONGEST_ROTATION: usize = 40;

/// Why a name or namespace would be refused.
pub fn unfit(object: &Object) -> Option<String> {
    let name = object.name();
    if !is_object_name(name) {
        return Some(format!("`{}` is no name for a {}", name.escape_debug(), object.kind()));
    }
    // These become a label value or the name of a Service, which is a DNS label (RFC 1123).
    let label = matches!(
        object.kind(),
        "Service" | "Namespace" | "MariaDB" | "MaxScale" | "Memcached" | "RabbitmqCluster"
    );
    if label && !Format::DnsLabel.accepts(name) {
        return Some(format!(
            "the name of a {} has at most 63 bytes and no dots; `{name}` has {}",
            object.kind(),
            name.len()
        ));
    }
    // Generations are named after it, and their names are label values.
    if object.kind() == "CredentialRotation" && name.len() > LONGEST_ROTATION {
        return Some(format!(
            "the name of a rotation has at most {LONGEST_ROTATION} bytes; `{name}` has {}",
            name.len()
        ));
    }
    let database = object.body().at(&["spec", "name"]).and_then(Value::as_str);
    let database = database.filter(|_| object.kind() == "Database").unwrap_or_default();
    if database.len() > LONGEST_DATABASE {
        return Some(format!(
            "the name of a database has at most {LONGEST_DATABASE} bytes; `{database}` has {}",
            database.len()
        ));
    }
    let namespace = object.namespace();
    if !namespace.is_empty() && !Format::DnsLabel.accepts(namespace) {
        return Some(format!("`{}` is no namespace", namespace.escape_debug()));
    }
    None
}

/// A "DNS subdomain" as Kubernetes has it: unlike in DNS, only the whole is limited, not its labels
/// (apimachinery, `IsDNS1123Subdomain`).
fn is_object_name(name: &str) -> bool {
    let edge = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let label = |bytes: &[u8]| {
        bytes.first().is_some_and(edge)
            && bytes.last().is_some_and(edge)
            && bytes.iter().all(|byte| edge(byte) || *byte == b'-')
    };
    name.len() <= 253 && name.as_bytes().split(|byte| *byte == b'.').all(label)
}

#[cfg(test)]
mod tests {
    use super::{is_object_name, unfit};
    use crate::map;
    use crate::object::Object;

    #[test]
    fn a_database_is_called_as_its_server_takes_it() {
        let refused = |length: usize| {
            let object = Object::new(map! {
                "apiVersion" => "k8s.mariadb.com/v1alpha1",
                "kind" => "Database",
                "metadata" => map! { "name" => "it" },
                "spec" => map! { "name" => "n".repeat(length) },
            });
            object.ok().and_then(|object| unfit(&object)).is_some()
        };
        assert!(!refused(64) && refused(65));
    }

    #[test]
    fn an_object_name_may_have_long_labels() {
        for good in ["a", "a-b.c", &"a".repeat(64), &"a".repeat(253)] {
            assert!(is_object_name(good), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a..b", ".a", "a_b", "a/b", &"a".repeat(254)] {
            assert!(!is_object_name(bad), "{bad}");
        }
    }
}
