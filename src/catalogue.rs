//! The generators: every record, the program's own and those given with the input.

use std::borrow::Cow;

use crate::finding::{Code, Findings};
use crate::layers;
use crate::load::Spec;
use crate::record::{self, Record};
use crate::schema::Schema;

#[allow(clippy::large_stack_arrays, reason = "statics, not stack")]
mod built_in {
    use std::borrow::Cow;

    use crate::finding::Code;
    use crate::record::{
        Credential, Door, Expression, Identity, Leaf, Named, ObjectRecord, Operator, OtherSizes,
        Outside, OwnDomain, Part, PerSize, Phase, PodPlace, Process, Record, Rule, Template,
        Variant,
    };
    use crate::schema::{Format, Kind, Literal, Schema};
    use crate::yaml::tree::Span;

    include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
}

pub use built_in::{
    CONTROL_PLANE_SCHEMA, HYPERVISOR_CLUSTER_SCHEMA, RECORD_SCHEMA, STORAGE_CLUSTER_SCHEMA,
};

#[derive(Debug)]
pub struct Catalogue {
    records: Vec<Cow<'static, Record>>,
    extended: bool,
}

/// The built-in records with the given ones in their places; none if they do not fit together.
pub fn assemble(spec: &Spec, findings: &mut Findings) -> Option<Catalogue> {
    let errors = findings.errors();
    let mut records: Vec<Cow<'static, Record>> =
        built_in::RECORDS.iter().map(Cow::Borrowed).collect();
    for (index, given) in spec.records.iter().enumerate() {
        if spec.records[..index].iter().any(|other| other.component == given.component) {
            findings.push(
                Code::RecordTwice
                    .at(record::place(given, given.at))
                    .because(format!("there is another record for `{}`", given.component))
                    .remedy("remove one of the two, or give it another component name"),
            );
        }
        match records.iter_mut().find(|record| record.component == given.component) {
            Some(record) => *record = Cow::Owned(given.clone()),
            None => records.push(Cow::Owned(given.clone())),
        }
    }
    let extended = !spec.records.is_empty();
    if extended {
        // The built-in ones alone were checked when the program was built.
        record::check(records.iter().map(AsRef::as_ref), findings);
    }
    let sound = findings.errors() == errors && !spec.lacks_records;
    sound.then_some(Catalogue { records, extended })
}

impl Catalogue {
    pub fn built_in() -> Self {
        Catalogue {
            records: built_in::RECORDS.iter().map(Cow::Borrowed).collect(),
            extended: false,
        }
    }

    pub fn records(&self) -> impl Iterator<Item = &Record> + Clone {
        self.records.iter().map(AsRef::as_ref)
    }

    pub fn record(&self, component: &str) -> Option<&Record> {
        self.records().find(|record| record.component == component)
    }

    /// Puts a record in the place of the one that bears its name. What people may write stays the same.
    pub(crate) fn replace(&mut self, record: Record) {
        if let Some(own) = self.records.iter_mut().find(|own| own.component == record.component) {
            *own = Cow::Owned(record);
        }
    }

    /// The series that any record knows, oldest first.
    pub fn releases(&self) -> Vec<&str> {
        let mut releases: Vec<&str> = self
            .records()
            .flat_map(|record| record.releases.iter().map(|(series, _)| series.as_ref()))
            .collect();
        releases.sort_unstable();
        releases.dedup();
        releases
    }

    /// The schema of an OpenStackCluster, which has most fields of a ControlPlane.
    pub fn claim_schema(&self) -> Schema {
        layers::claim_schema(&self.control_plane_schema())
    }

    /// The schema of Defaults, which have the fields of a ControlPlane.
    pub fn defaults_schema(&self) -> Schema {
        layers::defaults_schema(&self.control_plane_schema())
    }

    /// The schema of a ControlPlane, with the settings of every component in it.
    pub fn control_plane_schema(&self) -> Cow<'static, Schema> {
        if !self.extended {
            return Cow::Borrowed(&CONTROL_PLANE_SCHEMA);
        }
        let mut schema = CONTROL_PLANE_SCHEMA.clone();
        record::graft(&mut schema, self.records());
        Cow::Owned(schema)
    }
}
