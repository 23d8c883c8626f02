//! The canonical writer: the bytes kustomize would make of a value, so that running it over our
//! output changes nothing.

pub mod keys;
pub(super) mod number;
mod resolve;
mod scalar;
mod sink;
mod style;
mod timestamp;

use std::cmp::Ordering;
use std::fmt::Write;

use crate::value::{Map, Text, Value};
use number::push_float;
use scalar::{push_key, push_text};
use sink::Sink;
use style::is_simple_key;

/// Appends one document (no `---`), ending in a newline, keys in kustomize's natural order at
/// every level.
pub fn write(value: &Value, out: &mut String) {
    let mut writer = Writer { sink: Sink::new(out), order: Vec::new() };
    match value {
        Value::Map(map) if !map.is_empty() => writer.map(map, 0, Start::Line),
        Value::List(items) if !items.is_empty() => writer.list(items, 0, Start::Line),
        scalar => writer.scalar(scalar, STEP),
    }
}

/// The same as an item of a list: `- ` on the first line, the others indented.
pub fn write_item(value: &Value, out: &mut String) {
    let mut writer = Writer { sink: Sink::new(out), order: Vec::new() };
    writer.list(std::slice::from_ref(value), 0, Start::Line);
}

const STEP: usize = 2;

/// Whether the first entry of a map or list begins its line, or stands behind a `- ` or `: `.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Line,
    Inline,
}

struct Writer<'o> {
    sink: Sink<'o>,
    /// The sorted indices of all maps we are in that were not in order, one above the other.
    order: Vec<u32>,
}

