//! What makes two objects the same one to a cluster.

use crate::deliver::Rendered;
use crate::resource_list::item::text;
use crate::yaml::tree::Node;

/// The version is left out: a cluster stores one object under all versions of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity<'o> {
    group: &'o str,
    kind: &'o str,
    namespace: &'o str,
    name: &'o str,
}

impl<'o> Identity<'o> {
    pub fn of(node: &'o Node) -> Self {
        Identity {
            group: group(text(node, &["apiVersion"])),
            kind: text(node, &["kind"]),
            namespace: text(node, &["metadata", "namespace"]),
            name: text(node, &["metadata", "name"]),
        }
    }

    pub fn of_rendered(object: &'o Rendered) -> Self {
        Identity {
            group: group(&object.api_version),
            kind: &object.kind,
            namespace: &object.namespace,
            name: &object.name,
        }
    }
}

fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}
