//! A tree of YAML in which leaves may hold `{{ expressions }}`. The tree is parsed first, so a
//! leaf cannot break out of its place whatever it evaluates to.

use std::borrow::Cow;

use crate::record::{Expression, List};
use crate::value::Text;
use crate::yaml::tree::{Data, Key, Node, Span};

#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Text),
    /// `"{{ expression }}"`: keeps the type of what it evaluates to.
    Leaf(Leaf),
    /// Text with expressions in it: always text.
    Mixed(List<Part>),
    List(List<Template>),
    Map(List<(Text, Template)>),
    /// A map with `$when: "{{ condition }}"`: left out where the condition is not true.
    Guarded(Leaf, List<(Text, Template)>),
    /// A map in a list with `$each: "{{ list }}"`: one for every `item` of it. Holds the one tree
    /// to make.
    Repeated(Leaf, List<Template>),
    /// A map with `$json: tree` and nothing else: the one tree in it, written down as JSON text.
    Json(List<Template>),
}

impl Template {
    /// What stands at a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Template> {
        path.iter().try_fold(self, |template, key| match template {
            Template::Map(entries) | Template::Guarded(_, entries) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        })
    }
}

const GUARD: &str = "$when";
const REPEAT: &str = "$each";
const JSON: &str = "$json";

#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    pub expression: Expression,
    /// `| optional`: the key is left out where the expression is undefined.
    pub optional: bool,
    pub at: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(Text),
    Hole(Leaf),
}

/// Something in a template that cannot be evaluated, and where.
pub type Trouble = (Span, String);

impl Template {
    pub fn parse(node: &Node, troubles: &mut Vec<Trouble>) -> Self {
        match &node.data {
            Data::Null => Template::Null,
            Data::Bool(flag) => Template::Bool(*flag),
            Data::Int(number) => Template::Int(*number),
            Data::Float(number) => Template::Float(*number),
            Data::Str(text) => Template::parse_text(text, node.at, troubles),
            Data::List(items) => {
                Template::List(items.iter().map(|item| Template::item(item, troubles)).collect())
            }
            Data::Map(entries) if entries.len() == 1 && entries[0].0.name == JSON => {
                Template::Json(Cow::Owned(vec![Template::parse(&entries[0].1, troubles)]))
            }
            Data::Map(entries) => {
                if let Some(each) = node.get(REPEAT) {
                    troubles
                        .push((each.at, format!("`{REPEAT}` stands in an item of a list alone")));
                }
                Template::parse_map(entries, troubles)
            }
        }
    }

    /// An item of a list: only there a tree can be made several times.
    fn item(node: &Node, troubles: &mut Vec<Trouble>) -> Self {
        let (Some(each), Data::Map(entries)) = (node.get(REPEAT), &node.data) else {
            return Template::parse(node, troubles);
        };
        match Template::parse(each, troubles) {
            Template::Leaf(list) => {
                Template::Repeated(list, Cow::Owned(vec![Template::parse_map(entries, troubles)]))
            }
            _ => {
                troubles.push((each.at, format!("`{REPEAT}` must be one expression")));
                Template::Null
            }
        }
    }

    fn parse_map(entries: &[(Key, Node)], troubles: &mut Vec<Trouble>) -> Self {
        for (key, _) in entries.iter().filter(|(key, _)| is_flag(key)) {
            let why = format!("YAML reads this key as `{}`: put it in quotes", key.name);
            troubles.push((key.at, why));
        }
        let fields = entries
            .iter()
            .filter(|(key, _)| key.name != GUARD && key.name != REPEAT)
            .map(|(key, value)| (Cow::Owned(key.name.clone()), Template::parse(value, troubles)))
            .collect();
        let Some((_, guard)) = entries.iter().find(|(key, _)| key.name == GUARD) else {
            return Template::Map(fields);
        };
        match Template::parse(guard, troubles) {
            Template::Leaf(condition) => Template::Guarded(condition, fields),
            _ => {
                troubles.push((guard.at, format!("`{GUARD}` must be one expression")));
                Template::Null
            }
        }
    }

