//! The operator needs exactly the rights that are shipped, says which one is missing and goes on, and
//! tells nobody a secret.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use strata_operator::api::CredentialRotation;
use strata_operator::rbac;
use strata_operator::shell::names::ROTATE_NOW;

use crate::play::ask::{ask, free_address};
use crate::play::keystone::CANARY;
use crate::play::way::Use;
use crate::play::{self, Play, objects, secrets};
use crate::scene::{self, AGGREGATE, PLANE, ROTATIONS};
use crate::stage::real::{ApiServer, Guarded, progress};
use crate::stage::{self, OWN_NAMESPACE};
use crate::telling::Telling;

/// The round in which Secrets come without their end, which nobody may quote; no right is missing any more.
const TORN: &str = "torn";
/// The longest that nothing new is told and nothing comes to rest.
const WITHIN: Duration = Duration::from_secs(120);

#[test]
fn what_is_shipped_is_what_is_needed() {
    let server = ApiServer::start(&[]);
    objects::foreign_kinds().iter().for_each(|kind| stage::apply(&server, kind));
    stage::install(&server, &[PLANE]);
    let play = play::start(server.kubectl().kubeconfig(), stage::ACCOUNT, 0);
    scene::prepare(&server, &play.keystone.url.lock().unwrap());
    let mut granted = BTreeSet::new();
    grant(&server, &granted);
    let address = free_address();
    let more = [&format!("--address={address}"), "--look-again=0.3"];
    let operator = stage::operator_over(&play.kubeconfig, "trace", &[PLANE], &more);
    let telling =
        Telling { server: &server, operator: &operator, namespace: PLANE, address: &address };
    let (mut seen, mut metrics) = (BTreeSet::new(), BTreeSet::new());
    for round in ["", "again", TORN] {
        if round == TORN {
            // The server knows of what it has just granted a moment later.
            std::thread::sleep(Duration::from_secs(2));
            play.way.denied.lock().unwrap().clear();
            play.way.torn.store(20, Ordering::Relaxed);
        }
        if !round.is_empty() {
            rotate_all(&server, round);
        }
        let mut since = Instant::now();
        loop {
            if learn(&play, &telling, &mut granted) {
                since = Instant::now();
            }
            secrets::gather(&server, PLANE, &mut seen);
            metrics.extend(series(&address));
            let missing = match round {
                TORN => [missing(&play, round, "UpToDate"), unjoined(&server)].concat(),
                // What was missed lately is still told then.
                _ => [missing(&play, round, ""), ungranted(&granted, round)].concat(),
            };
            if missing.is_empty() {
                break;
            }
            let stands = || stands(&play, &granted, &operator);
            assert!(since.elapsed() < WITHIN, "{missing:#?}\n{}", stands());
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    assert_eq!(play.way.torn.load(Ordering::Relaxed), 0, "too few Secrets were read");
    assert_eq!(granted, shipped(), "granted when it was missed, and shipped");
    let denied = play.way.denied.lock().unwrap().clone();
    assert!(denied.is_empty(), "denied with all that is shipped: {denied:#?}");
    expect_names_of_use(&server, &play);
    assert!(seen.len() > 20 && seen.iter().any(|secret| secret.contains(CANARY)), "{}", seen.len());
    for at in ["lease", "watch", "look", "event"] {
        let counted = format!("strata_rotation_operator_troubles_total{{at=\"{at}\"}}");
        assert!(metrics.contains(&counted), "{counted} is not in {metrics:?}");
    }
    let metrics = Vec::from_iter(metrics).join("\n");
    for (place, text) in said(&server, &operator, metrics) {
        assert!(text.len() > 200, "{place} is empty: {text}");
        let found = secrets::found(&seen, &text);
        assert!(found.is_empty(), "{place} has {} secrets: {found:?}", found.len());
        assert!(!text.contains(CANARY), "{place} has what Keystone was told");
    }
    play.way.expect_no_blind_write();
}

/// Everything that is said where people read.
fn said(server: &ApiServer, operator: &Guarded, metrics: String) -> Vec<(&'static str, String)> {
    let get = |path: &str| server.get(path).json().to_string();
    let ours = |kind: &str| get(&format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/{kind}"));
    vec![
        ("the log", std::fs::read_to_string(operator.folder().join("log")).unwrap()),
        ("the events", get(&format!("/apis/events.k8s.io/v1/namespaces/{PLANE}/events"))),
        ("the rotations", ours("credentialrotations")),
        ("the aggregates", ours("secretaggregates")),
        ("the metrics", metrics),
    ]
}

/// The metrics with their labels, and without their values.
fn series(address: &str) -> Vec<String> {
    let (_, metrics) = ask(address, "/metrics").unwrap_or_default();
    let names = metrics.lines().filter_map(|line| line.rsplit_once(' '));
    names.map(|(series, _)| series.to_owned()).collect()
}

/// No name is shipped that was never asked for. One that is not shipped would have been denied.
fn expect_names_of_use(server: &ApiServer, play: &Play) {
    let (rotations, used) = (rotations(server), play.way.used.lock().unwrap());
    for right in rbac::OWN.iter().chain(rbac::PLANE) {
        let Some(rule) = rbac::rule(right, Some(&rotations)) else { continue };
        let Some(names) = rule["resourceNames"].as_array() else { continue };
        for verb in right.verbs {
            let right = (right.group.to_owned(), right.resource.to_owned(), (*verb).to_owned());
            let of_use = used.get(&right).cloned().unwrap_or_default();
            let idle = names.iter().filter(|name| !of_use.contains(name.as_str().unwrap()));
            let idle: Vec<_> = idle.collect();
            assert!(idle.is_empty(), "{right:?} was never of use for {idle:?}");
        }
    }
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
    touch(server, &rights.len().to_string());
}

/// An aggregate is looked at when it changes; otherwise not for half a minute.
fn touch(server: &ApiServer, with: &str) {
    let patch = json!({"metadata": {"annotations": {"touched": with}}});
    let content = "application/merge-patch+json";
    let answer = server.request("PATCH", AGGREGATE, content, &patch.to_string());
    assert_eq!(answer.status, 200, "{}", answer.message());
}

fn rotations(server: &ApiServer) -> Vec<CredentialRotation> {
    let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/credentialrotations");
    let list = server.get(&path).json();
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| serde_json::from_value(item.clone()).unwrap()).collect()
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

/// The aggregate, until it is joined. It is made to look every other second.
fn unjoined(server: &ApiServer) -> Vec<String> {
    let joined = server.get(AGGREGATE).json()["status"]["conditions"][0]["status"] == "True";
    if !joined {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        touch(server, &format!("at {}", now.as_secs() / 2));
    }
    (!joined).then(|| "joined".to_owned()).into_iter().collect()
}

/// Rights that nobody has missed so far. Not all are in the first round: there is nothing to revoke.
fn ungranted(granted: &BTreeSet<Use>, round: &str) -> Vec<String> {
    let shipped = if round.is_empty() { BTreeSet::new() } else { shipped() };
    shipped.difference(granted).map(|right| format!("{right:?} was not missed")).collect()
}

/// Rotations that have not come to rest since they were asked; with this reason, if it is one.
fn missing(play: &Play, round: &str, reason: &str) -> Vec<String> {
    let rotations = play.player.rotations.lock().unwrap();
    let at = |name: &str| rotations.get(&(PLANE.to_owned(), name.to_owned()));
    let left = ROTATIONS.iter().filter_map(|name| {
        let status = at(name).cloned().unwrap_or_default();
        let asked = round.is_empty() || status["acknowledged"] == round;
        let rests =
            status["phase"] == "Idle" && asked && (reason.is_empty() || status["reason"] == reason);
        (!rests).then(|| format!("{name}: {} {}", status["phase"], status["reason"]))
    });
    left.collect()
}
