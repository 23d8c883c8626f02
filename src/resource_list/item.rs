//! One item of a ResourceList, and what its annotations tell about it.

use crate::deliver::{LEGACY_PATH, PATH};
use crate::generate::OWNER;
use crate::resource_list::identity::Identity;
use crate::spec::{self, Recognised};
use crate::yaml::tree::{Data, Key, Node};

/// kustomize puts it on every resource that it hands to a transformer.
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";
/// What belongs to the caller, beside everything in its own domain below.
const CALLERS: [&str; 4] =
    [LEGACY_PATH, "config.kubernetes.io/index", "config.k8s.io/id", KUSTOMIZE_ID];
const CALLERS_DOMAIN: &str = "internal.config.kubernetes.io/";

#[derive(Debug)]
pub struct Item<'t> {
    /// Always a map.
    pub node: Node,
    /// Its lines as they came, if they can stand in another list of the same indentation.
    pub lines: Option<&'t str>,
}

impl Item<'_> {
    /// Whether it is one of the kinds that people write and we read.
    pub fn is_input(&self) -> bool {
        recognise(&self.node) != Recognised::Foreign
    }

    /// Whether it stands in a file that is written back, and deleted if the item is missing.
    ///
    /// kustomize, too, puts a path on what a generator made. Its id tells the two apart.
    pub fn is_file(&self) -> bool {
        let has = |key| annotation(&self.node, key).is_some();
        (has(PATH) || has(LEGACY_PATH)) && !has(KUSTOMIZE_ID)
    }

    /// The control plane it was rendered for, if it is a work of ours.
    pub fn owner(&self) -> Option<&str> {
        annotation(&self.node, OWNER).and_then(Node::as_str)
    }

    /// The annotations by which the caller finds it again: where it stands, and who it was.
    pub fn callers_annotations(&self) -> impl Iterator<Item = &(Key, Node)> {
        let annotations = self.node.get("metadata").and_then(|node| node.get("annotations"));
        let entries = match annotations.map(|node| &node.data) {
            Some(Data::Map(entries)) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().filter(|(key, _)| {
            CALLERS.contains(&key.name.as_str()) || key.name.starts_with(CALLERS_DOMAIN)
        })
    }
}

pub fn recognise(node: &Node) -> Recognised {
    spec::recognise(text(node, &["apiVersion"]), text(node, &["kind"]))
}

/// The text at a path of keys, empty if there is none.
pub fn text<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    path.iter().try_fold(node, |node, key| node.get(key)).and_then(Node::as_str).unwrap_or_default()
}

pub fn annotation<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.get("metadata")?.get("annotations")?.get(key)
}

pub fn same_id(one: &Node, other: &Node) -> bool {
    Identity::of(one) == Identity::of(other)
}

/// Whether two objects say the same, annotations aside: each caller puts its own on one of them.
pub fn same_content(one: &Node, other: &Node) -> bool {
    let content = |node: &Node| {
        let mut map = node.to_map();
        if let Some(metadata) = map.get_mut("metadata").and_then(|value| value.as_map_mut()) {
            metadata.remove("annotations");
        }
        map
    };
    content(one) == content(other)
}
