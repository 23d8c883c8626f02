//! From the parser's events to trees. Open lists and maps stand on a stack of our own, so that no
//! text can overflow that of the thread.

use std::borrow::Cow;
use std::cell::OnceCell;

use granit_parser::{Event, ScalarStyle, StructureStyle, Tag};

use crate::yaml::place::Lines;
use crate::yaml::read::anchors::{Anchors, Expanded, too_deep};
use crate::yaml::read::open_map::{OpenMap, Problem};
use crate::yaml::read::plain::Plain;
use crate::yaml::read::scalar::{self, Refusal, shown};
use crate::yaml::read::{Document, Limits, Reading};
use crate::yaml::tree::{Data, Fault, FaultKind, Node, Span};

/// Why reading cannot simply go on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// This document is lost; the next may be fine.
    Document,
    Reading,
}

pub(super) struct Composer<'text> {
    text: &'text str,
    limits: &'text Limits,
    lines: OnceCell<Lines>,
    reading: Reading,
    document_start: usize,
    /// Whether the last document goes on to where the next one starts.
    last_is_open: bool,
    root: Option<Node>,
    open: Vec<Open>,
    anchors: Anchors,
    nodes: usize,
}

/// A list or a map whose end has not come yet.
struct Open {
    start: usize,
    /// Of the last thing in it: the parser's own end of a block lies behind trailing comments.
    end: usize,
    anchor: usize,
    in_brackets: bool,
    children: Children,
}

enum Children {
    List(Vec<Node>),
    Map(OpenMap),
}

impl<'text> Composer<'text> {
    pub(super) fn new(text: &'text str, limits: &'text Limits) -> Self {
        Composer {
            text,
            limits,
            lines: OnceCell::new(),
            reading: Reading::default(),
            document_start: 0,
            last_is_open: false,
            root: None,
            open: Vec::new(),
            anchors: Anchors::default(),
            nodes: 0,
        }
    }

