//! Findings: everything Strata has to say about an input, as data. Each has a stable code, a
//! place, a reason and a remedy. They are collected, never thrown: one run tells all.

mod codes;
mod place;

pub use codes::{Code, Severity};
pub use place::{Path, Place, Step, node_at, span_of};

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub code: Code,
    pub place: Place,
    /// Why this is a finding here, shown at the place.
    pub because: String,
    /// What to do about it.
    pub remedy: String,
    /// Where the other of two things is that cannot both be: the reason ends with it.
    pub other: Option<Box<Place>>,
}

impl Code {
    /// Starts a finding; [`Finding::because`] and [`Finding::remedy`] finish the sentence.
    pub fn at(self, place: Place) -> Finding {
        Finding { code: self, place, because: String::new(), remedy: String::new(), other: None }
    }
}

impl Finding {
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.because = reason.into();
        self
    }

    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    pub fn beside(mut self, other: Place) -> Self {
        self.other = Some(Box::new(other));
        self
    }
}

/// The findings of one run, in the order they were made until [`Findings::sort`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    all: Vec<Finding>,
    is_partial: bool,
}

impl Findings {
    pub fn push(&mut self, finding: Finding) {
        self.all.push(finding);
    }

    /// Remembers that errors kept later steps from looking. What these would say of a cloud that is only partly known
    /// would mostly follow from the errors.
    pub fn stop_short(&mut self) {
        self.is_partial = true;
    }

    /// Whether there may be more to find once the errors are mended.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.all.iter().filter(|finding| finding.code.severity() == severity).count()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.all.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Finding> {
        self.all.iter_mut()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Reading order: by source and place, so that the report does not depend on the order in
    /// which the steps came upon things.
    pub fn sort(&mut self) {
        self.all.sort_by(|a, b| {
            (a.place.order(), a.code.id(), &a.because).cmp(&(
                b.place.order(),
                b.code.id(),
                &b.because,
            ))
        });
        self.all.dedup();
    }
}
