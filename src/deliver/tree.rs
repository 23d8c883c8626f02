//! The tree: which files there are, and what is in them. Writing them is the entries' business.
//!
//! One folder per component and one file per object, each folder a plain kustomization, so that
//! `kubectl apply -k` takes the whole or a part. Several clouds have a folder each. Beside them stand
//! Flux's own objects, which bring the folders up in the order of the plan.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};

use crate::deliver::flux::{self, Unit};
use crate::deliver::staging::Staging;
use crate::deliver::{Rendered, paths};
use crate::map;
use crate::value::Value;
use crate::yaml::read::read;
use crate::yaml::write;

const KUSTOMIZATION: &str = "kustomization.yaml";

#[derive(Debug, PartialEq)]
pub struct File<'a> {
    /// Below the root of the tree, with `/` between folders.
    pub path: String,
    pub text: Cow<'a, str>,
}

/// As many objects as one Kustomization applies: kustomize takes time with their square, a second for
/// 500 of them and two minutes for 4,000.
const SHARD: usize = 500;

/// One cloud's part of the tree.
struct Part<'a> {
    /// Empty, or ends with a slash.
    folder: String,
    units: Vec<Unit<'a>>,
    staging: Option<Staging>,
}

/// The files, sorted by path. `objects` are in the order of the plan, and so are the folders that
/// a kustomization lists.
pub fn tree(objects: &[Rendered]) -> Vec<File<'_>> {
    let parts = parts(objects);
    let mut folders = Folders::default();
    let mut files: Vec<File> = Vec::with_capacity(objects.len() + objects.len() / 4);
    for part in &parts {
        for unit in &part.units {
            let folder = format!("{}{}", part.folder, unit.folder());
            for (object, name) in &unit.objects {
                folders.add(&folder, name.clone());
                let path = format!("{folder}/{name}");
                files.push(File { path, text: Cow::Borrowed(&object.yaml) });
            }
        }
        if let Some(staging) = &part.staging {
            let beside = match part.folder.is_empty() {
                true => flux::sources([staging].into_iter()),
                false => Vec::new(),
            };
            files.extend(flux::files(staging, &part.units, &part.folder, beside));
        }
    }
    let several = |part: &&Part| !part.folder.is_empty();
    let clouds: Vec<(&Staging, String)> = parts
        .iter()
        .filter(several)
        .filter_map(|part| Some((part.staging.as_ref()?, part.folder.clone())))
        .collect();
    if !clouds.is_empty() {
        files.extend(flux::entry(&clouds));
    }
    files.extend(folders.kustomizations());
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// What each cloud delivers, by what its sentinel says.
pub fn stagings(objects: &[Rendered]) -> Vec<Staging> {
    objects.iter().filter_map(staging_of).collect()
}

/// Only a ConfigMap with the key is worth parsing.
pub(super) fn staging_of(object: &Rendered) -> Option<Staging> {
    if object.kind != "ConfigMap" || !object.yaml.contains("\n  delivery: |") {
        return None;
    }
    let document = read(&object.yaml).documents.into_iter().next()?;
    Staging::of_sentinel(&document.root.into())
}

/// Clouds and their components in the order they come in.
fn parts(objects: &[Rendered]) -> Vec<Part<'_>> {
    let several = objects.iter().any(|object| object.cloud != objects[0].cloud);
    let mut parts: Vec<Part> = Vec::new();
    let mut of_cloud: HashMap<&str, usize> = HashMap::new();
    for (object, path) in objects.iter().zip(paths(objects)) {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let index = *of_cloud.entry(&object.cloud).or_insert_with(|| {
            let folder = if several { format!("{}/", object.cloud) } else { String::new() };
            parts.push(Part { folder, units: Vec::new(), staging: None });
            parts.len() - 1
        });
        let part = &mut parts[index];
        if part.staging.is_none() {
            part.staging = staging_of(object);
        }
        match part.units.iter_mut().find(|unit| unit.component == &*object.component) {
            Some(unit) => unit.objects.push((object, name)),
            None => part.units.push(Unit {
                component: &object.component,
                shard: None,
                objects: vec![(object, name)],
            }),
        }
    }
    for part in &mut parts {
        part.units = part.units.drain(..).flat_map(Unit::sharded).collect();
    }
    parts
}