impl Writer<'_> {
    fn map(&mut self, map: &Map, indent: usize, start: Start) {
        let pairs = map.pairs();
        let in_order =
            |pair: &[(Text, Value)]| keys::natural(&pair[0].0, &pair[1].0) != Ordering::Greater;
        if pairs.windows(2).all(in_order) {
            for (index, pair) in pairs.iter().enumerate() {
                self.pair(pair, indent, index == 0 && start == Start::Inline);
            }
            return;
        }
        let base = self.order.len();
        keys::sort(&mut self.order, pairs.len() as u32, |index| &pairs[index as usize].0);
        for at in 0..pairs.len() {
            let index = self.order[base + at] as usize;
            self.pair(&pairs[index], indent, at == 0 && start == Start::Inline);
        }
        self.order.truncate(base);
    }

    fn pair(&mut self, (key, value): &(Text, Value), indent: usize, inline: bool) {
        if !inline {
            self.sink.indent(indent);
        }
        if !is_simple_key(key) {
            self.sink.push("? ");
            push_text(&mut self.sink, key, indent + STEP);
            self.sink.indent(indent);
            self.sink.push(":");
            return self.nested(value, indent + STEP);
        }
        push_key(&mut self.sink, key);
        self.sink.push(":");
        match value {
            Value::Map(map) if !map.is_empty() => {
                self.sink.end_line();
                self.map(map, indent + STEP, Start::Line);
            }
            // Under a simple key, and nowhere else, a list is not indented.
            Value::List(items) if !items.is_empty() => {
                self.sink.end_line();
                self.list(items, indent, Start::Line);
            }
            scalar => {
                self.sink.push(" ");
                self.scalar(scalar, indent + STEP);
            }
        }
    }

    fn list(&mut self, items: &[Value], indent: usize, start: Start) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 || start == Start::Line {
                self.sink.indent(indent);
            }
            self.sink.push("-");
            self.nested(item, indent + STEP);
        }
    }

    /// What follows a `-` or `:` in the same line.
    fn nested(&mut self, value: &Value, indent: usize) {
        self.sink.push(" ");
        match value {
            Value::Map(map) if !map.is_empty() => self.map(map, indent, Start::Inline),
            Value::List(items) if !items.is_empty() => self.list(items, indent, Start::Inline),
            scalar => self.scalar(scalar, indent),
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.sink.push("null"),
            Value::Bool(true) => self.sink.push("true"),
            Value::Bool(false) => self.sink.push("false"),
            Value::Int(number) => {
                let _ = write!(self.sink.out(), "{number}");
            }
            Value::Float(number) => push_float(self.sink.out(), *number),
            Value::Str(text) => return push_text(&mut self.sink, text, indent),
            // Those that hold something have been dealt with.
            Value::List(_) => self.sink.push("[]"),
            Value::Map(_) => self.sink.push("{}"),
        }
        self.sink.end_line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn check(value: impl Into<Value>, expect: &str) {
        let mut out = String::from("---\n");
        write(&value.into(), &mut out);
        assert_eq!(out, format!("---\n{expect}"));
    }

    fn check_item(value: impl Into<Value>, expect: &str) {
        let mut out = String::new();
        write_item(&value.into(), &mut out);
        assert_eq!(out, expect);
    }

    fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::List(items.into_iter().collect())
    }

    #[test]
    fn scalars_and_emptiness() {
        check(
            map! {
                "a" => Value::Null, "b" => true, "c" => false, "d" => -3, "e" => Value::Float(2.5),
                "f" => "", "g" => Map::new(), "h" => list([]), "i" => "text",
            },
            "a: null\nb: true\nc: false\nd: -3\ne: 2.5\nf: \"\"\ng: {}\nh: []\ni: text\n",
        );
        check(Map::new(), "{}\n");
        check(list([]), "[]\n");
        check("a\nb", "|-\n  a\n  b\n");
    }

    #[test]
    fn keys_are_sorted_at_every_level() {
        check(
            map! {
                "b" => map! { "a10" => 1, "a2" => map! { "z" => 1, "y" => 2 }, "-" => 3 },
                "a" => map! { "x" => 1 },
                "10" => 1, "9" => 2,
            },
            "\"9\": 2\n\"10\": 1\na:\n  x: 1\nb:\n  '-': 3\n  a2:\n    \"y\": 2\n    z: 1\n  a10: 1\n",
        );
    }

    #[test]
    fn lists_are_indented_within_lists_only() {
        check(
            map! { "l" => list([
                Value::from(1),
                list([list([Value::from(2), Value::from(3)]), Value::from(4)]),
                map! { "b" => list([Value::from(5)]), "a" => map! { "c" => 6 } }.into(),
            ]) },
            "l:\n- 1\n- - - 2\n    - 3\n  - 4\n- a:\n    c: 6\n  b:\n  - 5\n",
        );
        check(list([Value::from(1), Map::new().into()]), "- 1\n- {}\n");
    }

    #[test]
    fn long_or_broken_keys_are_explicit() {
        let long = "k".repeat(129);
        check(
            map! { "m" => map! { long.clone() => list([Value::from(1), map! { "a" => 1, "b" => 2 }.into()]) } },
            &format!("m:\n  ? {long}\n  : - 1\n    - a: 1\n      b: 2\n"),
        );
        check(
            map! { "a\nb" => map! { "c" => 1, "d" => 2 }, "a\rb" => "v" },
            "? |-\n  a\n  b\n: c: 1\n  d: 2\n? \"a\\rb\"\n: v\n",
        );
    }

    #[test]
    fn blocks_are_indented_below_what_they_belong_to() {
        check(
            map! { "a" => map! { "b" => list([Value::from("x\ny\n")]), "c" => "x\n\n" }, "d" => "z" },
            "a:\n  b:\n  - |\n    x\n    y\n  c: |+\n    x\n\nd: z\n",
        );
    }

    #[test]
    fn an_item_is_a_document_behind_a_dash() {
        check_item(
            map! { "b" => "x\ny", "a" => list([Value::from(1)]) },
            "- a:\n  - 1\n  b: |-\n    x\n    y\n",
        );
        check_item("text", "- text\n");
        check_item(Map::new(), "- {}\n");
    }
}
