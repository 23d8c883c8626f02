//! What the step from one tree to the next does to a cluster: what Flux deletes, leaves behind or makes
//! again, and what operators refuse. Only files that differ are looked at.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::store_paths::{self, Folder};
use crate::check::{downgrade, lasting};
use crate::finding::{Code, Finding, Findings, Place};
use crate::generate::{OWNER, PRUNE};
use crate::layers::At;
use crate::object::Object;
use crate::schema::nearest;
use crate::value::Value;
use crate::yaml::read::read;

/// A file of a tree: its path below the root, and its text.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

/// Both sides of a step.
#[derive(Debug)]
pub struct Step<'a> {
    /// Files of the tree that stands which are gone from the new one, or different there.
    pub before: Vec<File<'a>>,
    /// Files of the new tree that the standing one has not, or has differently.
    pub after: Vec<File<'a>>,
    /// Components and control planes whose removal is allowed.
    pub allowed: &'a [String],
}

/// `place` is where that stands in a control plane, `namespace/name`.
pub fn check(step: &Step, place: impl Fn(&str, At) -> Place, findings: &mut Findings) {
    let of_unit = |unit: &Unit| place(&unit.owner, At::Component(&unit.component));
    let before = entries(&step.before);
    let after = entries(&step.after);
    let mut removals: BTreeMap<&Unit, Removal> = BTreeMap::new();
    let mut moves: BTreeMap<(&Unit, &Unit), Move> = BTreeMap::new();
    let mut relocations: BTreeMap<Relocation, Vec<String>> = BTreeMap::new();
    let mut older = Vec::new();
    for (id, old) in &before {
        let Some(new) = after.get(id) else {
            removals.entry(&old.unit).or_default().add(old);
            continue;
        };
        if new.unit != old.unit {
            moves.entry((&old.unit, &new.unit)).or_default().add(old);
        }
        let Unit { owner, component, .. } = &new.unit;
        lasting::check(&old.object, &new.object, component, |at| place(owner, at), findings);
        if let Some((from, to)) = store_paths::moved(&old.object, &new.object) {
            let relocation =
                Relocation { before: &old.unit.owner, after: &new.unit.owner, from, to };
            relocations.entry(relocation).or_default().push(shown(&old.object));
        }
        if let Some(downgrade) = downgrade::check(&old.object, &new.object) {
            older.push(old.unit.control_plane());
            if !step.allows(&old.unit) {
                let place = place(&new.unit.owner, At::Field("spec.release"));
                findings.push(downgrade.finding(old.unit.control_plane(), place));
            }
        }
    }
    let leave = removals.iter().map(|(unit, removal)| (*unit, removal.holds_state()));
    let leave = leave.chain(moves.iter().map(|((from, _), moved)| (*from, moved.loses_state())));
    let whole = relocations.keys().map(|it| control_plane(it.before)).chain(older);
    step.unused(&Leaving::of(leave, whole), findings);
    let stands = |folder: &str| {
        step.after.iter().any(|file| is_kustomization(file.path) && folder_of(file.path) == folder)
    };
    for (unit, removal) in removals {
        let whole = step
            .before
            .iter()
            .any(|file| is_kustomization(file.path) && folder_of(file.path) == removal.folder)
            && !stands(&removal.folder);
        removal.report(unit, whole, step.allows(unit), of_unit(unit), findings);
    }
    for ((from, to), moved) in moves {
        moved.report(from, to, step.allows(from), of_unit(to), findings);
    }
    for (relocation, credentials) in relocations {
        if !step.allowed.iter().any(|name| name == control_plane(relocation.before)) {
            findings.push(relocation.finding(&credentials, &place));
        }
    }
}

impl Step<'_> {
    fn allows(&self, unit: &Unit) -> bool {
        self.allowed.iter().any(|name| unit.is_called(name))
    }

    /// Refuses an allowance for what stays: most often it is a slip of the finger, and one that is left
    /// standing would allow a removal that nobody has looked at. Where nothing changes at all, it has done
    /// its work already.
    fn unused(&self, leaving: &Leaving, findings: &mut Findings) {
        if self.before.is_empty() && self.after.is_empty() {
            return;
        }
        let Leaving { all, with_state } = leaving;
        for name in self.allowed.iter().filter(|name| !all.contains(name.as_str())) {
            let remedy = match nearest(name, with_state.iter().copied()) {
                Some(near) => format!("did you mean --allow-removal {near}?"),
                None if all.is_empty() => "leave the option out: nothing goes".to_owned(),
                None if with_state.is_empty() => {
                    "leave the option out: nothing that goes holds state".to_owned()
                }
                None => {
                    let names: Vec<&str> = with_state.iter().copied().collect();
                    format!("leave it out, or name one of: {}", names.join(", "))
                }
            };
            findings.push(
                Code::NothingToAllow
                    .at(Place::nowhere())
                    .because(format!("nothing that goes is called `{}`", name.escape_debug()))
                    .remedy(remedy),
            );
        }
    }
}

