//! Drives the library the way the command line does. Tests say what goes in and look at what comes
//! out; only this module knows the calls in between.

#![allow(dead_code, unused_imports, reason = "each test program uses its own part")]

mod fixture;
mod golden;
mod mutation;

pub use fixture::{Fixture, fixtures};
pub use golden::{Golden, difference};
pub use mutation::{Mutated, Mutation};

use strata::check::previous::{self, Step};
use strata::deliver::Rendered;
use strata::deliver::tree::{File, tree};
use strata::finding::{Finding, Findings};
use strata::load::Source;
use strata::yaml::place::line_column;
use strata::{Options, Outcome};

/// What came of an input, with the texts that findings point into.
#[derive(Debug)]
pub struct Answer {
    pub outcome: Outcome,
    sources: Vec<Source>,
}

/// Renders files given as name and text.
pub fn render(files: &[(&str, &str)]) -> Answer {
    let source = |(name, text): &(&str, &str)| Source {
        name: (*name).to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    render_sources(files.iter().map(source).collect(), &Options::default())
}

pub fn render_sources(sources: Vec<Source>, options: &Options) -> Answer {
    let mut findings = Findings::default();
    let documents = strata::load::read(&sources, &mut findings);
    Answer { outcome: strata::render(&documents, findings, options), sources }
}

/// The files of one tree that another has not, or has differently.
fn differ<'a>(files: &'a [File], other: &[File]) -> Vec<previous::File<'a>> {
    let known: std::collections::HashMap<&str, &str> =
        other.iter().map(|file| (file.path.as_str(), file.text.as_ref())).collect();
    let differs = |file: &&File| known.get(file.path.as_str()) != Some(&file.text.as_ref());
    let files = files.iter().filter(differs);
    files.map(|file| previous::File { path: &file.path, text: &file.text }).collect()
}

impl Answer {
    /// The objects, or a panic that shows why there are none.
    pub fn objects(&self) -> &[Rendered] {
        assert!(!self.outcome.objects.is_empty(), "nothing was rendered:\n{}", self.report());
        &self.outcome.objects
    }

    /// The same after a step from another tree.
    pub fn after(self, before: &Answer, allowed: &[String]) -> Answer {
        let Answer { outcome, sources } = self;
        let (old, new) = (tree(before.objects()), tree(&outcome.objects));
        let step = Step { before: differ(&old, &new), after: differ(&new, &old), allowed };
        let documents = strata::load::read(&sources, &mut Findings::default());
        let findings = strata::step_findings(&step, &documents, outcome.findings);
        let objects = if findings.has_errors() { Vec::new() } else { outcome.objects };
        Answer { outcome: Outcome { objects, findings, ..outcome }, sources }
    }

    /// The one object of this kind and name.
    pub fn object(&self, kind: &str, name: &str) -> &Rendered {
        let found = self.objects().iter().find(|object| object.kind == kind && object.name == name);
        found.unwrap_or_else(|| panic!("there is no {kind} {name} among {:#?}", self.names()))
    }

    /// `component Kind name` of every object, sorted.
    pub fn names(&self) -> Vec<String> {
        let name =
            |object: &Rendered| format!("{} {} {}", object.component, object.kind, object.name);
        let mut names: Vec<String> = self.objects().iter().map(name).collect();
        names.sort();
        names
    }

    /// All objects as one text.
    pub fn stream(&self) -> String {
        strata::deliver::stream(self.objects())
    }

    /// One line for each finding: `S0301 controlplane.yaml:12:17 spec…replicas: because | help: remedy`.
    pub fn report(&self) -> String {
        self.outcome.findings.iter().map(|finding| self.line(finding) + "\n").collect()
    }

    fn line(&self, finding: &Finding) -> String {
        let Finding { code, place, remedy, .. } = finding;
        let because = strata::report::reason::reason(finding, &self.sources);
        let source = place.source.map(|index| &self.sources[index]);
        let at = match (source, place.span) {
            (Some(source), Some(span)) => {
                let text = String::from_utf8_lossy(&source.bytes);
                let (line, column) = line_column(&text, span.start);
                format!(" {}:{line}:{column}", source.name)
            }
            (Some(source), None) => format!(" {}", source.name),
            (None, _) => String::new(),
        };
        let path = match place.path.to_string() {
            path if path.is_empty() => path,
            path => format!(" {path}"),
        };
        format!("{}{at}{path}: {because} | help: {remedy}", code.id())
    }
}
