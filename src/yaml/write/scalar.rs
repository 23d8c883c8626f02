//! Text in each of the four styles, folded where kustomize folds it.
//!
//! Folding: a line that has passed column 80 ends at the next space, which the break stands for.
//! No line ends inside a run of spaces, as reading would not give them back; in double quotes an
//! escape makes up for that.

use super::sink::Sink;
use super::style::{Style, is_printable, style};

const WIDTH: usize = 80;

/// Writes a value; lines after the first are indented by `indent`. The line is ended.
pub fn push_text(sink: &mut Sink, text: &str, indent: usize) {
    match style(text) {
        Style::Plain => push_plain(sink, text, indent),
        Style::Single => push_single(sink, text, Some(indent)),
        Style::Double => push_double(sink, text, Some(indent)),
        // A block ends its lines itself.
        Style::Literal => return push_literal(sink, text, indent),
    }
    sink.end_line();
}

/// Writes a simple key: in one line, however long.
pub fn push_key(sink: &mut Sink, text: &str) {
    match style(text) {
        Style::Plain => sink.push(text),
        Style::Single => push_single(sink, text, None),
        Style::Double | Style::Literal => push_double(sink, text, None),
    }
}

fn push_plain(sink: &mut Sink, text: &str, indent: usize) {
    if sink.bytes() + text.len() <= WIDTH {
        sink.push(text);
    } else {
        push_folded(sink, text, Some(indent), |sink, word| {
            sink.push(word);
            0
        });
    }
}

fn push_single(sink: &mut Sink, text: &str, indent: Option<usize>) {
    sink.push("'");
    push_folded(sink, text, indent, |sink, word| {
        let mut quotes = 0;
        for (index, part) in word.split('\'').enumerate() {
            if index > 0 {
                sink.push("''");
                quotes += 1;
            }
            sink.push(part);
        }
        quotes
    });
    sink.push("'");
}

/// `push_word` returns how many characters it wrote more than the word has.
fn push_folded(
    sink: &mut Sink,
    text: &str,
    indent: Option<usize>,
    push_word: impl Fn(&mut Sink, &str) -> usize,
) {
    let mut column = sink.column();
    let mut rest = text;
    while let Some(at) = rest.find(' ') {
        let (word, tail) = rest.split_at(at);
        column += word.chars().count() + push_word(sink, word);
        rest = tail.trim_start_matches(' ');
        let spaces = tail.len() - rest.len();
        let inside = tail.len() < text.len() && !rest.is_empty();
        match indent {
            Some(indent) if column > WIDTH && spaces == 1 && inside => {
                sink.end_line();
                sink.indent(indent);
                column = indent;
            }
            _ => {
                sink.push(&tail[..spaces]);
                column += spaces;
            }
        }
    }
    push_word(sink, rest);
}

fn push_double(sink: &mut Sink, text: &str, indent: Option<usize>) {
    sink.push("\"");
    // The emitter asks of every character whether the text begins with a byte order mark, so such
    // a text is all escapes.
    if text.starts_with('\u{FEFF}') {
        text.chars().for_each(|character| {
            push_escape(sink, character);
        });
        return sink.push("\"");
    }
    let mut column = sink.column();
    let mut in_spaces = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character != ' ' {
            column += push_escaped(sink, character);
            in_spaces = false;
            continue;
        }
        match indent {
            Some(indent) if column > WIDTH && !in_spaces && at > 0 && at + 1 < text.len() => {
                sink.end_line();
                sink.indent(indent);
                column = indent;
                if let Some((_, ' ')) = characters.peek() {
                    sink.push("\\");
                    column += 1;
                }
            }
            _ => {
                sink.push(" ");
                column += 1;
            }
        }
        in_spaces = true;
    }
    sink.push("\"");
}

/// Returns the columns it took.
fn push_escaped(sink: &mut Sink, character: char) -> usize {
    if !is_printable(character) || matches!(character, '"' | '\\') {
        return push_escape(sink, character);
    }
    sink.push_char(character);
    1
}

