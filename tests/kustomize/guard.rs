//! Builds in which we did not run. kustomize and kubectl skip a function that they may not run,
//! print nothing, and call it a success; Flux would then delete everything. The guard is what
//! makes such a build fail.

use super::programs::{Printed, kubectl, kustomize, kustomize_without_exec};
use super::*;

fn overlays() -> Vec<PathBuf> {
    ["production", "staging", "development"]
        .map(|name| repository().join("overlays").join(name))
        .to_vec()
}

#[track_caller]
fn check_stopped(printed: &Printed) {
    assert!(!printed.success, "it printed {} bytes", printed.stdout.len());
    assert_eq!(printed.stdout, "");
    assert!(printed.stderr.contains("nothing selected by ConfigMap"), "{}", printed.stderr);
}

#[test]
fn with_the_guard_a_build_without_us_fails() {
    for overlay in overlays() {
        check_stopped(&kustomize_without_exec(&overlay));
        // The annotation makes it a function, which kubectl cannot run.
        check_stopped(&kubectl(&overlay));
    }
}

/// If this fails, they have learnt to say so, and the guard may go.
#[test]
fn without_the_guard_it_succeeds_with_nothing() {
    let all = repository().join("overlays/production");
    let unguarded = copy(&all, |text| match text.split_once("replacements:\n") {
        Some((before, _)) => before.to_owned(),
        None => text,
    });
    for printed in [kustomize_without_exec(unguarded.path()), kubectl(unguarded.path())] {
        assert!(printed.success, "{}", printed.stderr);
        assert_eq!(printed.stdout, "");
    }
    assert!(!kustomize(unguarded.path()).text().is_empty());
}

#[test]
fn the_guard_changes_nothing_where_we_run() {
    let generator = ("controlplane.yaml", &*as_function(CONTROL_PLANE));
    let plain = folder(&[("kustomization.yaml", "generators: [controlplane.yaml]\n"), generator]);
    let guard = "\
generators: [controlplane.yaml]
replacements:
- source: {kind: ConfigMap, name: strata-cp, fieldPath: metadata.name}
  targets:
  - select: {kind: ConfigMap, name: strata-cp}
    fieldPaths: [metadata.name]
";
    let guarded = folder(&[("kustomization.yaml", guard), generator]);
    let expected = kustomize(plain.path()).text();
    check_same("guarded", &expected, &kustomize(guarded.path()).text());
}
