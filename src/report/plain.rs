//! Findings without source text: one or two lines each, the field path as the place. kustomize
//! writes configurations anew before a function sees them, so line numbers would lie there.

use std::fmt::Write as _;

use crate::finding::{Finding, Findings, Severity};

pub fn plain(findings: &Findings) -> String {
    let mut out = String::new();
    for finding in findings.iter() {
        let Finding { code, place, because, remedy, .. } = finding;
        let _ = writeln!(out, "{}[{}]: {}", severity(code.severity()), code.id(), code.title());
        let path = place.path.to_string();
        let at = [place.object.as_str(), path.as_str()].join(" ");
        let _ = match at.trim() {
            "" => writeln!(out, "  {because}"),
            at => writeln!(out, "  {at}: {because}"),
        };
        let _ = writeln!(out, "  help: {remedy}");
    }
    out
}

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
