//! A tree as JSON with two spaces of indentation, its keys in the order they have.

use std::fmt::Write as _;

use crate::value::Value;

/// The whole text, without a line break at its end.
pub fn text(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

/// The same in one line and without quotes, for people.
pub fn line(value: &Value) -> String {
    match value {
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{key}: {}", line(value)));
            format!("{{{}}}", pairs.collect::<Vec<String>>().join(", "))
        }
        Value::Str(text) if !text.is_empty() => text.to_string(),
        other => text(other),
    }
}

pub fn write(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Float(number) => out.push_str(&serde_json::Value::from(*number).to_string()),
        Value::Str(text) => quoted(text, out),
        Value::List(items) => {
            block(items, ('[', ']'), depth, out, |item, out| write(item, depth + 1, out));
        }
        Value::Map(map) => {
            block(map.pairs(), ('{', '}'), depth, out, |(key, value), out| {
                quoted(key, out);
                out.push_str(": ");
                write(value, depth + 1, out);
            });
        }
    }
}

fn quoted(text: &str, out: &mut String) {
    // Hardly any text has something to escape.
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&serde_json::Value::from(text).to_string());
    }
}

fn block<T>(
    items: &[T],
    (open, close): (char, char),
    depth: usize,
    out: &mut String,
    mut write: impl FnMut(&T, &mut String),
) {
    out.push(open);
    for (position, item) in items.iter().enumerate() {
        out.push_str(if position == 0 { "\n" } else { ",\n" });
        indent(depth + 1, out);
        write(item, out);
    }
    if !items.is_empty() {
        out.push('\n');
        indent(depth, out);
    }
    out.push(close);
}

fn indent(depth: usize, out: &mut String) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}
