//! Puts what was rendered in place of what was rendered before, and leaves all else alone.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::deliver::Rendered;
use crate::finding::{Code, Findings, Path};
use crate::load::Document;
use crate::resource_list::identity::Identity;
use crate::resource_list::item::Item;
use crate::value::{Map, Text, Value};
use crate::yaml::read::read;
use crate::yaml::unfit::unfit;
use crate::yaml::write;

/// One object of the answer.
#[derive(Debug)]
pub enum Piece<'i> {
    /// As it came.
    Given(&'i Item<'i>),
    /// One document, without `---`.
    Made(String),
}

pub fn merge<'i>(
    items: &'i [Item<'i>],
    rendered: Vec<Rendered>,
    clouds: &[String],
    findings: &mut Findings,
) -> Vec<Piece<'i>> {
    let clouds: HashSet<&str> = clouds.iter().map(String::as_str).collect();
    let places: HashMap<Identity, usize> = rendered
        .iter()
        .enumerate()
        .map(|(at, object)| (Identity::of_rendered(object), at))
        .collect();
    let mut placed = vec![false; rendered.len()];
    let mut left_behind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut pieces = Vec::with_capacity(items.len() + rendered.len());
    for (source, item) in items.iter().enumerate() {
        if item.is_input() {
            // A build has no use for what was rendered from. A package keeps its files.
            if item.is_file() {
                pieces.push(given(source, item, findings));
            }
            continue;
        }
        let ours = places.get(&Identity::of(&item.node)).copied();
        match (item.owner(), ours) {
            (None, None) => pieces.push(given(source, item, findings)),
            (None, Some(_)) => collision(source, item, findings),
            // Whatever control plane it was for: the mark says that we made it, and it is made
            // anew. A second copy goes.
            (Some(_), Some(at)) => {
                if let (Some(object), Some(done @ false)) = (rendered.get(at), placed.get_mut(at)) {
                    *done = true;
                    pieces.push(Piece::Made(in_its_place(object, item).into_owned()));
                }
            }
            (Some(owner), None) if clouds.contains(owner) => {}
            (Some(owner), None) => {
                // A build shows what its own generators made a moment ago; only in a package is
                // it something that lies around.
                if item.is_file() {
                    left_behind.entry(owner).or_insert((source, 0)).1 += 1;
                }
                pieces.push(given(source, item, findings));
            }
        }
    }
    for (owner, (source, count)) in left_behind {
        report_left_behind(owner, document(source, items), count, findings);
    }
    drop(places);
    let fresh = rendered.into_iter().zip(placed).filter(|(_, placed)| !placed);
    pieces.extend(fresh.map(|(object, _)| Piece::Made(object.yaml.to_string())));
    pieces
}

/// The new object with what the caller had written on the old one, above all the file it is in.
fn in_its_place<'o>(object: &'o Rendered, old: &Item) -> Cow<'o, str> {
    let kept: Vec<_> = old.callers_annotations().collect();
    if kept.is_empty() {
        return Cow::Borrowed(&object.yaml);
    }
    let Some(document) = read(&object.yaml).documents.pop() else {
        return Cow::Borrowed(&object.yaml);
    };
    let mut value = document.root.into();
    if let Some(annotations) = annotations(&mut value) {
        for (key, node) in kept {
            annotations.insert(Text::from(key.name.clone()), node.to_value());
        }
    }
    let mut yaml = String::with_capacity(object.yaml.len() + 256);
    write::write(&value, &mut yaml);
    Cow::Owned(yaml)
}

/// Every object of ours has some: the owner's.
fn annotations(value: &mut Value) -> Option<&mut Map> {
    let metadata = value.as_map_mut()?.get_mut("metadata")?;
    metadata.as_map_mut()?.get_mut("annotations")?.as_map_mut()
}

/// An item that has no lines of its own is written anew, if our writer can do it justice.
fn given<'i>(source: usize, item: &'i Item<'i>, findings: &mut Findings) -> Piece<'i> {
    if item.lines.is_none() {
        for unfit in unfit(&item.node.to_value()) {
            findings.push(
                Code::Unkeepable
                    .at(Document { source, root: item.node.clone() }.place(&Path::root()))
                    .because(unfit.reason.to_string())
                    .remedy("hand the items over as block YAML, whose lines are copied"),
            );
        }
    }
    Piece::Given(item)
}

fn collision(source: usize, item: &Item, findings: &mut Findings) {
    findings.push(
        Code::SameObjectTwice
            .at(Document { source, root: item.node.clone() }.place(&Path::from("metadata.name")))
            .because(
                "it is rendered from the control plane too, and this one is not a work of ours",
            )
            .remedy("remove it, and say what it has beyond the rendered one with a patch"),
    );
}

fn document(source: usize, items: &[Item]) -> Option<Document> {
    items.get(source).map(|item| Document { source, root: item.node.clone() })
}

fn report_left_behind(owner: &str, first: Option<Document>, count: usize, findings: &mut Findings) {
    let place = first.map(|first| first.place(&Path::root())).unwrap_or_default();
    let objects = if count == 1 { "object" } else { "objects" };
    findings.push(
        Code::LeftBehind
            .at(place)
            .because(format!(
                "{count} {objects} of control plane {}, which is not in the input",
                owner.escape_debug()
            ))
            .remedy("add its ControlPlane to the package, or delete their files"),
    );
}
