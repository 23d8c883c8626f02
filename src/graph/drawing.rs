//! What a drawing consists of, in whatever language it is written down.

/// What a node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Box,
    /// A place where something is kept.
    Drum,
    Round,
    /// Something that is not part of the cloud.
    Flag,
}

/// Nodes with labels, boxes around them, arrows between them.
pub trait Drawing {
    /// Begins a box.
    fn open(&mut self, title: &str);
    /// Ends the innermost box.
    fn close(&mut self);
    /// Draws a node, if it is not there yet, and gives its name.
    fn node(&mut self, label: &str, shape: Shape) -> String;
    fn arrow(&mut self, from: &str, to: &str);
}
