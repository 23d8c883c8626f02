//! Tokens through rotations of the fernet keys.

use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use k8s_openapi::ByteString;
use serde_json::{Value, json};
use strata_operator::core::Mistake;
use strata_operator::core::schedule::SKEW;
use strata_operator::core::simulate::random::Random;

use crate::cloud::{Cloud, Delivery, SEED, eventually};
use crate::operator::Operator;
use crate::plane::{CREDENTIAL, FERNET, Keys, Plane, SECRET};
use crate::stage::real::{Store, external_secrets, last_words, progress, report};
use crate::stage::times;
use crate::traffic::{Counts, Traffic};
use crate::{delivery, plane};

static ROTATIONS: LazyLock<usize> = LazyLock::new(|| times(100, 12));
/// Nothing that is shipped stamps the pods of Keystone, so the operator mostly goes by time. In one of so
/// many rotations the pods say what they have, as whatever stamps them might.
const REPORTED_ONE_IN: usize = 3;
/// The longest that a mistake may go unnoticed.
const NOTICED_WITHIN: usize = 100;

/// Both rings of one cloud rotate at the same time, each for a test of its own.
pub static ROTATED: LazyLock<Cloud> = LazyLock::new(|| {
    let plane = Plane { namespace: "rotated" };
    let mut cloud =
        Cloud::start(plane, &[FERNET, CREDENTIAL], Delivery::Played, || Operator::shipped(plane));
    cloud.operator.harass(plane, Random::new(*SEED ^ 3));
    cloud
});

#[test]
fn rotations_make_no_token_invalid() {
    let cloud = &*ROTATED;
    let rotations = *ROTATIONS;
    let traffic = Traffic::start(&cloud.replicas, Random::new(*SEED ^ 4));
    for number in 1..=rotations {
        if number % 10 == 0 {
            progress(&format!("fernet rotation {number}"));
            let_an_hour_pass(cloud.plane, FERNET);
        }
        cloud.report(number % REPORTED_ONE_IN == 0);
        cloud.rotate(FERNET, number, || false);
    }
    let ring = || cloud.plane.ring(FERNET.secret).expect("the keys are there");
    // A sample may be over before the tokens of the first key are.
    let_an_hour_pass(cloud.plane, FERNET);
    let pruned = eventually("key is pruned", &cloud.operator, || {
        let ring = ring();
        let pruned = ring.primary().index as usize + 1 - ring.slots().len();
        (pruned > 0).then_some(pruned)
    });
    // Its tokens are shown to replicas that no longer have it.
    std::thread::sleep(Duration::from_secs(3));
    let (counts, ring) = (traffic.end(), ring());
    let said = said(&counts);
    let killed = cloud.operator.killed();
    report(&format!(
        "rotation: {rotations} of the fernet keys on 2 real Keystones, {pruned} keys pruned, the operator \
         killed {killed} times: {said} (seed {})",
        *SEED
    ));
    assert!(ring.primary().index as usize > rotations, "the keys did not rotate");
    assert!(killed > 2, "{killed} operators killed");
    assert!(counts.shown_late.load(Ordering::Relaxed) > rotations, "no old tokens: {said}");
    let refused = counts.refused();
    assert!(
        refused.is_empty(),
        "{said}; seed {}; a node was later than the operator was told: {}\n{}",
        *SEED,
        cloud.was_too_slow(),
        refused.join("\n")
    );
}

#[test]
fn real_external_secrets_delivers_the_keys() {
    const ROTATIONS: usize = 3;
    let plane = Plane { namespace: "delivered" };
    let store = Store::start();
    delivery::create_store(plane, &store);
    let external_secrets = external_secrets::start(plane.server().kubectl());
    let cloud = Cloud::start(plane, &[FERNET], Delivery::Real, || Operator::shipped(plane));
    cloud.report(false);
    let traffic = Traffic::start(&cloud.replicas, Random::new(*SEED ^ 5));
    for number in 1..=ROTATIONS {
        progress(&format!("delivered rotation {number}"));
        cloud.rotate(FERNET, number, || external_secrets.has_ended());
    }
    let counts = traffic.end();
    assert!(!external_secrets.has_ended(), "{}", last_words("External Secrets", &external_secrets));
    let path = format!("keys/{}", FERNET.secret);
    let kept = store.kv(|kv| kv.newest(&path).cloned()).expect("the store has the keys");
    let live = plane.secret(FERNET.secret).expect("the keys are there");
    for (name, bytes) in &live {
        let text = String::from_utf8(bytes.0.clone()).unwrap();
        assert!(kept[name] == text, "the store has another {name} than Keystone");
    }
    let writes = store.kv(|kv| kv.writes().len());
    // The first keys, and a promotion and a staged key for each rotation: nothing is pushed twice.
    assert_eq!(writes, 1 + 2 * ROTATIONS, "versions in the store");
    let said = said(&counts);
    report(&format!("rotation: {ROTATIONS} through the real External Secrets: {said}"));
    assert!(counts.refused().is_empty(), "{}", counts.refused().join("\n"));
    cloud.end();
}

#[test]
fn with_one_mistake_tokens_are_refused() {
    let plane = Plane { namespace: "mistaken" };
    let mistake = Mistake::PromoteWithoutWaiting;
    let cloud =
        Cloud::start(plane, &[FERNET], Delivery::Played, || Operator::mistaken(plane, mistake));
    let traffic = Traffic::start(&cloud.replicas, Random::new(*SEED ^ 6));
    let caught = || !traffic.counts.refused().is_empty();
    let mut rotations = 0;
    while !caught() && rotations < NOTICED_WITHIN {
        rotations += 1;
        cloud.rotate(FERNET, rotations, caught);
    }
    let counts = traffic.end();
    let (name, said, refused) = (mistake.name(), said(&counts), counts.refused());
    report(&format!("rotation: {name} is caught after {rotations} rotations: {said}"));
    assert!(!refused.is_empty(), "nobody noticed in {rotations} rotations; seed {}", *SEED);
    cloud.end();
}

fn said(counts: &Counts) -> String {
    let number = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
    format!(
        "{} tokens made, shown {} times, {} of them late, {} refused",
        number(&counts.made),
        number(&counts.shown),
        number(&counts.shown_late),
        counts.refused().len()
    )
}

/// Keys are pruned an hour later than tokens need, because clocks may differ by that. So the notes of
/// when keys were demoted are written as an operator would have written them whose clock is an hour
/// behind: the edge of what is allowed for, at which no token may become invalid either.
fn let_an_hour_pass(plane: Plane, keys: Keys) {
    let name = keys.named("next");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
    loop {
        let mut secret = plane.get(SECRET, &name).expect("the next keys are there");
        let mut data = plane::data(&secret);
        let mut notes: Value = serde_json::from_slice(&data["notes.json"].0).unwrap();
        for (_, demoted) in notes["demoted"].as_object_mut().unwrap() {
            let time = demoted.as_i64().unwrap();
            if time > now - SKEW {
                *demoted = json!(time - SKEW);
            }
        }
        data.insert("notes.json".to_owned(), ByteString(notes.to_string().into_bytes()));
        secret["data"] = json!(data);
        if plane.replace(SECRET, &name, &secret) {
            return;
        }
    }
}
