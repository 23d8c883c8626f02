//! A run that is killed at any moment leaves the old tree or the new one, whole. `kill_at.c` kills it:
//! at each call by which it changes the disk, one run after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::desk::{Desk, RECORD, SPEC};

const RENDER: &[&str] =
    &["render", "cloud.yaml", "--generators", "records", "--out", "rendered", "--quiet"];

/// A cloud of few files, so that all moments can be tried.
const FEW: &str = "\
spec:
  global: {monitoring: {enabled: false}, tls: {enabled: false}}
  infrastructure:
    mariadb: {enabled: false}
    rabbitmq: {enabled: false}
    valkey: {enabled: false}
    memcached: {enabled: false}
  services:
    keystone: {enabled: false}
    glance: {enabled: false}
    placement: {enabled: false}
    cinder: {enabled: false}
    nova: {enabled: false}
    neutron: {enabled: false}
    motto: {text: Hello}
  network: {ovn: {enabled: false}}
  korc: {enabled: false}
";

fn desk(spec: &str) -> Desk {
    Desk::new()
        .file("records/motto.yaml", RECORD)
        .file("cloud.yaml", &SPEC.replace("spec: {}\n", spec))
}

fn tree(desk: &Desk) -> BTreeMap<String, String> {
    if !desk.path("rendered").exists() {
        return BTreeMap::new();
    }
    let files = desk.list("rendered");
    files.into_iter().map(|file| (file.clone(), desk.read(&format!("rendered/{file}")))).collect()
}

static KILLER: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kill_at");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/kill_at.c");
    let compiler = Command::new("cc").args(["-O1", source, "-o"]).arg(&program).output();
    let output = compiler.expect("a C compiler is needed: cc");
    assert!(output.status.success(), "{output:?}");
    program
});

/// Killed at this call; let run to its end at 0.
fn killed_at(desk: &Desk, moment: usize) -> Output {
    Command::new(&*KILLER)
        .arg(moment.to_string())
        .arg(env!("CARGO_BIN_EXE_strata"))
        .args(RENDER)
        .current_dir(desk.path(""))
        .output()
        .unwrap()
}

/// How many calls a run makes.
fn calls(desk: &Desk) -> usize {
    let output = killed_at(desk, 0);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

/// The desk as it is before the run that is killed.
fn before(old: Option<&str>, new: &str) -> Desk {
    let desk = desk(old.unwrap_or(new));
    if old.is_some() {
        desk.run(&RENDER.join(" ")).output();
        desk.write("rendered/NOTES.md", "mine");
        desk.write("cloud.yaml", &SPEC.replace("spec: {}\n", new));
    }
    desk
}

fn try_all(old: Option<&str>, new: &str) {
    let pattern = before(old, new);
    let old_tree = tree(&pattern);
    let calls = calls(&pattern);
    let new_tree = tree(&pattern);
    assert_ne!(old_tree, new_tree);
    let (mut olds, mut news) = (0, 0);
    for moment in 1..=calls {
        let desk = before(old, new);
        assert_eq!(killed_at(&desk, moment).status.code(), Some(137), "at call {moment}");
        let left = tree(&desk);
        olds += usize::from(left == old_tree);
        news += usize::from(left == new_tree);
        assert!(left == old_tree || left == new_tree, "killed at call {moment}: {left:#?}");
        // The next run mends whatever was left beside it.
        desk.run(&RENDER.join(" ")).output();
        assert!(tree(&desk) == new_tree, "after call {moment}");
        let beside = desk.list("").into_iter().filter(|file| file.contains(".strata-")).count();
        assert_eq!(beside, 0, "after call {moment}");
    }
    // The last call of a first run is the one that puts the tree in its place.
    assert!(
        olds > 0 && (news > 0 || old.is_none()),
        "{olds} left the old tree, {news} the new one"
    );
}

#[test]
fn a_first_tree_is_there_as_a_whole_or_not_at_all() {
    try_all(None, FEW);
}

#[test]
fn a_changed_tree_is_the_old_or_the_new_one() {
    try_all(Some(FEW), &FEW.replace("Hello", "Goodbye"));
}
