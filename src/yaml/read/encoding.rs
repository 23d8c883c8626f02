//! From bytes to text that is safe to scan: UTF-8, and only the characters that YAML allows.

use std::borrow::Cow;

use crate::yaml::tree::{Fault, FaultKind, Span};

/// The text of a file, or what its bytes are instead.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    if let Some(name) = other_unicode(bytes) {
        let message = format!("this file is {name}; save it as UTF-8");
        return Err(syntax(Span { start: 0, end: bytes.len().min(2) }, message));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - start);
        let byte = bytes.get(start).copied().unwrap_or_default();
        let message = format!("the byte 0x{byte:02X} is no UTF-8; save the file as UTF-8");
        syntax(Span { start, end: start + length }, message)
    })
}

/// By the byte order mark or, without one, by where the zeros of the first characters stand: YAML
/// starts with ASCII characters in any encoding.
fn other_unicode(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [_, 0, 0, 0, ..] | [0, 0, 0, _, ..] => {
            Some("UTF-32")
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("UTF-16"),
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some("UTF-16"),
        _ => None,
    }
}

/// A text without the characters that Kubernetes' readers refuse or take for line breaks.
pub(super) struct Clean<'text> {
    /// As long as the original, so that offsets hold in both.
    pub text: Cow<'text, str>,
    /// The first refused character of each line that has one, in order.
    pub faults: Vec<Fault>,
}

/// Blanks out what may not stand in YAML. The scanner would take a zero byte for the end of the
/// text, so that what follows it would silently not be there.
pub(super) fn clean(text: &str) -> Clean<'_> {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let bytes = text.as_bytes();
    if !bytes.iter().skip(mark).any(|&byte| suspicious(byte)) {
        return Clean { text: Cow::Borrowed(text), faults: Vec::new() };
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut faults = Vec::new();
    let mut line_has_fault = false;
    for (start, character) in text.char_indices() {
        let refused = if start == 0 && mark > 0 { None } else { refusal(character) };
        let Some((kind, message)) = refused else {
            line_has_fault &= !matches!(character, '\n' | '\r');
            cleaned.push(character);
            continue;
        };
        let length = character.len_utf8();
        if !std::mem::replace(&mut line_has_fault, true) {
            faults.push(Fault { at: Span { start, end: start + length }, kind, message });
        }
        cleaned.extend(std::iter::repeat_n('_', length));
    }
    Clean { text: Cow::Owned(cleaned), faults }
}

/// Whether a refused character may start with this byte. Almost no text has one, and looking at
/// bytes costs a fraction of looking at characters.
fn suspicious(byte: u8) -> bool {
    match byte {
        b'\t' | b'\n' | b'\r' => false,
        _ => byte < b' ' || matches!(byte, 0x7F | 0xC2 | 0xE2 | 0xEF),
    }
}

fn refusal(character: char) -> Option<(FaultKind, String)> {
    let code = u32::from(character);
    match character {
        '\t' | '\n' | '\r' => None,
        '\u{85}' | '\u{2028}' | '\u{2029}' => Some((
            FaultKind::Unsupported,
            format!(
                "the character U+{code:04X} is a line break to some readers and none to others; \
                 write it as \"\\u{code:04X}\" in double quotes"
            ),
        )),
        '\u{feff}' => Some((
            FaultKind::Syntax,
            "a byte order mark stands inside the text; remove it".to_owned(),
        )),
        '\0'..'\x20' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => Some((
            FaultKind::Syntax,
            format!(
                "the control character U+{code:04X} may not stand in YAML; \
                 remove it, or write it as \"\\u{code:04X}\" in double quotes"
            ),
        )),
        _ => None,
    }
}

fn syntax(at: Span, message: String) -> Fault {
    Fault { at, kind: FaultKind::Syntax, message }
}
