//! Alerts fire when what they watch is gone, and whoever runs the operators that they read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeSet;

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

/// The panels of the dashboard.
fn panels_of(spec: &str) -> Vec<serde_json::Value> {
    let answer = drive::render(&[("controlplane.yaml", spec)]);
    let dashboard = answer.object("ConfigMap", "openstack-dashboard");
    let body = strata::spec::to_json(&read(&dashboard.yaml).documents[0].root);
    let text = body["data"]["openstack.json"].as_str().unwrap();
    let page: serde_json::Value = serde_json::from_str(text).unwrap();
    page["panels"].as_array().unwrap().clone()
}

#[test]
fn every_panel_of_the_dashboard_has_a_place_of_its_own() {
    let mut places = BTreeSet::new();
    for panel in panels_of(ROTATED) {
        let place = panel["gridPos"].as_object().unwrap();
        let numbers: Vec<&str> = place.keys().map(String::as_str).collect();
        assert_eq!(numbers, ["h", "w", "x", "y"], "{panel}");
        let at = |side: &str| place[side].as_i64().unwrap();
        assert!(at("x") + at("w") <= 24, "{panel}");
        assert!(places.insert((at("x"), at("y"))), "{panel}");
    }
    assert!(places.len() > 5, "{} panels", places.len());
}

/// A panel of what runs elsewhere, or not at all, would stay empty.
#[test]
fn the_dashboard_shows_what_the_cloud_runs_itself() {
    const METRICS: &[&str] = &["mysql_", "rabbitmq_", "memcached_", "strata_rotation_"];
    let shown = |spec: &str| -> Vec<&str> {
        let texts: String = panels_of(&SPEC.replace("spec: {}", &format!("spec: {spec}")))
            .iter()
            .map(ToString::to_string)
            .collect();
        METRICS.iter().copied().filter(|metric| texts.contains(metric)).collect()
    };
    assert_eq!(shown("{}"), ["mysql_", "rabbitmq_", "memcached_"]);
    assert_eq!(shown("{rotation: {fernetKeys: {enabled: true}}}"), METRICS);
    let off = "{enabled: false}";
    let without_broker = format!("{{services: {{nova: {off}, neutron: {off}, cinder: {off}}}}}");
    assert_eq!(shown(&without_broker), ["mysql_", "memcached_"]);
    let elsewhere = "{infrastructure: {mariadb: {external: {host: db.example.com, secretName: db, tls: false}}, \
        rabbitmq: {external: {host: mq.example.com, secretName: mq}}, \
        memcached: {external: {servers: ['cache.example.com:11211']}}}}";
    assert_eq!(shown(elsewhere), Vec::<&str>::new());
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
