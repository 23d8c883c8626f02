//! Where the writer puts its text: a buffer that knows where the current line began, because
//! folding depends on the column.

#[derive(Debug)]
pub struct Sink<'o> {
    out: &'o mut String,
    line: usize,
}

/// Enough for any indent of a real object in one copy.
const SPACES: &str = "                                                                ";

impl<'o> Sink<'o> {
    pub fn new(out: &'o mut String) -> Self {
        let line = out.len();
        Sink { out, line }
    }

    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub fn push_char(&mut self, character: char) {
        self.out.push(character);
    }

    /// For what writes by itself; it may not write a line break.
    pub fn out(&mut self) -> &mut String {
        self.out
    }

    pub fn end_line(&mut self) {
        self.out.push('\n');
        self.line = self.out.len();
    }

    pub fn indent(&mut self, mut indent: usize) {
        while indent > SPACES.len() {
            self.out.push_str(SPACES);
            indent -= SPACES.len();
        }
        self.out.push_str(&SPACES[..indent]);
    }

    /// Bytes in the current line, which is never less than [`Sink::column`] and costs nothing.
    pub fn bytes(&self) -> usize {
        self.out.len() - self.line
    }

    /// Characters in the current line.
    pub fn column(&self) -> usize {
        self.out[self.line..].chars().count()
    }
}
