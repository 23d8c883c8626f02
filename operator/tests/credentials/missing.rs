//! A consumer that is named and not there may be called otherwise: its pods have whatever they have.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cloud::CLOUD;
use crate::pods::unhurried;
use crate::real::report;
use crate::rotation::Rotation;
use crate::service::{Service, Tokens, log_in};

const DAY: i64 = 86_400;

fn wait_for_reason(rotation: &Rotation<'_>, reason: &str) {
    CLOUD.wait(&format!("{reason} of {}", rotation.name), || match &rotation.status()["reason"] {
        found if found == reason => Vec::new(),
        found => vec![found.to_string()],
    });
}

#[test]
fn nothing_is_revoked_while_a_consumer_is_missing() {
    let service = Service::register("heat", "missing");
    let rotation = Rotation { plane: &service.plane, name: service.rotation() };
    let pods = service.pods(1, unhurried(), &Tokens::of(&service));
    CLOUD.apply(&service.objects());
    let consumers = |names: &[&str]| {
        let named = |name: &&str| json!({"kind": "Deployment", "name": name});
        let consumers: Vec<Value> = names.iter().map(named).collect();
        rotation.change(&json!({"consumers": consumers}));
    };
    let first = rotation.complete(0, || {});
    let before = service.secret();
    rotation.rotate_now();
    wait_for_reason(&rotation, "WaitingForTokens");
    consumers(&[service.user, "heat-engine"]);
    wait_for_reason(&rotation, "ConsumerMissing");
    // Whatever the clock says.
    service.plane.clock.forward(2 * DAY);
    rotation.make_it_look();
    thread::sleep(Duration::from_secs(3));
    assert_eq!(rotation.status()["reason"], "ConsumerMissing");
    assert_eq!(service.in_keystone().len(), 2, "one was revoked");
    assert!(log_in(&before).is_ok(), "the old credential is refused");
    // It was a mistake in the spec.
    consumers(&[service.user]);
    let second = rotation.complete(first, || {});
    assert_eq!((second, service.in_keystone().len()), (first + 1, 1));
    assert!(log_in(&before).is_err(), "the old credential works");
    pods.stop();
    report("rotation: nothing was revoked while a consumer was missing");
}
