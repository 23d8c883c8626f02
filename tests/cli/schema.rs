use jsonschema::Validator;
use serde_json::Value;

use crate::desk::{Desk, SPEC};

#[test]
fn the_kinds_are_listed() {
    insta::assert_snapshot!(Desk::new().run("schema"), @r"
    controlplane       A cloud: what `strata render` reads
    openstackcluster   A tenant's claim to a cloud, which becomes a ControlPlane
    hypervisorcluster  A pool of hypervisors that clouds consume
    storagecluster     A pool of storage that clouds consume
    defaults           Values that clouds have unless their own spec says otherwise
    generator          A record that describes one component of a cloud
    exit 0
    ");
}

fn schema(kind: &str) -> Validator {
    let text = Desk::new().run(&format!("schema {kind}")).output();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn yaml(text: &str) -> Value {
    let reading = strata::yaml::read::read(text);
    assert!(reading.faults.is_empty(), "{text}");
    strata::spec::to_json(&reading.documents[0].root)
}

/// An editor must neither complain of what a run accepts nor let pass what a run refuses.
#[test]
fn an_editor_says_what_a_run_says() {
    let schema = schema("controlplane");
    for (spec, valid) in [
        ("{}", true),
        ("", false),
        ("{size: small}", true),
        ("{size: tiny}", false),
        ("{sice: small}", false),
        ("{release: '2025.2'}", true),
        ("{release: 2025.2}", false),
        ("{services: {keystone: {replicas: 3}}}", true),
        ("{services: {keystone: {replicas: 0}}}", false),
        ("{infrastructure: {mariadb: {extraConfig: {any: [thing]}}}}", true),
        ("{services: {keystone: {patches: [{json: [{op: add}]}]}}}", false),
        ("{services: {keystone: {patches: [{json: [{op: put, path: /a}]}]}}}", false),
        ("{infrastructure: {mariadb: {patches: [{merge: {spec: {a: 1}}}]}}}", true),
        ("{services: {keystone: null}}", true),
        ("{services: {kexstone: {}}}", false),
        ("{infrastructure: {mariadb: {storageSize: 100Gi}}}", true),
        ("{infrastructure: {mariadb: {storageSize: plenty}}}", false),
        ("{infrastructure: {mariadb: {resources: {limits: {cpu: 2}}}}}", true),
    ] {
        let text = SPEC.replace("spec: {}", &format!("spec: {spec}"));
        assert_eq!(schema.is_valid(&yaml(&text)), valid, "editor: {spec}");
        let run = Desk::new().file("cloud.yaml", &text).run("validate cloud.yaml");
        assert_eq!(run.status == 0, valid, "run: {spec}: {run}");
    }
    assert!(!schema.is_valid(&yaml(&SPEC.replace("v1alpha1", "v1"))));
    assert!(!schema.is_valid(&yaml(&SPEC.replace("name: test, ", ""))));
}

#[test]
fn the_fixture_of_a_real_cloud_is_valid() {
    let text = include_str!("../../fixtures/seed-001/controlplane.yaml");
    assert!(schema("controlplane").is_valid(&yaml(text)));
}

#[test]
fn our_own_records_are_valid() {
    let schema = schema("generator");
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/generators");
    let mut count = 0;
    for entry in walkdir::WalkDir::new(records).into_iter().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|extension| extension == "yaml") {
            let record = yaml(&std::fs::read_to_string(entry.path()).unwrap());
            let errors: Vec<String> =
                schema.iter_errors(&record).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", entry.path().display());
            count += 1;
        }
    }
    assert!(count > 4);
    assert!(!schema.is_valid(&yaml("{apiVersion: strata.c5c3.io/v1alpha1, kind: Component}")));
}
