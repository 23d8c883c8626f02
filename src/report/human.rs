//! Findings for people: the line of the source, what is wrong under it, what to do below.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::finding::{Code, Finding, Findings, Place, Severity};
use crate::load::Source;
use crate::report::excerpt::{Counted, harmless};
use crate::report::reason::reason;

/// What may be shown. Everything else is decided by the findings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    pub color: bool,
    /// Errors only.
    pub quiet: bool,
}

impl Look {
    pub fn renderer(self) -> Renderer {
        if self.color { Renderer::styled() } else { Renderer::plain() }
    }
}

/// Every finding in the order given, an empty line between them.
pub fn human(findings: &Findings, sources: &[Source], look: Look) -> String {
    let renderer = look.renderer();
    let mut counted: Vec<Option<Counted>> = sources.iter().map(|_| None).collect();
    let mut out = String::new();
    for finding in findings.iter().filter(|finding| look.shows(finding)) {
        let source = finding.place.source.and_then(|index| {
            let source = sources.get(index)?;
            let count = || Counted::new(source).hiding(secrets(findings, index));
            Some((source, &*counted.get_mut(index)?.get_or_insert_with(count)))
        });
        out.push_str(&renderer.render(&[group(finding, source, &reason(finding, sources))]));
        out.push_str("\n\n");
    }
    out
}

/// Where secrets were found in a source.
fn secrets(findings: &Findings, source: usize) -> impl Iterator<Item = &Place> {
    let places = findings.iter().filter(|finding| finding.code == Code::SecretInText);
    places.map(|finding| &finding.place).filter(move |place| place.source == Some(source))
}

impl Look {
    fn shows(self, finding: &Finding) -> bool {
        !self.quiet || finding.code.severity() == Severity::Error
    }
}

/// A message in the look of a finding, for what is wrong with something else than the input.
pub fn message<'a>(level: Level<'a>, text: &'a str, help: &'a str, look: Look) -> String {
    let title = level.primary_title(harmless(text));
    let group = if help.is_empty() {
        Group::with_title(title)
    } else {
        title.element(Level::HELP.message(harmless(help)))
    };
    look.renderer().render(&[group]) + "\n"
}

fn group<'a>(
    finding: &'a Finding,
    source: Option<(&'a Source, &Counted)>,
    because: &'a str,
) -> Group<'a> {
    let Finding { code, place, remedy, .. } = finding;
    let level = match code.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(code.title()).id(code.id());
    let mut group = Group::with_title(title);
    match (source, place.span) {
        (Some((source, counted)), Some(span)) => {
            let excerpt = counted.excerpt(span);
            let label = AnnotationKind::Primary.span(excerpt.marked).label(harmless(because));
            let snippet = Snippet::source(excerpt.text).line_start(excerpt.line).annotation(label);
            let name = harmless(&source.name);
            group = if excerpt.cut {
                let place = Origin::path(name).line(excerpt.line).char_column(excerpt.column);
                group.element(place).element(snippet)
            } else {
                group.element(snippet.path(name))
            };
        }
        (Some((source, _)), None) => {
            group = group
                .element(Origin::path(harmless(&source.name)))
                .element(Level::NOTE.message(said(finding, because)));
        }
        (None, _) => group = group.element(Level::NOTE.message(said(finding, because))),
    }
    if remedy.is_empty() {
        return group;
    }
    group.element(Level::HELP.message(harmless(remedy)))
}

/// The reason, behind the field it is about where no line shows that.
fn said(finding: &Finding, because: &str) -> String {
    let place = format!("{} {}", finding.place.object, finding.place.path);
    match place.trim() {
        "" => harmless(because).into_owned(),
        place => format!("{}: {}", harmless(place), harmless(because)),
    }
}

/// How many there were, as people say it: `2 errors, 1 warning`; nothing if there was nothing.
pub fn count(findings: &Findings) -> String {
    let counted = |number: usize, word: &str| {
        (number > 0).then(|| format!("{number} {word}{}", if number == 1 { "" } else { "s" }))
    };
    let parts = [counted(findings.errors(), "error"), counted(findings.warnings(), "warning")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Path;
    use crate::yaml::tree::Span;

    fn check(finding: Finding, text: &str) -> String {
        let mut findings = Findings::default();
        findings.push(finding);
        let sources = [Source { name: "cluster.yaml".to_owned(), bytes: text.into() }];
        human(&findings, &sources, Look::default())
    }

    fn even(place: Place) -> Finding {
        Code::EvenGalera
            .at(place)
            .because("with 4 members a split leaves two halves of 2, and neither may write")
            .remedy("set replicas to 3 or 5")
    }

    #[test]
    fn a_finding_points_into_the_source() {
        let text = "spec:\n  mariadb:\n    replicas: 4\n    storageSize: 1Gi\n";
        insta::assert_snapshot!(check(even(Place::span(0, Span { start: 31, end: 32 })), text), @r"
        error[S0301]: a Galera cluster needs an odd number of members
         --> cluster.yaml:3:15
          |
        3 |     replicas: 4
          |               ^ with 4 members a split leaves two halves of 2, and neither may write
          |
          = help: set replicas to 3 or 5
        ");
    }

    #[test]
    fn a_field_that_is_missing_points_between_characters() {
        insta::assert_snapshot!(check(even(Place::span(0, Span { start: 3, end: 3 })), "a: 1\n"), @r"
        error[S0301]: a Galera cluster needs an odd number of members
         --> cluster.yaml:1:4
          |
        1 | a: 1
          |    ^ with 4 members a split leaves two halves of 2, and neither may write
          |
          = help: set replicas to 3 or 5
        ");
    }

    #[test]
    fn a_line_that_is_cut_keeps_its_column() {
        let text = format!("a: [{}4, {}]\n", "1, ".repeat(1000), "2, ".repeat(100_000));
        let report = check(even(Place::span(0, Span { start: 3004, end: 3005 })), &text);
        insta::assert_snapshot!(report, @r"
        error[S0301]: a Galera cluster needs an odd number of members
         --> cluster.yaml:1:3005
          |
         ::: 
        1 | ...1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2...
          |                                  ^ with 4 members a split leaves two halves of 2, and neither may write
          |
          = help: set replicas to 3 or 5
        ");
    }

    #[test]
    fn a_finding_about_a_whole_file_names_it() {
        insta::assert_snapshot!(check(even(Place::source(0)), ""), @r"
        error[S0301]: a Galera cluster needs an odd number of members
        --> cluster.yaml
         = note: with 4 members a split leaves two halves of 2, and neither may write
         = help: set replicas to 3 or 5
        ");
    }

    #[test]
    fn a_finding_from_nowhere_says_its_field() {
        let place = Place {
            path: Path::from("spec.infrastructure"),
            object: "ControlPlane openstack/production".to_owned(),
            ..Place::nowhere()
        };
        insta::assert_snapshot!(check(even(place), ""), @r"
        error[S0301]: a Galera cluster needs an odd number of members
         |
         = note: ControlPlane openstack/production spec.infrastructure: with 4 members a split leaves two halves of 2, and neither may write
         = help: set replicas to 3 or 5
        ");
    }
}
