//! From the pieces of an answer to its bytes.

use crate::finding::Findings;
use crate::resource_list::Objects;
use crate::resource_list::merge::Piece;
use crate::resource_list::read::Request;
use crate::resource_list::results::results;
use crate::yaml::write::{write, write_item};

pub fn resource_list(
    request: &Request,
    pieces: &[Piece],
    objects: &Objects,
    findings: &Findings,
) -> String {
    let mut out = String::new();
    out.push_str("apiVersion: ");
    out.push_str(request.api_version);
    out.push_str("\nkind: ResourceList\nitems:\n");
    for piece in pieces {
        match piece {
            Piece::Given(item) => match item.lines {
                Some(lines) => push_lines(lines, &mut out),
                None => push_item(&document(piece), request.indent, &mut out),
            },
            Piece::Made(yaml) => push_item(yaml, request.indent, &mut out),
        }
    }
    if !findings.is_empty() {
        out.push_str("results:\n");
        for result in results(findings, objects) {
            write_item(&result, &mut out);
        }
    }
    out
}

/// The same pieces as plain documents.
pub fn stream(pieces: &[Piece]) -> String {
    let documents: Vec<String> = pieces.iter().map(document).collect();
    documents.join("---\n")
}

fn document(piece: &Piece) -> String {
    match piece {
        Piece::Made(yaml) => yaml.clone(),
        Piece::Given(item) => {
            let mut yaml = String::new();
            write(&item.node.to_value(), &mut yaml);
            yaml
        }
    }
}

/// The last line of a text may lack its end.
fn push_lines(lines: &str, out: &mut String) {
    out.push_str(lines);
    if !lines.ends_with('\n') {
        out.push('\n');
    }
}

/// Moves a document to the right, behind a dash. Moving all lines alike changes no meaning, and an
/// empty line belongs to any indentation.
fn push_item(yaml: &str, indent: usize, out: &mut String) {
    for (position, line) in yaml.lines().enumerate() {
        if position == 0 {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str("- ");
        } else if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent + 2));
        }
        out.push_str(line);
        out.push('\n');
    }
}
