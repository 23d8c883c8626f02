//! Network policies: every component that needs another, or talks to it, may reach it; nobody else may.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeSet;

use drive::{Answer, fixtures};
use serde_json::Value;
use strata::catalogue::Catalogue;
use strata::yaml::read::read;

const ALL: &str = "apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: production, namespace: openstack}
spec:
  global: {networkPolicies: {enabled: true}}
  endpoints: {domain: cloud.example.com, gateway: {name: public}}
  services:
    horizon: {enabled: true}
    heat: {enabled: true}
    octavia: {enabled: true}
    barbican: {enabled: true}
    designate: {enabled: true}
    manila: {enabled: true}
    magnum: {enabled: true}
    ironic: {enabled: true}
  cortex: {enabled: true}
  tempest: {enabled: true}
";

fn policies(answer: &Answer) -> Vec<Value> {
    let objects = answer.objects().iter().filter(|object| object.kind == "NetworkPolicy");
    objects.map(|object| strata::spec::to_json(&read(&object.yaml).documents[0].root)).collect()
}

/// The first sort of labels of each component's pods: enough to know a client by.
fn labels_of(policies: &[Value], component: &str) -> Option<Value> {
    let own = |policy: &&Value| {
        policy["metadata"]["labels"]["strata.c5c3.io/component"] == component
            && !policy["spec"]["podSelector"]["matchLabels"].is_null()
    };
    Some(policies.iter().find(own)?["spec"]["podSelector"]["matchLabels"].clone())
}

/// Every edge between two components that have policies, as the policies have it.
fn allowed(policies: &[Value]) -> BTreeSet<(String, String)> {
    let component = |policy: &Value| {
        policy["metadata"]["labels"]["strata.c5c3.io/component"].as_str().unwrap().to_owned()
    };
    let mut edges = BTreeSet::new();
    for server in policies {
        let rules = server["spec"]["ingress"].as_array().cloned().unwrap_or_default();
        let from =
            rules.iter().flat_map(|rule| rule["from"].as_array().cloned().unwrap_or_default());
        let selectors: Vec<Value> =
            from.map(|peer| peer["podSelector"]["matchLabels"].clone()).collect();
        for client in policies {
            let labels = &client["spec"]["podSelector"]["matchLabels"];
            if !labels.is_null() && selectors.contains(labels) {
                edges.insert((component(client), component(server)));
            }
        }
    }
    edges.retain(|(client, server)| client != server);
    edges
}

#[test]
fn who_needs_another_or_talks_to_it_reaches_it_and_nobody_else_does() {
    let policies = policies(&drive::render(&[("controlplane.yaml", ALL)]));
    let catalogue = Catalogue::built_in();
    let mut wanted = BTreeSet::new();
    for record in catalogue.records() {
        for server in record.waits_for().chain(record.talks_to.iter()) {
            let (client, server) = (record.component.to_string(), server.to_string());
            let both = [&client, &server].iter().all(|it| labels_of(&policies, it).is_some());
            if both && client != server {
                wanted.insert((client, server));
            }
        }
    }
    assert!(wanted.len() > 50, "only {} edges", wanted.len());
    assert_eq!(allowed(&policies), wanted);
}

/// It bears no label of Keystone's own, so that no Service of Keystone's leads to it.
#[test]
fn the_job_that_re_encrypts_credentials_reaches_the_database_and_nobody_reaches_it() {
    let check = |rotation: &str, expected: &[&str]| {
        let spec = ALL.replace("spec:\n", &format!("spec:\n  rotation: {{{rotation}}}\n"));
        let policies = policies(&drive::render(&[("controlplane.yaml", &spec)]));
        let job = serde_json::json!({"c5c3.io/rotation": "keystone-credential-keys"});
        let reached = policies.iter().filter(|policy| {
            let peers = policy["spec"]["ingress"].as_array().into_iter().flatten();
            let mut peers = peers.flat_map(|rule| rule["from"].as_array().into_iter().flatten());
            peers.any(|peer| peer["podSelector"]["matchLabels"] == job)
        });
        let reached: BTreeSet<&str> =
            reached.map(|policy| policy["metadata"]["name"].as_str().unwrap()).collect();
        assert_eq!(reached, expected.iter().copied().collect(), "{rotation}");
        let own = |policy: &&Value| policy["spec"]["podSelector"]["matchLabels"] == job;
        assert_eq!(policies.iter().find(own), None, "{rotation}");
    };
    check("credentialKeys: {enabled: true}", &["mariadb-maxscale", "memcached-server"]);
    check("fernetKeys: {enabled: true}", &[]);
}

