//! What goes on in a cloud all the time: every replica makes tokens, and every replica is shown them,
//! new ones and old ones.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use strata_operator::core::simulate::random::Random;

use crate::cloud::{PASSWORD, TOKEN_LIVES};
use crate::stage::real::{Keystone, keystone};
use crate::stage::times;

/// So many are kept to be shown again while they live.
const KEPT: usize = 200;
/// In milliseconds. A sample leaves the machine to others for longer.
const PAUSE: (u64, u64) = (40, 150);
/// Not counted on in the last moments of its life: answers take time.
const MARGIN: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub struct Counts {
    pub made: AtomicUsize,
    pub shown: AtomicUsize,
    /// Those that were shown again at least a third of their life later.
    pub shown_late: AtomicUsize,
    refused: Mutex<Vec<String>>,
}

impl Counts {
    pub fn refused(&self) -> Vec<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Debug)]
struct Token {
    id: String,
    maker: usize,
    made: Instant,
    life: Duration,
}

#[derive(Debug)]
pub struct Traffic {
    pub counts: Arc<Counts>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Traffic {
    pub fn start(replicas: &Arc<Vec<Keystone>>, mut random: Random) -> Self {
        let (counts, over): (Arc<Counts>, Arc<AtomicBool>) = Default::default();
        let replicas = Arc::clone(replicas);
        let (told, ended) = (Arc::clone(&counts), Arc::clone(&over));
        let thread = thread::spawn(move || {
            let mut kept: Vec<Token> = Vec::new();
            while !ended.load(Ordering::Relaxed) {
                for maker in 0..replicas.len() {
                    let token = make(&replicas, maker);
                    told.made.fetch_add(1, Ordering::Relaxed);
                    (0..replicas.len()).for_each(|shown| show(&replicas, shown, &token, &told));
                    if kept.len() < KEPT {
                        kept.push(token);
                    } else {
                        let place = random.below(KEPT);
                        kept[place] = token;
                    }
                }
                kept.retain(|token| token.made.elapsed() + MARGIN < token.life);
                for _ in 0..3 {
                    let token = &kept[random.below(kept.len())];
                    show(&replicas, random.below(replicas.len()), token, &told);
                }
                thread::sleep(Duration::from_millis(times(PAUSE.0, PAUSE.1)));
            }
        });
        Self { counts, over, thread: Some(thread) }
    }

    /// What was counted, at the end.
    pub fn end(mut self) -> Arc<Counts> {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the traffic went on");
        }
        Arc::clone(&self.counts)
    }
}

impl Drop for Traffic {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

fn make(replicas: &[Keystone], maker: usize) -> Token {
    let made = Instant::now();
    let token = login(&replicas[maker]);
    Token { id: token.id, maker, made, life: Duration::from_secs(TOKEN_LIVES[maker]) }
}

/// Logging in writes into the database, which is no place for two who write at the same moment.
pub fn login(replica: &Keystone) -> keystone::Token {
    let mut tries = 0;
    loop {
        match replica.token("admin", PASSWORD, "admin") {
            Ok(token) => return token,
            Err(why) => assert!(tries < 5 && why.starts_with("500"), "logging in: {why}"),
        }
        tries += 1;
        thread::sleep(Duration::from_millis(200));
    }
}

fn show(replicas: &[Keystone], shown: usize, token: &Token, counts: &Counts) {
    let answer = replicas[shown].validate(&token.id);
    let age = token.made.elapsed();
    if age + MARGIN > token.life {
        return;
    }
    counts.shown.fetch_add(1, Ordering::Relaxed);
    counts.shown_late.fetch_add(usize::from(age > token.life / 3), Ordering::Relaxed);
    if let Err(why) = answer {
        let line = format!(
            "replica {shown} refuses a token of replica {}, {age:.1?} old: {why}",
            token.maker
        );
        counts.refused.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}
