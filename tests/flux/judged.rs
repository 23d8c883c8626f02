//! Flux's own objects, those of every fixture's tree and those of the examples, are accepted by the real
//! server.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::cloud::strata;
use crate::real::{Object, Verdict, report};
use crate::world::SERVER;

#[test]
fn every_object_of_flux_is_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut objects = examples(&root.join("flux"));
    for entry in fs::read_dir(root.join("fixtures")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if folder.is_dir() && !name.starts_with("invalid-") {
            objects.extend(of_fixture(&folder));
        }
    }
    let (mut judged, mut unjudged) = (0, BTreeSet::new());
    for object in &objects.into_iter().map(in_default_namespace).collect::<Vec<_>>() {
        match SERVER.would_apply(object) {
            Verdict::Accepted(_) => judged += 1,
            Verdict::NotJudged => {
                unjudged.insert(object.qualified_kind());
            }
            Verdict::Refused(why) => panic!("{}: {why}\n{}", object.label(), object.text),
        }
        assert_eq!(SERVER.refuses_unknown_field(object), Ok(()));
    }
    assert!(judged > 0);
    report(&format!("judged: {judged} objects of Flux's own by kube-apiserver"));
    // Only the kinds for messages are published nowhere.
    assert!(unjudged.iter().all(|kind| kind.contains(".notification.")), "{unjudged:?}");
}

fn examples(folder: &Path) -> Vec<Object> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let yaml = files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    yaml.flat_map(|path| Object::read_all(&fs::read_to_string(path).unwrap())).collect()
}

fn of_fixture(folder: &Path) -> Vec<Object> {
    let out = tempfile::tempdir().unwrap();
    let tree = out.path().join("tree");
    let output =
        strata().args(["render", "--quiet"]).arg(folder).arg("--out").arg(&tree).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut objects = Vec::new();
    for entry in WalkDir::new(&tree) {
        let path = entry.unwrap().into_path();
        let is_flux = path.iter().any(|part| part == "flux");
        if is_flux && path.is_file() && !path.ends_with("kustomization.yaml") {
            objects.extend(Object::read_all(&fs::read_to_string(path).unwrap()));
        }
    }
    assert!(!objects.is_empty(), "{}", folder.display());
    objects
}

/// A dry run takes nothing into a namespace that is not there.
fn in_default_namespace(mut object: Object) -> Object {
    if let Some(namespace) = object.namespace.replace("default".to_owned()) {
        let line = format!("  namespace: {namespace}\n");
        object.text = object.text.replacen(&line, "  namespace: default\n", 1);
    }
    object
}
