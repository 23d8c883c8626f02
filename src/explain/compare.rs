//! Which fields of an object are others, or gone, in another object.

use crate::explain::fields::leaves;
use crate::finding::Path;
use crate::value::{Map, Value};

/// The leaves of `before` that `after` does not have as they are.
pub fn differing(before: &Value, after: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    differ(before, Some(after), &Path::root(), &mut found);
    found
}

fn differ(before: &Value, after: Option<&Value>, path: &Path, found: &mut Vec<Path>) {
    match (before, after) {
        (before, Some(after)) if before == after => {}
        (Value::Map(fields), Some(Value::Map(others))) if !fields.is_empty() => {
            for (key, value) in fields.iter() {
                differ(value, others.get(key), &path.key(key.as_ref()), found);
            }
        }
        (Value::List(items), Some(Value::List(others))) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                // What only stands elsewhere in the list is the same: another item came or went.
                let has_moved = || others.contains(item);
                if others.get(index) != Some(item) && !has_moved() {
                    let partner = partner(items, item, index, others);
                    differ(item, partner, &path.index(index), found);
                }
            }
        }
        _ => leaves(before, path, &mut |path, _| found.push(path.clone())),
    }
}

/// What an item of a list became in another one: what bears its name, or stands in its place.
fn partner<'a>(
    items: &[Value],
    item: &Value,
    index: usize,
    others: &'a [Value],
) -> Option<&'a Value> {
    let name = |item: &Value| item.as_map().and_then(|map: &Map| map.get("name").cloned());
    let own = name(item);
    let namesake = others.iter().find(|other| own.is_some() && name(other) == own);
    namesake.or_else(|| others.get(index).filter(|_| items.len() == others.len()))
}

#[cfg(test)]
mod tests {
    use super::differing;
    use crate::yaml::read::read;

    fn check(before: &str, after: &str, expect: &[&str]) {
        let tree = |text: &str| read(text).documents.remove(0).root.to_value();
        let found: Vec<String> =
            differing(&tree(before), &tree(after)).iter().map(ToString::to_string).collect();
        assert_eq!(found, expect, "{before} {after}");
    }

    #[test]
    fn leaves_that_are_others_or_gone_are_found() {
        check("{a: 1, b: {c: 2, d: 3}}", "{a: 1, b: {c: 4, d: 3}, e: 5}", &["b.c"]);
        check("{a: {b: 1, c: 2}}", "{}", &["a.b", "a.c"]);
        check("{a: {b: 1}}", "{a: 7}", &["a.b"]);
        check("{a: [], b: {}}", "{a: [1], b: {c: 1}}", &["a", "b"]);
    }

    #[test]
    fn items_of_a_list_that_only_moved_are_the_same() {
        check("{a: [x, y, z]}", "{a: [y, z]}", &["a[0]"]);
        check("{a: [x, y]}", "{a: [y, z]}", &["a[0]"]);
        check("{a: [x, y]}", "{a: [x, z]}", &["a[1]"]);
        check(
            "{a: [{name: x, b: 1, c: 2}, {name: y}]}",
            "{a: [{name: v}, {name: w}, {name: x, b: 3, c: 2}, {name: y}]}",
            &["a[0].b"],
        );
    }
}
