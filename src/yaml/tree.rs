//! What reading YAML gives: values that know where they stand, so that a finding about any of
//! them can point at it.

use crate::value::{Map, Value};

/// Bytes from `start` to before `end` of the text that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub at: Span,
    pub data: Data,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub at: Span,
    pub name: String,
}

/// Something that kept a document from being read as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub at: Span,
    pub kind: FaultKind,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The text is no YAML.
    Syntax,
    /// A key stands twice in one map.
    DuplicateKey,
    /// Valid YAML that no Kubernetes tool could read: a tag, a key that is no text, a number
    /// beyond 64 bits, an alias to nothing.
    Unsupported,
    /// A budget on size, depth or aliases was exceeded.
    TooLarge,
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, node)| node)
    }

    pub fn entry(&self, key: &str) -> Option<(&Key, &Node)> {
        let Data::Map(entries) = &self.data else { return None };
        entries.iter().find(|(name, _)| name.name == key).map(|(key, node)| (key, node))
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::Str(text) => Some(text),
            _ => None,
        }
    }
}

impl From<Node> for Value {
    /// Forgets the places. Reading bounds the depth, so this may recurse.
    fn from(node: Node) -> Value {
        match node.data {
            Data::Null => Value::Null,
            Data::Bool(flag) => Value::Bool(flag),
            Data::Int(number) => Value::Int(number),
            Data::Float(number) => Value::Float(number),
            Data::Str(text) => Value::Str(text.into()),
            Data::List(items) => Value::List(items.into_iter().map(Value::from).collect()),
            Data::Map(entries) => {
                let pairs = entries.into_iter().map(|(key, node)| (key.name.into(), node.into()));
                Value::Map(Map::from_pairs(pairs.collect()))
            }
        }
    }
}

/// A tree that stands nowhere, for what looks at nodes and not at places.
impl From<&Value> for Node {
    fn from(value: &Value) -> Node {
        let at = Span::default();
        let data = match value {
            Value::Null => Data::Null,
            Value::Bool(flag) => Data::Bool(*flag),
            Value::Int(number) => Data::Int(*number),
            Value::Float(number) => Data::Float(*number),
            Value::Str(text) => Data::Str(text.to_string()),
            Value::List(items) => Data::List(items.iter().map(Node::from).collect()),
            Value::Map(map) => Data::Map(
                map.iter()
                    .map(|(name, value)| (Key { at, name: name.to_string() }, Node::from(value)))
                    .collect(),
            ),
        };
        Node { at, data }
    }
}

impl Node {
    /// A copy without the places, where the node itself is still needed for them.
    pub fn to_value(&self) -> Value {
        self.clone().into()
    }

    /// The same for a map; anything else has no fields.
    pub fn to_map(&self) -> Map {
        match self.to_value() {
            Value::Map(map) => map,
            _ => Map::new(),
        }
    }
}
