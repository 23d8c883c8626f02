//! The files of `crds/` and the generated pages of `docs/` are what the types and records say. `UPDATE=1` writes
//! them anew.
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

#[test]
fn the_pages_are_current() {
    let pages = [
        ("settings.md", strata::pages::settings(&Catalogue::built_in())),
        ("findings.md", strata::pages::findings()),
    ];
    for (file, text) in pages {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "docs/{file} is out of date: run `cargo xtask crds`");
    }
}

/// What a person may write is explained wherever it is listed: in the page, in editors, by kubectl.
#[test]
fn every_setting_says_what_it_is() {
    let page = strata::pages::settings(&Catalogue::built_in());
    let silent: Vec<&str> = page.lines().filter(|line| line.ends_with("|  |")).collect();
    assert!(silent.is_empty(), "these have no description:\n{}", silent.join("\n"));
    assert!(page.lines().filter(|line| line.starts_with("| `")).count() > 150, "most is missing");
}
