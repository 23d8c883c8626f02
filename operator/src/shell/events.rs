//! Events: what happened, for people. One that may not be created is owed until the right is there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, Recorder, Reporter};
use tracing::warn;

use super::metrics::Metrics;
use super::outcome::Trouble;

pub struct Events {
    client: Client,
    metrics: Arc<Metrics>,
    reporter: Reporter,
    /// The last one of each object.
    owed: Mutex<HashMap<About, Event>>,
}

const CREATE: &str = "create Event";

/// Kind, namespace and name.
type About = [String; 3];

impl Events {
    pub fn new(client: Client, metrics: Arc<Metrics>, reporter: Reporter) -> Self {
        Self { client, metrics, reporter, owed: Mutex::default() }
    }

    /// One that nobody hears is no reason to stop.
    pub async fn publish(&self, object: &ObjectReference, mut event: Event) {
        event.note = event.note.map(shortened);
        // It remembers for minutes whatever it published, which is much when all rotate at once.
        let recorder = Recorder::new(self.client.clone(), self.reporter.clone());
        let Err(error) = recorder.publish(&event, object).await else { return };
        self.metrics.failed_at("event");
        let trouble = Trouble::of(CREATE, &error);
        warn!(%trouble, "cannot");
        if matches!(trouble, Trouble::Denied(_)) {
            self.owed().insert(about(object), event);
        }
    }

    /// Makes up for what is owed of an object; the right that is missing, if it still is.
    pub async fn settle(&self, object: &ObjectReference) -> Option<Trouble> {
        let owed = self.owed().remove(&about(object))?;
        self.publish(object, owed).await;
        self.owes(object).then(|| Trouble::Denied(CREATE.to_owned()))
    }

    pub fn owes(&self, object: &ObjectReference) -> bool {
        self.owed().contains_key(&about(object))
    }

    /// Nothing is owed to what is no longer there.
    pub fn forget(&self, kind: &str, namespace: &str, name: &str) {
        self.owed().remove(&[kind, namespace, name].map(str::to_owned));
    }

    fn owed(&self) -> MutexGuard<'_, HashMap<About, Event>> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server takes no more than a thousand bytes of a note (`NoteLengthLimit` of its validation is 1024). All of it is in
/// the condition.
fn shortened(mut note: String) -> String {
    const MOST: usize = 1024;
    const MORE: &str = "…";
    if note.len() > MOST {
        note.truncate(note.floor_char_boundary(MOST - MORE.len()));
        note.push_str(MORE);
    }
    note
}

fn about(object: &ObjectReference) -> About {
    [&object.kind, &object.namespace, &object.name].map(|part| part.clone().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_no_longer_than_a_server_takes() {
        assert_eq!(shortened("short".to_owned()), "short");
        assert_eq!(shortened("a".repeat(1024)).len(), 1024);
        for long in ["a".repeat(1025), "ü".repeat(600)] {
            let note = shortened(long.clone());
            assert!(note.len() <= 1024 && note.len() > 1019, "{}", note.len());
            assert!(long.starts_with(note.trim_end_matches('…')) && note.ends_with('…'));
        }
    }
}
