//! Findings in the answer itself.

use super::*;

fn results(text: &str) -> Vec<Value> {
    parse(text).at(&["results"]).and_then(Value::as_list).unwrap_or_default().to_vec()
}

#[test]
fn warnings_are_results_that_name_object_field_and_file() {
    let text = answer(&list("", &[&in_file(CONTROL_PLANE, "clouds/cp.yaml")]));
    let results = results(&text);
    let found = results.iter().find(|result| field(result, &["tags", "code"]) == "S0401").unwrap();
    assert_eq!(field(found, &["severity"]), "warning", "the default would be an error");
    let message = field(found, &["message"]);
    assert!(message.starts_with("S0401 no published operator serves this kind: "), "{message}");
    assert!(message.contains("; run operators"), "the remedy: {message}");
    assert_eq!(field(found, &["field", "path"]), "spec.distribution");
    assert_eq!(field(found, &["file", "path"]), "clouds/cp.yaml");
    assert_eq!(found.at(&["file", "index"]).unwrap().as_int(), Some(0));
    for (key, value) in [
        ("apiVersion", "c5c3.io/v1alpha1"),
        ("kind", "ControlPlane"),
        ("name", "cp"),
        ("namespace", "openstack"),
    ] {
        assert_eq!(field(found, &["resourceRef", key]), value);
    }
}

#[test]
fn every_finding_is_a_result() {
    let input = list(CONTROL_PLANE, &[]);
    let Answer { text, findings } = function(input.as_bytes());
    let codes: Vec<_> = findings.iter().map(|finding| finding.code.id()).collect();
    let results = results(&text);
    let told: Vec<_> = results.iter().map(|result| field(result, &["tags", "code"])).collect();
    assert_eq!(told, codes);
    assert!(!codes.is_empty());
    assert!(results.iter().all(|result| result.at(&["file"]).is_none()), "there is no file here");
}

#[test]
fn results_of_earlier_functions_are_not_ours_to_repeat() {
    let input = list(CONTROL_PLANE, &[]) + "results:\n- {message: earlier, severity: info}\n";
    assert!(!answer(&input).contains("earlier"));
}