    pub(super) fn take(
        &mut self,
        event: Event<'_>,
        span: &granit_parser::Span,
    ) -> Result<(), Stop> {
        let at = bytes_of(span);
        match event {
            Event::DocumentStart(explicit, _) => {
                let first = self.reading.documents.is_empty() && self.reading.faults.is_empty();
                self.start_document(if first && !explicit { 0 } else { at.start });
                Ok(())
            }
            Event::DocumentEnd => self.end_document(at.end),
            Event::Scalar(text, style, anchor, tag) => {
                self.check_indentation(at)?;
                if style == ScalarStyle::Plain
                    && tag.is_none()
                    && text == "<<"
                    && let Some(map) = self.map_that_wants_a_key()
                {
                    let taken = map.take_merge_key(at);
                    return self.explain(taken, at);
                }
                let tag_at = span.tag_span().map_or(at, |tag| bytes_of(&tag));
                let node = self.scalar(text, style, tag.as_deref(), at, tag_at)?;
                self.place_anchored(node, anchor, at)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.start(Children::List(Vec::new()), style, anchor, at)?;
                self.check_tag(tag.as_deref(), "seq", span)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.start(Children::Map(OpenMap::default()), style, anchor, at)?;
                self.check_tag(tag.as_deref(), "map", span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(at),
            Event::Alias(id) => self.alias(id, at),
            Event::UnresolvedAlias(name) => {
                self.refuse(at, format!("no anchor `&{}` stands above this alias", shown(&name)))?;
                self.place_lost(at)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        self.extend_last_document(self.text.len());
        self.reading
    }

    fn start_document(&mut self, start: usize) {
        self.extend_last_document(start);
        self.document_start = start;
    }

    /// Comments behind a document belong to it, up to the next.
    fn extend_last_document(&mut self, end: usize) {
        if let (true, Some(last)) = (self.last_is_open, self.reading.documents.last_mut()) {
            last.span.end = end;
        }
        self.last_is_open = false;
    }

    fn end_document(&mut self, end: usize) -> Result<(), Stop> {
        let root = self.root.take();
        self.abandon_document();
        // An empty document is none, as for kubectl.
        let Some(root) = root.filter(|root| root.data != Data::Null || root.at.start < root.at.end)
        else {
            return Ok(());
        };
        if self.reading.documents.len() >= self.limits.documents {
            let message = format!("more than {} documents in one text", self.limits.documents);
            self.report(Fault { at: root.at, kind: FaultKind::TooLarge, message })?;
            return Err(Stop::Reading);
        }
        let span = Span { start: self.document_start, end };
        self.reading.documents.push(Document { root, span });
        self.last_is_open = true;
        Ok(())
    }

    /// Forgets what is not yet whole.
    pub(super) fn abandon_document(&mut self) {
        self.last_is_open = false;
        self.root = None;
        self.open.clear();
        self.anchors.forget();
    }

    fn scalar(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        at: Span,
        tag_at: Span,
    ) -> Result<Node, Stop> {
        let data = match scalar::resolve(&text, style, tag) {
            Ok(Plain::Null) => Data::Null,
            Ok(Plain::Bool(flag)) => Data::Bool(flag),
            Ok(Plain::Int(number)) => Data::Int(number),
            Ok(Plain::Float(number)) => Data::Float(number),
            Ok(_) => Data::Str(text.into_owned()),
            Err(Refusal { message, of_tag }) => {
                self.refuse(if of_tag { tag_at } else { at }, message)?;
                Data::Str(text.into_owned())
            }
        };
        Ok(Node { at: self.without_trailing_breaks(at, style), data })
    }

    /// The parser takes a tab behind spaces for a blank, where kubectl refuses it.
    fn check_indentation(&mut self, at: Span) -> Result<(), Stop> {
        let before = self.text.as_bytes().get(..at.start).unwrap_or_default();
        if !before.ends_with(b"\t") || self.open.last().is_some_and(|open| open.in_brackets) {
            return Ok(());
        }
        let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        if !line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            return Ok(());
        }
        let at = Span { start: at.start - 1, end: at.start };
        let message = "this line is indented with a tab; YAML wants spaces".to_owned();
        self.report(Fault { at, kind: FaultKind::Syntax, message })
    }

    /// The parser's span of a text block goes on over the empty lines behind it.
    fn without_trailing_breaks(&self, at: Span, style: ScalarStyle) -> Span {
        if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return at;
        }
        let text = self.text.get(at.start..at.end).unwrap_or_default();
        Span { start: at.start, end: at.start + text.trim_ascii_end().len() }
    }

    fn check_tag(
        &mut self,
        tag: Option<&Tag>,
        kind: &str,
        span: &granit_parser::Span,
    ) -> Result<(), Stop> {
        let Some(Err(refusal)) = tag.map(|tag| scalar::check_collection(tag, kind)) else {
            return Ok(());
        };
        let at = span.tag_span().map_or_else(|| bytes_of(span), |tag| bytes_of(&tag));
        self.refuse(at, refusal.message)
    }

    fn start(
        &mut self,
        children: Children,
        style: StructureStyle,
        anchor: usize,
        at: Span,
    ) -> Result<(), Stop> {
        if self.open.len() >= self.limits.depth {
            return self.too_large(at, too_deep(self.limits));
        }
        self.anchors.open(anchor);
        let in_brackets = style == StructureStyle::Flow;
        self.open.push(Open { start: at.start, end: at.end, anchor, in_brackets, children });
        Ok(())
    }

    fn end(&mut self, at: Span) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        // Only a closing bracket has a length.
        let end = if at.start < at.end { at.end } else { open.end };
        let at = Span { start: open.start, end };
        let data = match open.children {
            Children::List(items) => Data::List(items),
            Children::Map(map) => map.finish(),
        };
        self.place_anchored(Node { at, data }, open.anchor, at)
    }

    fn alias(&mut self, id: usize, at: Span) -> Result<(), Stop> {
        match self.anchors.expand(id, self.open.len(), self.limits) {
            Expanded::Node(node) => self.place(node, at),
            Expanded::TooMuch(message) => self.too_large(at, message),
            Expanded::Recursive => {
                self.refuse(at, "this alias stands inside of what it refers to".to_owned())?;
                self.place_lost(at)
            }
        }
    }

    fn place_anchored(&mut self, node: Node, anchor: usize, used: Span) -> Result<(), Stop> {
        match self.anchors.define(anchor, &node, self.limits) {
            Ok(()) => self.place(node, used),
            Err(message) => self.too_large(used, message),
        }
    }

    /// A value instead of one that was refused. Neither null, which no key may be, nor anything
    /// to merge: that would be a second fault about one mistake.
    fn place_lost(&mut self, at: Span) -> Result<(), Stop> {
        if let Some(Open { children: Children::Map(map), .. }) = self.open.last_mut() {
            map.forgive_merge();
        }
        let text = self.text.get(at.start..at.end).unwrap_or_default().to_owned();
        self.place(Node { at, data: Data::Str(text) }, at)
    }

    /// Puts a whole node where it belongs. `used` is where it stands in the text.
    fn place(&mut self, node: Node, used: Span) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = format!("more than {} values in one text", self.limits.nodes);
            let at = used;
            self.report(Fault { at, kind: FaultKind::TooLarge, message })?;
            return Err(Stop::Reading);
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        let end = if node.at.start == used.start { node.at.end } else { used.end };
        parent.end = parent.end.max(end);
        match &mut parent.children {
            Children::List(items) => {
                items.push(node);
                Ok(())
            }
            Children::Map(map) => {
                let taken = map.take(node, used);
                self.explain(taken, used)
            }
        }
    }

    fn map_that_wants_a_key(&mut self) -> Option<&mut OpenMap> {
        match &mut self.open.last_mut()?.children {
            Children::Map(map) if map.wants_key() => Some(map),
            _ => None,
        }
    }

    fn explain(&mut self, taken: Result<(), Problem>, at: Span) -> Result<(), Stop> {
        let Err(problem) = taken else { return Ok(()) };
        let message = match problem {
            Problem::Twice { name, first } => {
                let line = self.lines.get_or_init(|| Lines::of(self.text)).line(first.start);
                let message =
                    format!("the key `{}` stands twice; first at line {line}", shown(&name));
                return self.report(Fault { at, kind: FaultKind::DuplicateKey, message });
            }
            Problem::NullKey => "a key must be text, and this one is empty or null",
            Problem::CollectionAsKey => "a key must be text, and this one is a list or a map",
            Problem::MergeOfOther => "`<<` merges a map or a list of maps, and this is neither",
        };
        self.refuse(at, message.to_owned())
    }

    fn refuse(&mut self, at: Span, message: String) -> Result<(), Stop> {
        self.report(Fault { at, kind: FaultKind::Unsupported, message })
    }

    fn too_large(&mut self, at: Span, message: String) -> Result<(), Stop> {
        self.report(Fault { at, kind: FaultKind::TooLarge, message })?;
        Err(Stop::Document)
    }

    /// Too many faults end the reading: nobody reads the rest, and it must not fill the memory.
    pub(super) fn report(&mut self, fault: Fault) -> Result<(), Stop> {
        self.reading.faults.push(fault);
        if self.reading.faults.len() < self.limits.faults { Ok(()) } else { Err(Stop::Reading) }
    }
}

fn bytes_of(span: &granit_parser::Span) -> Span {
    span.byte_range()
        .map_or_else(Span::default, |range| Span { start: range.start, end: range.end })
}