#[test]
fn the_operator_that_rotates_is_asked_by_those_who_read_metrics_alone() {
    let rotates = ALL.replace("spec:\n", "spec:\n  rotation: {fernetKeys: {enabled: true}}\n");
    let rotates = rotates + "  platform: {strata-operator: {enabled: true}}\n";
    let open = |spec: &str| {
        let policies = policies(&drive::render(&[("controlplane.yaml", spec)]));
        from_elsewhere(&policies, "strata-operator")
    };
    assert_eq!(open(&rotates), BTreeSet::from(["monitoring:8080".to_owned()]));
    let unlimited = rotates.replace("  global: {networkPolicies: {enabled: true}}\n", "");
    assert_eq!(open(&unlimited), BTreeSet::new(), "nobody has said where they are");
}

/// The ports of a component's pods that are open to each other namespace, as `namespace:port`.
fn from_elsewhere(policies: &[Value], name: &str) -> BTreeSet<String> {
    let policy = named(policies, name);
    let mut open = BTreeSet::new();
    for rule in policy["spec"]["ingress"].as_array().expect("rules") {
        for peer in rule["from"].as_array().into_iter().flatten() {
            let Some(selector) = peer["namespaceSelector"].as_object() else { continue };
            let labels = selector.get("matchLabels").unwrap_or(&Value::Null);
            let namespace = labels["kubernetes.io/metadata.name"].as_str().unwrap_or("everywhere");
            for port in rule["ports"].as_array().expect("ports") {
                open.insert(format!("{namespace}:{}", port["port"]));
            }
        }
    }
    open
}

#[test]
fn operators_come_from_their_own_namespaces_and_nobody_comes_from_everywhere() {
    let check = |settings: &str, name: &str, expected: &[&str]| {
        let spec = ALL.replace(
            "{enabled: true}}\n  endpoints",
            &format!("{{enabled: true{settings}}}}}\n  endpoints"),
        );
        let policies = policies(&drive::render(&[("controlplane.yaml", &spec)]));
        let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(from_elsewhere(&policies, name), expected, "{name} with `{settings}`");
    };
    check(
        "",
        "mariadb-server",
        &["mariadb-system:3306", "mariadb-system:5555", "mariadb-system:5566"],
    );
    check("", "rabbitmq-server", &["monitoring:15691", "rabbitmq-system:15671"]);
    check("", "keystone-api", &["orc-system:5000", "strata-system:5000"]);
    check("", "glance", &[]);
    let databases = ", operatorNamespaces: {mariadb-operator: databases}";
    check(databases, "mariadb-maxscale", &["databases:8989"]);
}

