//! What must be there before a cloud: objects that its own name, paths in the store, and the kinds
//! that the cluster must know.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::generate::{Contents, Made};
use crate::links::{Makers, STORE_PATH, excuse, is_always_there, references};
use crate::map;
use crate::resolve::Cloud;
use crate::value::{Map, Value};

const STORE: &str = "ClusterSecretStore";
/// Whose objects read and write it.
const SECRETS: &str = "external-secrets.io/";

#[derive(Debug)]
pub struct Requirements {
    pub cloud: String,
    /// Kind and name of the store.
    pub store: (String, String),
    pub objects: Vec<Needed>,
    /// Every path in the store, and what is done there.
    pub paths: BTreeMap<String, Access>,
    /// Kinds of custom resources, by apiVersion.
    pub kinds: BTreeMap<String, BTreeSet<String>>,
}

/// Something that must exist.
#[derive(Debug)]
pub struct Needed {
    pub kind: String,
    /// With the namespace before it, where it has one.
    pub name: String,
    pub why: String,
    /// The components whose objects name it, or who asked for it.
    pub by: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub read: bool,
    pub written: bool,
}

pub fn requirements(cloud: &Cloud, contents: &Contents) -> Requirements {
    let makers = Makers::of(&contents.objects);
    let mut needed: BTreeMap<(String, String), Needed> = BTreeMap::new();
    let mut paths: BTreeMap<String, Access> = BTreeMap::new();
    let mut readers: BTreeSet<String> = BTreeSet::new();
    for (path, _) in makers.of_kind(STORE_PATH) {
        paths.entry(path.name.to_string()).or_default().written = true;
    }
    for made in &contents.objects {
        references(&made.object, &mut |reference| {
            if reference.kind == STORE && made.object.api_version().starts_with(SECRETS) {
                readers.insert(made.object.namespace().to_owned());
            }
            if reference.kind == STORE_PATH {
                paths.entry(reference.name.to_owned()).or_default().read = true;
            }
            let is_ours = reference.generated || makers.of_reference(&reference).is_some();
            if is_ours || is_always_there(&reference) {
                return;
            }
            let component = cloud.component(made.component);
            let why = excuse(&reference, &contents.external, component).unwrap_or_default();
            let name = match reference.namespace {
                "" => reference.name.to_owned(),
                namespace => format!("{namespace}/{}", reference.name),
            };
            add(&mut needed, reference.kind, name, why, made.component);
        });
    }
    for external in &contents.external {
        let is_named = needed.values().any(|needed| {
            needed.kind == external.kind
                && needed.name.rsplit('/').next() == Some(external.name.as_str())
        });
        // A store of the user's own by default, and one of ours where `platform.openbao` makes it.
        let is_ours = makers.of_kind(&external.kind).any(|(id, _)| id.name == external.name);
        if !is_named && !is_ours && external.kind != STORE_PATH {
            let name = external.name.clone();
            add(&mut needed, &external.kind, name, &external.why, external.component);
        }
    }
    // A store for the whole cluster may be kept to some of it.
    if let Some(store) = needed.values_mut().find(|needed| needed.kind == STORE) {
        let namespaces = joined(&readers);
        let _ = write!(store.why, "; if it is kept to some namespaces, then with {namespaces}");
    }
    Requirements {
        cloud: format!("{}/{}", cloud.namespace, cloud.name),
        store: (format!("{:?}", cloud.store.kind), cloud.store.name.clone()),
        objects: needed.into_values().collect(),
        paths,
        kinds: kinds(&contents.objects),
    }
}

fn add(
    needed: &mut BTreeMap<(String, String), Needed>,
    kind: &str,
    name: String,
    why: &str,
    component: &str,
) {
    let entry = needed.entry((kind.to_owned(), name.clone())).or_insert_with(|| Needed {
        kind: kind.to_owned(),
        name,
        why: why.to_owned(),
        by: BTreeSet::new(),
    });
    entry.by.insert(component.to_owned());
}

/// The kinds that Kubernetes does not have of itself.
fn kinds(objects: &[Made]) -> BTreeMap<String, BTreeSet<String>> {
    let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Made { object, .. } in objects {
        let group = object.api_version().split_once('/').map_or("", |(group, _)| group);
        let is_own = !group.contains('.')
            || (group.ends_with(".k8s.io") && group != "gateway.networking.k8s.io");
        if !is_own {
            let version = object.api_version().to_owned();
            kinds.entry(version).or_default().insert(object.kind().to_owned());
        }
    }
    kinds
}

impl Access {
    pub fn name(self) -> &'static str {
        match self {
            Access { read: true, written: true } => "written and read",
            Access { written: true, .. } => "written",
            _ => "read",
        }
    }
}

impl Requirements {
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\nobjects that must exist\n", self.cloud);
        for Needed { kind, name, why, by } in &self.objects {
            let _ = writeln!(out, "  {kind} {name}: {why}");
            let _ = writeln!(out, "    for {}", joined(by));
        }
        let (kind, name) = &self.store;
        let _ = writeln!(out, "\npaths in {kind} {name}");
        for (path, access) in &self.paths {
            let _ = writeln!(out, "  {path}: {}", access.name());
        }
        out.push_str("\nkinds that the cluster must know\n");
        for (version, kinds) in &self.kinds {
            let _ = writeln!(out, "  {version}: {}", joined(kinds));
        }
        out
    }

    /// The same for programs.
    pub fn value(&self) -> Value {
        let texts = |texts: &BTreeSet<String>| texts.iter().cloned().collect::<Vec<String>>();
        let objects = self.objects.iter().map(|Needed { kind, name, why, by }| {
            map! { "kind" => kind.clone(), "name" => name.clone(), "why" => why.clone(), "neededBy" => texts(by) }
        });
        let paths = self.paths.iter().map(|(path, access)| {
            map! { "path" => path.clone(), "read" => access.read, "written" => access.written }
        });
        let kinds = self.kinds.iter().map(|(version, kinds)| {
            map! { "apiVersion" => version.clone(), "kinds" => texts(kinds) }
        });
        Value::Map(map! {
            "cloud" => self.cloud.clone(),
            "objects" => objects.collect::<Vec<Map>>(),
            "store" => map! {
                "kind" => self.store.0.clone(),
                "name" => self.store.1.clone(),
                "paths" => paths.collect::<Vec<Map>>(),
            },
            "kinds" => kinds.collect::<Vec<Map>>(),
        })
    }
}

fn joined(texts: &BTreeSet<String>) -> String {
    texts.iter().map(String::as_str).collect::<Vec<&str>>().join(", ")
}
