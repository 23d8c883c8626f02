//! What kustomize cannot keep: values that would not come out of it as they went in, so that no
//! writing of ours could be the canonical one. They have to be refused before they are written.

use super::bytes::{Classes, DIGIT, UNUSUAL, is_usual};
use super::write::keys;
use super::write::number::significant_digits;
use crate::value::{Map, Value};
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    /// From the root of the value to what cannot be kept; a key at fault is the last step.
    pub path: Vec<Step>,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Item(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The key `<<` merges a map into this one, even in quotes.
    MergeKey,
    /// The key is longer than a reader looks ahead for its colon.
    LongKey(usize),
    /// Go's readers refuse the character or read it as another.
    Character(char),
    /// kustomize writes an object's own annotations once more in between, as blocks, and cannot
    /// read one that begins with a tab.
    TabInAnnotation,
    /// There is no infinity in JSON, nor a number that is none.
    NotFinite(f64),
    /// Go and Rust break ties between equally short decimals differently.
    TooPrecise(f64),
    /// Each key comes before the next and the last before the first.
    KeyCycle([String; 3]),
    /// Whether the character counts as a letter depends on tables we do not have.
    KeyOrder(char),
}

/// A float of up to 15 digits survives any way through decimals (IEEE 754, `DBL_DIG`).
const DIGITS: usize = 15;

/// How far a YAML reader looks for the colon behind a key in one line (YAML 1.2, 7.4.2). kustomize
/// reads its own JSON that way, quotes and escapes included.
const LOOK_AHEAD: usize = 1024;

/// The key that merges.
const MERGE: &str = "<<";

/// Everything in the value that would not survive, in the order it stands there.
pub fn unfit(value: &Value) -> Vec<Unfit> {
    let mut search = Search { path: Vec::new(), found: Vec::new() };
    search.value(value);
    search.found
}

#[derive(Clone, Copy)]
enum At<'v> {
    Key(&'v str),
    Item(usize),
}

struct Search<'v> {
    path: Vec<At<'v>>,
    found: Vec<Unfit>,
}

impl<'v> Search<'v> {
    fn value(&mut self, value: &'v Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Int(_) => {}
            Value::Float(number) => self.float(*number),
            Value::Str(text) => self.text(text),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| !is_plain(item)) {
                    self.path.push(At::Item(index));
                    self.value(item);
                    self.path.pop();
                }
            }
            Value::Map(map) => self.map(map),
        }
    }

    fn map(&mut self, map: &'v Map) {
        let mut has_digits = false;
        for (key, value) in map.iter() {
            let classes = Classes::of(key);
            has_digits |= classes.has(DIGIT);
            // Where nothing can be wrong, nobody will ask where it is.
            if is_plain_key(key, classes) && is_plain(value) {
                continue;
            }
            self.path.push(At::Key(key));
            self.key(key, classes, map.len() > 1);
            self.value(value);
            self.path.pop();
        }
        // Two keys have an order in any case, and so have keys without digits.
        if map.len() > 2 && has_digits {
            let names = map.iter().map(|(key, _)| key.as_ref());
            if let Some(cycle) = keys::cycle(names) {
                self.report(Reason::KeyCycle(cycle.map(str::to_owned)));
            }
        }
    }

    fn key(&mut self, key: &str, classes: Classes, has_others: bool) {
        if key == MERGE {
            self.report(Reason::MergeKey);
        }
        let length = json_length(key);
        if length > LOOK_AHEAD {
            self.report(Reason::LongKey(length));
        }
        if classes.has(UNUSUAL) {
            self.text(key);
            if let Some(character) = keys::doubtful(key).filter(|_| has_others) {
                self.report(Reason::KeyOrder(character));
            }
        }
    }

    fn text(&mut self, text: &str) {
        if text.starts_with('\t') && text.contains('\n') && self.in_annotations() {
            self.report(Reason::TabInAnnotation);
        }
        // What is lost begins behind ASCII's printable characters, and long texts are seldom more.
        if text.bytes().fold(0, u8::max) < 0x7F {
            return;
        }
        if let Some(character) = text.chars().find(|character| is_lost(*character)) {
            self.report(Reason::Character(character));
        }
    }

    fn in_annotations(&self) -> bool {
        matches!(self.path[..], [At::Key("metadata"), At::Key("annotations"), At::Key(_)])
    }

    fn float(&mut self, number: f64) {
        if !number.is_finite() {
            self.report(Reason::NotFinite(number));
        } else if significant_digits(number) > DIGITS {
            self.report(Reason::TooPrecise(number));
        }
    }

    fn report(&mut self, reason: Reason) {
        let own = |at: &At| match at {
            At::Key(key) => Step::Key((*key).to_owned()),
            At::Item(index) => Step::Item(*index),
        };
        self.found.push(Unfit { path: self.path.iter().map(own).collect(), reason });
    }
}

/// Almost all keys are plain, and this is the cheapest question.
fn is_plain_key(key: &str, classes: Classes) -> bool {
    !classes.has(UNUSUAL) && is_short(key) && key != MERGE
}

