//! The process: it waits for the lease, works while it has it, and ends.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kube::Client;
use kube::runtime::events::Reporter;
use tracing::{info, warn};

use super::events::Events;
use super::health::{self, Health};
use super::lease::{LASTS, Leadership, RENEW_EVERY};
use super::metrics::Metrics;
use super::missed::Teller;
use super::names::MANAGER;
use super::outcome::Trouble;
use super::work::Work;
use crate::core::{Faultless, Slips};

#[derive(Debug, Clone)]
pub struct Settings {
    /// Where rotations are looked after.
    pub namespaces: Vec<String>,
    /// Where the Lease is.
    pub own_namespace: String,
    pub identity: String,
    pub address: std::net::SocketAddr,
    /// Looks again at least this often while something is under way.
    pub look_again: Duration,
}

/// Runs until it is told to end, or loses the lease.
pub async fn run(client: Client, settings: Settings) -> Result<(), Trouble> {
    run_until(ended(), client, settings, Faultless).await
}

/// As `run`, until another end. Tests see by it that a mistake is noticed; the program makes none.
pub async fn run_until<S: Slips + Send + Sync + 'static>(
    end: impl Future<Output = ()>,
    client: Client,
    settings: Settings,
    slips: S,
) -> Result<(), Trouble> {
    let (health, metrics) = (Arc::new(Health::default()), Arc::new(Metrics::default()));
    let served = health::serve(settings.address, Arc::clone(&health), Arc::clone(&metrics));
    let served = async {
        let result = tokio::spawn(served).await;
        warn!(?result, "health and metrics are not served");
        Err(Trouble::Unreachable("the health endpoint ended".to_owned()))
    };
    let (identity, own) = (settings.identity.clone(), &settings.own_namespace);
    let mut leadership = Leadership::new(client.clone(), own, MANAGER, identity.clone());
    let slips = Arc::new(slips);
    let turns = async {
        loop {
            wait_for_lease(&mut leadership, own, &health, &metrics).await;
            info!(identity, "leading");
            let reporter =
                Reporter { controller: MANAGER.to_owned(), instance: Some(identity.clone()) };
            let events = Events::new(client.clone(), Arc::clone(&metrics), reporter);
            let work = Work {
                client: client.clone(),
                namespaces: &settings.namespaces,
                look_again: settings.look_again,
                metrics: Arc::clone(&metrics),
                missed: Arc::clone(&health.missed),
                events: Arc::new(events),
            };
            let kept = keep(&mut leadership, own, &health, &metrics, (LASTS, RENEW_EVERY));
            let lost = tokio::select! {
                lost = kept => lost,
                ended = work.run(Arc::clone(&slips)) => return ended,
            };
            match lost {
                Lost::ToAnother => {
                    let lost = "the lease is lost; another may lead".to_owned();
                    return Err(Trouble::Unreachable(lost));
                }
                // Nor would another process have the right.
                Lost::Denied => warn!("the lease may not be renewed; it is waited for"),
            }
            metrics.forget_all();
        }
    };
    let result = tokio::select! {
        () = end => Ok(()),
        ended = turns => ended,
        ended = served => ended,
    };
    info!("ending");
    leadership.release().await;
    result
}

async fn wait_for_lease(
    leadership: &mut Leadership,
    namespace: &str,
    health: &Health,
    metrics: &Metrics,
) {
    loop {
        let held = leadership.hold().await;
        health.beat(held.is_ok());
        match held {
            Ok(true) => return,
            Ok(false) => {}
            Err(trouble) => {
                metrics.failed_at("lease");
                health.missed.note(namespace, Teller::Readiness, &trouble);
                warn!(%trouble, "the lease cannot be had");
            }
        }
        tokio::time::sleep(RENEW_EVERY).await;
    }
}

/// Until SIGTERM or Ctrl-C.
async fn ended() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
        }
        Err(_) => drop(tokio::signal::ctrl_c().await),
    }
}

/// Why it leads no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    /// Who has it now, or may have it: it was not renewed for as long as it lasts.
    ToAnother,
    /// It was not renewed for lack of a right.
    Denied,
}

/// Until another may have the lease. No answer is waited for beyond that, and after a failure the time that is left is
/// used.
async fn keep(
    leadership: &mut Leadership,
    namespace: &str,
    health: &Health,
    metrics: &Metrics,
    (lasts, renew_every): (Duration, Duration),
) -> Lost {
    let (mut renewed, mut pause, mut lost) = (Instant::now(), renew_every, Lost::ToAnother);
    while let Some(left) = lasts.checked_sub(renewed.elapsed()) {
        tokio::time::sleep(pause.min(left)).await;
        let asked = Instant::now();
        let left = lasts.saturating_sub(renewed.elapsed());
        let held = leadership.hold_within(left).await;
        health.beat(held.is_ok());
        match held {
            Ok(true) => (renewed, pause, lost) = (asked, renew_every, Lost::ToAnother),
            Ok(false) => return Lost::ToAnother,
            Err(trouble) => {
                if matches!(trouble, Trouble::Denied(_)) {
                    lost = Lost::Denied;
                }
                pause = renew_every / 5;
                metrics.failed_at("lease");
                health.missed.note(namespace, Teller::Readiness, &trouble);
                warn!(%trouble, "the lease cannot be renewed");
            }
        }
    }
    lost
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_hears_nothing_leads_no_longer_than_the_lease_lasts() {
        // It takes every connection and never says a word.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let client = Client::try_from(kube::Config::new(url.parse().unwrap())).unwrap();
        let mut leadership = Leadership::new(client, "own", "lease", "me".to_owned());
        let (health, metrics) = (Health::default(), Metrics::default());
        let (lasts, renew_every) = (Duration::from_millis(300), Duration::from_millis(100));
        let kept = keep(&mut leadership, "own", &health, &metrics, (lasts, renew_every));
        // An answer alone is waited for much longer otherwise.
        let lost = tokio::time::timeout(lasts * 10, kept).await;
        assert_eq!(lost.ok(), Some(Lost::ToAnother), "it still leads");
    }
}
