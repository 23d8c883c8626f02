//! `flux/operator/` is what the tables say. `UPDATE=1` writes it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use strata_operator::install;

#[test]
fn the_manifests_are_what_the_tables_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flux/operator");
    for (name, objects) in install::files() {
        let documents = objects.iter().map(|object| serde_yaml::to_string(object).unwrap());
        let text = documents.collect::<Vec<_>>().join("---\n");
        let path = folder.join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{name} is out of date: run with UPDATE=1");
    }
}

#[test]
fn only_the_namespace_of_the_plane_is_reached_into() {
    for (_, objects) in install::files() {
        for object in objects {
            let kind = object["kind"].as_str().unwrap();
            assert!(!kind.starts_with("ClusterRole"), "{object}");
        }
    }
}
