//! Tokens through rotations of the fernet keys.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
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

/// As promised, and of a sample.
const ROTATIONS: (usize, usize) = (100, 12);
/// Nothing that is shipped stamps the pods of Keystone, so the operator mostly goes by time. In one of so
/// many rotations the pods say what they have, as whatever stamps them might.
const REPORTED_ONE_IN: usize = 3;
/// In two, one after the other: before pods fall silent all have to have everything, so that after one alone
/// nobody would be asked to promote a key that is on its way to a node that is very late.
const IN_A_ROW: usize = 2;
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

/// What was met on the way, and how far it went.
struct Driven {
    counts: Arc<Counts>,
    rotations: usize,
    pruned: usize,
}

/// The test, whatever the operator: rotations under traffic, so many or until a token is refused, and in the
/// end a key is pruned. In some rotations the pods report what they have.
fn drive(cloud: &Cloud, most: usize, report: impl Fn(usize) -> bool, random: Random) -> Driven {
    let traffic = Traffic::start(&cloud.replicas, random);
    let refused = || !traffic.counts.refused().is_empty();
    let mut rotations = 0;
    while rotations < most && !refused() {
        rotations += 1;
        if rotations % 10 == 0 {
            progress(&format!("fernet rotation {rotations}, {}", cloud.plane.namespace));
            let_an_hour_pass(cloud.plane, FERNET);
        }
        cloud.report(report(rotations));
        cloud.rotate(FERNET, rotations, refused);
    }
    // A sample may be over before the tokens of the first key are.
    let_an_hour_pass(cloud.plane, FERNET);
    let pruned = eventually("key is pruned", &cloud.operator, || {
        let ring = cloud.plane.ring(FERNET.secret).expect("the keys are there");
        let pruned = ring.primary().index as usize + 1 - ring.slots().len();
        (pruned > 0 || refused()).then_some(pruned)
    });
    if !refused() {
        // Its tokens are shown to replicas that no longer have it.
        std::thread::sleep(Duration::from_secs(3));
    }
    Driven { counts: traffic.end(), rotations, pruned }
}

#[test]
fn rotations_make_no_token_invalid() {
    let cloud = &*ROTATED;
    let some = |number: usize| (number / IN_A_ROW).is_multiple_of(REPORTED_ONE_IN);
    let Driven { counts, rotations, pruned } =
        drive(cloud, times(ROTATIONS.0, ROTATIONS.1), some, Random::new(*SEED ^ 4));
    let ring = cloud.plane.ring(FERNET.secret).expect("the keys are there");
    let said = said(&counts);
    let killed = cloud.operator.killed();
    report(&format!(
        "rotation: {rotations} of the fernet keys on 2 real Keystones, {pruned} keys pruned, the operator \
         killed {killed} times: {said} (seed {})",
        *SEED
    ));
    let refused = counts.refused();
    assert!(
        refused.is_empty(),
        "{said}; seed {}; a node was later than the operator was told: {}\n{}",
        *SEED,
        cloud.was_too_slow(),
        refused.join("\n")
    );
    assert!(ring.primary().index as usize > rotations, "the keys did not rotate");
    // Once in four rotations; a sample has too few of them to count on that.
    assert!(times(killed * 4 >= rotations, killed > 2), "{killed} operators killed");
    assert!(counts.shown_late.load(Ordering::Relaxed) > rotations, "no old tokens: {said}");
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

/// As `rotations_make_no_token_invalid`, but that nobody kills this operator: it runs inside the test, because
/// the program cannot make the mistake. And all pods report: one whose operator goes by time is never as late, and
/// the mistake would show only after many rotations.
#[test]
fn with_one_mistake_tokens_are_refused() {
    let plane = Plane { namespace: "mistaken" };
    let mistake = Mistake::PromoteWithoutWaiting;
    let cloud =
        Cloud::start(plane, &[FERNET], Delivery::Played, || Operator::mistaken(plane, mistake));
    let Driven { counts, rotations, .. } =
        drive(&cloud, NOTICED_WITHIN, |_| true, Random::new(*SEED ^ 6));
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
