//! The line of a source that a finding stands on, cut to what fits a report and made harmless.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::Place;
use crate::load::Source;
use crate::yaml::place::Lines;
use crate::yaml::tree::Span;

/// Bytes kept on each side of the place. A line may be the whole file, as minified YAML is; the
/// renderer trims to the width of a page, but first it looks at every character it is given.
const BESIDE: usize = 1000;

/// What stands for a secret: of one length, since that of a password is half of guessing it.
const MASK: &str = "••••";

/// One line of a source, or the part of it around a place.
#[derive(Debug, PartialEq)]
pub struct Excerpt {
    /// From 1, as editors count.
    pub line: usize,
    pub column: usize,
    pub text: String,
    /// The bytes of `text` that are meant.
    pub marked: Range<usize>,
    /// What stands before the place is left out: columns cannot be counted in `text`.
    pub cut: bool,
}

/// A source whose lines were counted once, for however many findings stand in it.
#[derive(Debug)]
pub struct Counted<'a> {
    text: Cow<'a, str>,
    lines: Lines,
    /// What is shown to nobody, with the rest of each line it stands on.
    secrets: Vec<Span>,
}

impl<'a> Counted<'a> {
    pub fn new(source: &'a Source) -> Self {
        let text = as_text(&source.bytes);
        let lines = Lines::of(&text);
        Counted { text, lines, secrets: Vec::new() }
    }

    /// Hides what stands at these places from every excerpt, since reports end in the logs of CI.
    pub fn hiding<'p>(mut self, places: impl Iterator<Item = &'p Place>) -> Self {
        self.secrets = places.filter_map(|place| self.secret(place)).collect();
        self
    }

    /// The bytes of a secret that was found at a place. A scalar is the secret; behind a key, at
    /// an item or in a record of one line, the secret may be anywhere on the rest of the line.
    fn secret(&self, place: &Place) -> Option<Span> {
        let Span { start, end } = place.span?;
        let end = self.text.ceil_char_boundary(end.min(self.text.len()));
        let behind = &self.text[end..];
        let line_end = end + behind.find(is_break).unwrap_or(behind.len());
        let value = behind.trim_start_matches([' ', '\t']).strip_prefix(':');
        Some(match value {
            Some(value) => {
                let value = value.trim_start_matches([' ', '\t']);
                Span { start: self.text.len() - value.len(), end: line_end }
            }
            None if place.path.steps().is_empty() => Span { start: end, end: line_end },
            None if start == end => Span { start, end: line_end },
            None => Span { start, end },
        })
    }

    /// Where on a line the first secret begins; a text of many lines begins anew on each.
    fn first_secret(&self, line: Span) -> Option<usize> {
        let text = self.text.get(line.start..line.end)?;
        let indentation = text.len() - text.trim_start().len();
        let on_line = |secret: &&Span| secret.start < line.end && line.start < secret.end;
        let starts = self.secrets.iter().filter(on_line).map(|secret| secret.start);
        starts.map(|start| start.max(line.start + indentation)).min()
    }

    /// Line and column, both from 1.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        self.lines.line_column(&self.text, offset)
    }

    /// The first line of the span; a place of several lines is known by its beginning.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let text = &self.text;
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let end = text.ceil_char_boundary(span.end.clamp(start, text.len()));
        let (line, column) = self.line_column(start);
        let before = text[..start].rsplit(is_break).next().unwrap_or_default();
        let behind = text[start..].split(is_break).next().unwrap_or_default();
        let line_at = Span { start: start - before.len(), end: start + behind.len() };
        let secret = self.first_secret(line_at).map(|at| text.floor_char_boundary(at));
        let is_behind_secret = secret.is_some_and(|at| at < start);
        let shown_end = secret.unwrap_or(line_at.end);
        let before = &text[line_at.start..start.min(shown_end)];
        let behind = &text[start.min(shown_end)..shown_end];
        let (marked, after) = behind.split_at(behind.len().min(end - start));

        let before = before.trim_start_matches('\u{feff}');
        let mut shown = last(before, BESIDE);
        let first = shown.len();
        shown.push_str(&cut(marked, BESIDE));
        let is_marked = secret.is_some_and(|at| at < end);
        if is_marked {
            shown.push_str(MASK);
        }
        let marked = first..shown.len();
        shown.push_str(&cut(after, BESIDE));
        if secret.is_some() && !is_marked {
            shown.push_str(MASK);
        }
        let cut = before.len() > BESIDE || is_behind_secret;
        Excerpt { line, column, text: shown, marked, cut }
    }
}

/// Bytes as text of the same length, so that spans hold: what is no UTF-8 becomes `?`.
fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let rest = if end < text.len() { "…" } else { "" };
    harmless(&text[..end]).into_owned() + rest
}

fn last(text: &str, most: usize) -> String {
    let start = text.ceil_char_boundary(text.len().saturating_sub(most));
    let rest = if start > 0 { "…" } else { "" };
    format!("{rest}{}", harmless(&text[start..]))
}

