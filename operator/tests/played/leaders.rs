//! Two operators at once: the Lease decides who works, and preconditions that it does no harm when both do.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use kube::ResourceExt;
use serde_json::json;
use strata_operator::rbac;
use strata_operator::shell::access::{credential, external_secret, push_secret, resource};

use crate::play::crowd::Crowd;
use crate::play::way::Way;
use crate::play::{self, Play, objects};
use crate::stage::real::{ApiServer, Guarded, report, wait_for};
use crate::stage::{self, OWN_NAMESPACE};

pub static STAGE: LazyLock<(ApiServer, Play)> = LazyLock::new(|| {
    let server = ApiServer::start(&[]);
    objects::foreign_kinds().iter().for_each(|kind| stage::apply(&server, kind));
    stage::install(&server, &[]);
    let play = play::start(server.kubectl().kubeconfig(), stage::ACCOUNT, 0);
    (server, play)
});

/// A Lease lasts 15 s and is looked at every 5 s, by each at its own moments; the rest is for a busy machine.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(15 + 2 * 5 + 10);
const WITHIN: Duration = Duration::from_secs(120);
const CREDENTIALS: usize = 6;

/// Where the Lease of a plane's operators is.
pub fn prepare(plane: &str) -> String {
    let (server, lease) = (&STAGE.0, format!("{plane}-lease"));
    stage::install(server, &[plane]);
    stage::apply(
        server,
        &json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": lease}}),
    );
    let role = rbac::role(&lease, OWN_NAMESPACE, rbac::OWN);
    role.iter().for_each(|object| stage::apply(server, object));
    lease
}

/// One of two, with a way of its own to the server.
pub struct Operator {
    identity: &'static str,
    lease: String,
    pub process: Guarded,
    way: Arc<Way>,
}

impl Operator {
    pub fn start(plane: &str, identity: &'static str) -> Self {
        let lease = format!("{plane}-lease");
        let administrator = STAGE.0.kubectl().kubeconfig();
        let (way, kubeconfig) = play::another_way(administrator, stage::ACCOUNT);
        let (own, who) = (format!("--own-namespace={lease}"), format!("--identity={identity}"));
        let more = ["--address=127.0.0.1:0", "--look-again=0.3", &own, &who];
        let process = stage::operator_over(&kubeconfig, "info", &[plane], &more);
        Self { identity, lease, process, way }
    }

    fn signal(&self, signal: &str) {
        let pid = std::fs::read_to_string(self.process.folder().join("pid")).unwrap();
        let sent = Command::new("kill").args([signal, pid.trim()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal} {pid}");
    }

    pub fn wait_until_it_leads(&self) {
        let path = format!(
            "/apis/coordination.k8s.io/v1/namespaces/{}/leases/strata-operator",
            self.lease
        );
        let what = format!("the lease of {}", self.identity);
        wait_for(
            &what,
            WITHIN,
            || self.process.last_words(),
            || match &STAGE.0.get(&path).json()["spec"]["holderIdentity"] {
                holder if holder == self.identity => Vec::new(),
                holder => vec![format!("{holder} has it")],
            },
        );
    }

    fn writes(&self) -> u64 {
        self.way.writes.load(Ordering::Relaxed)
    }
}

/// Two operators, of which the first leads, and credentials that rest with their first generation.
fn set(plane: &str) -> (Operator, Operator, Crowd<'static>) {
    prepare(plane);
    let of = (0..CREDENTIALS).map(|number| (plane.to_owned(), format!("c{number}"))).collect();
    let administrator = STAGE.0.kubectl().kubeconfig().to_owned();
    let crowd = Crowd { play: &STAGE.1, administrator, of };
    crowd.create();
    let first = Operator::start(plane, "first");
    first.wait_until_it_leads();
    let second = Operator::start(plane, "second");
    rests(&crowd, 1, &first);
    assert_eq!(second.writes(), 0, "it writes, and does not lead");
    (first, second, crowd)
}

fn rests(crowd: &Crowd<'_>, generation: u32, operator: &Operator) {
    let what = format!("generation {generation} by the {} operator", operator.identity);
    wait_for(&what, WITHIN, || operator.process.last_words(), || crowd.missing(generation));
}

/// In the middle of a rotation: each write moves one credential one step.
fn in_the_middle(crowd: &Crowd<'_>, operator: &Operator) {
    let begun = Instant::now();
    let before = operator.writes();
    crowd.rotate_all("1");
    while operator.writes() < before + 4 * CREDENTIALS as u64 {
        assert!(begun.elapsed() < WITHIN, "{}", operator.process.last_words());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn when_the_leader_dies_the_other_finishes_its_work() {
    let (first, second, crowd) = set("killed");
    in_the_middle(&crowd, &first);
    first.signal("-KILL");
    let killed = Instant::now();
    assert!(!crowd.missing(2).is_empty(), "it was too late to kill it");
    second.wait_until_it_leads();
    let taken_over = killed.elapsed();
    assert!(taken_over < TAKEN_OVER_WITHIN, "{taken_over:?}");
    rests(&crowd, 2, &second);
    crowd.judge(2);
    assert!(second.writes() > 0 && second.way.blind.lock().unwrap().is_empty());
    report(&format!(
        "rotation: the leader was killed, and its work taken over after {taken_over:.0?}"
    ));
}

#[test]
fn a_leader_that_slept_does_no_harm() {
    let (first, second, crowd) = set("asleep");
    in_the_middle(&crowd, &first);
    // What it has decided is on its way when it falls asleep, and arrives when all is done by another.
    first.way.gate.close();
    let held = || first.way.gate.held.load(Ordering::Relaxed);
    wait_for(
        "a write on its way",
        WITHIN,
        || first.process.last_words(),
        || {
            if held() > 0 { Vec::new() } else { vec!["none".to_owned()] }
        },
    );
    first.signal("-STOP");
    second.wait_until_it_leads();
    rests(&crowd, 2, &second);
    crowd.judge(2);
    let before = versions(&crowd);
    first.way.gate.open();
    let answers = || first.way.gate.answers.lock().unwrap().clone();
    wait_for("the answers", WITHIN, String::new, || {
        (answers().len()..held()).map(|number| number.to_string()).collect()
    });
    for (write, status) in answers().iter().filter(|(write, _)| !write.contains("events")) {
        assert!(matches!(status, 404 | 409), "{write} landed: {status}");
    }
    assert_eq!(versions(&crowd), before, "something was written");
    // It wakes up, and for some seconds does not know that it leads no more: two work at once.
    first.signal("-CONT");
    crowd.rotate_all("2");
    rests(&crowd, 3, &second);
    crowd.judge(3);
    wait_for(
        "its end",
        WITHIN,
        || first.process.last_words(),
        || match first.process.has_ended() {
            true => Vec::new(),
            false => vec!["it runs".to_owned()],
        },
    );
    crowd.judge(3);
    assert!(
        first.way.blind.lock().unwrap().is_empty() && second.way.blind.lock().unwrap().is_empty()
    );
    report(&format!("rotation: {} writes of a leader that slept were refused", answers().len()));
}

/// Of everything that the operator writes.
fn versions(crowd: &Crowd<'_>) -> BTreeMap<String, Option<String>> {
    let kinds = [
        resource("c5c3.io/v1alpha1", "CredentialRotation"),
        resource("v1", "Secret"),
        resource("apps/v1", "Deployment"),
        push_secret(),
        external_secret(),
        credential(),
    ];
    let objects = crowd.objects(&kinds).into_iter();
    objects
        .map(|(_, kind, object)| {
            (format!("{kind} {}", object.name_any()), object.resource_version())
        })
        .collect()
}
