//! Which of the changes to an object wrote a field of it, and where that stands in the spec.

use super::Changed;
use crate::finding::{Path, Step};
use crate::json_patch;
use crate::resolve::{Operation, Patch};
use crate::value::Value;

impl Changed<'_> {
    /// Where the spec last wrote a field, took it away, or wrote what holds it; none if the record did.
    pub fn origin(&self, field: &Path) -> Option<Path> {
        self.patches().rev().find_map(|patch| in_patch(patch, field.steps())).or_else(|| {
            let (first, rest) = field.steps().split_first()?;
            let in_spec = matches!(first, Step::Key(key) if key == "spec");
            let extra = self.extra_config().filter(|_| in_spec)?;
            in_merge(extra, rest, &self.component.path.key("extraConfig"))
        })
    }

    /// The last change to the object, for what cannot be told more exactly.
    pub fn last(&self) -> Path {
        let last = self.patches().next_back().map(|patch| patch.at.clone());
        last.unwrap_or_else(|| self.component.path.key("extraConfig"))
    }
}

fn in_patch(patch: &Patch, field: &[Step]) -> Option<Path> {
    let by_operation =
        patch.operations.iter().rev().find_map(|operation| in_operation(operation, field));
    let at = if patch.is_override() { patch.at.clone() } else { patch.at.key("merge") };
    by_operation.or_else(|| in_merge(&patch.merge, field, &at))
}

fn in_operation(operation: &Operation, field: &[Step]) -> Option<Path> {
    use json_patch::Operation::{Add, Copy, Move, Remove, Replace, Test};
    let value = match &operation.does {
        Add(_, value) | Replace(_, value) => Some(value),
        _ => None,
    };
    let pointers = match &operation.does {
        Add(to, _) | Replace(to, _) | Remove(to) | Copy { to, .. } => vec![to],
        Move { from, to } => vec![to, from],
        Test(..) => return None,
    };
    pointers.into_iter().find_map(|pointer| {
        let steps = pointer.steps();
        let same = steps.iter().zip(field).all(|(pointed, step)| is_same(pointed, step));
        let at = &operation.at;
        match (same, value, field.get(steps.len()..)) {
            (false, ..) => None,
            (true, Some(value), Some(rest)) => in_merge(value, rest, &at.key("value")),
            (true, ..) => Some(at.clone()),
        }
    })
}

/// `-` is the place behind the end of a list, whichever it was.
fn is_same(pointed: &str, step: &Step) -> bool {
    match step {
        Step::Key(key) => pointed == key,
        Step::Index(index) => pointed == "-" || pointed.parse() == Ok(*index),
    }
}

fn in_merge(merge: &Value, field: &[Step], at: &Path) -> Option<Path> {
    let (mut value, mut at) = (merge, at.clone());
    for step in field {
        (value, at) = match (value, step) {
            (Value::Map(map), Step::Key(key)) => (map.get(key)?, at.key(key.clone())),
            (Value::List(items), Step::Index(index)) => (items.get(*index)?, at.index(*index)),
            // It took the place of all that lay below.
            _ => return Some(at),
        };
    }
    Some(at)
}
