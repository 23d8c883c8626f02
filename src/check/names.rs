//! Names that Kubernetes accepts.

use crate::object::Object;
use crate::schema::Format;

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
    use super::is_object_name;

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
