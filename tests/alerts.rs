//! Alerts fire when what they watch is gone, and whoever runs the operators that they read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use strata::yaml::read::read;

const SPEC: &str = "{apiVersion: c5c3.io/v1alpha1, kind: ControlPlane, metadata: {name: a, namespace: openstack}, spec: {}}";

const ROTATED: &str = "{apiVersion: c5c3.io/v1alpha1, kind: ControlPlane, metadata: {name: a, namespace: openstack}, \
    spec: {rotation: {fernetKeys: {enabled: true}}}}";

fn alerts() -> Vec<(String, String)> {
    alerts_of(SPEC)
}

/// Each alert's name, and what it asks.
fn alerts_of(spec: &str) -> Vec<(String, String)> {
    let answer = drive::render(&[("controlplane.yaml", spec)]);
    let rules = answer.objects().iter().filter(|object| object.kind == "PrometheusRule");
    let bodies = rules.map(|rule| strata::spec::to_json(&read(&rule.yaml).documents[0].root));
    let text = |alert: &serde_json::Value, field: &str| alert[field].as_str().unwrap().to_owned();
    bodies
        .flat_map(|body| body["spec"]["groups"][0]["rules"].as_array().unwrap().clone())
        .map(|alert| (text(&alert, "alert"), text(&alert, "expr")))
        .collect()
}

#[test]
fn every_panel_of_the_dashboard_has_a_place() {
    let answer = drive::render(&[("controlplane.yaml", SPEC)]);
    let dashboards = answer.objects().iter().filter(|object| object.name.contains("dashboard"));
    let mut seen = 0;
    for object in dashboards {
        let body = strata::spec::to_json(&read(&object.yaml).documents[0].root);
        for (_, text) in body["data"].as_object().unwrap() {
            let page: serde_json::Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
            for panel in page["panels"].as_array().unwrap() {
                let place = panel["gridPos"].as_object().unwrap();
                let numbers: Vec<&str> = place.keys().map(String::as_str).collect();
                assert_eq!(numbers, ["h", "w", "x", "y"], "{panel}");
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen} panels");
}

/// What vanishes leaves no sample, and a comparison of nothing is nothing.
#[test]
fn an_alert_about_members_counts_none_as_nought() {
    let mut seen = Vec::new();
    for (name, expression) in alerts().into_iter().filter(|(name, _)| name.ends_with("Down")) {
        assert!(expression.starts_with("(count("), "{name}: {expression}");
        assert!(expression.contains(") or vector(0)) < "), "{name}: {expression}");
        seen.push(name);
    }
    seen.sort();
    assert_eq!(seen, ["BrokerMemberDown", "CacheDown", "DatabaseMemberDown", "ValkeyDown"]);
}

/// Prometheus renames the label of a metric that it has itself, unless it is told to honour it.
#[test]
fn the_namespace_of_a_credential_or_certificate_is_known_by_both_its_names() {
    let of_others = ["certmanager_", "externalsecret_", "pushsecret_"];
    let mut seen = 0;
    for (name, expression) in alerts() {
        if of_others.iter().any(|start| expression.contains(start)) {
            for label in ["{namespace=\"openstack\"", "{exported_namespace=\"openstack\""] {
                assert!(expression.contains(label), "{name}: {expression}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 4);
}

/// An operator that is not there serves no metrics, so what compares them never fires.
#[test]
fn an_absent_operator_of_rotations_is_noticed() {
    let absent = |spec| {
        let found = alerts_of(spec).into_iter().find(|(name, _)| name == "RotationOperatorAbsent");
        found.map(|(_, expression)| expression)
    };
    let expected = "absent(strata_rotation_stalled{namespace=\"openstack\"})";
    assert_eq!(absent(ROTATED).as_deref(), Some(expected));
    assert_eq!(absent(SPEC), None);
}
