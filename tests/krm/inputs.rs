//! Our own kinds: where they may stand, and what becomes of them.

use super::*;

const LOCAL: &str = "config.kubernetes.io/local-config";
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";

const CLAIM: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: OpenStackCluster
metadata:
  name: claimed
  namespace: tenant-a
spec:
  region: eu-de-1
  hypervisorClusters: [hv]
";

const POOL: &str = "\
apiVersion: crossplane.c5c3.io/v1alpha1
kind: HypervisorCluster
metadata:
  name: hv
  namespace: infrastructure
spec:
  region: eu-de-1
";

const DEFAULTS: &str = "\
apiVersion: strata.c5c3.io/v1alpha1
kind: Defaults
metadata:
  name: all
  namespace: strata-system
spec:
  size: small
";

/// As kustomize calls a generator.
fn generator(control_plane: &str) -> String {
    let config = annotated(control_plane, &[(LOCAL, "true")]);
    let item = annotated(
        control_plane,
        &[
            (LOCAL, "true"),
            ("config.kubernetes.io/index", "0"),
            ("internal.config.kubernetes.io/index", "0"),
            ("internal.config.kubernetes.io/annotations-migration-resource-id", "0"),
            ("internal.config.kubernetes.io/id", "1"),
            ("config.k8s.io/id", "1"),
        ],
    );
    list(&config, &[&item])
}

#[test]
fn a_generator_gives_what_render_prints_and_not_its_configuration() {
    let text = answer(&generator(CONTROL_PLANE));
    assert_eq!(stream(&text), rendered(CONTROL_PLANE));
    assert!(!names(&text).contains(&"ControlPlane cp".to_owned()));
    assert!(!text.contains(LOCAL), "what carries this vanishes from the build");
    assert!(!text.contains("config.kubernetes.io/path"), "kustomize has no use for it");
}

#[test]
fn the_configuration_alone_is_enough() {
    assert_eq!(answer(&list(CONTROL_PLANE, &[])), answer(&generator(CONTROL_PLANE)));
}

#[test]
fn so_is_a_control_plane_among_the_items() {
    let of_kpt = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: function-input\n";
    for config in ["", of_kpt, "{}"] {
        let text = answer(&list(config, &[CONTROL_PLANE]));
        assert_eq!(stream(&text), rendered(CONTROL_PLANE));
    }
}

#[test]
fn several_control_planes_come_in_one_answer() {
    let other = CONTROL_PLANE.replace("openstack", "elsewhere");
    let text = answer(&list(CONTROL_PLANE, &[&other]));
    let both = rendered(&format!("{CONTROL_PLANE}---\n{other}"));
    assert_eq!(stream(&text), both);
}

#[test]
fn a_build_consumes_what_was_rendered_from() {
    let id = [(KUSTOMIZE_ID, "x")];
    let item = annotated(CONTROL_PLANE, &id);
    let foreign = annotated(&config_map("foreign"), &id);
    let text = answer(&list("", &[&foreign, &item]));
    assert_eq!(names(&text)[..2], ["ConfigMap foreign", "Namespace openstack"]);
    assert!(!names(&text).contains(&"ControlPlane cp".to_owned()));
}

/// kustomize puts a path on the output of a generator before a transformer sees it.
#[test]
fn a_path_beside_the_id_of_kustomize_is_no_file() {
    let path = "config.kubernetes.io/path";
    let item = annotated(CONTROL_PLANE, &[(KUSTOMIZE_ID, "x"), (path, "openstack/cp.yaml")]);
    let text = answer(&list("", &[&item]));
    assert_eq!(stream(&text), rendered(CONTROL_PLANE));
}

/// kpt deletes the file of an item that does not come back.
#[test]
fn a_package_keeps_its_files() {
    let item = in_file(CONTROL_PLANE, "cp.yaml");
    for config in [CONTROL_PLANE, &item, ""] {
        let text = answer(&list(config, &[&item]));
        assert_eq!(names(&text)[..2], ["ControlPlane cp", "Namespace openstack"]);
        let kept = format!("- {}", item.trim_end().replace('\n', "\n  "));
        assert!(text.contains(&kept), "{text}");
    }
}

