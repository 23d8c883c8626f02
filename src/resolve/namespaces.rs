//! A cloud has a namespace to itself. Those of the platform serve all clouds of a cluster, and which there
//! are the catalogue knows.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::{SYSTEM, Written};
use crate::record::{Record, Template};
use crate::resolve::FLUX;

pub(super) fn check(written: &Written, catalogue: &Catalogue, findings: &mut Findings) {
    let namespace = written.namespace.as_str();
    let owner = match namespace {
        FLUX => Some("Flux"),
        SYSTEM => Some("Strata itself"),
        _ => catalogue
            .records()
            .filter(|record| record.is_platform())
            .find(|record| lives_in(record, namespace))
            .map(|record| record.component.as_ref()),
    };
    let Some(owner) = owner else { return };
    findings.push(
        Code::NoName
            .at(written.place(&Path::from("metadata.namespace")))
            .because(format!(
                "the namespace `{namespace}` belongs to {owner}, and a cloud owns its own"
            ))
            .remedy("write another one, such as openstack"),
    );
}

fn lives_in(record: &Record, namespace: &str) -> bool {
    let is_there = |template: Option<&Template>| matches!(template, Some(Template::Str(text)) if text.as_ref() == namespace);
    record.namespace == namespace
        || record.objects.iter().any(|it| is_there(it.object.at(&["metadata", "namespace"])))
}
