//! From an offset to the line and column that a person looks for.

/// The line and the column of a byte offset, both from 1, the column counted in characters.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    Lines::of(text).line_column(text, offset)
}

/// Where each line of a text starts. Worth keeping when more than one place of it is asked for:
/// counting the breaks anew for each would make many findings in a large file quadratic.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |&(index, byte): &(usize, &u8)| match byte {
            b'\n' => true,
            // A lone carriage return breaks a line in YAML; one before a line feed is part of it.
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        let after_breaks = bytes.iter().enumerate().filter(ends_line).map(|(index, _)| index + 1);
        Lines { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// `text` is the one that these lines were made of.
    pub fn line_column(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let offset = text.floor_char_boundary(offset);
        let before = text.get(start..offset).unwrap_or_default();
        // No editor counts the byte order mark.
        let before = if start == 0 { before.trim_start_matches('\u{feff}') } else { before };
        (line, before.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_every_kind_of_break_ends_a_line() {
        let text = "\u{feff}a: é→x\r\nb\rc\n\nd";
        let place = |needle: &str| line_column(text, text.find(needle).unwrap_or_default());
        assert_eq!(place("a"), (1, 1));
        assert_eq!(place("x"), (1, 6));
        assert_eq!(place("b"), (2, 1));
        assert_eq!(place("c"), (3, 1));
        assert_eq!(place("d"), (5, 1));
        assert_eq!(line_column(text, 1_000), (5, 2));
        assert_eq!(line_column("", 0), (1, 1));
    }

    #[test]
    fn an_offset_inside_a_character_is_the_place_of_that_character() {
        assert_eq!(line_column("aé", 2), (1, 2));
    }
}
