//! A map while it is read: its keys become text, stand once, and `<<` brings in those of others.

use std::collections::HashMap;

use crate::yaml::read::plain;
use crate::yaml::tree::{Data, Key, Node, Span};

#[derive(Default)]
pub(super) struct OpenMap {
    entries: Vec<(Key, Node)>,
    /// Where each key stands in `entries`, once there are so many that looking for one by one
    /// would be quadratic.
    index: Option<HashMap<Box<str>, usize>>,
    next: Slot,
    merge_key: Option<Span>,
    merged: Vec<Node>,
}

/// What the next node is.
#[derive(Default)]
enum Slot {
    #[default]
    Key,
    Value(Key),
    Merged,
    /// The value of a key that was refused.
    Lost,
}

/// What is wrong with a key, or with what `<<` should merge.
pub(super) enum Problem {
    Twice { name: String, first: Span },
    NullKey,
    CollectionAsKey,
    MergeOfOther,
}

const SMALL: usize = 16;

impl OpenMap {
    pub(super) fn wants_key(&self) -> bool {
        matches!(self.next, Slot::Key)
    }

    /// The next key, or the value of the last one. `used` is where it stands in the text, which
    /// for an alias is not where its content stands.
    pub(super) fn take(&mut self, node: Node, used: Span) -> Result<(), Problem> {
        match std::mem::take(&mut self.next) {
            Slot::Key => {
                self.next = Slot::Lost;
                let key = Key { at: used, name: key_name(node.data)? };
                if let Some(first) = self.find(&key.name) {
                    let first = first.at;
                    return Err(Problem::Twice { name: key.name, first });
                }
                self.next = Slot::Value(key);
            }
            Slot::Value(key) => self.push(key, node),
            Slot::Merged => {
                let mergeable = match &node.data {
                    Data::Map(_) => true,
                    Data::List(items) => items.iter().all(|item| matches!(item.data, Data::Map(_))),
                    _ => false,
                };
                if !mergeable {
                    return Err(Problem::MergeOfOther);
                }
                self.merged.push(node);
            }
            Slot::Lost => {}
        }
        Ok(())
    }

    /// Instead of a key: a `<<` without quotes.
    pub(super) fn take_merge_key(&mut self, at: Span) -> Result<(), Problem> {
        if let Some(first) = self.merge_key {
            self.next = Slot::Lost;
            return Err(Problem::Twice { name: "<<".to_owned(), first });
        }
        self.merge_key = Some(at);
        self.next = Slot::Merged;
        Ok(())
    }

    /// The next node stands for one that was refused already.
    pub(super) fn forgive_merge(&mut self) {
        if matches!(self.next, Slot::Merged) {
            self.next = Slot::Lost;
        }
    }

    /// The map, with the merged keys behind its own. Its own win, then those merged first.
    pub(super) fn finish(mut self) -> Data {
        for node in std::mem::take(&mut self.merged) {
            match node.data {
                Data::List(items) => items.into_iter().for_each(|item| self.merge(item)),
                _ => self.merge(node),
            }
        }
        Data::Map(self.entries)
    }

    fn merge(&mut self, node: Node) {
        let Data::Map(entries) = node.data else { return };
        for (key, value) in entries {
            if self.find(&key.name).is_none() {
                self.push(key, value);
            }
        }
    }

    fn find(&self, name: &str) -> Option<&Key> {
        let found = match &self.index {
            Some(index) => self.entries.get(*index.get(name)?),
            None => self.entries.iter().find(|(key, _)| key.name == name),
        };
        found.map(|(key, _)| key)
    }

    fn push(&mut self, key: Key, node: Node) {
        if let Some(index) = &mut self.index {
            index.insert(key.name.as_str().into(), self.entries.len());
        }
        self.entries.push((key, node));
        if self.index.is_none() && self.entries.len() > SMALL {
            let names = self.entries.iter().map(|(key, _)| key.name.as_str().into());
            self.index = Some(names.zip(0..).collect());
        }
    }
}

/// The name that a key gets from kubectl: `on:` is the key `true`, `012:` the key `10`.
fn key_name(data: Data) -> Result<String, Problem> {
    match data {
        Data::Str(name) => Ok(name),
        Data::Bool(flag) => Ok(flag.to_string()),
        Data::Int(number) => Ok(number.to_string()),
        Data::Float(number) => Ok(plain::float_key(number)),
        Data::Null => Err(Problem::NullKey),
        Data::List(_) | Data::Map(_) => Err(Problem::CollectionAsKey),
    }
}
