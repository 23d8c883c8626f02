//! Mermaid's flowcharts: nodes with labels, boxes around them, arrows between them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::graph::drawing::{Drawing, Shape};

/// One flowchart of the parts that the clouds gave, each in a box of its own.
pub fn page(parts: &[String]) -> String {
    format!("flowchart LR\n{}", parts.concat())
}

/// The part of one cloud while it is drawn. Names of nodes are numbers behind the cloud's own name,
/// so that no label can be a word of Mermaid's.
#[derive(Debug)]
pub struct Part {
    prefix: String,
    nodes: HashMap<String, usize>,
    depth: usize,
    out: String,
}

impl Part {
    /// `cloud` is the namespace, which no other cloud of the input has.
    pub fn new(cloud: &str, title: &str) -> Self {
        let prefix = cloud.replace('-', "_");
        let mut part = Part { prefix, nodes: HashMap::new(), depth: 1, out: String::new() };
        part.open(title);
        part
    }

    pub fn finish(mut self) -> String {
        self.close();
        self.out
    }

    fn id(&mut self, label: &str) -> String {
        let next = self.nodes.len();
        let number = *self.nodes.entry(label.to_owned()).or_insert(next);
        format!("{}_{number}", self.prefix)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.depth));
    }
}

impl Drawing for Part {
    fn open(&mut self, title: &str) {
        let id = self.id(&format!("box {title}"));
        self.line(&format!("subgraph {id}[\"{}\"]", escaped(title)));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("end");
    }

    fn node(&mut self, label: &str, shape: Shape) -> String {
        let (open, close) = match shape {
            Shape::Box => ("[", "]"),
            Shape::Drum => ("[(", ")]"),
            Shape::Round => ("([", "])"),
            Shape::Flag => (">", "]"),
        };
        let known = self.nodes.contains_key(label);
        let id = self.id(label);
        if !known {
            self.line(&format!("{id}{open}\"{}\"{close}", escaped(label)));
        }
        id
    }

    fn arrow(&mut self, from: &str, to: &str) {
        let line = format!("{from} --> {to}");
        if !self.out.lines().any(|other| other.trim_start() == line) {
            self.line(&line);
        }
    }
}

/// Inside quotes only the quote itself and the sign of an entity mean something.
fn escaped(label: &str) -> String {
    label.replace('&', "&amp;").replace('"', "&quot;").replace('#', "&num;")
}
