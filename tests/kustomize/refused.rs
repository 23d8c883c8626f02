//! An error of ours is an error of the build, and nobody misses the reason.

use super::programs::{Printed, kubectl, kustomize};
use super::*;

/// As a function, and as a plugin.
fn build(config: &str) -> [Printed; 2] {
    let kustomization = ("kustomization.yaml", "generators: [config.yaml]\n");
    let function = folder(&[kustomization, ("config.yaml", &as_function(config))]);
    let plugin = folder(&[kustomization, ("config.yaml", config)]);
    [kustomize(function.path()), kubectl(plugin.path())]
}

#[track_caller]
fn check_refused(config: &str, said: &[&str]) {
    for printed in build(config) {
        assert!(!printed.success);
        assert_eq!(printed.stdout, "");
        for words in said {
            assert!(printed.stderr.contains(words), "no {words:?} in:\n{}", printed.stderr);
        }
    }
}

#[test]
fn a_mistake_in_the_spec_fails_the_build_with_code_place_and_remedy() {
    check_refused(
        &CONTROL_PLANE.replace("{}", "{servces: {}}"),
        &["error[S0101]: ", "ControlPlane openstack/cp spec.servces", "did you mean `services`?"],
    );
}

#[test]
fn kinds_that_need_others_say_where_they_belong() {
    let claim = "apiVersion: c5c3.io/v1alpha1\nkind: OpenStackCluster\nmetadata:\n  name: x\nspec:\n  storageClusters: [st]\n";
    let record = "apiVersion: strata.c5c3.io/v1alpha1\nkind: Component\nmetadata:\n  name: x\n";
    check_refused(claim, &["error[S0009]: ", "`transformers:`"]);
    check_refused(record, &["error[S0009]: ", "`transformers:`"]);
}
