//! Names that Kubernetes accepts.

use crate::object::Object;
use crate::schema::Format;

/// Why a name or namespace would be refused.
pub fn unfit(object: &Object) -> Option<String> {
    let name = object.name();
    if !Format::DnsName.accepts(name) {
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
    let namespace = object.namespace();
    if !namespace.is_empty() && !Format::DnsLabel.accepts(namespace) {
        return Some(format!("`{}` is no namespace", namespace.escape_debug()));
    }
    None
}
