//! A run that is killed at any moment leaves the old tree or the new one, whole. strace kills it: at
//! each call by which it changes the disk, one run after the other.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::desk::{Desk, RECORD, SPEC};

/// Every call that creates, fills, links, renames or removes.
const CALLS: [&str; 9] =
    ["mkdir", "openat", "write", "linkat", "link", "renameat2", "rename", "unlinkat", "rmdir"];

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

fn strace(desk: &Desk, options: &[&str]) -> std::process::Output {
    Command::new("strace")
        .args(options)
        .args(["-o", "trace"])
        .arg(env!("CARGO_BIN_EXE_strata"))
        .args(RENDER)
        .current_dir(desk.path(""))
        .output()
        .expect(
            "strace is needed: apt install strace (Debian, Ubuntu), dnf install strace (Fedora)",
        )
}

/// How often a run makes each call.
fn calls(desk: &Desk) -> BTreeMap<String, usize> {
    let output = strace(desk, &["-f", "-e", &format!("trace={}", CALLS.join(","))]);
    assert!(output.status.success(), "{output:?}");
    let mut count = BTreeMap::new();
    for line in desk.read("trace").lines() {
        let call = line.split_whitespace().nth(1).and_then(|word| word.split('(').next());
        if let Some(call) = call.filter(|call| CALLS.contains(call)) {
            *count.entry(call.to_owned()).or_default() += 1;
        }
    }
    fs::remove_file(desk.path("trace")).unwrap();
    count
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
    for (call, count) in calls {
        for moment in 1..=count {
            let desk = before(old, new);
            let inject = format!("inject={call}:signal=SIGKILL:when={moment}");
            strace(&desk, &["-f", "-e", &format!("trace={call}"), "-e", &inject]);
            let left = tree(&desk);
            olds += usize::from(left == old_tree);
            news += usize::from(left == new_tree);
            assert!(left == old_tree || left == new_tree, "killed at {call} {moment}: {left:#?}");
            // The next run mends whatever was left beside it.
            desk.run(&RENDER.join(" ")).output();
            assert!(tree(&desk) == new_tree, "after {call} {moment}");
            let beside = desk.list("").into_iter().filter(|file| file.contains(".strata-")).count();
            assert_eq!(beside, 0, "after {call} {moment}");
        }
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
