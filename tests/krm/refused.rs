//! What is no ResourceList, and what in one cannot be.

use super::*;

#[test]
fn what_is_no_resource_list_is_refused() {
    for (input, because) in [
        ("", "it is empty"),
        ("# nothing\n", "it is empty"),
        ("just words", "it is no Kubernetes object"),
        ("a: [", "it cannot be read"),
        (CONTROL_PLANE, "it is a ControlPlane"),
        ("apiVersion: v1\nkind: List\nitems: []\n", "it is a List"),
        ("kind: ResourceList\nitems: []\n", "its apiVersion is ``"),
        ("apiVersion: config.kubernetes.io/v9\nkind: ResourceList\n", "v9"),
    ] {
        check_refused(input, Code::NotAResourceList, because);
    }
    let twice =
        list(CONTROL_PLANE, &[]).repeat(2).replace("apiVersion: config", "---\napiVersion: config");
    check_refused(&twice, Code::NotAResourceList, "2 documents");
}

#[test]
fn so_are_bytes_that_are_no_text() {
    let Answer { text, findings } = function(b"\xff\xfe\x00\x01");
    assert_eq!(text, "");
    assert!(findings.iter().any(|finding| finding.code == Code::NotAResourceList));
}

#[test]
fn items_are_objects_and_so_is_the_configuration() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
    for (rest, because) in [
        ("items: {}\n", "items is no list"),
        ("items: none\n", "items is no list"),
        ("items: [{}, 1]\n", "item 1 is no object"),
        ("items: [~]\n", "item 0 is no object"),
        ("items: []\nfunctionConfig: x\n", "functionConfig is no object"),
        ("items: []\nfunctionConfig: []\n", "functionConfig is no object"),
    ] {
        check_refused(&format!("{head}{rest}"), Code::NotAResourceList, because);
    }
}

#[test]
fn an_item_that_cannot_be_read_is_refused_with_its_own_code() {
    let input = list(CONTROL_PLANE, &["apiVersion: v1\nkind: ConfigMap\nkind: ConfigMap\n"]);
    check_refused(&input, Code::DuplicateKey, "kind");
    let findings = function(input.as_bytes()).findings;
    assert!(findings.iter().all(|finding| finding.code != Code::NotAResourceList));
}

#[test]
fn a_mistake_in_the_spec_is_told_by_its_field() {
    let wrong = CONTROL_PLANE.replace("{}", "{servces: {}}");
    check_refused(&list(&wrong, &[]), Code::UnknownField, "servces");
    let findings = function(list(&wrong, &[]).as_bytes()).findings;
    let said = strata::report::plain::plain(&findings);
    assert!(said.starts_with("error[S0101]: "), "{said}");
    assert!(said.contains("  ControlPlane openstack/cp spec.servces: "), "{said}");
    assert!(said.contains("  help: "), "{said}");
}
