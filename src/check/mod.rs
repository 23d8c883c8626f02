//! What must hold of a cloud's objects together, before a byte of them is written.

mod names;

use std::collections::HashSet;

use crate::finding::{Code, Findings, Path, Place};
use crate::generate::Made;
use crate::resolve::Cloud;
use crate::yaml::unfit;

pub fn check(made: &[Made], cloud: &Cloud, findings: &mut Findings) {
    let mut seen = HashSet::with_capacity(made.len());
    for Made { component, object } in made {
        let place = || place(cloud, component);
        let shown = || format!("{} {}", object.kind(), object.name().escape_debug());
        let id = (object.api_version(), object.kind(), object.namespace(), object.name());
        if !seen.insert(id) {
            findings.push(
                Code::SameIdTwice
                    .at(place())
                    .because(format!("{} is made twice, the second time by {component}", shown()))
                    .remedy("give one of them another name in its record"),
            );
        }
        if let Some(because) = names::unfit(object) {
            findings.push(
                Code::BadObjectName
                    .at(place())
                    .because(because)
                    .remedy("shorten or change the name"),
            );
        }
        for unfit in unfit::unfit(object.body()) {
            let path = unfit.path.iter().fold(Path::root(), |path, step| match step {
                unfit::Step::Key(key) => path.key(key.escape_debug().to_string()),
                unfit::Step::Item(index) => path.index(*index),
            });
            findings.push(
                Code::Unkeepable
                    .at(place())
                    .because(format!("{}, {path}: {}", shown(), unfit.reason))
                    .remedy("write the text in another way"),
            );
        }
    }
}

/// The settings of the component, since what is wrong in an object mostly came from there.
fn place(cloud: &Cloud, component: &str) -> Place {
    let path =
        cloud.component(component).map_or_else(Path::root, |component| component.path.clone());
    cloud.document.place(&path)
}