impl<'a> Unit<'a> {
    fn sharded(mut self) -> Vec<Self> {
        if self.objects.len() <= SHARD {
            return vec![self];
        }
        self.objects.sort_by(|(_, a), (_, b)| a.cmp(b));
        let shards = self.objects.chunks(SHARD).zip(1..);
        let shard = |(objects, number): (&[(&'a Rendered, String)], usize)| Unit {
            component: self.component,
            shard: Some(number),
            objects: objects.to_vec(),
        };
        shards.map(shard).collect()
    }
}

/// What each folder's kustomization lists, folders in the order they were first seen.
#[derive(Default)]
struct Folders(BTreeMap<String, Vec<String>>);

impl Folders {
    fn add(&mut self, folder: &str, entry: String) {
        if !self.0.contains_key(folder) {
            let (parent, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            if folder.is_empty() {
                self.0.insert(String::new(), Vec::new());
            } else {
                self.add(parent, name.to_owned());
            }
        }
        self.0.entry(folder.to_owned()).or_default().push(entry);
    }

    fn kustomizations<'a>(self) -> impl Iterator<Item = File<'a>> {
        self.0.into_iter().map(|(folder, mut entries)| {
            // Files are found by name; only folders have an order of their own.
            if entries.iter().all(|entry| entry.ends_with(".yaml")) {
                entries.sort();
            }
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("{folder}{slash}{KUSTOMIZATION}");
            File { path, text: Cow::Owned(kustomization(entries)) }
        })
    }
}

pub(super) fn kustomization(resources: Vec<String>) -> String {
    let object = map! {
        "apiVersion" => "kustomize.config.k8s.io/v1beta1",
        "kind" => "Kustomization",
        "resources" => resources,
    };
    let mut text = String::new();
    write::write(&Value::Map(object), &mut text);
    text
}

/// What the manifest says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    pub hash: String,
    pub path: String,
}

const HEADER: &str = "\
# The files of this folder that strata rendered. Whatever is not listed is never touched.
# `sha256sum -c` on this file shows what was changed by hand.
";

/// The text that says which files are ours, and what they held when we wrote them.
pub fn manifest(files: &[File]) -> String {
    let mut text = HEADER.to_owned();
    for File { path, text: content } in files {
        text.push_str(&format!("{}  {path}\n", hash(content.as_bytes())));
    }
    text
}

/// Reads a manifest again; none if it is no manifest.
pub fn parse_manifest(text: &str) -> Option<Vec<Owned>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (hash, path) = line.split_once("  ")?;
            let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            (is_hash && stays_below(path))
                .then(|| Owned { hash: hash.to_owned(), path: path.to_owned() })
        })
        .collect()
}

/// Whether a path leads to something below the folder that it is relative to.
pub fn stays_below(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliver::Entry;

    fn object(cloud: &str, component: &str, id: (&str, &str, &str, &str)) -> Rendered {
        let (api_version, kind, namespace, name) = id;
        Rendered::from(Entry {
            api_version: api_version.to_owned().into(),
            kind: kind.to_owned().into(),
            namespace: namespace.into(),
            name: name.to_owned().into(),
            component: component.into(),
            cloud: cloud.into(),
            yaml: format!("kind: {kind}\n").into(),
        })
    }

    fn paths(objects: &[Rendered]) -> Vec<String> {
        tree(objects).into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn folders_are_listed_in_the_order_of_the_plan_and_files_by_name() {
        let objects = [
            object("os", "namespace", ("v1", "Namespace", "", "os")),
            object("os", "mariadb", ("k8s.mariadb.com/v1alpha1", "MariaDB", "os", "db")),
            object("os", "mariadb", ("k8s.mariadb.com/v1alpha1", "Grant", "os", "db")),
        ];
        let text: String =
            tree(&objects).iter().map(|file| format!("# {}\n{}", file.path, file.text)).collect();
        insta::assert_snapshot!(text, @r"
        # kustomization.yaml
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources:
        - namespace
        - mariadb
        # mariadb/grant-db.yaml
        kind: Grant
        # mariadb/kustomization.yaml
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources:
        - grant-db.yaml
        - mariadb-db.yaml
        # mariadb/mariadb-db.yaml
        kind: MariaDB
        # namespace/kustomization.yaml
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources:
        - namespace-os.yaml
        # namespace/namespace-os.yaml
        kind: Namespace
        ");
    }

    #[test]
    fn several_clouds_have_a_folder_each() {
        let objects = [
            object("a", "namespace", ("v1", "Namespace", "", "a")),
            object("b", "namespace", ("v1", "Namespace", "", "b")),
        ];
        insta::assert_snapshot!(paths(&objects).join("\n"), @r"
        a/kustomization.yaml
        a/namespace/kustomization.yaml
        a/namespace/namespace-a.yaml
        b/kustomization.yaml
        b/namespace/kustomization.yaml
        b/namespace/namespace-b.yaml
        kustomization.yaml
        ");
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let files = [File { path: "a/b c.yaml".to_owned(), text: Cow::Borrowed("x") }];
        let owned = parse_manifest(&manifest(&files));
        let expect = Owned { hash: hash(b"x"), path: "a/b c.yaml".to_owned() };
        assert_eq!(owned, Some(vec![expect]));
    }

    #[test]
    fn a_manifest_that_leads_elsewhere_is_none() {
        let line = |path: &str| format!("{}  {path}\n", hash(b""));
        for path in ["../x", "/etc/passwd", "a/../../x", "a//b", "", "a/./b"] {
            assert_eq!(parse_manifest(&line(path)), None, "{path}");
        }
        assert_eq!(parse_manifest("resources: []\n"), None);
        assert_eq!(parse_manifest(""), Some(Vec::new()));
    }
}
