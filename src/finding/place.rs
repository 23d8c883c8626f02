//! Where a finding stands: a field path always, and bytes of a source where there are some.

use std::fmt;

use crate::yaml::tree::{Data, Node, Span};

/// One step into a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// A way from the root of a document to a field: `spec.services.nova.cells[0].name`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl Path {
    pub fn root() -> Self {
        Path(Vec::new())
    }

    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    pub fn key(&self, key: impl Into<String>) -> Self {
        self.with(Step::Key(key.into()))
    }

    pub fn index(&self, index: usize) -> Self {
        self.with(Step::Index(index))
    }

    fn with(&self, step: Step) -> Self {
        let mut steps = Vec::with_capacity(self.0.len() + 1);
        steps.extend_from_slice(&self.0);
        steps.push(step);
        Path(steps)
    }

    /// The same path below another one.
    pub fn below(&self, parent: &Path) -> Self {
        Path(parent.0.iter().chain(&self.0).cloned().collect())
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<T: IntoIterator<Item = Step>>(steps: T) -> Self {
        Path(steps.into_iter().collect())
    }
}

/// Dotted keys, for paths that the program itself writes down.
impl From<&str> for Path {
    fn from(dotted: &str) -> Self {
        Path(
            dotted
                .split('.')
                .filter(|key| !key.is_empty())
                .map(|key| Step::Key(key.to_owned()))
                .collect(),
        )
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(out, "[{index}]")?,
                Step::Key(key) if key.contains(['.', '[', ' ']) => write!(out, "[{key:?}]")?,
                Step::Key(key) if position == 0 => out.write_str(key)?,
                Step::Key(key) => write!(out, ".{key}")?,
            }
        }
        Ok(())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The index of the source that was read, if the finding stands in one.
    pub source: Option<usize>,
    pub span: Option<Span>,
    pub path: Path,
    /// The object that holds the path, as a person would call it: `ControlPlane openstack/production`.
    pub object: String,
}

impl Place {
    /// Nothing that was read: a command line, or the whole input.
    pub fn nowhere() -> Self {
        Place::default()
    }

    pub fn source(source: usize) -> Self {
        Place { source: Some(source), ..Place::default() }
    }

    pub fn span(source: usize, span: Span) -> Self {
        Place { source: Some(source), span: Some(span), ..Place::default() }
    }

    pub(super) fn order(&self) -> (usize, usize, String) {
        (
            self.source.unwrap_or(usize::MAX),
            self.span.map_or(usize::MAX, |span| span.start),
            self.path.to_string(),
        )
    }
}

/// What stands at a path.
pub fn node_at<'a>(root: &'a Node, path: &Path) -> Option<&'a Node> {
    path.steps().iter().try_fold(root, |node, step| match (step, &node.data) {
        (Step::Key(key), _) => node.get(key),
        (Step::Index(index), Data::List(items)) => items.get(*index),
        _ => None,
    })
}

/// The bytes a path stands at. A field that is not there has the place of the nearest parent
/// that is: its key if it has one, since the value may be pages long.
pub fn span_of(root: &Node, path: &Path) -> Span {
    let mut node = root;
    let mut at = None;
    for step in path.steps() {
        let next = match (step, &node.data) {
            (Step::Key(key), Data::Map(_)) => {
                node.entry(key).map(|(key, value)| (value, own_span(Some(key.at), value)))
            }
            (Step::Index(index), Data::List(items)) => {
                items.get(*index).map(|item| (item, own_span(None, item)))
            }
            _ => None,
        };
        match next {
            Some((value, span)) => (node, at) = (value, Some(span)),
            None => break,
        }
    }
    at.unwrap_or(Span { start: root.at.start, end: root.at.start })
}

/// A scalar is its own place; a map or list is shown by its key, or by its first byte.
fn own_span(key: Option<Span>, value: &Node) -> Span {
    match (&value.data, key) {
        (Data::List(_) | Data::Map(_) | Data::Null, Some(key)) => key,
        (Data::List(_) | Data::Map(_), None) => Span { start: value.at.start, end: value.at.start },
        _ => value.at,
    }
}
