//! The files of `crds/` are what the types and records say. `UPDATE=1` writes them anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{env, fs, path::Path};

use strata::catalogue::Catalogue;

#[test]
fn the_crds_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crds");
    let crds = strata::crds::crds(&Catalogue::built_in());
    if env::var_os("UPDATE").is_some() {
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        for crd in &crds {
            fs::write(folder.join(&crd.file), &crd.yaml).unwrap();
        }
    }
    let mut files: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut expected: Vec<&str> = crds.iter().map(|crd| crd.file.as_str()).collect();
    expected.sort_unstable();
    assert_eq!(files, expected, "run `cargo xtask crds`");
    for crd in &crds {
        let committed = fs::read_to_string(folder.join(&crd.file)).unwrap();
        assert!(committed == crd.yaml, "{} is out of date: run `cargo xtask crds`", crd.file);
    }
}
