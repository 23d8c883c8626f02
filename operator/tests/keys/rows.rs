//! Credentials in Keystone's database through rotations of the keys that encrypt them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use strata_operator::core::simulate::random::Random;

use crate::cloud::{Cloud, SEED, TOKEN_LIVES, eventually};
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
/// Rows are read several times a second, and a rotation takes some: migrating alone starts a Python.
const FEWEST_READS: usize = 5;

#[test]
fn credentials_stay_readable_through_rotations() {
    let cloud = &*ROTATED;
    let rotations = times(20, 4);
    let shared = Shared::default();
    let (mut read_after, mut fewest) = (0, usize::MAX);
    thread::scope(|scope| {
        scope.spawn(|| write_all_the_time(cloud, &shared));
        scope.spawn(|| read_all_the_time(cloud, &shared));
        // A failing assertion must not leave the scope waiting for the other threads.
        let ended = Ended(&shared.over);
        for number in 1..=rotations {
            shared.rotation.store(number, Ordering::Relaxed);
            let before = shared.read.load(Ordering::Relaxed);
            cloud.rotate(CREDENTIAL, number, || false);
            // During the first, nothing may have been written yet.
            if number > 1 {
                fewest = fewest.min(shared.read.load(Ordering::Relaxed) - before);
            }
            let there = shared.rows.lock().unwrap().clone();
            cloud.replicas.iter().for_each(|replica| read_all(replica, &there));
            read_after += there.len() * cloud.replicas.len();
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
    let rows = shared.rows.into_inner().unwrap().len();
    let (read, lost) = (shared.read.into_inner(), shared.lost.into_inner().unwrap());
    report(&format!(
        "rotation: {rotations} of the credential keys: {rows} rows made meanwhile, read {read} times meanwhile, \
         in each rotation at least {fewest}, and {read_after} times after one: {} lost",
        lost.len()
    ));
    assert!(lost.is_empty(), "{} of {read}; seed {}\n{}", lost.len(), *SEED, lost.join("\n"));
    assert!(ring.primary().index as usize > rotations, "the keys did not rotate");
    assert!(rows > rotations, "{rows} rows");
    assert!(fewest >= FEWEST_READS, "{fewest} reads in a rotation");
}

#[derive(Debug)]
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

type Row = (String, String);

/// Between those who rotate, write and read.
#[derive(Debug, Default)]
struct Shared {
    /// The number of the one under way.
    rotation: AtomicUsize,
    /// Those that Keystone has answered for.
    rows: Mutex<Vec<Row>>,
    /// How often one was read, and what was lost to whom.
    read: AtomicUsize,
    lost: Mutex<Vec<String>>,
    over: AtomicBool,
}

fn write_all_the_time(cloud: &Cloud, shared: &Shared) {
    let mut random = Random::new(*SEED ^ 7);
    let mut number = 0;
    while !shared.over.load(Ordering::Relaxed) {
        wait(Duration::from_millis(random.between(100, 1_500).unsigned_abs()), &shared.over);
        if number < ROWS_PER_ROTATION * shared.rotation.load(Ordering::Relaxed) {
            let row = write(&cloud.replicas[random.below(cloud.replicas.len())], number);
            shared.rows.lock().unwrap().push(row);
            number += 1;
        }
    }
}

/// Any row from any replica: it is while keys are on their way that one may lack the key of a row.
fn read_all_the_time(cloud: &Cloud, shared: &Shared) {
    let mut random = Random::new(*SEED ^ 8);
    let with_lives = cloud.replicas.iter().zip(TOKEN_LIVES);
    let mut readers: Vec<_> =
        with_lives.map(|(replica, life)| Reader::new(replica, life)).collect();
    while !shared.over.load(Ordering::Relaxed) {
        wait(Duration::from_millis(random.between(50, 250).unsigned_abs()), &shared.over);
        let rows = shared.rows.lock().unwrap().clone();
        if rows.is_empty() {
            continue;
        }
        let (row, number) = (&rows[random.below(rows.len())], random.below(readers.len()));
        if let Err(why) = readers[number].read(row) {
            shared.lost.lock().unwrap().push(format!("replica {number}: {why}"));
        }
        shared.read.fetch_add(1, Ordering::Relaxed);
    }
}

/// One who asks a replica, and logs in now and then.
struct Reader<'a> {
    replica: &'a Keystone,
    token: String,
    made: Instant,
    /// Long before its end: answers take time.
    used_for: Duration,
}

impl<'a> Reader<'a> {
    fn new(replica: &'a Keystone, token_life: u64) -> Self {
        let (made, used_for) = (Instant::now(), Duration::from_secs(token_life / 3));
        Self { replica, token: login(replica).id, made, used_for }
    }

    fn read(&mut self, row: &Row) -> Result<(), String> {
        if self.made.elapsed() > self.used_for {
            (self.made, self.token) = (Instant::now(), login(self.replica).id);
        }
        read(self.replica, &self.token, row)
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
    for row in rows {
        read(replica, &token.id, row).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// Else what came instead of it.
fn read(replica: &Keystone, token: &str, (id, blob): &Row) -> Result<(), String> {
    let answer = replica.request("GET", &format!("/v3/credentials/{id}"), token, "");
    match answer.status == 200 && answer.json()["credential"]["blob"] == *blob {
        true => Ok(()),
        false => Err(format!("{blob} is lost: {} {}", answer.status, answer.message())),
    }
}
