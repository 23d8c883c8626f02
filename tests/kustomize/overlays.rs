//! The overlays that ship with the repository, built from a clone.

use super::programs::{kubectl, kustomize, kustomize_with_plugin, render};
use super::*;
use std::collections::BTreeSet;

fn overlays() -> PathBuf {
    repository().join("overlays")
}

/// The overlays as someone with kubectl has them: without the annotation.
fn for_kubectl() -> tempfile::TempDir {
    let strip = |text: String| {
        let mut lines: Vec<_> = text.lines().collect();
        if let Some(at) = lines.iter().position(|line| *line == "  annotations:") {
            let end = lines.iter().position(|line| *line == "spec:").unwrap();
            lines.drain(at..end);
        }
        lines.join("\n") + "\n"
    };
    copy(&overlays(), strip)
}

fn build(name: &str) -> String {
    kustomize(&overlays().join(name)).text()
}

#[test]
fn both_programs_build_each_overlay_to_the_same_bytes() {
    let plain = for_kubectl();
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(overlays()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    assert_eq!(names.iter().collect::<Vec<_>>(), ["development", "production", "staging"]);
    for name in &names {
        let expected = build(name);
        let folder = plain.path().join(name);
        check_same(&format!("{name}, kubectl"), &expected, &kubectl(&folder).text());
        let legacy = kustomize_with_plugin(&folder).text();
        check_same(&format!("{name}, kustomize with the plugin"), &expected, &legacy);
    }
}

#[test]
fn production_is_what_render_prints() {
    let folder = overlays().join("production");
    check_same("production", &render(&[folder]).text(), &build("production"));
}

/// The lines of the one object of a kind.
fn lines_of<'b>(build: &'b str, kind: &str) -> BTreeSet<&'b str> {
    let kind = format!("kind: {kind}");
    let mut objects = build.split("---\n").filter(|object| object.lines().any(|line| line == kind));
    let object = objects.next().unwrap();
    assert_eq!(objects.next(), None, "there is one {kind}");
    object.lines().collect()
}

#[track_caller]
fn check_changed(builds: [&str; 2], kind: &str, lines: &[&str]) {
    let [from, to] = builds.map(|build| lines_of(build, kind));
    let found: Vec<_> = to.difference(&from).copied().collect();
    assert_eq!(found, lines, "{kind}");
}

#[test]
fn staging_is_production_with_patches() {
    let builds = [&*build("production"), &*build("staging")];
    let label = "    environment: staging";
    let [from, to] = builds;
    assert_eq!(to.matches(label).count(), from.split("---\n").count(), "a label on each");
    check_changed(builds, "Keystone", &[label, "    tag: 29.0.3-rc1", "  replicas: 2"]);
    check_changed(builds, "Memcached", &[label, "  image: memcached:1.6.40"]);
    check_changed(builds, "MariaDB", &[label]);
}

/// One setting of the spec has its consequences everywhere; a patch has none.
#[test]
fn development_is_rendered_from_a_spec_that_was_changed() {
    let builds = [&*build("production"), &*build("development")];
    let label = "    environment: development";
    check_changed(builds, "Keystone", &[label, "  replicas: 1"]);
    let database = [
        "      example.com/scrape: \"false\"",
        "    annotations:",
        label,
        "    max_connections=7415",
        "    size: 5Gi",
        "    storageClassName: standard",
        "  podMetadata:",
        "  replicas: 1",
    ];
    check_changed(builds, "MariaDB", &database);
    let [from, to] = builds.map(|build| lines_of(build, "MariaDB"));
    assert!(from.contains("  galera:") && !to.contains("  galera:"), "one member needs no Galera");
}
