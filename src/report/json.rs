//! Findings for programs: an array with one finding on each line.

use std::borrow::Cow;

use serde::Serialize;

use crate::finding::{Finding, Findings};
use crate::load::Source;
use crate::report::excerpt::Counted;
use crate::report::plain::severity;
use crate::report::reason::reason;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    message: Cow<'a, str>,
    remedy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    range: Option<Range>,
    #[serde(skip_serializing_if = "str::is_empty")]
    object: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
}

/// Lines and columns from 1, columns counted in characters; the end is behind the last one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// Something that went wrong and is no finding: a folder that may not be overwritten, a full disk.
#[derive(Serialize)]
struct Failure<'a> {
    severity: &'static str,
    message: &'a str,
    remedy: &'a str,
}

/// The findings, and behind them what failed otherwise, with its remedy.
pub fn json(findings: &Findings, sources: &[Source], failure: Option<(&str, &str)>) -> String {
    let mut counted: Vec<Option<Counted>> = sources.iter().map(|_| None).collect();
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| line(&entry(finding, sources, &mut counted)))
        .chain(
            failure.map(|(message, remedy)| line(&Failure { severity: "error", message, remedy })),
        )
        .collect();
    if lines.is_empty() {
        return "[]\n".to_owned();
    }
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn line(entry: &impl Serialize) -> String {
    // Strings and numbers alone: serialising them cannot fail.
    serde_json::to_string(entry).unwrap_or_default()
}

fn entry<'a>(
    finding: &'a Finding,
    sources: &'a [Source],
    counted: &mut [Option<Counted<'a>>],
) -> Entry<'a> {
    let Finding { code, place, remedy, .. } = finding;
    let source = place.source.and_then(|index| sources.get(index));
    let range = place.source.zip(place.span).and_then(|(index, span)| {
        let source = sources.get(index)?;
        let counted = counted.get_mut(index)?.get_or_insert_with(|| Counted::new(source));
        let (line, column) = counted.line_column(span.start);
        let (end_line, end_column) = counted.line_column(span.end);
        Some(Range { line, column, end_line, end_column })
    });
    Entry {
        code: code.id(),
        severity: severity(code.severity()),
        title: code.title(),
        message: reason(finding, sources),
        remedy,
        file: source.map(|source| source.name.as_str()),
        range,
        object: &place.object,
        path: place.path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};
    use crate::yaml::tree::Span;

    #[test]
    fn one_finding_stands_on_one_line() {
        let sources = [Source { name: "a\u{1b}.yaml".to_owned(), bytes: b"a: 1\nb: 2\n".to_vec() }];
        let mut findings = Findings::default();
        findings.push(Code::NotYaml.at(Place::span(0, Span { start: 8, end: 9 })).because("x\ny"));
        findings.push(Code::NothingToRender.at(Place::nowhere()).remedy("z"));
        insta::assert_snapshot!(json(&findings, &sources, Some(("the disk is full", "make room"))), @r#"
        [
        {"code":"S0001","severity":"error","title":"the text is not YAML","message":"x\ny","remedy":"","file":"a\u001b.yaml","line":2,"column":4,"endLine":2,"endColumn":5},
        {"code":"S0005","severity":"error","title":"there is no control plane in the input","message":"","remedy":"z"},
        {"severity":"error","message":"the disk is full","remedy":"make room"}
        ]
        "#);
        assert_eq!(json(&Findings::default(), &sources, None), "[]\n");
    }
}
