//! Our earlier output: replaced, never doubled, and found again where it was.

use super::*;

/// The answer once more as a question, its configuration added.
fn again(text: &str) -> String {
    let (items, _) = text.split_once("results:\n").unwrap_or((text, ""));
    format!("{items}functionConfig:\n  {}\n", CONTROL_PLANE.trim_end().replace('\n', "\n  "))
}

fn owned(object: &str, owner: &str) -> String {
    annotated(object, &[("strata.c5c3.io/owner", owner)])
}

#[test]
fn a_second_run_changes_nothing() {
    let first = answer(&list(CONTROL_PLANE, &[&config_map("a"), &config_map("b")]));
    assert_eq!(answer(&again(&first)), first);
}

#[test]
fn a_second_run_over_a_package_changes_nothing() {
    let first = answer(&list("", &[&config_map("a"), &in_file(CONTROL_PLANE, "cp.yaml")]));
    assert_eq!(answer(&first), first, "the answer is a question of its own");
}

#[test]
fn an_object_changed_by_hand_is_made_anew_where_it_stood() {
    let first = answer(&list(CONTROL_PLANE, &[]));
    let changed = first.replacen("managementPolicy: unmanaged", "managementPolicy: managed", 1);
    assert_ne!(changed, first);
    assert_eq!(answer(&again(&changed)), first);
}

#[test]
fn what_is_no_longer_rendered_goes() {
    let stale = owned(&config_map("stale"), "openstack/cp");
    let text = answer(&list(CONTROL_PLANE, &[&stale, &config_map("kept")]));
    assert_eq!(names(&text)[..2], ["ConfigMap kept", "Namespace openstack"]);
}

#[test]
fn a_second_copy_goes() {
    let first = answer(&list(CONTROL_PLANE, &[]));
    let (_, items) = first.split_once("items:\n").unwrap();
    let (items, _) = items.split_once("results:\n").unwrap();
    let doubled = again(&first).replacen("items:\n", &format!("items:\n{items}"), 1);
    assert_eq!(answer(&doubled), first);
}

#[test]
fn an_object_keeps_the_file_it_is_in_and_what_else_its_caller_wrote_on_it() {
    let marks = [
        ("config.kubernetes.io/path", "mine/all.yaml"),
        ("internal.config.kubernetes.io/path", "mine/all.yaml"),
        ("config.kubernetes.io/index", "7"),
        ("internal.config.kubernetes.io/index", "7"),
        ("internal.config.kubernetes.io/previousNames", "x"),
        ("config.k8s.io/id", "3"),
        ("strata.c5c3.io/owner", "openstack/cp"),
    ];
    let old = annotated(&config_map("strata-cp\n  namespace: openstack"), &marks);
    let old = annotated_twice(&old, "example.com/note", "by hand");
    let text = answer(&list("", &[&old, &in_file(CONTROL_PLANE, "cp.yaml")]));
    let item = &items(&text)[0];
    assert_eq!(names(&text)[0], "ConfigMap strata-cp");
    assert!(item.at(&["data", "plan"]).is_some(), "made anew");
    for (key, value) in marks {
        assert_eq!(field(item, &["metadata", "annotations", key]), value);
    }
    assert_eq!(field(item, &["metadata", "annotations", "example.com/note"]), "", "not a caller's");
}

fn annotated_twice(object: &str, key: &str, value: &str) -> String {
    object.replacen("  annotations:\n", &format!("  annotations:\n    {key}: {value}\n"), 1)
}

#[test]
fn kustomize_finds_an_object_again_by_its_id() {
    let marks = [("kustomize.config.k8s.io/id", "who"), ("strata.c5c3.io/owner", "openstack/cp")];
    let old = annotated(&config_map("strata-cp\n  namespace: openstack"), &marks);
    let text = answer(&list(CONTROL_PLANE, &[&old]));
    let id = ["metadata", "annotations", "kustomize.config.k8s.io/id"];
    assert_eq!(field(&items(&text)[0], &id), "who");
    assert_eq!(text.matches("kustomize.config.k8s.io/id").count(), 1, "the others have none");
}

/// A control plane that was renamed makes objects of the same names.
#[test]
fn the_objects_of_a_renamed_control_plane_are_taken_over() {
    let renamed = CONTROL_PLANE.replace("name: cp", "name: renamed");
    let first = answer(&list(CONTROL_PLANE, &[]));
    let (items, _) = first.split_once("results:\n").unwrap();
    let config = renamed.trim_end().replace('\n', "\n  ");
    let text = answer(&format!("{items}functionConfig:\n  {config}\n"));
    let left: Vec<_> = names(&text).into_iter().filter(|name| name.contains("-cp")).collect();
    assert_eq!(left, ["ConfigMap strata-cp"], "only the sentinel bears the old name");
    assert_eq!(names(&text).len(), names(&first).len() + 1);
}

#[test]
fn objects_of_another_control_plane_stay_and_are_told_of_once() {
    let one = in_file(&config_map("one"), "one.yaml");
    let one = annotated_twice(&one, "strata.c5c3.io/owner", "elsewhere/old");
    let two = one.replace("one", "two");
    let input = list(CONTROL_PLANE, &[&one, &two]);
    let text = answer(&input);
    assert_eq!(names(&text)[..2], ["ConfigMap one", "ConfigMap two"]);
    let findings = function(input.as_bytes()).findings;
    let told: Vec<_> = findings.iter().filter(|found| found.code == Code::LeftBehind).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].because.contains("2 objects of control plane elsewhere/old"));
}

/// In a build they come from its other generators; nothing lies around that could be deleted.
#[test]
fn in_a_build_objects_of_another_control_plane_are_no_news() {
    let other = owned(&config_map("one"), "elsewhere/other");
    let input = list(CONTROL_PLANE, &[&other]);
    assert_eq!(names(&answer(&input))[0], "ConfigMap one");
    let findings = function(input.as_bytes()).findings;
    assert!(findings.iter().all(|found| found.code != Code::LeftBehind));
}

#[test]
fn a_foreign_object_in_the_place_of_ours_is_refused() {
    let foreign = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: openstack\n";
    check_refused(
        &list(CONTROL_PLANE, &[foreign]),
        Code::SameObjectTwice,
        "rendered from the control plane too",
    );
}

#[test]
fn a_namesake_in_another_group_or_namespace_is_none() {
    let group = "apiVersion: example.com/v1\nkind: Namespace\nmetadata:\n  name: openstack\n";
    let namespace = config_map("strata-cp\n  namespace: elsewhere");
    let text = answer(&list(CONTROL_PLANE, &[group, &namespace]));
    assert_eq!(names(&text)[..2], ["Namespace openstack", "ConfigMap strata-cp"]);
}
