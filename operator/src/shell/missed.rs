//! Rights that were missed of late and that no look at one object can tell: those to a watch, which is for all objects
//! of a namespace together, and those to say anything at all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::{Stream, stream};
use tokio::sync::watch;

use super::outcome::Trouble;

/// Who tells a person of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Teller {
    /// In the condition of every rotation of the namespace.
    Rotations,
    /// In the condition of every aggregate of the namespace.
    Aggregates,
    /// No status can tell: the process is not ready, which is a condition of its Pod.
    Readiness,
}

/// Nothing announces that a right is there again, but that it is no longer missed. A watch is tried again within a
/// minute: kube's pauses double up to 30 s, and chance adds up to as much.
const LATELY: Duration = Duration::from_secs(75);

#[derive(Debug)]
struct Right {
    teller: Teller,
    what: String,
    at: Instant,
}

impl Right {
    fn is_missed(&self) -> bool {
        self.at.elapsed() < LATELY
    }
}

#[derive(Debug)]
pub struct Missed {
    by_namespace: Mutex<HashMap<String, Vec<Right>>>,
    news: watch::Sender<()>,
}

impl Default for Missed {
    fn default() -> Self {
        Self { by_namespace: Mutex::default(), news: watch::Sender::new(()) }
    }
}

impl Missed {
    /// Of a trouble that is none of rights nothing is kept.
    pub fn note(&self, namespace: &str, teller: Teller, trouble: &Trouble) {
        let Trouble::Denied(what) = trouble else { return };
        let mut known = self.known();
        let rights = known.entry(namespace.to_owned()).or_default();
        rights.retain(Right::is_missed);
        let at = Instant::now();
        match rights.iter_mut().find(|right| right.teller == teller && right.what == *what) {
            Some(right) => right.at = at,
            None => {
                rights.push(Right { teller, what: what.clone(), at });
                self.news.send_replace(());
            }
        }
    }

    /// What the objects of the namespace have to tell: all of it, because one that is granted counts as missed for a
    /// while and must not hide another.
    pub fn of(&self, namespace: &str, teller: Teller) -> Vec<Trouble> {
        let known = self.known();
        let rights = known.get(namespace).into_iter().flatten();
        let missed = rights.filter(|right| right.teller == teller && right.is_missed());
        missed.map(|right| Trouble::Denied(right.what.clone())).collect()
    }

    /// What nobody else tells.
    pub fn untold(&self) -> Vec<String> {
        let known = self.known();
        let rights = known.iter().flat_map(|(namespace, rights)| {
            let untold = rights.iter().filter(|right| right.teller == Teller::Readiness);
            untold.filter(|right| right.is_missed()).map(move |right| (namespace, right))
        });
        let mut lines: Vec<String> = rights
            .map(|(namespace, right)| format!("not allowed: {} in {namespace}", right.what))
            .collect();
        lines.sort();
        lines
    }

    /// Whenever the objects of the namespace have something new to tell: at rest they would look minutes later.
    pub fn news(
        self: Arc<Self>,
        namespace: String,
        teller: Teller,
    ) -> impl Stream<Item = ()> + Send {
        let heard = self.news.subscribe();
        stream::unfold((self, namespace, heard), move |(missed, namespace, mut heard)| async move {
            loop {
                heard.changed().await.ok()?;
                if !missed.of(&namespace, teller).is_empty() {
                    return Some(((), (missed, namespace, heard)));
                }
            }
        })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Vec<Right>>> {
        self.by_namespace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, StreamExt};

    use super::*;
    use crate::shell::outcome;

    fn denied(what: &str) -> Trouble {
        Trouble::Denied(what.to_owned())
    }

    fn told(missed: &Missed, namespace: &str, teller: Teller) -> String {
        outcome::told(&missed.of(namespace, teller)).unwrap_or_default()
    }

    #[test]
    fn each_is_told_where_it_was_missed_and_by_those_it_is_for() {
        let missed = Missed::default();
        missed.note("openstack", Teller::Rotations, &denied("watch credentialrotations"));
        missed.note("openstack", Teller::Rotations, &Trouble::Unreachable("watch".to_owned()));
        missed.note("openstack", Teller::Rotations, &denied("list pods"));
        missed.note("openstack", Teller::Readiness, &denied("list secretaggregates"));
        let watch = "not allowed: list pods; not allowed: watch credentialrotations";
        assert_eq!(told(&missed, "openstack", Teller::Rotations), watch);
        assert_eq!(told(&missed, "openstack", Teller::Aggregates), "");
        assert_eq!(told(&missed, "other", Teller::Rotations), "");
        assert_eq!(missed.untold(), ["not allowed: list secretaggregates in openstack"]);
    }

    #[test]
    fn what_was_not_missed_for_a_while_is_granted() {
        let missed = Missed::default();
        for by in [Teller::Rotations, Teller::Readiness] {
            missed.note("openstack", by, &denied("watch"));
        }
        for right in missed.known().values_mut().flatten() {
            right.at = right.at.checked_sub(LATELY).unwrap_or(right.at);
        }
        assert_eq!(told(&missed, "openstack", Teller::Rotations), "");
        assert!(missed.untold().is_empty());
    }

    #[tokio::test]
    async fn those_who_have_to_tell_are_told_once() {
        let missed = Arc::new(Missed::default());
        let news = |namespace: &str| {
            Arc::clone(&missed).news(namespace.to_owned(), Teller::Rotations).boxed()
        };
        let (mut here, mut elsewhere) = (news("openstack"), news("other"));
        assert!(here.next().now_or_never().is_none(), "nothing is missed");
        missed.note("openstack", Teller::Rotations, &denied("watch"));
        assert!(here.next().now_or_never().is_some());
        assert!(elsewhere.next().now_or_never().is_none(), "it is missed elsewhere");
        missed.note("openstack", Teller::Rotations, &denied("watch"));
        assert!(here.next().now_or_never().is_none(), "it was known");
    }
}
