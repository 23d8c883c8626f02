//! As a transformer we see what the build already has.

use super::programs::{kubectl, kustomize, render};
use super::*;

const FOREIGN: &str = "\
apiVersion: v1
data:
  key: \"on\"
kind: ConfigMap
metadata:
  annotations:
    example.com/note: kept
  name: foreign
";

fn rendered() -> String {
    let folder = folder(&[("cp.yaml", CONTROL_PLANE)]);
    render(&[folder.path().join("cp.yaml")]).text()
}

/// What kustomize prints of all these objects.
fn plain(objects: &str) -> String {
    let folder =
        folder(&[("kustomization.yaml", "resources: [all.yaml]\n"), ("all.yaml", objects)]);
    kustomize(folder.path()).text()
}

/// The same resources and transformer, as a function and as a plugin.
#[track_caller]
fn check(resources: &str, expected: &str) {
    let kustomization = "resources: [resources.yaml]\ntransformers: [cp.yaml]\n";
    let files = [("kustomization.yaml", kustomization), ("resources.yaml", resources)];
    let function = as_function(CONTROL_PLANE);
    let function = folder(&[files[0], files[1], ("cp.yaml", &function)]);
    check_same("kustomize", expected, &kustomize(function.path()).text());
    let plugin = folder(&[files[0], files[1], ("cp.yaml", CONTROL_PLANE)]);
    check_same("kubectl", expected, &kubectl(plugin.path()).text());
}

#[test]
fn foreign_resources_stay() {
    check(FOREIGN, &plain(&format!("{FOREIGN}---\n{}", rendered())));
}

#[test]
fn what_was_rendered_before_is_replaced() {
    let changed = rendered().replace("managementPolicy: unmanaged", "managementPolicy: managed");
    assert_ne!(changed, rendered());
    check(&changed, &rendered());
}

#[test]
fn control_planes_among_the_resources_are_consumed() {
    let other = CONTROL_PLANE.replace("openstack", "elsewhere");
    let both = folder(&[("a.yaml", CONTROL_PLANE), ("b.yaml", &other)]);
    let expected = [both.path().join("a.yaml"), both.path().join("b.yaml")]
        .map(|path| render(&[path]).text())
        .join("---\n");
    check(&other, &plain(&expected));
}

/// What kustomize itself did to names and references is not lost on the way through us.
#[test]
fn references_of_foreign_resources_follow_renamed_ones() {
    let pod = "\
apiVersion: v1
kind: Pod
metadata:
  name: reader
spec:
  containers: [{name: a, image: a, envFrom: [{configMapRef: {name: made}}]}]
";
    let kustomization = "\
resources: [pod.yaml]
configMapGenerator: [{name: made, literals: [a=b]}]
transformers: [cp.yaml]
";
    let function = as_function(CONTROL_PLANE);
    let files = [("kustomization.yaml", kustomization), ("pod.yaml", pod), ("cp.yaml", &function)];
    let text = kustomize(folder(&files).path()).text();
    let hashed = text.lines().find(|line| line.starts_with("  name: made-")).unwrap();
    let reference = format!("        name: {}", hashed.trim().trim_start_matches("name: "));
    assert!(text.lines().any(|line| line == reference), "{reference}");
}
