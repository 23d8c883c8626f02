//! How a text is written: plain if it can be, else in quotes, with line breaks as a block.

use super::resolve::resolves;
use crate::yaml::bytes::{Classes, MARK, UNUSUAL};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

pub fn style(text: &str) -> Style {
    if is_word(text) {
        return if resolves(text) { Style::Double } else { Style::Plain };
    }
    let traits = look(text);
    if traits.line_feed {
        let block = !traits.unprintable && !traits.space_before_break && !text.ends_with(' ');
        return if block { Style::Literal } else { Style::Double };
    }
    if traits.unprintable || resolves(text) {
        Style::Double
    } else if traits.indicator || begins_or_ends_badly(text) {
        Style::Single
    } else {
        Style::Plain
    }
}

/// Nothing in it can mean anything to YAML, as a whole it still may: `no`.
fn is_word(text: &str) -> bool {
    let classes = Classes::of(text);
    let begins_well = text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric());
    begins_well && !classes.has(UNUSUAL) && !classes.has(MARK)
}

/// Whether a key may stand as `key: value`; the limit of 128 bytes is the emitter's own.
pub fn is_simple_key(text: &str) -> bool {
    let is_break =
        |character| matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.len() <= 128 && (!Classes::of(text).has(UNUSUAL) || !text.contains(is_break))
}

/// What may stand as it is. Characters from U+10000 could, but kustomize escapes them. U+2028 and
/// U+2029 it writes raw and then reads as breaks: escaped, they at least mean what they are.
pub fn is_printable(character: char) -> bool {
    matches!(
        character,
        ' '..='~' | '\u{A0}'..='\u{2027}' | '\u{202A}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
    ) && character != '\u{FEFF}'
}

#[derive(Default)]
struct Traits {
    line_feed: bool,
    space_before_break: bool,
    unprintable: bool,
    /// `: ` or ` #`, or a colon at the end.
    indicator: bool,
}

/// What a byte may mean for the style, by itself or with its neighbours.
#[derive(Clone, Copy, PartialEq)]
enum Byte {
    Harmless,
    Colon,
    Hash,
    LineFeed,
    Unprintable,
    /// The first of some characters that are printable and of some that are not.
    Lead,
}

const BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Harmless; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = match byte as u8 {
            b'\n' => Byte::LineFeed,
            b':' => Byte::Colon,
            b'#' => Byte::Hash,
            0..0x20 | 0x7F | 0xF0..=0xFF => Byte::Unprintable,
            0xC2 | 0xE2 | 0xEF => Byte::Lead,
            _ => Byte::Harmless,
        };
        byte += 1;
    }
    bytes
};

fn look(text: &str) -> Traits {
    let bytes = text.as_bytes();
    let mut traits = Traits::default();
    for (at, byte) in bytes.iter().enumerate() {
        let before = |wanted: u8| at > 0 && bytes[at - 1] == wanted;
        match BYTES[usize::from(*byte)] {
            Byte::Harmless => {}
            Byte::Colon => {
                traits.indicator |= bytes.get(at + 1).is_none_or(|next| *next == b' ');
            }
            Byte::Hash => traits.indicator |= before(b' '),
            Byte::LineFeed => {
                traits.line_feed = true;
                traits.space_before_break |= before(b' ');
            }
            Byte::Unprintable => traits.unprintable = true,
            Byte::Lead => {
                traits.unprintable |=
                    text[at..].chars().next().is_some_and(|character| !is_printable(character));
            }
        }
    }
    traits
}

fn begins_or_ends_badly(text: &str) -> bool {
    let bad_first = match text.as_bytes() {
        [b'?' | b'-'] | [b'?' | b'-', b' ', ..] => true,
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        [first, ..] => b" #,[]{}&*!|>'\"%@`".contains(first),
        [] => true,
    };
    bad_first || text.ends_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: Style, texts: &[&str]) {
        for text in texts {
            assert_eq!(style(text), expect, "{text:?}");
        }
    }

    #[test]
    fn most_text_is_plain() {
        check(
            Style::Plain,
            &[
                "a",
                "a b",
                "a:b",
                "a#b",
                "-a",
                "?a",
                ":a",
                "http://x/y#z",
                "<<",
                "=",
                "é→",
                "\u{A0}",
            ],
        );
        check(Style::Plain, &["a'b\"c", "a, [b] {c}", "--", "..", "-.", "a\u{FFFD}", "1e400"]);
    }

    #[test]
    fn indicators_need_single_quotes() {
        check(
            Style::Single,
            &[
                "a: b", "a:", ":", "a #b", "- a", "-", "?", "? a", "---", "---a", "...", "....",
                " a", "a ", " ",
            ],
        );
        check(
            Style::Single,
            &["#a", ",a", "[", "]", "{", "}", "&a", "*", "!a", "|", ">", "'", "\"", "%", "@", "`"],
        );
    }

    #[test]
    fn what_resolves_or_cannot_be_printed_needs_double_quotes() {
        check(Style::Double, &["", "null", "1", "on", "2024-01-01", "1:30"]);
        check(
            Style::Double,
            &[
                "a\tb", "a\r", "\0", "\u{7F}", "\u{85}", "\u{9F}", "😀", "\u{FEFF}", "\u{FFFE}",
                "\u{2028}",
            ],
        );
        check(Style::Double, &["a \nb", "a\nb ", "a\n\tb", "a\r\nb", "😀\n"]);
    }

    #[test]
    fn lines_are_a_block() {
        check(
            Style::Literal,
            &["\n", "a\n", "a\nb", "\na", "  a\nb", "a\n\n", "a\n  b", "a: b\n# c"],
        );
    }

    #[test]
    fn keys_are_simple_unless_long_or_broken() {
        assert!(is_simple_key(&"a".repeat(128)));
        assert!(!is_simple_key(&"a".repeat(129)));
        assert!(!is_simple_key("a\nb") && !is_simple_key("a\rb") && !is_simple_key("\u{2028}"));
    }
}
