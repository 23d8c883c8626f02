//! JSON Patch (RFC 6902) with JSON Pointers (RFC 6901), on the trees we emit.

use crate::value::{Map, Value};

/// One operation, its members known to be there.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    Add(Pointer, Value),
    Remove(Pointer),
    Replace(Pointer, Value),
    Move { from: Pointer, to: Pointer },
    Copy { from: Pointer, to: Pointer },
    Test(Pointer, Value),
}

/// The steps of a pointer, unescaped; none for the whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointer(Vec<String>);

impl Operation {
    /// # Errors
    /// What is missing or malformed, as a sentence.
    pub fn read(written: &Value) -> Result<Self, String> {
        let text = |key: &str| written.at(&[key]).and_then(Value::as_str);
        let op = text("op").unwrap_or_default();
        let pointer = |key: &str| match text(key) {
            Some(pointer) => Pointer::read(pointer),
            None => Err(format!("`{op}` needs `{key}`")),
        };
        let value = || match written.at(&["value"]) {
            Some(value) => Ok(value.clone()),
            None => Err(format!("`{op}` needs `value`")),
        };
        let path = pointer("path")?;
        Ok(match op {
            "add" => Operation::Add(path, value()?),
            "remove" => Operation::Remove(path),
            "replace" => Operation::Replace(path, value()?),
            "move" => Operation::Move { from: pointer("from")?, to: path },
            "copy" => Operation::Copy { from: pointer("from")?, to: path },
            "test" => Operation::Test(path, value()?),
            other => return Err(format!("there is no operation `{other}`")),
        })
    }

    /// # Errors
    /// Why it cannot be done, as a sentence; the tree is then not to be used.
    pub fn apply(&self, tree: &mut Value) -> Result<(), String> {
        match self {
            Operation::Add(path, value) => path.add(tree, value.clone()),
            Operation::Remove(path) => path.remove(tree).map(drop),
            Operation::Replace(path, value) => {
                *path.find_mut(tree)? = value.clone();
                Ok(())
            }
            Operation::Move { from, to } => {
                if to.0.len() > from.0.len() && to.0.starts_with(&from.0) {
                    return Err(format!("`{}` cannot be moved into itself", from.shown()));
                }
                if from == to {
                    return from.find(tree).map(drop);
                }
                let moved = from.remove(tree)?;
                to.add(tree, moved)
            }
            Operation::Copy { from, to } => {
                let copied = from.find(tree)?;
                if size(tree) + size(copied) > MOST {
                    let from = from.shown();
                    return Err(format!(
                        "with one more copy of `{from}` no server would take the object"
                    ));
                }
                let copied = copied.clone();
                to.add(tree, copied)
            }
            Operation::Test(path, expected) => {
                let found = path.find(tree)?;
                if is_same(found, expected) {
                    Ok(())
                } else {
                    Err(format!("`{}` is {}", path.shown(), shown(found)))
                }
            }
        }
    }
}

/// Values in an object. etcd takes 1.5 MiB, which is fewer; copies of copies would soon be more than any memory.
const MOST: usize = 200_000;

fn size(value: &Value) -> usize {
    1 + match value {
        Value::List(items) => items.iter().map(size).sum(),
        Value::Map(map) => map.iter().map(|(_, value)| size(value)).sum(),
        _ => 0,
    }
}

impl Pointer {
    /// # Errors
    /// What is wrong with the text, as a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Pointer::default());
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err(format!("`{text}` is no JSON pointer: one starts with `/`"));
        };
        rest.split('/').map(unescaped).collect::<Option<Vec<String>>>().map(Pointer).ok_or_else(
            || {
                format!(
                    "`{text}` is no JSON pointer: `~` is written `~0`, and `/` inside a key `~1`"
                )
            },
        )
    }

    pub fn steps(&self) -> &[String] {
        &self.0
    }

    fn shown(&self) -> String {
        let escaped = |step: &String| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        self.0.iter().map(escaped).collect()
    }

    /// The first `steps` of it.
    fn begun(&self, steps: usize) -> String {
        Pointer(self.0.iter().take(steps).cloned().collect()).shown()
    }

    fn absent(&self, steps: usize) -> String {
        format!("there is no `{}`", self.begun(steps))
    }

    fn find<'a>(&self, tree: &'a Value) -> Result<&'a Value, String> {
        let mut at = tree;
        for (depth, step) in self.0.iter().enumerate() {
            let next = match at {
                Value::Map(map) => map.get(step),
                Value::List(items) => index(step).and_then(|index| items.get(index)),
                _ => None,
            };
            at = next.ok_or_else(|| self.absent(depth + 1))?;
        }
        Ok(at)
    }

    fn find_mut<'a>(&self, tree: &'a mut Value) -> Result<&'a mut Value, String> {
        self.find(tree)?;
        let mut at = tree;
        for step in &self.0 {
            let next = match at {
                Value::Map(map) => map.get_mut(step),
                Value::List(items) => index(step).and_then(|index| items.get_mut(index)),
                _ => None,
            };
            at = next.ok_or_else(|| self.absent(self.0.len()))?;
        }
        Ok(at)
    }

    /// The last step, and what it is a step into.
    fn parent<'a, 'b>(&'b self, tree: &'a mut Value) -> Result<(&'a mut Value, &'b str), String> {
        let Some((last, before)) = self.0.split_last() else {
            return Err("the whole object cannot be taken away".to_owned());
        };
        Ok((Pointer(before.to_vec()).find_mut(tree)?, last))
    }

    fn add(&self, tree: &mut Value, value: Value) -> Result<(), String> {
        if self.0.is_empty() {
            *tree = value;
            return Ok(());
        }
        let (parent, last) = self.parent(tree)?;
        match parent {
            Value::Map(map) => {
                map.insert(last.to_owned(), value);
                Ok(())
            }
            Value::List(items) if last == "-" => {
                items.push(value);
                Ok(())
            }
            Value::List(items) => match index(last).filter(|index| *index <= items.len()) {
                Some(index) => {
                    items.insert(index, value);
                    Ok(())
                }
                None => Err(format!(
                    "`{}` is a list of {}, and `{last}` is none of its places",
                    self.begun(self.0.len() - 1),
                    items.len()
                )),
            },
            _ => Err(format!("`{}` is neither a map nor a list", self.begun(self.0.len() - 1))),
        }
    }

    fn remove(&self, tree: &mut Value) -> Result<Value, String> {
        let (parent, last) = self.parent(tree)?;
        let removed = match parent {
            Value::Map(map) => map.remove(last),
            Value::List(items) => {
                index(last).filter(|index| *index < items.len()).map(|index| items.remove(index))
            }
            _ => None,
        };
        removed.ok_or_else(|| self.absent(self.0.len()))
    }
}

