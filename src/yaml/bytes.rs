//! What the bytes of a text are, asked once for all of them: nearly every text we write is a plain
//! word, and one look at each byte is enough to know that no closer one is needed.

/// Classes of bytes; a text has all the classes that any of its bytes has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes(u8);

/// `0` to `9`.
pub const DIGIT: Classes = Classes(1);
/// Control characters, line breaks and tabs among them, and all that is not ASCII.
pub const UNUSUAL: Classes = Classes(1 << 1);
/// What may mean something to YAML, by itself or beside another: anything but letters, digits, `-`,
/// `_`, `.`, `/`, `=` and `+`.
pub const MARK: Classes = Classes(1 << 2);

const OF_BYTE: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT.0,
            0..=0x1F | 0x7F..=0xFF => UNUSUAL.0,
            b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.' | b'/' | b'=' | b'+' => 0,
            _ => MARK.0,
        };
        byte += 1;
    }
    classes
};

impl Classes {
    pub fn of(text: &str) -> Self {
        Classes(text.bytes().fold(0, |all, byte| all | OF_BYTE[usize::from(byte)]))
    }

    pub fn has(self, class: Classes) -> bool {
        self.0 & class.0 != 0
    }
}

/// Whether no byte of a text is [`UNUSUAL`]: eight of them are looked at together.
pub fn is_usual(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for word in words {
        if !is_usual_word(u64::from_le_bytes(*word)) {
            return false;
        }
    }
    rest.iter().fold(0, |all, byte| all | OF_BYTE[usize::from(*byte)]) & UNUSUAL.0 == 0
}

/// A byte below a bound borrows from its highest bit when the bound is taken from it.
fn is_usual_word(word: u64) -> bool {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    const HIGHEST: u64 = EACH << 7;
    let control = word.wrapping_sub(EACH * 0x20) & !word;
    let delete = word ^ (EACH * 0x7F);
    let delete = delete.wrapping_sub(EACH) & !delete;
    (word | control | delete) & HIGHEST == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_classes_of_its_bytes() {
        let classes = |text: &str| [DIGIT, UNUSUAL, MARK].map(|class| Classes::of(text).has(class));
        assert_eq!(classes("app.kubernetes.io/part-of"), [false, false, false]);
        assert_eq!(classes("ipv4"), [true, false, false]);
        assert_eq!(classes("a: b"), [false, false, true]);
        for unusual in ["a\n", "\t", "\u{7F}", "é", "→"] {
            assert_eq!(classes(unusual), [false, true, false], "{unusual:?}");
        }
    }

    #[test]
    fn one_unusual_byte_is_seen_wherever_it_stands() {
        let usual: String = (' '..='~').collect();
        for length in 0..=usual.len() {
            assert!(is_usual(&usual[..length]), "{length}");
        }
        for unusual in ('\0'..' ').chain(['\u{7F}', 'é', '→', '😀']) {
            for before in 0..20 {
                for after in 0..20 {
                    let text = format!("{}{unusual}{}", "~".repeat(before), " ".repeat(after));
                    assert!(!is_usual(&text), "{text:?}");
                }
            }
        }
    }
}
