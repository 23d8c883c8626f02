//! Many credentials rotate at once, over a way to the API server that fails once in a hundred requests:
//! nothing is lost, nothing is left over, and the operator stays small.
//!
//! With `STRATA_FULL` they are as many as is promised, and `STRATA_LOAD` is any number, both in planes of
//! fifty; without, it is a sample.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod play;
mod stage;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use play::Play;
use play::crowd::Crowd;
use stage::real::{ApiServer, Guarded, progress, report, wait_for};
use stage::times;

const PROMISED: usize = 10_000;
const OF_A_PLANE: usize = 50;
/// With as many planes as it takes to see that they do not get in each other's way.
const SAMPLE: (usize, usize) = (60, 10);
const ONE_IN: u32 = 100;
/// Of any rotation, the one that met the most faults as well.
const MOST_WRITES: u64 = 25;
/// In KiB.
const MOST_MEMORY: u64 = 64 * 1024;

#[test]
fn ten_thousand_credentials_rotate() {
    let asked = std::env::var("STRATA_LOAD").ok().and_then(|text| text.parse().ok());
    let count = asked.unwrap_or_else(|| times(PROMISED, SAMPLE.0));
    let of_a_plane = if count > SAMPLE.0 { OF_A_PLANE } else { SAMPLE.1 };
    let (server, play, planes) = set(count.div_ceil(of_a_plane));
    let names = (0..count)
        .map(|number| (&planes[number / of_a_plane], format!("c{}", number % of_a_plane)));
    let of = names.map(|(plane, name)| (plane.clone(), name)).collect();
    let administrator = server.kubectl().kubeconfig().to_owned();
    let crowd = Crowd { play: &play, administrator, of };
    crowd.create();
    let namespaces: Vec<&str> = planes.iter().map(String::as_str).collect();
    let more = ["--address=127.0.0.1:0", "--look-again=1"];
    let operator = stage::operator_over(&play.kubeconfig, "info", &namespaces, &more);
    // As fast as a busy machine with two cores does them, with as much to spare.
    let within =
        Duration::from_secs(240) + Duration::from_millis(400) * u32::try_from(count).unwrap();
    let way = &play.way;
    let wait = |generation: u32| {
        let what = format!("generation {generation} of {count} credentials");
        wait_for(&what, within, || operator.last_words(), || crowd.missing(generation));
    };
    let begun = Instant::now();
    wait(1);
    let made = begun.elapsed();
    let before = way.writes.load(Ordering::Relaxed);
    let requests = way.requests.load(Ordering::Relaxed);
    way.writes_of.lock().unwrap().clear();
    let begun = Instant::now();
    crowd.rotate_all("1");
    wait(2);
    let rotated = begun.elapsed();
    let writes = (way.writes.load(Ordering::Relaxed) - before).div_ceil(count as u64);
    let spread = spread(way.writes_of.lock().unwrap().values());
    let most = spread.keys().copied().max().unwrap_or(0);
    let requests = (way.requests.load(Ordering::Relaxed) - requests) / count as u64;
    let (all, faults) = (way.requests.load(Ordering::Relaxed), way.faults.load(Ordering::Relaxed));

    let at_rest = writes_at_rest(&crowd, &operator, within);
    let memory = high_water(&operator.folder().join("pid"));
    let planes = planes.len();
    report(&format!(
        "rotation: {count} credentials in {planes} planes: first {made:.0?}, rotated {rotated:.0?}, \
         {writes} writes and {requests} requests per rotation, at most {most} writes, {at_rest} at rest, \
         {memory} KiB; {faults} faults in {all} requests"
    ));
    progress(&format!("rotations by the number of their writes: {spread:?}"));
    progress(&format!("{:?}", way.kinds_of_writes.lock().unwrap()));
    progress(&format!("{:?}", way.kinds_of_reads.lock().unwrap()));
    crowd.judge(2);
    way.expect_no_blind_write();
    assert!(faults * 200 > all && faults * 50 < all, "{faults} faults in {all} requests");
    assert!(most <= MOST_WRITES, "{most} writes of one rotation");
    assert_eq!(at_rest, 0, "writes at rest");
    assert!(memory <= MOST_MEMORY, "{memory} KiB");
}

fn set(planes: usize) -> (ApiServer, Play, Vec<String>) {
    let server = ApiServer::start(&[]);
    let planes: Vec<String> = (0..planes).map(|plane| format!("plane-{plane}")).collect();
    let namespaces: Vec<&str> = planes.iter().map(String::as_str).collect();
    play::objects::foreign_kinds().iter().for_each(|kind| stage::apply(&server, kind));
    stage::install(&server, &namespaces);
    let play = play::start(server.kubectl().kubeconfig(), stage::ACCOUNT, ONE_IN);
    (server, play, planes)
}

/// A look at rest comes by itself after five minutes; here all are made to look at once. Nothing fails
/// meanwhile: what does not answer for long is worth a write.
fn writes_at_rest(crowd: &Crowd<'_>, operator: &Guarded, within: Duration) -> u64 {
    let way = &crowd.play.way;
    way.one_in.store(0, Ordering::Relaxed);
    // Who met a fault just now has looked again, and is at rest.
    std::thread::sleep(Duration::from_secs(3));
    let before = way.writes.load(Ordering::Relaxed);
    way.looks_at.lock().unwrap().clear();
    crowd.make_all_look();
    wait_for(
        "a look at each",
        within,
        || operator.last_words(),
        || {
            let looks = way.looks_at.lock().unwrap();
            let unseen = crowd.of.iter().filter(|key| !looks.contains_key(*key));
            unseen.map(|(plane, name)| format!("{plane}/{name}")).collect()
        },
    );
    // The last of them is over, too.
    std::thread::sleep(Duration::from_secs(3));
    way.writes.load(Ordering::Relaxed) - before
}

/// How many there are of each number.
fn spread<'a>(numbers: impl Iterator<Item = &'a u64>) -> BTreeMap<u64, u64> {
    let mut spread = BTreeMap::new();
    numbers.for_each(|number| *spread.entry(*number).or_default() += 1);
    spread
}

/// The most memory that the process ever had.
fn high_water(pid: &Path) -> u64 {
    let pid = std::fs::read_to_string(pid).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.trim())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