/// Text from an input, safe to print: nothing in it moves the cursor, colours the terminal or
/// turns the direction of writing.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let replaced = |character| match character {
        '\n' | '\t' => ' ',
        character if is_harmful(character) => '\u{fffd}',
        character => character,
    };
    Cow::Owned(text.chars().map(replaced).collect())
}

fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Separators of lines and paragraphs; marks, embeddings and isolates of direction.
            '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Path;

    fn check(bytes: &[u8], span: Range<usize>, expect: (usize, usize, &str, &str)) {
        let source = Source { name: String::new(), bytes: bytes.to_vec() };
        let span = Span { start: span.start, end: span.end };
        let Excerpt { line, column, text, marked, .. } = Counted::new(&source).excerpt(span);
        assert_eq!((line, column, text.as_str(), &text[marked]), expect);
    }

    #[test]
    fn a_place_is_shown_with_its_line() {
        check(b"a: 1\nb: 22\r\nc: 3\n", 8..10, (2, 4, "b: 22", "22"));
    }

    #[test]
    fn a_place_of_many_lines_is_shown_by_its_first() {
        check(b"a:\n- b\n- c\n", 3..10, (2, 1, "- b", "- b"));
    }

    #[test]
    fn a_place_behind_the_end_is_shown_there() {
        check(b"a: 1", 100..200, (1, 5, "a: 1", ""));
        check(b"", 0..0, (1, 1, "", ""));
    }

    #[test]
    fn bytes_that_are_no_text_keep_the_count() {
        check(b"\xff\xfe: x\xc3", 4..5, (1, 5, "??: x?", "x"));
    }

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        check("\u{feff}a: 1".as_bytes(), 3..4, (1, 1, "a: 1", "a"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}é{}", "x".repeat(100_000), "y".repeat(100_000));
        let shown = format!("…{}é{}…", "x".repeat(BESIDE), "y".repeat(BESIDE));
        check(line.as_bytes(), 100_000..100_002, (1, 100_001, &shown, "é"));
    }

    /// The lines at some places, where the first of these is that of a secret.
    fn check_hidden(text: &str, places: &[(&str, &str)], expect: &str) {
        let source = Source { name: String::new(), bytes: text.into() };
        let spans = places.iter().map(|(_, marked)| {
            let start = text.find(marked).unwrap_or(text.len());
            Span { start, end: start + marked.len() }
        });
        let places: Vec<Place> = places
            .iter()
            .zip(spans)
            .map(|((path, _), span)| Place { path: Path::from(*path), ..Place::span(0, span) })
            .collect();
        let counted = Counted::new(&source).hiding(places.iter().take(1));
        let excerpts = places.iter().filter_map(|place| Some(counted.excerpt(place.span?)));
        let shown: Vec<String> = excerpts
            .map(|excerpt| format!("{} [{}]", excerpt.text, &excerpt.text[excerpt.marked]))
            .collect();
        assert_eq!(shown.join("\n"), expect, "{text}");
    }

    #[test]
    fn a_secret_is_hidden_with_the_rest_of_its_line() {
        check_hidden(
            "a: {b: 1, password: hunter2, c: 3}\nd: 4\n",
            &[("a.password", "hunter2"), ("a.b", "1"), ("a.c", "3"), ("d", "4")],
            "a: {b: 1, password: •••• [••••]\na: {b: 1, password: •••• [1]\n\
             a: {b: 1, password: •••• [••••]\nd: 4 [4]",
        );
        check_hidden(
            "url: rabbit://nova:hunter2@host\n",
            &[("url", "rabbit://nova:hunter2@host")],
            "url: •••• [••••]",
        );
    }

    #[test]
    fn each_line_of_a_secret_text_is_hidden() {
        check_hidden(
            "a: |\n  [x]\n  password = hunter2\nb: 1\n",
            &[("a", "[x]\n  password = hunter2\n"), ("a", "hunter2"), ("a", "|"), ("b", "b: 1")],
            "  •••• [••••]\n  •••• [••••]\na: | [|]\nb: 1 [b: 1]",
        );
    }

    #[test]
    fn a_secret_behind_a_key_or_a_record_is_hidden() {
        check_hidden("nova: {password: hunter2}", &[("nova", "nova")], "nova: •••• [nova]");
        check_hidden(
            "{component: motto, data: hunter2}",
            &[("", "motto")],
            "{component: motto•••• [motto]",
        );
        check_hidden("component: motto\nb: 1\n", &[("", "motto")], "component: motto [motto]");
        check_hidden("- {password: hunter2}", &[("a", "")], "•••• []");
    }

    #[test]
    fn what_would_move_the_cursor_is_shown_as_a_mark() {
        check(b"a: \x1b[2J\x07", 3..4, (1, 4, "a: \u{fffd}[2J\u{fffd}", "\u{fffd}"));
        assert_eq!(harmless("a\u{9b}b\u{202e}c\td"), "a\u{fffd}b\u{fffd}c d");
    }
}
