//! An example with one thing changed, and what is said about it.

use strata::finding::Severity;

use super::{Answer, Fixture, render_sources};

/// What is done, what is replaced (its first occurrence), by what, and every error that follows.
pub type Mutation = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// The example, and the file of it that is changed.
#[derive(Clone, Copy, Debug)]
pub struct Mutated {
    pub fixture: &'static str,
    pub file: &'static str,
}

impl Mutated {
    pub fn check(self, mutations: &[Mutation]) {
        let wrong: Vec<String> =
            mutations.iter().filter_map(|mutation| self.trouble(mutation)).collect();
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }

    pub fn answer(self, from: &str, to: &str) -> Answer {
        let mut sources = Fixture::named(self.fixture).sources();
        let source = sources.iter_mut().find(|source| source.name == self.file).unwrap();
        let text = String::from_utf8(source.bytes.clone()).unwrap();
        assert!(text.contains(from), "the example does not hold {from:?}");
        source.bytes = text.replacen(from, to, 1).into_bytes();
        render_sources(sources, &strata::Options::default())
    }

    /// What is wrong with the answer to a mutation, if anything.
    fn trouble(self, (what, from, to, expected): &Mutation) -> Option<String> {
        let answer = self.answer(from, to);
        let errors: Vec<String> = answer
            .outcome
            .findings
            .iter()
            .zip(answer.report().lines())
            .filter(|(finding, _)| finding.code.severity() == Severity::Error)
            .map(|(_, line)| line.to_owned())
            .collect();
        let refused = !errors.is_empty() && answer.outcome.objects.is_empty();
        let placed = answer.outcome.findings.iter().all(|finding| finding.place.span.is_some());
        let matches = |(error, expected): (&String, &&str)| match expected.strip_suffix('…') {
            // A list of all services grows with them.
            Some(start) => error.starts_with(start),
            None => error == expected,
        };
        let as_wanted = refused
            && placed
            && errors.len() == expected.len()
            && errors.iter().zip(expected.iter()).all(matches);
        (!as_wanted).then(|| format!("{what}:\n  {}", errors.join("\n  ")))
    }
}
