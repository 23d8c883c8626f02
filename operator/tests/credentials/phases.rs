//! The phases that a rotation goes through, as anybody sees them who watches it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cloud::CLOUD;

pub const ALL: [&str; 7] =
    ["Staged", "Minted", "Published", "Delivered", "RolledOut", "Drained", "Revoked"];

#[derive(Debug)]
pub struct Phases {
    stop: Arc<AtomicBool>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Phases {
    pub fn watch(namespace: &str, name: &str) -> Self {
        let (stop, seen) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{namespace}/credentialrotations");
        let chosen = format!("fieldSelector=metadata.name%3D{name}");
        let (stopped, noted) = (Arc::clone(&stop), Arc::clone(&seen));
        thread::spawn(move || {
            let listed = CLOUD.server.get(&path).json();
            let mut version = listed["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
            while !stopped.load(Ordering::Relaxed) {
                // The answer ends after a second; the next one goes on where it ended.
                let more = format!("watch=true&timeoutSeconds=1&resourceVersion={version}");
                let answer = CLOUD.server.get(&format!("{path}?{chosen}&{more}"));
                for line in String::from_utf8_lossy(&answer.body).lines() {
                    let event: Value = serde_json::from_str(line).unwrap_or(Value::Null);
                    let object = &event["object"];
                    if let Some(newer) = object["metadata"]["resourceVersion"].as_str() {
                        version = newer.to_owned();
                    }
                    if let Some(phase) = object["status"]["phase"].as_str() {
                        note(&mut noted.lock().unwrap(), phase);
                    }
                }
            }
        });
        Self { stop, seen }
    }

    pub fn forget(&self) {
        self.seen.lock().unwrap().clear();
    }

    /// All have come, in their order. What happened in the last second is told at its end.
    pub fn expect_all(&self) {
        let started = Instant::now();
        loop {
            let came = self.seen.lock().unwrap().clone();
            let mut rest = came.iter();
            if ALL.iter().all(|phase| rest.any(|other| other == phase)) {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(10), "only {came:?}");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Phases {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn note(seen: &mut Vec<String>, phase: &str) {
    if seen.last().is_none_or(|last| last != phase) {
        seen.push(phase.to_owned());
    }
}