const COBALTCORE: &str = "apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: production, namespace: openstack}
spec:
  distribution: cobaltcore
  global: {networkPolicies: {enabled: true}}
  endpoints: {domain: cloud.example.com, gateway: {name: public, namespace: gateways}}
  network: {ovn: {enabled: false}}
  services:
    glance: {s3: {host: \"https://s3.example.com\"}}
    horizon: {enabled: true}
    nova: {enabled: false}
    neutron: {enabled: false}
    cinder: {enabled: false}
";

#[test]
fn an_operator_and_the_gateway_reach_what_they_lead_to() {
    let policies = policies(&drive::render(&[("controlplane.yaml", COBALTCORE)]));
    assert!(from_elsewhere(&policies, "glance").contains("glance-system:9292"));
    assert!(from_elsewhere(&policies, "keystone-api").contains("keystone-system:5000"));
    let expected = ["gateways:8080", "horizon-system:8080"].map(str::to_owned);
    assert_eq!(from_elsewhere(&policies, "horizon-dashboard"), BTreeSet::from(expected));
}

/// Its operators put no label on them.
#[test]
fn pods_of_jobs_reach_the_database_where_cobaltcore_fills_it() {
    let is_of_a_job =
        serde_json::json!([{"key": "batch.kubernetes.io/job-name", "operator": "Exists"}]);
    for (spec, expected) in [(COBALTCORE, true), (ALL, false)] {
        let policies = policies(&drive::render(&[("controlplane.yaml", spec)]));
        let peers = peers_at(named(&policies, "mariadb-maxscale"), 3306);
        let found = peers.iter().any(|it| it["podSelector"]["matchExpressions"] == is_of_a_job);
        assert_eq!(found, expected, "{peers:?}");
    }
}

fn named<'a>(policies: &'a [Value], name: &str) -> &'a Value {
    policies.iter().find(|policy| policy["metadata"]["name"] == name).expect(name)
}

/// Who may reach a port of some pods.
fn peers_at(policy: &Value, port: i64) -> Vec<Value> {
    let rules = policy["spec"]["ingress"].as_array().expect("rules").iter();
    let rules = rules.filter(|rule| {
        rule["ports"].as_array().expect("ports").iter().any(|it| it["port"] == port)
    });
    rules.flat_map(|rule| rule["from"].as_array().cloned().unwrap_or_default()).collect()
}

/// The operator copies what it is told and labels them with nothing else.
#[test]
fn pods_that_back_the_database_up_or_bring_it_back_reach_it() {
    let restore = "  infrastructure: {mariadb: {restore: {backup: yesterday}}}\n  services:";
    let spec = ALL.replace("  services:", restore);
    let answer = drive::render(&[("controlplane.yaml", &spec)]);
    let policies = policies(&answer);
    let peers = peers_at(named(&policies, "mariadb-server"), 3306);
    let labels_of = |kind: &str, path: &str| {
        let object = answer.objects().iter().find(|object| object.kind == kind).expect(kind);
        let body = strata::spec::to_json(&read(&object.yaml).documents[0].root);
        body.pointer(path).expect(path).clone()
    };
    for (kind, path) in [
        ("Backup", "/spec/podMetadata/labels"),
        ("MariaDB", "/spec/bootstrapFrom/restoreJob/metadata/labels"),
    ] {
        let labels = labels_of(kind, path);
        let found = peers.iter().any(|peer| peer["podSelector"]["matchLabels"] == labels);
        assert!(found, "{kind}: {labels} is not among {peers:?}");
    }
}

/// What everybody reaches, wherever they come from.
fn open_to_all(policies: &[Value]) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    for policy in policies {
        let name = policy["metadata"]["name"].as_str().expect("a name");
        for rule in policy["spec"]["ingress"].as_array().into_iter().flatten() {
            if rule["from"].is_null() {
                let ports = rule["ports"].as_array().expect("ports").iter();
                open.extend(ports.map(|port| {
                    format!("{name}:{}/{}", port["port"], port["protocol"].as_str().unwrap())
                }));
            }
        }
    }
    open
}