#[test]
fn a_package_learns_in_which_files_objects_belong() {
    let text = answer(&list("", &[&in_file(CONTROL_PLANE, "cp.yaml")]));
    for object in &items(&text)[1..] {
        let path = field(object, &["metadata", "annotations", "config.kubernetes.io/path"]);
        let internal =
            field(object, &["metadata", "annotations", "internal.config.kubernetes.io/path"]);
        assert_eq!(path, internal, "kpt refuses two that differ");
        assert!(path.starts_with("openstack/") && path.ends_with(".yaml"), "{path}");
    }
}

#[test]
fn records_among_the_items_extend_the_catalogue() {
    let record = "\
apiVersion: strata.c5c3.io/v1alpha1
kind: Component
component: greeter
phase: identity
summary: Says hello
enabled: true
objects:
- object:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: greeter}
    data: {greeting: hello}
";
    for text in [
        answer(&list(CONTROL_PLANE, &[record])),
        answer(&list(record, &[CONTROL_PLANE])),
        answer(&list("", &[record, CONTROL_PLANE])),
    ] {
        assert!(names(&text).contains(&"ConfigMap greeter".to_owned()), "{:?}", names(&text));
        assert!(!text.contains("kind: Component"));
    }
}

#[test]
fn a_namesake_of_the_configuration_that_says_something_else_is_refused() {
    let other = CONTROL_PLANE.replace("{}", "{global: {region: Elsewhere}}");
    check_refused(&list(CONTROL_PLANE, &[&other]), Code::SameObjectTwice, "functionConfig");
}

#[test]
fn a_generator_cannot_render_what_needs_others() {
    let pools = "spec:\n  hypervisorClusters: [hv]\n";
    let pools_of_control_plane = "spec:\n  storage: {storageClusters: [st]}\n";
    for (api_version, kind, spec) in [
        ("c5c3.io/v1alpha1", "OpenStackCluster", pools),
        ("c5c3.io/v1alpha1", "ControlPlane", pools_of_control_plane),
        ("crossplane.c5c3.io/v1alpha1", "HypervisorCluster", ""),
        ("crossplane.c5c3.io/v1alpha1", "StorageCluster", ""),
        ("strata.c5c3.io/v1alpha1", "Defaults", ""),
        ("strata.c5c3.io/v1alpha1", "Component", ""),
    ] {
        let object =
            format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: x\n{spec}");
        let because = "shows a generator nothing but itself";
        check_refused(&generator(&object), Code::NeedsOtherDocuments, because);
        let answer = strata::resource_list::plugin(object.as_bytes(), b"");
        assert!(answer.findings.iter().all(|finding| finding.code == Code::NeedsOtherDocuments));
        assert!(answer.findings.has_errors());
    }
}

#[test]
fn a_claim_without_pools_speaks_for_itself() {
    let claim = CLAIM.replace("  hypervisorClusters: [hv]\n", "");
    assert_eq!(stream(&answer(&generator(&claim))), rendered(&claim));
}

#[test]
fn claims_pools_and_defaults_among_the_items_are_consumed() {
    let expected = rendered(&[CLAIM, POOL, DEFAULTS].join("---\n"));
    assert_ne!(expected, rendered(&[CLAIM, POOL].join("---\n")), "the defaults show");
    for text in [
        answer(&list("", &[CLAIM, POOL, DEFAULTS])),
        answer(&list("", &[DEFAULTS, POOL, CLAIM])),
        answer(&list(CLAIM, &[POOL, DEFAULTS])),
        answer(&list(POOL, &[DEFAULTS, CLAIM])),
    ] {
        assert_eq!(stream(&text), expected);
        for kind in ["OpenStackCluster ", "HypervisorCluster ", "Defaults "] {
            assert!(names(&text).iter().all(|name| !name.starts_with(kind)), "{:?}", names(&text));
        }
    }
    let resources = [POOL, DEFAULTS].join("---\n");
    let legacy = strata::resource_list::plugin(CLAIM.as_bytes(), resources.as_bytes());
    assert_eq!(legacy.text, expected);
}

#[test]
fn a_package_without_a_control_plane_is_refused_and_not_passed_on() {
    check_refused(&list("", &[&config_map("a")]), Code::NothingToRender, "no document");
}
