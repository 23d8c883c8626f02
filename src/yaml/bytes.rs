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
}