/// The same of values.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) => true,
        Value::Str(text) => is_usual(text),
        Value::Float(_) | Value::List(_) | Value::Map(_) => false,
    }
}

/// The longest escape takes six characters, so a short key needs no counting.
fn is_short(key: &str) -> bool {
    2 + key.len() * 6 <= LOOK_AHEAD
}

/// U+007F to U+009F and the two non-characters are an error to one reader and a space to the
/// other; U+2028 and U+2029 count as line breaks to the writer but not to the reader. The control
/// characters below U+0020 do survive, as escapes.
fn is_lost(character: char) -> bool {
    matches!(character, '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}')
}

/// The characters of a key as Go writes it in JSON, where `<`, `>` and `&` are escaped as well.
fn json_length(key: &str) -> usize {
    if is_short(key) {
        return 0;
    }
    let width = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{C}' => 2,
        '\0'..='\u{1F}' | '<' | '>' | '&' => 6,
        _ => 1,
    };
    2 + key.chars().map(width).sum::<usize>()
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::MergeKey => f.write_str("the key `<<` merges maps, even in quotes"),
            Reason::LongKey(length) => {
                write!(f, "a key of {length} characters in JSON, and {LOOK_AHEAD} is the most")
            }
            Reason::Character(character) => {
                write!(f, "the character U+{:04X} does not survive", u32::from(*character))
            }
            Reason::TabInAnnotation => {
                f.write_str("an annotation of several lines cannot begin with a tab")
            }
            Reason::NotFinite(number) => write!(f, "{number} is no number in JSON"),
            Reason::TooPrecise(number) => {
                write!(f, "{number} has more than {DIGITS} significant digits")
            }
            Reason::KeyCycle([a, b, c]) => {
                write!(
                    f,
                    "the keys `{a}`, `{b}` and `{c}` have no order: each comes before the next"
                )
            }
            Reason::KeyOrder(character) => {
                write!(f, "the order of a key with U+{:04X} is not known", u32::from(*character))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn check(value: impl Into<Value>, expect: &[&str]) {
        let found = unfit(&value.into());
        let lines = found.iter().map(|unfit| {
            let steps = unfit.path.iter().map(|step| match step {
                Step::Key(key) => format!("/{}", key.escape_default()),
                Step::Item(index) => format!("/{index}"),
            });
            format!("{}: {}", steps.collect::<String>(), unfit.reason)
        });
        assert_eq!(lines.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn ordinary_values_are_fit() {
        check(
            map! { "a" => "<<", "b" => "\0\u{1F}\té😀\u{FEFF}\u{FFFD}\u{A0}", "c" => Value::Float(0.1) },
            &[],
        );
        check(map! { "क" => 1 }, &[]);
    }

    #[test]
    fn what_is_lost_is_named_with_its_place() {
        check(
            map! { "a" => map! { "<<" => 1 } },
            &["/a/<<: the key `<<` merges maps, even in quotes"],
        );
        check(
            map! { "l" => vec!["x", "a\u{85}b", "\u{2028}"], "k\u{7F}" => 1 },
            &[
                "/l/1: the character U+0085 does not survive",
                "/l/2: the character U+2028 does not survive",
                "/k\\u{7f}: the character U+007F does not survive",
            ],
        );
        check(
            map! { "a" => Value::Float(f64::NAN), "b" => Value::Float(0.1 + 0.2), "c" => Value::Float(f64::INFINITY) },
            &[
                "/a: NaN is no number in JSON",
                "/b: 0.30000000000000004 has more than 15 significant digits",
                "/c: inf is no number in JSON",
            ],
        );
    }

    #[test]
    fn a_tab_cannot_begin_the_lines_of_an_annotation() {
        let annotated = |text: &'static str| map! { "metadata" => map! { "annotations" => map! { "a" => text } } };
        check(
            annotated("\ta\nb"),
            &["/metadata/annotations/a: an annotation of several lines cannot begin with a tab"],
        );
        check(annotated("\ta"), &[]);
        check(annotated("a\n\tb"), &[]);
        check(map! { "spec" => annotated("\ta\nb") }, &[]);
    }

    #[test]
    fn keys_are_measured_as_json() {
        check(map! { "x".repeat(1022) => 1, "é".repeat(1022) => 1, "<".repeat(170) => 1 }, &[]);
        let check_long = |key: String, length: usize| {
            let line = format!(
                "/{}: a key of {length} characters in JSON, and 1024 is the most",
                key.escape_default()
            );
            check(map! { key => 1 }, &[&line]);
        };
        check_long("x".repeat(1023), 1025);
        check_long("\n".repeat(512), 1026);
        check_long("\u{1}".repeat(171), 1028);
    }

    #[test]
    fn keys_without_an_order_are_named() {
        check(
            map! { "m" => map! { "a2" => 1, "a10" => 2, "a1b" => 3 } },
            &["/m: the keys `a2`, `a10` and `a1b` have no order: each comes before the next"],
        );
        check(
            map! { "क" => 1, "b" => 2 },
            &["/\\u{915}: the order of a key with U+0915 is not known"],
        );
    }
}