#[test]
fn those_outside_of_the_pod_network_reach_what_they_must_and_nothing_else() {
    let everybody = [
        "designate-servers:5354/TCP",
        "designate-servers:5354/UDP",
        "nova-services:8775/TCP",
        "octavia-controllers:5555/UDP",
        "ovn-southbound:6642/TCP",
        "rabbitmq-server:5671/TCP",
    ];
    let open = |spec: &str| open_to_all(&policies(&drive::render(&[("controlplane.yaml", spec)])));
    let mut expected: BTreeSet<String> = everybody.map(str::to_owned).into();
    assert_eq!(open(ALL), expected);
    // Who certifies public names may want proof over HTTP.
    let certified = ALL.replace("global: {", "global: {tls: {issuerRef: {name: public}}, ");
    expected.insert("certificates-solver:8089/TCP".to_owned());
    assert_eq!(open(&certified), expected);
    // Without a hypervisor nobody of these is there.
    assert_eq!(open(COBALTCORE), BTreeSet::new());
}

#[test]
fn everything_is_refused_that_no_policy_allows() {
    let policies = policies(&drive::render(&[("controlplane.yaml", ALL)]));
    let everything =
        policies.iter().find(|policy| policy["spec"]["podSelector"] == serde_json::json!({}));
    let everything = everything.expect("a policy for all pods");
    assert!(everything["spec"]["ingress"].is_null(), "{everything}");
    for policy in &policies {
        assert_eq!(policy["spec"]["policyTypes"], serde_json::json!(["Ingress"]));
        for rule in policy["spec"]["ingress"].as_array().into_iter().flatten() {
            let ports = rule["ports"].as_array().expect("a rule names its ports");
            assert!(!ports.is_empty(), "{policy}");
            assert!(ports.iter().all(|port| port["port"].as_i64().is_some()), "{policy}");
        }
    }
}

#[test]
fn the_pods_of_a_gateway_in_the_same_namespace_are_known_by_its_name() {
    let policies = policies(&drive::render(&[("controlplane.yaml", ALL)]));
    let glance = policies.iter().find(|policy| policy["metadata"]["name"] == "glance").unwrap();
    assert!(glance.to_string().contains(r#""gateway.networking.k8s.io/gateway-name":"public""#));
}

#[test]
fn a_gateway_may_speak_from_another_namespace_than_its_own() {
    let proxies = "{networkPolicies: {enabled: true, gatewayNamespace: envoy-gateway-system}}";
    let spec = COBALTCORE.replace("{networkPolicies: {enabled: true}}", proxies);
    let policies = policies(&drive::render(&[("controlplane.yaml", &spec)]));
    let open = from_elsewhere(&policies, "glance");
    assert!(open.contains("envoy-gateway-system:9292"), "{open:?}");
    assert!(!open.contains("gateways:9292"), "{open:?}");
}

#[test]
fn there_are_none_unless_they_are_asked_for() {
    let mut with = 0;
    for fixture in fixtures().iter().filter(|fixture| !fixture.is_invalid()) {
        let mut policies = policies(&fixture.render());
        // The companion operator brings its own, beside the clouds.
        policies.retain(|policy| policy["metadata"]["namespace"] != "strata-system");
        match policies.len() {
            0 => assert_ne!(fixture.name, "network-policies"),
            _ => with += 1,
        }
    }
    assert_eq!(with, 1, "network policies in another fixture than their own");
}

#[test]
fn what_leads_to_services_without_a_gateway_may_come_from_its_namespace() {
    let spec = |more: &str| {
        ALL.replace(", gateway: {name: public}", "").replace(
            "{enabled: true}}\n  endpoints",
            &format!("{{enabled: true{more}}}}}\n  endpoints"),
        )
    };
    let admits = |answer: &Answer| {
        let policies = policies(answer);
        let is_api = |policy: &&Value| policy["metadata"]["name"] == "keystone-api";
        let policy = policies.iter().find(is_api).expect("keystone has a policy");
        policy["spec"]["ingress"].to_string().contains("ingress-nginx")
    };
    let told = |answer: &Answer| answer.report().contains("S0406");
    let named = drive::render(&[("controlplane.yaml", &spec(", gatewayNamespace: ingress-nginx"))]);
    assert!(admits(&named) && !told(&named));
    let unnamed = drive::render(&[("controlplane.yaml", &spec(""))]);
    assert!(!admits(&unnamed) && told(&unnamed));
}
