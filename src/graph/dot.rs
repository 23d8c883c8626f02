//! Graphviz' language.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::graph::drawing::{Drawing, Shape};

/// One graph of the parts that the clouds gave, each in a box of its own.
pub fn page(parts: &[String]) -> String {
    format!(
        "digraph strata {{\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n{}}}\n",
        parts.concat()
    )
}

/// The part of one cloud while it is drawn. The cloud's name is part of every node's: two clouds have
/// components of the same names.
#[derive(Debug)]
pub struct Part {
    cloud: String,
    nodes: HashMap<String, usize>,
    boxes: usize,
    depth: usize,
    out: String,
}

impl Part {
    pub fn new(cloud: &str, title: &str) -> Self {
        let mut part = Part {
            cloud: cloud.to_owned(),
            nodes: HashMap::new(),
            boxes: 0,
            depth: 1,
            out: String::new(),
        };
        part.open(title);
        part
    }

    pub fn finish(mut self) -> String {
        self.close();
        self.out
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.depth));
    }
}

impl Drawing for Part {
    fn open(&mut self, title: &str) {
        // Graphviz draws a frame around a subgraph whose name begins so.
        let name = quoted(&format!("cluster {} {}", self.cloud, self.boxes));
        self.boxes += 1;
        self.line(&format!("subgraph {name} {{"));
        self.depth += 1;
        self.line(&format!("label={};", quoted(title)));
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn node(&mut self, label: &str, shape: Shape) -> String {
        let name = quoted(&format!("{} {label}", self.cloud));
        if !self.nodes.contains_key(label) {
            self.nodes.insert(label.to_owned(), self.nodes.len());
            let shape = match shape {
                Shape::Box => "box",
                Shape::Drum => "cylinder",
                Shape::Round => "oval",
                Shape::Flag => "cds",
            };
            self.line(&format!("{name} [label={}, shape={shape}];", quoted(label)));
        }
        name
    }

    fn arrow(&mut self, from: &str, to: &str) {
        let line = format!("{from} -> {to};");
        if !self.out.lines().any(|other| other.trim_start() == line) {
            self.line(&line);
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
