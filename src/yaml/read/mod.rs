//! Reading YAML: every document as a tree that knows its places, and every fault, not the first.

mod anchors;
mod compose;
mod encoding;
mod open_map;
pub mod plain;
mod scalar;
mod syntax;

use std::collections::HashSet;
use std::iter::Peekable;

use granit_parser::{Event, Parser, options};

use crate::yaml::place::Lines;
use crate::yaml::read::compose::{Composer, Stop};
use crate::yaml::tree::{Fault, FaultKind, Node, Span};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The documents that hold something, in order. One that is no YAML is not among them; one
    /// that has other faults is, as far as it could be read.
    pub documents: Vec<Document>,
    /// In the order of their places.
    pub faults: Vec<Fault>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub root: Node,
    /// Its whole text: from its `---`, or from the start of the file, to before the next one's.
    pub span: Span,
}

/// What a text may cost. Real input stays far below; a bomb ends here instead of in memory.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Of the text, and of what aliases and anchors may copy.
    pub bytes: usize,
    /// Of lists and maps in each other, those that an alias brings along included. Everything
    /// that walks a tree may recurse because of this limit.
    pub depth: usize,
    pub nodes: usize,
    pub documents: usize,
    /// Nodes that stand in the tree only because an alias was expanded.
    pub alias_nodes: usize,
    pub faults: usize,
}

impl Default for Limits {
    /// A thousand clouds in one file take 1.5 MB and fewer than 100,000 nodes.
    fn default() -> Self {
        Limits {
            bytes: 100 << 20,
            depth: 100,
            nodes: 10_000_000,
            documents: 100_000,
            alias_nodes: 100_000,
            faults: 10_000,
        }
    }
}

/// Reads what may be no text at all. Spans count the bytes as given, a byte order mark included.
pub fn read_bytes(bytes: &[u8]) -> Reading {
    match encoding::decode(bytes) {
        Ok(text) => read(text),
        Err(fault) => Reading { documents: Vec::new(), faults: vec![fault] },
    }
}

pub fn read(text: &str) -> Reading {
    read_within(text, &Limits::default())
}

pub fn read_within(text: &str, limits: &Limits) -> Reading {
    if text.len() > limits.bytes {
        let message = format!("this is larger than {} bytes", limits.bytes);
        let fault = Fault { at: Span::default(), kind: FaultKind::TooLarge, message };
        return Reading { documents: Vec::new(), faults: vec![fault] };
    }
    let clean = encoding::clean(text);
    let mut reading = read_clean(&clean.text, limits);
    if !clean.faults.is_empty() {
        drop_blanked(&mut reading.documents, &clean.faults);
        drop_consequences(&mut reading.faults, &clean.faults, text);
        reading.faults.extend(clean.faults);
    }
    reading.faults.sort_by_key(|fault| fault.at.start);
    reading.faults.truncate(limits.faults);
    reading
}

fn read_clean(text: &str, limits: &Limits) -> Reading {
    let options = options! {
        emit_unresolved_aliases: true,
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut composer = Composer::new(text, limits);
    let mut read_to = 0;
    while let Some(next) = parser.next_event() {
        let taken = match next {
            Ok((Event::StreamEnd, _)) => break,
            Ok((event, span)) => {
                read_to = span.end.byte_offset().unwrap_or(read_to);
                composer.take(event, &span)
            }
            Err(error) => {
                composer.report(syntax::fault(&error, text, read_to)).and(Err(Stop::Document))
            }
        };
        match taken {
            Ok(()) => {}
            Err(Stop::Document) => {
                composer.abandon_document();
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    break;
                }
            }
            Err(Stop::Reading) => {
                composer.abandon_document();
                break;
            }
        }
    }
    composer.finish()
}

/// Drops each document in which a character was blanked out: it is not what stands in the file.
fn drop_blanked(documents: &mut Vec<Document>, blanked: &[Fault]) {
    let mut places: Peekable<_> = blanked.iter().map(|fault| fault.at.start).peekable();
    documents.retain(|document| {
        while places.next_if(|&place| place < document.span.start).is_some() {}
        places.peek().is_none_or(|&place| place >= document.span.end)
    });
}

/// Drops what the parser said of a line only because a character of it was blanked out.
fn drop_consequences(faults: &mut Vec<Fault>, blanked: &[Fault], text: &str) {
    let lines = Lines::of(text);
    let line_of = |fault: &Fault| lines.line(fault.at.start);
    let blanked: HashSet<usize> = blanked.iter().map(line_of).collect();
    faults.retain(|fault| !blanked.contains(&line_of(fault)));
}
