//! The credential of a service rotates, and nobody notices.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::cloud::CLOUD;
use crate::phases::Phases;
use crate::pods::{Data, EVERY};
use crate::real::report;
use crate::rotation::{Rotation, while_the_operator_dies};
use crate::service::{ID, SECRET, Service, Tokens, log_in};
use crate::stage::times;

const OPENSTACK: &str = "openstack";
/// How far apart logins may begin at worst, where Keystone answers none of those under way for a while.
const LONGEST: Duration = Duration::from_secs(10);
/// Some more, under an operator that dies.
const DISTURBED: usize = 1;

#[test]
fn a_service_does_not_notice_that_its_credential_rotates() {
    let service = Service::register("glance", OPENSTACK);
    let plane = &*service.plane;
    let rotation = Rotation { plane, name: service.rotation() };
    let tokens = Tokens::of(&service);
    let pods = service.pods(1, EVERY, &tokens);
    CLOUD.apply(&service.objects());
    let started = Instant::now();
    let phases = Phases::watch(OPENSTACK, &rotation.name);
    let (over, tried) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let failures = Arc::new(Mutex::new(Vec::new()));
    let trying = thread::spawn({
        let (over, tried, failures) = (over.clone(), tried.clone(), failures.clone());
        move || {
            while !over.load(Ordering::Relaxed) {
                tried.fetch_add(tokens.try_some(&failures), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(500));
            }
        }
    });
    let mut generation = rotation.complete(0, || {});
    let mut old: Vec<Data> = Vec::new();
    let mut rotate = |generation: &mut i64| {
        let before = service.secret();
        phases.forget();
        rotation.rotate_now();
        *generation = rotation.complete(*generation, || {
            // Half of the time is over: it is published everywhere, and the old one works.
            plane.clock.forward(3_000);
            thread::sleep(Duration::from_millis(500));
            assert!(log_in(&before).is_ok(), "revoked while tokens of it may be in use");
            assert_eq!(service.in_keystone().len(), 2);
        });
        only(&service, *generation);
        assert!(log_in(&before).is_err(), "the old credential works");
        old.push(before);
    };
    for _ in 0..times(10, 2) {
        rotate(&mut generation);
        phases.expect_all();
    }
    let kills =
        while_the_operator_dies(plane, || (0..DISTURBED).for_each(|_| rotate(&mut generation)));
    let rotations = old.len();
    assert!(old.iter().all(|data| log_in(data).is_err()), "an old credential works");
    assert!(old.iter().enumerate().all(|(place, data)| !old[..place].contains(data)));
    only(&service, generation);
    whole_in_the_store(&service);
    over.store(true, Ordering::Relaxed);
    trying.join().unwrap();
    let tally = pods.stop();
    let failures =
        [failures.lock().unwrap().clone(), tally.failures.lock().unwrap().clone()].concat();
    assert!(failures.is_empty(), "{} failures, first {}", failures.len(), failures[0]);
    let (logins, tried) = (tally.done.load(Ordering::Relaxed), tried.load(Ordering::Relaxed));
    let started_pods = tally.started.load(Ordering::Relaxed);
    let [pace, longest] = tally.pace();
    assert!(longest < LONGEST, "{longest:?} apart");
    // A tenth is for the machine to wake a thread.
    assert!(pace <= times(EVERY + EVERY / 10, LONGEST), "a login every {pace:?}");
    assert!(tried > 3 * rotations, "{tried} tokens");
    report(&format!(
        "rotation: an application credential rotated {rotations} times in {:.0?}, through all {} phases, \
         the operator killed {kills} times: {logins} logins from {started_pods} pods, of each every {pace:.1?} and \
         at most {longest:.1?} apart, and {tried} uses of older tokens without a failure; one credential left in Keystone",
        started.elapsed(),
        crate::phases::ALL.len(),
    ));
}

/// Keystone and the cluster have nothing of any other generation.
fn only(service: &Service, generation: i64) {
    let name = format!("{}-g{generation}", service.rotation());
    let listed = service.in_keystone();
    assert!(listed.len() == 1 && listed[0].0 == name, "not {name} alone: {listed:?}");
    let delivered = service.secret();
    assert_eq!(delivered[ID], listed[0].1);
    for kind in ["secrets", "applicationcredentials"] {
        let words = ["get", kind, "--namespace", OPENSTACK, "--output=name", "--selector"];
        let selector = format!("c5c3.io/rotation={}", service.rotation());
        let found = CLOUD.server.kubectl().run(&[&words[..], &[&selector]].concat());
        let generations = found.lines().filter(|name| name.contains("-app-credential-g"));
        assert_eq!(generations.count(), 1, "{found}");
    }
}

/// No version in the store has the id of one generation beside the secret of another.
fn whole_in_the_store(service: &Service) {
    let path = format!("{OPENSTACK}/{}", service.delivered());
    let writes: Vec<_> = CLOUD.store.kv(|kv| kv.writes().to_vec());
    let writes: Vec<_> = writes.iter().filter(|write| write.path == path).collect();
    assert!(writes.len() > 1);
    for pair in writes.windows(2) {
        for half in [ID, SECRET] {
            assert!(pair[0].data[half] != pair[1].data[half], "{half} was written by itself");
        }
    }
}
