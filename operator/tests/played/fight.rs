//! A consumer whose own operator does not know the stamp, and takes it back at once.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use strata_operator::shell::names;

use crate::leaders::{STAGE, prepare};
use crate::play;
use crate::play::crowd::Crowd;
use crate::stage;
use crate::stage::real::wait_for;

const PLANE: &str = "fight";
const NAME: &str = "nova";
const WITHIN: Duration = Duration::from_secs(120);
/// With `--look-again=0.3` waits are 0.3 s, 0.6 s, 1.2 s, …: of each minute no more than this.
const STAMPS: u32 = 16;

fn status() -> Value {
    let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/credentialrotations/{NAME}");
    STAGE.0.get(&path).json()["status"].clone()
}

fn condition(status: &Value, kind: &str) -> Value {
    let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
    conditions.into_iter().find(|found| found["type"] == kind).unwrap_or_default()
}

/// Until it is told to end; how often it has.
fn take_back(end: &AtomicBool, times: &AtomicU32) {
    let path = format!("/apis/apps/v1/namespaces/{PLANE}/deployments/{NAME}");
    let content = names::content(&format!("{NAME}-delivered"));
    while !end.load(Ordering::Relaxed) {
        let template = STAGE.0.get(&path).json()["spec"]["template"].clone();
        if template["metadata"]["annotations"][&content].is_string() {
            let without = json!({"spec": {"template": {"metadata": {"annotations": null}}}});
            let kind = "application/merge-patch+json";
            STAGE.0.request("PATCH", &path, kind, &without.to_string());
            times.fetch_add(1, Ordering::Relaxed);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_stamp_that_is_taken_back_is_not_put_there_for_ever() {
    let lease = prepare(PLANE);
    let (server, play) = &*STAGE;
    let administrator = server.kubectl().kubeconfig();
    let (_way, kubeconfig) = play::another_way(administrator, stage::ACCOUNT);
    let of = vec![(PLANE.to_owned(), NAME.to_owned())];
    let crowd = Crowd { play, administrator: administrator.to_owned(), of };
    crowd.create();
    let (end, times) = (AtomicBool::new(false), AtomicU32::new(0));
    let own = format!("--own-namespace={lease}");
    let more = ["--address=127.0.0.1:0", "--look-again=0.3", &own];
    let operator = stage::operator_over(&kubeconfig, "info", &[PLANE], &more);
    thread::scope(|scope| {
        scope.spawn(|| take_back(&end, &times));
        let told = || match status() {
            status if condition(&status, "Stalled")["reason"] == "StampTakenBack" => Vec::new(),
            _ if times.load(Ordering::Relaxed) > 2 * STAMPS => Vec::new(),
            status => vec![status.to_string()],
        };
        wait_for("a stamp that is taken back", WITHIN, || operator.last_words(), told);
        thread::sleep(Duration::from_secs(10));
        let said = status();
        end.store(true, Ordering::Relaxed);
        let stalled = condition(&said, "Stalled");
        assert_eq!(stalled["reason"], "StampTakenBack", "{said}");
        let message = stalled["message"].as_str().unwrap_or_default();
        assert!(message.contains("Deployment nova") && message.contains("stamped: true"));
        let times = times.load(Ordering::Relaxed);
        assert!(times <= STAMPS, "{times} rollouts");
    });
    wait_for("the end of it", WITHIN, || operator.last_words(), || crowd.missing(1));
    assert_eq!(condition(&status(), "Stalled")["status"], "False");
}