/// A place in a list: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let is_plain = step == "0" || !step.starts_with('0');
    let digits = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    (is_plain && digits).then(|| step.parse().ok()).flatten()
}

/// None if a `~` stands for nothing.
fn unescaped(step: &str) -> Option<String> {
    let mut parts = step.split('~');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(match part.bytes().next()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        text.push_str(&part[1..]);
    }
    Some(text)
}

/// Equal as JSON is: numbers by what they count, maps whatever their order.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        #[expect(clippy::cast_precision_loss, reason = "a whole number this large is no float")]
        (Value::Int(whole), Value::Float(float)) | (Value::Float(float), Value::Int(whole)) => {
            *whole as f64 == *float
        }
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Value::Map(one), Value::Map(other)) => {
            let in_other = |(key, value): &(_, Value)| {
                let key: &crate::value::Text = key;
                other.get(key).is_some_and(|found| is_same(value, found))
            };
            one.len() == other.len() && one.iter().all(in_other)
        }
        _ => one == other,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Str(text) => format!("{text:?}"),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Map(Map { .. }) => "a map".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::read::read;

    fn tree(text: &str) -> Value {
        read(text).documents.remove(0).root.into()
    }

    /// What operations make of a tree, all three as YAML; or why they fail.
    fn check(before: &str, operations: &str, after: Result<&str, &str>) {
        let mut value = tree(before);
        let mut outcome = Ok(());
        for operation in tree(operations).as_list().unwrap_or_default() {
            outcome = Operation::read(operation).and_then(|it| it.apply(&mut value));
            if outcome.is_err() {
                break;
            }
        }
        match (outcome, after) {
            (Ok(()), Ok(after)) => {
                assert!(is_same(&value, &tree(after)), "{operations}: {value:?}");
            }
            (Err(why), Err(expected)) => assert_eq!(why, expected, "{operations}"),
            (outcome, after) => {
                assert_eq!(outcome.is_ok(), after.is_ok(), "{operations}: {outcome:?}");
            }
        }
    }

    #[test]
    fn copies_of_copies_come_to_an_end() {
        let copies: Vec<String> =
            (0..26).map(|n| format!("{{op: copy, from: /spec, path: /spec/a{n}}}")).collect();
        let why = "with one more copy of `/spec` no server would take the object";
        check("{spec: {a: [1, 2, 3]}}", &format!("[{}]", copies.join(", ")), Err(why));
    }

    /// The examples of RFC 6902, appendix A, in its order.
    #[test]
    fn what_the_standard_shows_holds() {
        check("{foo: bar}", "[{op: add, path: /baz, value: qux}]", Ok("{baz: qux, foo: bar}"));
        check(
            "{foo: [bar, baz]}",
            "[{op: add, path: /foo/1, value: qux}]",
            Ok("{foo: [bar, qux, baz]}"),
        );
        check("{baz: qux, foo: bar}", "[{op: remove, path: /baz}]", Ok("{foo: bar}"));
        check("{foo: [bar, qux, baz]}", "[{op: remove, path: /foo/1}]", Ok("{foo: [bar, baz]}"));
        check(
            "{baz: qux, foo: bar}",
            "[{op: replace, path: /baz, value: boo}]",
            Ok("{baz: boo, foo: bar}"),
        );
        check(
            "{foo: {bar: baz, waldo: fred}, qux: {corge: grault}}",
            "[{op: move, from: /foo/waldo, path: /qux/thud}]",
            Ok("{foo: {bar: baz}, qux: {corge: grault, thud: fred}}"),
        );
        check(
            "{foo: [all, grass, cows, eat]}",
            "[{op: move, from: /foo/1, path: /foo/3}]",
            Ok("{foo: [all, cows, eat, grass]}"),
        );
        check(
            "{baz: qux, foo: [a, 2, c]}",
            "[{op: test, path: /baz, value: qux}, {op: test, path: /foo/1, value: 2}]",
            Ok("{baz: qux, foo: [a, 2, c]}"),
        );
        check("{baz: qux}", "[{op: test, path: /baz, value: bar}]", Err("`/baz` is \"qux\""));
        check(
            "{foo: bar}",
            "[{op: add, path: /child, value: {grandchild: {}}}]",
            Ok("{foo: bar, child: {grandchild: {}}}"),
        );
        check(
            "{foo: bar}",
            "[{op: add, path: /baz, value: qux, xyz: 123}]",
            Ok("{foo: bar, baz: qux}"),
        );
        check("{foo: bar}", "[{op: add, path: /baz/bat, value: qux}]", Err("there is no `/baz`"));
        check("{/: 9, ~1: 10}", "[{op: test, path: /~01, value: 10}]", Ok("{/: 9, ~1: 10}"));
        check("{/: 9, ~1: 10}", "[{op: test, path: /~01, value: \"10\"}]", Err("`/~01` is 10"));
        check(
            "{foo: [bar]}",
            "[{op: add, path: /foo/-, value: [abc, def]}]",
            Ok("{foo: [bar, [abc, def]]}"),
        );
    }

    #[test]
    fn keys_with_slashes_and_tildes_are_reached() {
        check(
            "{m: {a/b: 1, c~d: 2, e/~f: 3}}",
            "[{op: replace, path: /m/a~1b, value: 4}, {op: remove, path: /m/c~0d}, {op: test, path: /m/e~1~0f, value: 3}]",
            Ok("{m: {a/b: 4, e/~f: 3}}"),
        );
        check("{'': {'': 1}}", "[{op: replace, path: //, value: 2}]", Ok("{'': {'': 2}}"));
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (operation, why) in [
            ("{op: remove, path: /a/b}", "there is no `/a/b`"),
            ("{op: replace, path: /l/2, value: 1}", "there is no `/l/2`"),
            ("{op: remove, path: /l/-}", "there is no `/l/-`"),
            (
                "{op: add, path: /l/3, value: 1}",
                "`/l` is a list of 2, and `3` is none of its places",
            ),
            (
                "{op: add, path: /l/01, value: 1}",
                "`/l` is a list of 2, and `01` is none of its places",
            ),
            (
                "{op: add, path: /l/+1, value: 1}",
                "`/l` is a list of 2, and `+1` is none of its places",
            ),
            ("{op: add, path: /s/x, value: 1}", "`/s` is neither a map nor a list"),
            ("{op: copy, from: /x, path: /y}", "there is no `/x`"),
            ("{op: move, from: /a, path: /a/b}", "`/a` cannot be moved into itself"),
            ("{op: remove, path: ''}", "the whole object cannot be taken away"),
            ("{op: add, path: /a}", "`add` needs `value`"),
            ("{op: test, path: /a}", "`test` needs `value`"),
            ("{op: move, path: /a}", "`move` needs `from`"),
            ("{op: remove, path: a/b}", "`a/b` is no JSON pointer: one starts with `/`"),
            (
                "{op: remove, path: /a~2}",
                "`/a~2` is no JSON pointer: `~` is written `~0`, and `/` inside a key `~1`",
            ),
            (
                "{op: remove, path: /a~}",
                "`/a~` is no JSON pointer: `~` is written `~0`, and `/` inside a key `~1`",
            ),
        ] {
            check("{a: {}, l: [1, 2], s: text}", &format!("[{operation}]"), Err(why));
        }
    }

    #[test]
    fn equal_means_equal_as_json() {
        check(
            "{a: 1, b: {x: 1, y: [2]}}",
            "[{op: test, path: /a, value: 1.0}, {op: test, path: /b, value: {y: [2], x: 1}}]",
            Ok("{a: 1, b: {x: 1, y: [2]}}"),
        );
        check("{a: null}", "[{op: test, path: /a, value: null}]", Ok("{a: null}"));
        check("{b: {x: 1}}", "[{op: test, path: /b, value: {x: 1, y: 1}}]", Err("`/b` is a map"));
    }

    #[test]
    fn a_move_to_itself_and_a_copy_leave_the_rest() {
        check("{a: {b: 1}}", "[{op: move, from: /a, path: /a}]", Ok("{a: {b: 1}}"));
        check(
            "{a: [1]}",
            "[{op: copy, from: /a, path: /b}, {op: add, path: /b/0, value: 0}]",
            Ok("{a: [1], b: [0, 1]}"),
        );
        check("{a: 1}", "[{op: add, path: '', value: {b: 2}}]", Ok("{b: 2}"));
        check("{a: 1}", "[{op: add, path: /a, value: null}]", Ok("{a: null}"));
    }
}