/// The names of what goes, and those of them that must be allowed to.
#[derive(Debug, Default)]
struct Leaving<'a> {
    all: BTreeSet<&'a str>,
    with_state: BTreeSet<&'a str>,
}

impl<'a> Leaving<'a> {
    /// Of units, each with whether it takes state along, and of control planes that need leave as a whole.
    fn of(
        units: impl Iterator<Item = (&'a Unit, bool)>,
        control_planes: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut leaving = Leaving::default();
        for (unit, holds_state) in units {
            for name in [unit.component.as_str(), unit.control_plane()] {
                leaving.add(name, holds_state);
            }
        }
        control_planes.for_each(|name| leaving.add(name, true));
        leaving
    }

    fn add(&mut self, name: &'a str, holds_state: bool) {
        if name.is_empty() {
            return;
        }
        self.all.insert(name);
        if holds_state {
            self.with_state.insert(name);
        }
    }
}

/// An object and where it stood.
#[derive(Debug)]
struct Entry {
    object: Object,
    unit: Unit,
    folder: String,
    /// Whether Flux leaves it in the cluster when it is no longer in the tree.
    kept: bool,
}

/// What one Kustomization applies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    /// The control plane, `namespace/name`; empty for what people added.
    owner: String,
    component: String,
    shard: String,
}

/// The name of a control plane, of `namespace/name`.
fn control_plane(owner: &str) -> &str {
    owner.rsplit('/').next().unwrap_or_default()
}

impl Unit {
    fn control_plane(&self) -> &str {
        control_plane(&self.owner)
    }

    /// By its component, or by the control plane that goes as a whole.
    fn is_called(&self, name: &str) -> bool {
        name == self.component || name == self.control_plane()
    }

    fn shown(&self) -> String {
        let shard =
            if self.shard.is_empty() { String::new() } else { format!(" ({})", self.shard) };
        match self.owner.as_str() {
            "" => format!("{}{shard}", self.component),
            owner => format!("{}{shard} of {owner}", self.component),
        }
    }
}

/// Group, kind, namespace and name: another version is the same object.
type Id = (String, String, String, String);

fn entries(files: &[File]) -> BTreeMap<Id, Entry> {
    files.iter().filter_map(entry).collect()
}

