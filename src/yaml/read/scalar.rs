//! What a scalar is, once its quotes and its tag have had their say.

use granit_parser::{ScalarStyle, Tag};

use crate::yaml::read::plain::{self, Plain};

/// Why a scalar cannot be had, and whether its tag is to blame.
pub(super) struct Refusal {
    pub message: String,
    pub of_tag: bool,
}

/// `Plain::Text` for whatever is text, quoted or not; never one of the numbers that cannot be.
pub(super) fn resolve(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Plain, Refusal> {
    let resolved = match tag {
        Some(tag) => tagged(text, tag)?,
        None if style == ScalarStyle::Plain => plain::resolve(text),
        None => Plain::Text,
    };
    let reason = match resolved {
        Plain::TooBig => "this number is beyond 63 bits; quote it if it is text",
        Plain::NotFinite => "JSON knows no such number; quote it if it is text",
        _ => return Ok(resolved),
    };
    Err(Refusal { message: reason.to_owned(), of_tag: false })
}

/// go-yaml lets a tag turn quoted text into a number or a boolean, but only if it looks like one.
fn tagged(text: &str, tag: &Tag) -> Result<Plain, Refusal> {
    let Some(kind) = tag.core_suffix() else { return Err(unknown_tag(tag)) };
    match (kind, plain::resolve(text)) {
        ("str", _) => Ok(Plain::Text),
        ("float", Plain::Int(number)) =>
        {
            #[expect(clippy::cast_precision_loss, reason = "the tag asks for a float")]
            Ok(Plain::Float(number as f64))
        }
        ("int", int @ (Plain::Int(_) | Plain::TooBig)) => Ok(int),
        ("float", float @ (Plain::Float(_) | Plain::NotFinite | Plain::TooBig)) => Ok(float),
        ("bool", bool @ Plain::Bool(_)) => Ok(bool),
        ("null", Plain::Null) => Ok(Plain::Null),
        _ => Err(mismatch(tag)),
    }
}

/// Whether a list or a map may carry this tag.
pub(super) fn check_collection(tag: &Tag, kind: &str) -> Result<(), Refusal> {
    match tag.core_suffix() {
        Some(suffix) if suffix == kind => Ok(()),
        Some(_) => Err(mismatch(tag)),
        None => Err(unknown_tag(tag)),
    }
}

fn unknown_tag(tag: &Tag) -> Refusal {
    let message = format!("Kubernetes knows no tag `{}`; remove it", shown(&tag.original()));
    Refusal { message, of_tag: true }
}

fn mismatch(tag: &Tag) -> Refusal {
    let message = format!("this is no `{}`", shown(&tag.original()));
    Refusal { message, of_tag: true }
}

/// Text of the input as part of a message: on one line, and not a megabyte of it.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
