//! A part of a text that many parts share. A thousand clouds are a quarter of a million texts, and each
//! by itself would cost an allocation and leave gaps in memory.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Half as long as it would be with a `usize` each, which a quarter of a million of them feel.
#[derive(Clone)]
pub struct Passage {
    whole: Arc<String>,
    start: u32,
    length: u32,
}

/// The length of what reaches to the end, however far that is.
const REST: u32 = u32::MAX;

impl Passage {
    pub fn of(whole: &Arc<String>, at: Range<usize>) -> Self {
        match (u32::try_from(at.start), u32::try_from(at.len())) {
            (Ok(start), Ok(length)) if length != REST => {
                Passage { whole: Arc::clone(whole), start, length }
            }
            // Too far behind for the numbers: a text of its own.
            _ => whole.get(at).unwrap_or_default().to_owned().into(),
        }
    }
}

impl Deref for Passage {
    type Target = str;

    fn deref(&self) -> &str {
        let rest = self.whole.get(self.start as usize..).unwrap_or_default();
        match self.length {
            REST => rest,
            length => rest.get(..length as usize).unwrap_or_default(),
        }
    }
}

impl From<String> for Passage {
    fn from(text: String) -> Self {
        Passage { whole: Arc::new(text), start: 0, length: REST }
    }
}

impl fmt::Debug for Passage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

impl fmt::Display for Passage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, out)
    }
}

impl PartialEq for Passage {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<str> for Passage {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Passage {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_what_stands_between_its_ends() {
        let whole = Arc::new("nova kind: Nova\n".to_owned());
        let (name, yaml) = (Passage::of(&whole, 0..4), Passage::of(&whole, 5..whole.len()));
        assert_eq!((&*name, &*yaml), ("nova", "kind: Nova\n"));
        assert_eq!(Passage::from(whole.to_string()), **whole);
    }
}
