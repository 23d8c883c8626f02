//! What aliases refer to, and what expanding them may cost.

use std::collections::HashMap;

use crate::yaml::read::Limits;
use crate::yaml::tree::{Data, Node};

/// The anchors of one document, and the copies that were made in all of them.
#[derive(Default)]
pub(super) struct Anchors {
    known: HashMap<usize, Anchor>,
    nodes: usize,
    alias_nodes: usize,
    bytes: usize,
}

enum Anchor {
    /// An alias that meets this stands inside of what it refers to.
    Open,
    Whole {
        node: Node,
        size: Size,
    },
}

/// What expanding an alias gives.
pub(super) enum Expanded {
    Node(Node),
    Recursive,
    TooMuch(String),
}

impl Anchors {
    /// The parser numbers anchors from 1, over all documents.
    pub(super) fn open(&mut self, id: usize) {
        if id != 0 {
            self.known.insert(id, Anchor::Open);
        }
    }

    /// Keeps a copy. It counts like what an alias expands to: a hundred anchors in each other
    /// would otherwise hold a hundred times the text.
    pub(super) fn define(&mut self, id: usize, node: &Node, limits: &Limits) -> Result<(), String> {
        if id == 0 {
            return Ok(());
        }
        let size = Size::of(node);
        self.spend(size, limits)?;
        self.known.insert(id, Anchor::Whole { node: node.clone(), size });
        Ok(())
    }

    /// `depth` is that of the place at which the alias stands.
    pub(super) fn expand(&mut self, id: usize, depth: usize, limits: &Limits) -> Expanded {
        let (node, size) = match self.known.get(&id) {
            Some(Anchor::Whole { node, size }) => (node, *size),
            Some(Anchor::Open) | None => return Expanded::Recursive,
        };
        if depth + size.depth > limits.depth {
            return Expanded::TooMuch(too_deep(limits));
        }
        if self.alias_nodes + size.nodes > limits.alias_nodes {
            let most = limits.alias_nodes;
            return Expanded::TooMuch(format!(
                "the aliases up to here expand to more than {most} values"
            ));
        }
        let node = node.clone();
        self.alias_nodes += size.nodes;
        match self.spend(size, limits) {
            Ok(()) => Expanded::Node(node),
            Err(message) => Expanded::TooMuch(message),
        }
    }

    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    fn spend(&mut self, size: Size, limits: &Limits) -> Result<(), String> {
        self.nodes += size.nodes;
        self.bytes += size.bytes;
        if self.nodes > limits.nodes || self.bytes > limits.bytes {
            return Err("anchors and aliases copy too much".to_owned());
        }
        Ok(())
    }
}

pub(super) fn too_deep(limits: &Limits) -> String {
    format!("lists and maps are nested deeper than {} levels", limits.depth)
}

#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Size {
    fn of(node: &Node) -> Self {
        let mut size = Size { nodes: 1, ..Size::default() };
        let mut add = |child: &Node| {
            let child = Size::of(child);
            size.nodes += child.nodes;
            size.bytes += child.bytes;
            size.depth = size.depth.max(child.depth);
        };
        match &node.data {
            Data::Str(text) => size.bytes = text.len(),
            Data::List(items) => {
                items.iter().for_each(&mut add);
                size.depth += 1;
            }
            Data::Map(entries) => {
                entries.iter().for_each(|(_, node)| add(node));
                size.bytes += entries.iter().map(|(key, _)| key.name.len()).sum::<usize>();
                size.depth += 1;
            }
            Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => {}
        }
        size
    }
}
