//! Labels and annotations that a person wants on every object of a component.

use crate::finding::{Code, Finding};
use crate::generate::{Batch, PRUNE};
use crate::record::pods::{ANNOTATIONS, LABELS};
use crate::resolve::{Cloud, Component};

/// Keys that are Strata's own, and those by which kustomize and kpt find files.
const OWN: &[&str] = &[
    "app.kubernetes.io/managed-by",
    "app.kubernetes.io/part-of",
    PRUNE,
    "strata.c5c3.io/",
    "config.kubernetes.io/",
    "internal.config.kubernetes.io/",
];

pub(super) fn apply(batch: &mut Batch) {
    let (cloud, component) = (batch.cloud, batch.component);
    let groups =
        [(LABELS, &component.hatches.labels), (ANNOTATIONS, &component.hatches.annotations)];
    for (group, marks) in groups {
        for (key, value) in marks.iter() {
            let Some(value) = value.as_str() else { continue };
            if OWN.iter().any(|own| *own == key || own.ends_with('/') && key.starts_with(own)) {
                batch.findings.push(ours(cloud, component, group, key, "Strata sets it itself"));
                continue;
            }
            for object in &mut batch.objects {
                let there = object.marks(group).and_then(|marks| marks.get(key)?.as_str());
                match there {
                    Some(there) if there != value => {
                        let because = format!("{} {} has it already", object.kind(), object.name());
                        batch.findings.push(ours(cloud, component, group, key, &because));
                        break;
                    }
                    _ => object.mark(group, key.clone(), value.to_owned().into()),
                }
            }
        }
    }
}

fn ours(cloud: &Cloud, component: &Component, group: &str, key: &str, because: &str) -> Finding {
    Code::OwnMark
        .at(cloud.written.place(&component.path.key(group).key(key)))
        .because(format!("`{}`: {because}", key.escape_debug()))
        .remedy("write another key, such as example.com/tier")
}