fn push_escape(sink: &mut Sink, character: char) -> usize {
    let short = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\t' => "\\t",
        '\r' => "\\r",
        '\0' => "\\0",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\u{B}' => "\\v",
        '\u{C}' => "\\f",
        '\u{1B}' => "\\e",
        '\u{85}' => "\\N",
        '\u{A0}' => "\\_",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        _ => return push_hex(sink, u32::from(character)),
    };
    sink.push(short);
    short.len()
}

fn push_hex(sink: &mut Sink, code: u32) -> usize {
    let (mark, digits) = match code {
        0..=0xFF => ("\\x", 2),
        0x100..=0xFFFF => ("\\u", 4),
        _ => ("\\U", 8),
    };
    sink.push(mark);
    for digit in (0..digits).rev() {
        let value = (code >> (digit * 4)) & 0xF;
        sink.push_char(char::from(b"0123456789ABCDEF"[value as usize]));
    }
    mark.len() + digits
}

fn push_literal(sink: &mut Sink, text: &str, indent: usize) {
    sink.push("|");
    // Else a reader would take the first line's own spaces for the indent.
    if text.starts_with([' ', '\n']) {
        sink.push("2");
    }
    match text.strip_suffix('\n') {
        None => sink.push("-"),
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => sink.push("+"),
        Some(_) => {}
    }
    sink.end_line();
    for line in text.split_inclusive('\n') {
        let line = line.strip_suffix('\n').unwrap_or(line);
        if !line.is_empty() {
            sink.indent(indent);
            sink.push(line);
        }
        sink.end_line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text as the value of a key of 74 characters: the value begins at column 76.
    fn check(text: &str, expect: &str) {
        let mut out = String::from("before\n");
        let mut sink = Sink::new(&mut out);
        sink.push(&"k".repeat(74));
        sink.push(": ");
        push_text(&mut sink, text, 2);
        assert_eq!(
            out.trim_start_matches("before\n").trim_start_matches('k'),
            format!(": {expect}\n")
        );
    }

    #[test]
    fn plain_folds_at_a_single_space_past_the_width() {
        check("aaaa b", "aaaa b");
        check("aaaaa b c", "aaaaa\n  b c");
        check("aaaaa  b c", "aaaaa  b\n  c");
        check("éé→→a b", "éé→→a\n  b");
    }

    #[test]
    fn single_quotes_double_their_own_and_do_not_fold_at_the_ends() {
        check("'a'", "'''a'''");
        check(": aaa b", "': aaa\n  b'");
        check(":aaaaaa ", "':aaaaaa '");
        check("aaa: a ", "'aaa:\n  a '");
        check("''a b", "'''''a\n  b'");
    }

    #[test]
    fn double_quotes_escape_and_fold_in_runs_too() {
        check("\taa b", "\"\\taa\n  b\"");
        check("\taa   b", "\"\\taa\n  \\  b\"");
        check("\taaaaa ", "\"\\taaaaa \"");
        check("\taaaaa  ", "\"\\taaaaa\n  \\ \"");
        check("\t\0\u{7}\u{8}\u{B}\u{C}\u{1B}\r\"\\", r#""\t\0\a\b\v\f\e\r\"\\""#);
        check("\u{1}\u{7F}\u{85}\u{2028}\u{2029}", r#""\x01\x7F\N\L\P""#);
        check("a\u{FEFF}😀é\u{A0}", "\"a\\uFEFF\\U0001F600é\u{A0}\"");
        check("\u{FEFF}a é\u{A0}", r#""\uFEFF\x61\x20\xE9\_""#);
    }

    #[test]
    fn blocks_say_how_they_begin_and_end() {
        check("a\nb", "|-\n  a\n  b");
        check("a\n", "|\n  a");
        check("a\n\n", "|+\n  a\n");
        check("\n", "|2+\n");
        check("\n\na\n", "|2\n\n\n  a");
        check(" a\n\nb", "|2-\n   a\n\n  b");
        let long = "word ".repeat(30) + "end\n";
        check(&long, &format!("|\n  {}", long.trim_end()));
    }

    #[test]
    fn keys_never_fold() {
        let key = format!("# {}\t", "word ".repeat(22));
        let mut out = String::new();
        push_key(&mut Sink::new(&mut out), &key);
        assert_eq!(out, format!("\"# {}\\t\"", "word ".repeat(22)));
    }
}
