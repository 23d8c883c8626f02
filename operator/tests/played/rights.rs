//! The operator needs exactly the rights that are shipped, says which one is missing and goes on, and
//! tells nobody a secret.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use strata_operator::api::CredentialRotation;
use strata_operator::rbac;
use strata_operator::shell::names::ROTATE_NOW;

use crate::play::ask::{ask, free_address};
use crate::play::keystone::CANARY;
use crate::play::way::Use;
use crate::play::{self, Play, objects, secrets};
use crate::stage::real::{ApiServer, Guarded, progress};
use crate::stage::{self, OWN_NAMESPACE};
use crate::telling::Telling;

const PLANE: &str = "openstack";
const ROTATIONS: [&str; 5] = ["fernet", "rows", "nova", "database", "queue"];
const KORC: &str = "openstack.k-orc.cloud/v1alpha1";
/// The round in which Secrets come without their end, which nobody may quote.
const TORN: &str = "torn";
/// The longest that nothing new is told and nothing comes to rest.
const WITHIN: Duration = Duration::from_secs(120);

#[test]
fn what_is_shipped_is_what_is_needed() {
    let server = ApiServer::start(&[]);
    objects::foreign_kinds().iter().for_each(|kind| stage::apply(&server, kind));
    stage::install(&server, &[PLANE]);
    let play = play::start(server.kubectl().kubeconfig(), stage::ACCOUNT, 0);
    prepare(&server, &play.keystone.url.lock().unwrap());
    let mut granted = BTreeSet::new();
    grant(&server, &granted);
    let address = free_address();
    let more = [&format!("--address={address}"), "--look-again=0.3"];
    let operator = stage::operator_over(&play.kubeconfig, "trace", &[PLANE], &more);
    let telling =
        Telling { server: &server, operator: &operator, namespace: PLANE, address: &address };
    let mut seen = BTreeSet::new();
    for round in ["", "again", TORN] {
        if !round.is_empty() {
            rotate_all(&server, round);
        }
        if round == TORN {
            play.way.torn.store(20, Ordering::Relaxed);
        }
        let mut since = Instant::now();
        loop {
            if learn(&play, &telling, &mut granted) {
                since = Instant::now();
            }
            secrets::gather(&server, PLANE, &mut seen);
            let mut missing = missing(&play, round);
            if server.get(&aggregate()).json()["status"]["conditions"][0]["status"] != "True" {
                missing.push("joined".to_owned());
            }
            if missing.is_empty() {
                break;
            }
            let stands = || stands(&play, &granted, &operator);
            assert!(since.elapsed() < WITHIN, "{missing:#?}\n{}", stands());
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    assert_eq!(play.way.torn.load(Ordering::Relaxed), 0, "too few Secrets were read");
    // The Lease is renewed every few seconds, and nothing above waits for that.
    let since = Instant::now();
    while granted != shipped() && since.elapsed() < WITHIN {
        learn(&play, &telling, &mut granted);
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(granted, shipped(), "granted when it was missed, and shipped");
    assert!(seen.len() > 20 && seen.iter().any(|secret| secret.contains(CANARY)), "{}", seen.len());
    let (_, metrics) = ask(&address, "/metrics").unwrap();
    for at in ["lease", "watch", "look", "event"] {
        let counted = format!("strata_rotation_operator_troubles_total{{at=\"{at}\"}}");
        assert!(metrics.contains(&counted), "{counted} is not in {metrics}");
    }
    for (place, text) in said(&server, &operator, &address) {
        assert!(text.len() > 200, "{place} is empty: {text}");
        let found = secrets::found(&seen, &text);
        assert!(found.is_empty(), "{place} has {} secrets: {found:?}", found.len());
        assert!(!text.contains(CANARY), "{place} has what Keystone was told");
    }
    play.way.expect_no_blind_write();
}

/// Everything that is said where people read.
fn said(server: &ApiServer, operator: &Guarded, address: &str) -> Vec<(&'static str, String)> {
    let get = |path: &str| server.get(path).json().to_string();
    let (_, metrics) = ask(address, "/metrics").unwrap();
    let ours = |kind: &str| get(&format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/{kind}"));
    vec![
        ("the log", std::fs::read_to_string(operator.folder().join("log")).unwrap()),
        ("the events", get(&format!("/apis/events.k8s.io/v1/namespaces/{PLANE}/events"))),
        ("the rotations", ours("credentialrotations")),
        ("the aggregates", ours("secretaggregates")),
        ("the metrics", metrics),
    ]
}

/// Whatever was denied, and is told: now, and not before, it is allowed. False if there was nothing.
fn learn(play: &Play, telling: &Telling<'_>, granted: &mut BTreeSet<Use>) -> bool {
    let (operator, mut missed) = (telling.operator, play.way.denied.lock().unwrap().clone());
    assert!(!operator.has_ended(), "it ended: {}", operator.last_words());
    missed.retain(|right, _| !granted.contains(right));
    for right in missed.keys() {
        assert!(shipped().contains(right), "{right:?} is needed, and not shipped");
    }
    let told = telling.told(&missed);
    if told.is_empty() {
        return false;
    }
    progress(&format!("missed, and told: {told:?}"));
    granted.extend(told);
    grant(telling.server, granted);
    true
}

/// For whoever reads why it went no further.
fn stands(play: &Play, granted: &BTreeSet<Use>, operator: &Guarded) -> String {
    let denied = play.way.denied.lock().unwrap().clone();
    let untold: Vec<_> = denied.into_iter().filter(|(right, _)| !granted.contains(right)).collect();
    let log = std::fs::read_to_string(operator.folder().join("log")).unwrap();
    let warnings: Vec<&str> = log.lines().filter(|line| line.contains("WARN")).collect();
    let last = warnings[warnings.len().saturating_sub(8)..].join("\n");
    format!("denied, and not told: {untold:#?}\n{last}")
}

fn shipped() -> BTreeSet<Use> {
    let each = |right: &rbac::Right| {
        let of =
            |verb: &&str| (right.group.to_owned(), right.resource.to_owned(), (*verb).to_owned());
        right.verbs.iter().map(of).collect::<Vec<_>>()
    };
    rbac::OWN.iter().chain(rbac::PLANE).flat_map(each).collect()
}

/// The shipped Roles, by name as a cloud has them, with these rights of theirs alone.
fn grant(server: &ApiServer, rights: &BTreeSet<Use>) {
    let rotations = rotations(server);
    for (namespace, table) in [(PLANE, rbac::PLANE), (OWN_NAMESPACE, rbac::OWN)] {
        let [mut role, _] = rbac::role(namespace, OWN_NAMESPACE, table);
        role["rules"] =
            table.iter().filter_map(|right| rbac::rule(right, Some(&rotations))).collect();
        let rules = role["rules"].as_array_mut().unwrap();
        for rule in rules.iter_mut() {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let of = |verb: &Value| {
                (text(&rule["apiGroups"][0]), text(&rule["resources"][0]), text(verb))
            };
            let verbs = rule["verbs"].as_array().unwrap();
            let granted = verbs.iter().filter(|verb| rights.contains(&of(verb)));
            rule["verbs"] = granted.cloned().collect();
        }
        rules.retain(|rule| rule["verbs"].as_array().is_some_and(|verbs| !verbs.is_empty()));
        stage::apply(server, &role);
    }
    // An aggregate is looked at when it changes; otherwise not for half a minute.
    let patch = json!({"metadata": {"annotations": {"granted": rights.len().to_string()}}});
    let content = "application/merge-patch+json";
    let answer = server.request("PATCH", &aggregate(), content, &patch.to_string());
    assert_eq!(answer.status, 200, "{}", answer.message());
}

fn rotations(server: &ApiServer) -> Vec<CredentialRotation> {
    let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/credentialrotations");
    let list = server.get(&path).json();
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| serde_json::from_value(item.clone()).unwrap()).collect()
}

fn aggregate() -> String {
    format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/secretaggregates/joined")
}

fn rotate_all(server: &ApiServer, request: &str) {
    for name in ROTATIONS {
        let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/credentialrotations/{name}");
        let patch = json!({"metadata": {"annotations": {ROTATE_NOW: request}}});
        let answer =
            server.request("PATCH", &path, "application/merge-patch+json", &patch.to_string());
        assert_eq!(answer.status, 200, "{}", answer.message());
    }
}

/// Rotations that have not come to rest since they were asked.
fn missing(play: &Play, round: &str) -> Vec<String> {
    let rotations = play.player.rotations.lock().unwrap();
    let at = |name: &str| rotations.get(&(PLANE.to_owned(), name.to_owned()));
    let left = ROTATIONS.iter().filter_map(|name| {
        let status = at(name).cloned().unwrap_or_default();
        let asked = round.is_empty() || status["acknowledged"] == round;
        let rests = status["reason"] == "UpToDate" && asked;
        (!rests).then(|| format!("{name}: {} {}", status["phase"], status["reason"]))
    });
    left.collect()
}

fn prepare(server: &ApiServer, keystone: &str) {
    let keys = |secret: &str| json!({"secretName": secret, "propagationSeconds": 1});
    let delivery = |name: &str| {
        json!({
            "pushSecretName": format!("{name}-push"),
            "firstPushSecretName": format!("{name}-first-push"),
            "externalSecretName": format!("{name}-pull"),
            "secretName": format!("{name}-delivered"),
        })
    };
    let users = |group: &str, name: &str| {
        json!({"alternatingUsers": {
            "apiVersion": group, "names": [format!("{name}-a"), format!("{name}-b")],
            "settleSeconds": 1,
        }})
    };
    let fernet = json!({"keys": keys("fernet-keys"), "delivery": delivery("fernet")});
    let mut rows = json!({"keys": keys("rows-keys"), "delivery": delivery("rows")});
    rows["keys"]["migration"] =
        json!({"image": "example.org/keystone:1", "configSecretName": "keystone"});
    let mut all = vec![objects::password(PLANE)];
    all.extend(objects::credential(PLANE, "nova", keystone));
    for (name, kind, consumer, sources, more) in [
        ("fernet", "fernetKeys", "Deployment", "fernet-keys-next,fernet-keys-first", fernet),
        ("rows", "credentialKeys", "Deployment", "rows-keys-next,rows-keys-first", rows),
        (
            "database",
            "databasePassword",
            "StatefulSet",
            "database-current",
            users("k8s.mariadb.com/v1alpha1", "database"),
        ),
        (
            "queue",
            "messagingPassword",
            "DaemonSet",
            "queue-current",
            users("rabbitmq.com/v1beta1", "queue"),
        ),
    ] {
        all.extend(objects::around(PLANE, name, sources, consumer));
        all.push(objects::rotation(PLANE, name, kind, consumer, more));
    }
    for (group, name) in
        [("k8s.mariadb.com/v1alpha1", "database"), ("rabbitmq.com/v1beta1", "queue")]
    {
        for letter in ["a", "b"] {
            all.push(json!({
                "apiVersion": group, "kind": "User",
                "metadata": {"name": format!("{name}-{letter}"), "namespace": PLANE},
            }));
        }
    }
    let mut sources = vec![json!({"secretRef": {"name": "login"}})];
    for kind in ["Domain", "Project", "User"] {
        let key = kind.to_lowercase();
        all.push(json!({
            "apiVersion": KORC, "kind": kind, "metadata": {"name": key, "namespace": PLANE},
        }));
        sources.push(json!({"statusRef": {
            "apiVersion": KORC, "kind": kind, "name": key, "field": "id", "key": key,
        }}));
    }
    all.push(json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "SecretAggregate",
        "metadata": {"name": "joined", "namespace": PLANE},
        "spec": {"sources": sources, "target": {"name": "joined"}},
    }));
    all.iter().for_each(|object| stage::apply(server, object));
    let ready = json!({"status": {"id": "7f", "conditions": [
        {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    ]}});
    let mut paths: Vec<String> =
        ROTATIONS.map(|name| format!("/api/v1/namespaces/{PLANE}/pods/{name}-0/status")).into();
    for (group, name) in
        [("k8s.mariadb.com/v1alpha1", "database"), ("rabbitmq.com/v1beta1", "queue")]
    {
        let of =
            |letter: &str| format!("/apis/{group}/namespaces/{PLANE}/users/{name}-{letter}/status");
        paths.extend(["a", "b"].map(of));
    }
    paths.extend(
        ["domain", "project", "user"]
            .map(|name| format!("/apis/{KORC}/namespaces/{PLANE}/{name}s/{name}/status")),
    );
    for path in paths {
        let answer =
            server.request("PATCH", &path, "application/merge-patch+json", &ready.to_string());
        assert_eq!(answer.status, 200, "{path}: {}", answer.message());
    }
}
