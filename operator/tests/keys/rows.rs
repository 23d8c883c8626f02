//! Credentials in Keystone's database through rotations of the keys that encrypt them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;
use strata_operator::core::simulate::random::Random;

use crate::cloud::{Cloud, SEED, eventually};
use crate::operator::wait;
use crate::plane::CREDENTIAL;
use crate::stage::real::{Keystone, progress, report};
use crate::stage::times;
use crate::tokens::ROTATED;
use crate::traffic::login;

/// So that rows are written during the last rotation as during the first, and reading them takes no longer
/// than rotating.
const ROWS_PER_ROTATION: usize = 3;
/// Staged, primary, and the one before.
const KEYS: usize = 3;

#[test]
fn credentials_stay_readable_through_rotations() {
    let cloud = &*ROTATED;
    let rotations = times(20, 4);
    let rows = Mutex::new(Vec::new());
    let (over, rotation) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut read = 0;
    thread::scope(|scope| {
        scope.spawn(|| write_all_the_time(cloud, &rows, &rotation, &over));
        // A failing assertion must not leave the scope waiting for the other thread.
        let ended = Ended(&over);
        for number in 1..=rotations {
            rotation.store(number, Ordering::Relaxed);
            cloud.rotate(CREDENTIAL, number, || false);
            let there = rows.lock().unwrap().clone();
            cloud.replicas.iter().for_each(|replica| read_all(replica, &there));
            read += there.len() * cloud.replicas.len();
            if number % 2 == 0 {
                progress(&format!("credential rotation {number}, {} rows", there.len()));
            }
        }
        drop(ended);
    });
    // The last but one goes when all rows are under the primary, in a write of its own.
    let ring = eventually("third key alone", &cloud.operator, || {
        cloud.plane.ring(CREDENTIAL.secret).filter(|ring| ring.slots().len() == KEYS)
    });
    let rows = rows.into_inner().unwrap().len();
    report(&format!(
        "rotation: {rotations} of the credential keys: {rows} rows made meanwhile, read {read} times, 0 lost"
    ));
    assert!(ring.primary().index as usize > rotations, "the keys did not rotate");
    assert!(rows > rotations, "{rows} rows");
}

#[derive(Debug)]
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

type Row = (String, String);

fn write_all_the_time(
    cloud: &Cloud,
    rows: &Mutex<Vec<Row>>,
    rotation: &AtomicUsize,
    over: &AtomicBool,
) {
    let mut random = Random::new(*SEED ^ 7);
    let mut number = 0;
    while !over.load(Ordering::Relaxed) {
        wait(Duration::from_millis(random.between(100, 1_500).unsigned_abs()), over);
        if number < ROWS_PER_ROTATION * rotation.load(Ordering::Relaxed) {
            let row = write(&cloud.replicas[random.below(cloud.replicas.len())], number);
            rows.lock().unwrap().push(row);
            number += 1;
        }
    }
}

fn write(replica: &Keystone, number: usize) -> Row {
    let token = login(replica);
    let blob = format!("row {number}");
    let body = json!({"credential": {"type": "cert", "blob": blob,
        "user_id": token.about["user"]["id"], "project_id": token.about["project"]["id"]}});
    let post = || replica.request("POST", "/v3/credentials", &token.id, &body.to_string());
    let mut answer = post();
    // Two who write at the same moment are too many for the database of the tests.
    for _ in 0..5 {
        if answer.status != 500 {
            break;
        }
        thread::sleep(Duration::from_millis(300));
        answer = post();
    }
    assert!(answer.status == 201, "{}: {}", answer.status, answer.message());
    (answer.json()["credential"]["id"].as_str().unwrap().to_owned(), blob)
}

fn read_all(replica: &Keystone, rows: &[Row]) {
    let token = login(replica);
    for (id, blob) in rows {
        let answer = replica.request("GET", &format!("/v3/credentials/{id}"), &token.id, "");
        let read = &answer.json()["credential"]["blob"];
        assert!(read == blob, "{blob} is lost: {} {}", answer.status, answer.message());
    }
}
