//! What must hold of a cloud's objects together, before a byte of them is written.

mod assignments;
mod authorities;
mod between;
pub(crate) mod connections;
pub mod delivery;
mod domains;
mod downgrade;
mod hatches;
mod lasting;
mod links;
mod names;
mod plain;
mod platform;
mod pools;
pub mod previous;
mod processes;
mod quantity;
mod region;
mod requests;
mod services;
mod store_paths;
mod texts;
mod versions;

pub use between::Between;

use crate::finding::{Code, Findings, Path, Place};
use crate::generate::{Contents, Made};
use crate::links::Makers;
use crate::quick_hash::QuickMap;
use crate::record;
use crate::resolve::{Cloud, Hatches};
use crate::yaml::unfit;
use texts::Extent;
use versions::Floating;

pub fn check(contents: &Contents, cloud: &Cloud, findings: &mut Findings) {
    let makers = Makers::of(&contents.objects);
    links::check(contents, &makers, cloud, findings);
    connections::check(contents, cloud, findings);
    requests::check(cloud, findings);
    hatches::check(contents, cloud, findings);
    let mut seen = QuickMap::with_capacity_and_hasher(contents.objects.len(), Default::default());
    for (index, (made, id)) in contents.objects.iter().zip(&makers.own).enumerate() {
        let Made { component, object } = made;
        let place = || place(cloud, component);
        // Where somebody wrote a field of it.
        let written = |field: &Path| {
            let origin = hatches::origin(index, field, contents, cloud);
            origin.map_or_else(place, |origin| cloud.written.place(&origin))
        };
        let shown = || format!("{} {}", object.kind(), object.name().escape_debug());
        if let Some(other) = seen.insert(id, component) {
            findings.push(
                Code::SameIdTwice
                    .at(place())
                    .because(format!("{} is made by {other} and by {component}", shown()))
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
        for Floating { code, field, shown: floats, remedy } in versions::floating(object) {
            findings.push(
                code.at(written(&field))
                    .because(format!("{} has {floats}", shown()))
                    .remedy(remedy),
            );
        }
        let is_foreign = is_foreign(index, contents, cloud);
        let extent = if is_foreign { Extent::Whole } else { Extent::Configuration };
        for (field, named) in region::named(object, extent) {
            findings.push(
                Code::NamesRegion
                    .at(written(&field))
                    .because(format!("{}, {field}: `{}`", shown(), named.escape_debug()))
                    .remedy("leave the region out; a client then takes the only one there is"),
            );
        }
        for (field, name) in plain::secrets(object, extent) {
            findings.push(
                Code::SecretInText
                    .at(written(&field))
                    .because(format!(
                        "{}, {field}: {} is written out",
                        shown(),
                        name.escape_debug()
                    ))
                    .remedy(plain::remedy(object)),
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

/// Whether people had a hand in an object, by a change to it or by a record of their own.
fn is_foreign(index: usize, contents: &Contents, cloud: &Cloud) -> bool {
    let component = contents.objects.get(index).and_then(|made| cloud.component(made.component));
    let is_marked =
        |hatches: &Hatches| !hatches.labels.is_empty() || !hatches.annotations.is_empty();
    component
        .is_some_and(|component| component.record.source.is_some() || is_marked(&component.hatches))
        || contents.rendered.iter().any(|(changed, _)| *changed == index)
}

/// The settings of the component, since what is wrong in an object mostly came from there; its
/// record, if it was given with the input and the spec says nothing of it.
fn place(cloud: &Cloud, component: &str) -> Place {
    let Some(component) = cloud.component(component) else { return Place::nowhere() };
    match component.record.source {
        Some(_) if !component.is_set => record::place(component.record, component.record.at),
        _ => cloud.written.place(&component.path),
    }
}
