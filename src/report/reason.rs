//! Why something is a finding, for those who can open the files.

use std::borrow::Cow;

use crate::finding::Finding;
use crate::load::Source;
use crate::report::excerpt::Counted;

/// The reason, and behind it where the other of two things is, as editors and terminals open it.
pub fn reason<'a>(finding: &'a Finding, sources: &[Source]) -> Cow<'a, str> {
    let because = Cow::Borrowed(finding.because.as_str());
    let Some(other) = &finding.other else { return because };
    let Some(source) = other.source.and_then(|index| sources.get(index)) else { return because };
    let name = &source.name;
    Cow::Owned(match other.span {
        Some(span) => {
            let (line, _) = Counted::new(source).line_column(span.start);
            format!("{because}, at {name}:{line}")
        }
        None => format!("{because}, in {name}"),
    })
}
