//! Where the writes of an operator can be held on their way, as by a network that is slow.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use super::way::Use;

#[derive(Debug)]
pub struct Gate {
    closed: watch::Sender<bool>,
    pub held: AtomicUsize,
    /// What was answered to those that were held: the write, and the status.
    pub answers: Mutex<Vec<(String, u16)>>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            closed: watch::Sender::new(false),
            held: AtomicUsize::new(0),
            answers: Mutex::default(),
        }
    }
}

impl Gate {
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    pub fn open(&self) {
        self.closed.send_replace(false);
    }

    /// Waits until it is open; whether there was anything to wait for.
    pub async fn wait(&self) -> bool {
        if !*self.closed.borrow() {
            return false;
        }
        self.held.fetch_add(1, Ordering::Relaxed);
        // The sender lives as long as this does.
        let _ = self.closed.subscribe().wait_for(|closed| !closed).await;
        true
    }

    pub fn answered(&self, (_, resource, verb): &Use, name: &str, status: u16) {
        self.answers.lock().unwrap().push((format!("{verb} {resource} {name}"), status));
    }
}
