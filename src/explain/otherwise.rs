//! How something that is written could be written otherwise.

use crate::finding::{Path, Step};
use crate::schema::{Kind, Schema};
use crate::yaml::tree::{Data, Key, Node, Span};

/// One change of a field.
#[derive(Clone, Debug)]
pub enum Change {
    Removed,
    Other(Data),
    /// Another key, of a map whose keys are for people to choose.
    Renamed(String),
}

/// The schema of what lies one step below.
pub fn below<'s>(schema: Option<&'s Schema>, step: &Step) -> Option<&'s Schema> {
    let schema = schema?;
    match step {
        Step::Key(key) => schema.property(key).or_else(|| schema.values.first()),
        Step::Index(_) => schema.values.first(),
    }
}

/// Whether people choose the keys of a map.
pub fn has_free_keys(schema: Option<&Schema>) -> bool {
    schema.is_some_and(|schema| schema.kind == Kind::Object && !schema.values.is_empty())
}

/// Other values that may stand for one. Where the schema names all that may, these; else the first that
/// nobody refuses is as good as any.
pub fn other_values(data: &Data, schema: Option<&Schema>) -> Vec<Data> {
    match data {
        Data::Bool(flag) => vec![Data::Bool(!flag)],
        Data::Int(number) => {
            [1, 2, -1].iter().map(|step| Data::Int(number.saturating_add(*step))).collect()
        }
        Data::Float(number) => vec![Data::Float(number + 1.0), Data::Float(number / 2.0)],
        Data::Str(text) => {
            let named = named(schema);
            if named.is_empty() {
                let texts = [counted_on(text), Some(format!("x{text}")), Some(format!("{text}x"))];
                return texts.into_iter().flatten().map(Data::Str).collect();
            }
            named.into_iter().filter(|other| other != data).collect()
        }
        Data::Null | Data::List(_) | Data::Map(_) => Vec::new(),
    }
}

/// Values that may stand where none is written: of each form that a text may have, one.
pub fn any_values(schema: &Schema) -> Vec<Data> {
    let number = || {
        let low = schema.minimum.unwrap_or(1);
        [6, 2, 1].map(|step| Data::Int(low.saturating_add(step)))
    };
    let texts = ["example", "7Gi", "7h", "7d", "0 7 * * *", "https://example.com", "example.com:7"];
    match schema.kind {
        Kind::Boolean => vec![Data::Bool(true), Data::Bool(false)],
        Kind::Integer | Kind::Number | Kind::IntOrString => number().to_vec(),
        Kind::String => match named(Some(schema)) {
            none if none.is_empty() => texts.map(|text| Data::Str(text.to_owned())).to_vec(),
            named => named,
        },
        Kind::Any | Kind::Object | Kind::Array => Vec::new(),
    }
}

/// Whether each of several values has to be tried, and not the first that is allowed alone: one of them may be
/// what holds anyway.
pub fn is_choice(schema: Option<&Schema>) -> bool {
    let is_few = |kind| matches!(kind, Kind::Boolean | Kind::Integer);
    schema.is_some_and(|schema| !schema.allowed.is_empty() || is_few(schema.kind))
}

fn named(schema: Option<&Schema>) -> Vec<Data> {
    let allowed = schema.map(|schema| schema.allowed.iter()).into_iter().flatten();
    allowed.map(|text| Data::Str(text.to_string())).collect()
}

/// With one more in its first number, so that a quantity stays one: `10Gi` becomes `11Gi`.
fn counted_on(text: &str) -> Option<String> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let rest = &text[start..];
    let length = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let number: u64 = rest[..length].parse().ok()?;
    Some(format!("{}{}{}", &text[..start], number.checked_add(1)?, &rest[length..]))
}

/// Changes the field at a path, if it is there.
pub fn change(root: &mut Node, path: &Path, change: &Change) -> Option<()> {
    let (last, way) = path.steps().split_last()?;
    let parent = way.iter().try_fold(root, |node, step| child(node, step))?;
    match (&mut parent.data, last) {
        (Data::Map(entries), Step::Key(name)) => {
            let index = entries.iter().position(|(key, _)| key.name == *name)?;
            match change {
                Change::Removed => {
                    entries.remove(index);
                }
                Change::Other(data) => entries.get_mut(index)?.1.data = data.clone(),
                Change::Renamed(name) => entries.get_mut(index)?.0.name.clone_from(name),
            }
        }
        (Data::List(items), Step::Index(index)) => match change {
            Change::Removed if *index < items.len() => {
                items.remove(*index);
            }
            Change::Other(data) => items.get_mut(*index)?.data = data.clone(),
            Change::Removed | Change::Renamed(_) => return None,
        },
        _ => return None,
    }
    Some(())
}

/// Writes a field that is not there, with the maps on the way to it.
pub fn write(root: &mut Node, path: &Path, data: &Data) -> Option<()> {
    let mut node = root;
    for step in path.steps() {
        let (Step::Key(name), Data::Map(entries)) = (step, &mut node.data) else { return None };
        let at = Span::default();
        let index = entries.iter().position(|(key, _)| key.name == *name).unwrap_or_else(|| {
            entries
                .push((Key { at, name: name.clone() }, Node { at, data: Data::Map(Vec::new()) }));
            entries.len() - 1
        });
        node = &mut entries.get_mut(index)?.1;
    }
    node.data = data.clone();
    Some(())
}

fn child<'n>(node: &'n mut Node, step: &Step) -> Option<&'n mut Node> {
    match (step, &mut node.data) {
        (Step::Key(name), Data::Map(entries)) => {
            entries.iter_mut().find(|(key, _)| key.name == *name).map(|(_, node)| node)
        }
        (Step::Index(index), Data::List(items)) => items.get_mut(*index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::read::read;

    fn tree(text: &str) -> Node {
        read(text).documents.remove(0).root
    }

    #[test]
    fn a_number_in_a_text_is_counted_on() {
        for (text, expect) in [
            ("10Gi", Some("11Gi")),
            ("cell9", Some("cell10")),
            ("0 3 * * *", Some("1 3 * * *")),
            ("name", None),
        ] {
            assert_eq!(counted_on(text).as_deref(), expect);
        }
    }

    #[test]
    fn fields_are_changed_where_they_stand() {
        let (removed, other) = (Change::Removed, Change::Other(Data::Int(7)));
        let renamed = Change::Renamed("z".to_owned());
        for (path, by, expect) in [
            (Path::from("a.b"), &removed, "{a: {}, c: [1, 2]}"),
            (Path::from("a.b"), &other, "{a: {b: 7}, c: [1, 2]}"),
            (Path::from("a"), &renamed, "{z: {b: 1}, c: [1, 2]}"),
            (Path::from("c").index(0), &removed, "{a: {b: 1}, c: [2]}"),
            (Path::from("c").index(1), &other, "{a: {b: 1}, c: [1, 7]}"),
        ] {
            let mut root = tree("{a: {b: 1}, c: [1, 2]}");
            assert_eq!(change(&mut root, &path, by), Some(()), "{path}");
            assert_eq!(root.to_value(), tree(expect).to_value(), "{path}");
        }
        assert_eq!(change(&mut tree("{a: 1}"), &Path::from("a.b"), &removed), None);
    }

    #[test]
    fn a_field_is_written_with_the_maps_on_the_way_to_it() {
        let mut root = tree("{a: {b: 1}}");
        assert_eq!(write(&mut root, &Path::from("a.c.d"), &Data::Int(7)), Some(()));
        assert_eq!(root.to_value(), tree("{a: {b: 1, c: {d: 7}}}").to_value());
    }
}
