//! A package on disk, as `kpt fn source DIR | strata | kpt fn sink DIR` treats it. The two ends are
//! played here as kpt does them: each document gets the path and index it stands at, and a file
//! that no item names any more is deleted.

use super::processes::{run, stderr, stdout};
use super::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use strata::value::Map;
use strata::yaml::write::write;

/// Path and text of every file.
type Package = BTreeMap<String, String>;

#[test]
fn a_package_on_disk_goes_through_a_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cp.yaml"), CONTROL_PLANE).unwrap();
    fs::write(folder.path().join("own.yaml"), config_map("own")).unwrap();
    let once = pipeline(folder.path());
    assert_eq!(once["cp.yaml"], canonical(CONTROL_PLANE));
    assert_eq!(once["own.yaml"], canonical(&config_map("own")));
    let rendered_files = once.len() - 2;
    assert_eq!(rendered_files, rendered(CONTROL_PLANE).split("---\n").count());
    assert!(once.contains_key("openstack/keystone/keystone-keystone.yaml"), "{:?}", once.keys());
    assert_eq!(pipeline(folder.path()), once, "a second run changes nothing");

    // Someone moves a file and switches something off: the first stays moved, the other goes.
    let moved = folder.path().join("moved.yaml");
    fs::rename(folder.path().join("openstack/keystone/keystone-keystone.yaml"), &moved).unwrap();
    let without =
        CONTROL_PLANE.replace("{}", "{infrastructure: {mariadb: {maxscale: {enabled: false}}}}");
    fs::write(folder.path().join("cp.yaml"), without).unwrap();
    let later = pipeline(folder.path());
    assert!(later.contains_key("moved.yaml"));
    assert!(!later.contains_key("openstack/keystone/keystone-keystone.yaml"));
    assert!(once.keys().any(|path| path.contains("maxscale")));
    assert!(!later.keys().any(|path| path.contains("maxscale")), "{:?}", later.keys());
}

fn pipeline(folder: &Path) -> Package {
    let source = source(folder);
    let source: Vec<&str> = source.iter().map(String::as_str).collect();
    let output = run(&[], &list("", &source), false);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    sink(folder, items(stdout(&output)))
}

fn source(folder: &Path) -> Vec<String> {
    let mut documents = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(entry.path()).unwrap();
        for (index, document) in read(&text).documents.into_iter().enumerate() {
            let mut object = document.root.into();
            mark(&mut object, &path, index);
            documents.push(written(&object));
        }
    }
    documents
}

fn sink(folder: &Path, items: Vec<Value>) -> Package {
    let mut package = Package::new();
    for mut item in items {
        let path = unmark(&mut item);
        let text = package.entry(path).or_default();
        if !text.is_empty() {
            text.push_str("---\n");
        }
        text.push_str(&written(&item));
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
    for (path, text) in &package {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    package
}

fn written(object: &Value) -> String {
    let mut yaml = String::new();
    write(object, &mut yaml);
    yaml
}

fn canonical(text: &str) -> String {
    written(&parse(text))
}

fn metadata(object: &mut Value) -> &mut Map {
    object.as_map_mut().unwrap().get_mut("metadata").unwrap().as_map_mut().unwrap()
}

fn mark(object: &mut Value, path: &str, index: usize) {
    let metadata = metadata(object);
    if metadata.get("annotations").is_none() {
        metadata.insert("annotations", Map::new());
    }
    let annotations = metadata.get_mut("annotations").unwrap().as_map_mut().unwrap();
    for domain in ["", "internal."] {
        annotations.insert(format!("{domain}config.kubernetes.io/path"), path.to_owned());
        annotations.insert(format!("{domain}config.kubernetes.io/index"), index.to_string());
    }
}

fn unmark(object: &mut Value) -> String {
    let metadata = metadata(object);
    let annotations = metadata.get_mut("annotations").unwrap().as_map_mut().unwrap();
    annotations.remove("config.kubernetes.io/index");
    annotations.remove("internal.config.kubernetes.io/index");
    let path = annotations.remove("config.kubernetes.io/path").unwrap();
    assert_eq!(annotations.remove("internal.config.kubernetes.io/path").as_ref(), Some(&path));
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
    path.as_str().unwrap().to_owned()
}