    fn parse_text(text: &str, at: Span, troubles: &mut Vec<Trouble>) -> Self {
        let parts = match split(text) {
            Ok(parts) => parts,
            Err(trouble) => {
                troubles.push((at, trouble.to_owned()));
                return Template::Null;
            }
        };
        let mut made = Vec::new();
        for piece in parts {
            match piece {
                Piece::Text(text) => made.push(Part::Text(Cow::Owned(text.to_owned()))),
                Piece::Expression(text) => match Leaf::parse(text, at) {
                    Ok(leaf) => made.push(Part::Hole(leaf)),
                    Err(trouble) => troubles.push((at, trouble)),
                },
            }
        }
        match made.as_slice() {
            [] => Template::Str(Cow::Borrowed("")),
            [Part::Text(_)] => Template::Str(Cow::Owned(text.to_owned())),
            [Part::Hole(leaf)] => Template::Leaf(leaf.clone()),
            _ => Template::Mixed(Cow::Owned(made)),
        }
    }

    /// Every expression in it, in order.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Leaf)) {
        match self {
            Template::Leaf(leaf) => visit(leaf),
            Template::Mixed(parts) => parts.iter().for_each(|part| {
                if let Part::Hole(leaf) = part {
                    visit(leaf);
                }
            }),
            Template::List(items) | Template::Json(items) => {
                items.iter().for_each(|item| item.visit(visit));
            }
            Template::Map(entries) => entries.iter().for_each(|(_, value)| value.visit(visit)),
            Template::Guarded(leaf, entries) => {
                visit(leaf);
                entries.iter().for_each(|(_, value)| value.visit(visit));
            }
            Template::Repeated(leaf, items) => {
                visit(leaf);
                items.iter().for_each(|item| item.visit(visit));
            }
            _ => {}
        }
    }

    pub fn get(&self, key: &str) -> Option<&Template> {
        match self {
            Template::Map(entries) | Template::Guarded(_, entries) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The keys of a map; none of anything else.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let entries: &[(Text, Template)] = match self {
            Template::Map(entries) | Template::Guarded(_, entries) => entries,
            _ => &[],
        };
        entries.iter().map(|(key, _)| key.as_ref())
    }

    /// Whether it may come to nothing by itself.
    pub fn is_marked(&self) -> bool {
        matches!(self, Template::Guarded(..) | Template::Repeated(..))
    }

    /// The text of a leaf without expressions.
    pub fn literal(&self) -> Option<&str> {
        match self {
            Template::Str(text) => Some(text),
            _ => None,
        }
    }
}

impl Leaf {
    /// # Errors
    /// What is wrong with the expression, as a sentence.
    pub fn parse(text: &str, at: Span) -> Result<Self, String> {
        let text = text.trim();
        let (text, optional) = match text.strip_suffix("optional").map(str::trim_end) {
            Some(rest) if rest.ends_with('|') => (&rest[..rest.len() - 1], true),
            _ => (text, false),
        };
        Ok(Leaf { expression: Expression::parse(text, at)?, optional, at })
    }
}

enum Piece<'a> {
    Text(&'a str),
    Expression(&'a str),
}

/// `y`, `on` and their like, which are truth values in YAML 1.1, as Kubernetes reads it.
fn is_flag(key: &Key) -> bool {
    let quoted = key.at.end - key.at.start == key.name.len() + 2;
    matches!(key.name.as_str(), "true" | "false") && !quoted
}

/// Cuts a text at `{{` and `}}`. Quotes inside an expression hide a `}}`, so that
/// `{{ '{{ .password }}' }}` is how a record writes braces of another template language.
fn split(text: &str) -> Result<Vec<Piece<'_>>, &'static str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        if open > 0 {
            pieces.push(Piece::Text(&rest[..open]));
        }
        let inside = &rest[open + 2..];
        let close = closing(inside).ok_or("`{{` is never closed with `}}`")?;
        pieces.push(Piece::Expression(&inside[..close]));
        rest = &inside[close + 2..];
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

fn closing(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let mut quote = None;
    let mut index = 0;
    while index < bytes.len() {
        match (bytes[index], quote) {
            (b'\\', Some(_)) => index += 1,
            (byte, Some(open)) if byte == open => quote = None,
            (byte @ (b'\'' | b'"'), None) => quote = Some(byte),
            (b'}', None) if bytes.get(index + 1) == Some(&b'}') => return Some(index),
            _ => {}
        }
        index += 1;
    }
    None
}