/// None for what is no object of a cloud: lists of files, and Flux's own objects, whose names follow
/// from those of the others.
fn entry(file: &File) -> Option<(Id, Entry)> {
    let folder = folder_of(file.path);
    if is_kustomization(file.path) || folder.split('/').any(|part| part == "flux") {
        return None;
    }
    let document = read(file.text).documents.into_iter().next()?;
    let Value::Map(body) = Value::from(document.root) else { return None };
    let object = Object::any(body)?;
    let annotation = |key| object.body().at(&["metadata", "annotations", key])?.as_str();
    let (shards, component): (Vec<&str>, Vec<&str>) =
        folder.rsplit('/').partition(|part| part.starts_with("shard-"));
    let unit = Unit {
        owner: annotation(OWNER).unwrap_or_default().to_owned(),
        component: component.first().copied().unwrap_or_default().to_owned(),
        shard: shards.first().copied().unwrap_or_default().to_owned(),
    };
    let group = object.api_version().split_once('/').map_or("", |(group, _)| group);
    let id = [group, object.kind(), object.namespace(), object.name()].map(str::to_owned);
    let kept = annotation(PRUNE) == Some("disabled");
    Some((id.into(), Entry { unit, folder: folder.to_owned(), kept, object }))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_kustomization(path: &str) -> bool {
    path.rsplit('/').next() == Some("kustomization.yaml")
}

/// What is gone of one unit.
#[derive(Debug, Default)]
struct Removal {
    folder: String,
    /// Left in the cluster.
    left: Vec<String>,
    /// Deleted, and data with it.
    lost: Vec<String>,
    deleted: Vec<String>,
}

impl Removal {
    fn holds_state(&self) -> bool {
        !self.lost.is_empty() || !self.left.is_empty()
    }

    fn add(&mut self, entry: &Entry) {
        self.folder.clone_from(&entry.folder);
        let shown = shown(&entry.object);
        match (entry.kept, lasting::holds_state(&entry.object)) {
            (true, _) => self.left.push(shown),
            (false, true) => self.lost.push(shown),
            (false, false) => self.deleted.push(shown),
        }
    }

    fn report(
        self,
        unit: &Unit,
        whole: bool,
        allowed: bool,
        place: Place,
        findings: &mut Findings,
    ) {
        let mut does = Vec::new();
        if !self.lost.is_empty() {
            does.push(format!("deletes with its data {}", few(&self.lost)));
        }
        if !self.left.is_empty() {
            does.push(format!(
                "leaves in the cluster, with nobody to look after it, {}",
                few(&self.left)
            ));
        }
        if !self.deleted.is_empty() {
            does.push(format!("deletes {}", few(&self.deleted)));
        }
        let what = match whole {
            true => format!("{} is no longer rendered", unit.shown()),
            false => format!("{} has fewer objects", unit.shown()),
        };
        let because = format!("{what}: Flux {}", does.join("; and "));
        let (code, remedy) = match self.holds_state() && !allowed {
            true => (
                Code::StateRemoved,
                format!("keep it, or let it go with --allow-removal {}", unit.component),
            ),
            false => (Code::Removed, "nothing, if this is what you want".to_owned()),
        };
        findings.push(code.at(place).because(because).remedy(remedy));
    }
}

/// What goes from one unit to another.
#[derive(Debug, Default)]
struct Move {
    handed_over: Vec<String>,
    lost: Vec<String>,
    made_again: Vec<String>,
}

impl Move {
    fn loses_state(&self) -> bool {
        !self.lost.is_empty()
    }

    fn add(&mut self, entry: &Entry) {
        let shown = shown(&entry.object);
        match (entry.kept, lasting::holds_state(&entry.object)) {
            (true, _) => self.handed_over.push(shown),
            (false, true) => self.lost.push(shown),
            (false, false) => self.made_again.push(shown),
        }
    }

    fn report(self, from: &Unit, to: &Unit, allowed: bool, place: Place, findings: &mut Findings) {
        let way = format!("from {} to {}", from.shown(), to.shown());
        if !self.lost.is_empty() {
            let because = format!(
                "{way}: Flux may delete with its data, and make again without, {}",
                few(&self.lost)
            );
            let code = if allowed { Code::Moved } else { Code::StateMoved };
            let remedy = format!(
                "leave it where it is, or let it go with --allow-removal {}",
                from.component
            );
            findings.push(code.at(place.clone()).because(because).remedy(remedy));
        }
        let mut does = Vec::new();
        if !self.made_again.is_empty() {
            does.push(format!("may delete and make again {}", few(&self.made_again)));
        }
        if !self.handed_over.is_empty() {
            does.push(format!("hands over as it is {}", few(&self.handed_over)));
        }
        if !does.is_empty() {
            findings.push(
                Code::Moved
                    .at(place)
                    .because(format!("{way}: Flux {}", does.join("; and ")))
                    .remedy("plan for a short absence of what is made again"),
            );
        }
    }
}

/// Credentials that go from one folder of a store to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Relocation<'a> {
    /// The control plane, `namespace/name`.
    before: &'a str,
    after: &'a str,
    from: Folder<'a>,
    to: Folder<'a>,
}

impl Relocation<'_> {
    fn finding(&self, credentials: &[String], place: impl Fn(&str, At) -> Place) -> Finding {
        let Relocation { before, after, from, to } = *self;
        let (field, cause) = match (before != after, from.store != to.store) {
            (true, _) => ("metadata.name", format!("the control plane was called {before}")),
            (_, true) => ("spec.secrets.store.name", "the store is another".to_owned()),
            _ => ("spec.secrets.store.prefix", "the prefix is another".to_owned()),
        };
        Code::CredentialsMoved
            .at(place(after, At::Field(field)))
            .because(format!(
                "{cause}: {} credentials are looked for in {to}, and made anew if they are not there, \
                 while servers know those in {from}; so with {}",
                credentials.len(),
                few(credentials)
            ))
            .remedy(format!(
                "leave it as it was; or copy all that lies below {} first, and say --allow-removal {}",
                from.path,
                control_plane(before)
            ))
    }
}

fn shown(object: &Object) -> String {
    format!("{} {}", object.kind(), object.name().escape_debug())
}

/// The first of them, and how many more there are.
fn few(names: &[String]) -> String {
    const FEW: usize = 3;
    let shown = names.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
