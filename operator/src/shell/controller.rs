//! The process: it waits for the lease, looks after the rotations and aggregates of its namespaces, and ends.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::stream::select_all;
use futures::{FutureExt, StreamExt};
use kube::runtime::controller::{Controller, Error};
use kube::runtime::events::Reporter;
use kube::runtime::watcher;
use kube::{Api, Client};
use tokio::sync::Semaphore;
use tracing::{info, warn};

use super::access::PAGE;
use super::health::{self, Health};
use super::lease::{LASTS, Leadership, RENEW_EVERY};
use super::memory::Memory;
use super::metrics::Metrics;
use super::names::MANAGER;
use super::noticed::Noticed;
use super::outcome::Trouble;
use super::reconcile::{AT_ONCE, Context, reconcile, retry};
use super::repeats::Repeats;
use super::say::Speaker;
use super::{aggregate, outcome};
use crate::api::SecretAggregate;
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
    let served = tokio::spawn(served);
    let identity = settings.identity.clone();
    let own = &settings.own_namespace;
    let mut leadership = Leadership::new(client.clone(), own, MANAGER, identity.clone());
    let mut ending = std::pin::pin!(end);
    loop {
        let held = leadership.hold().await;
        health.beat(held.is_ok());
        match held {
            Ok(true) => break,
            Ok(false) => {}
            Err(trouble) => {
                metrics.failed_at("lease");
                warn!(%trouble, "the lease cannot be had");
            }
        }
        tokio::select! {
            () = &mut ending => return Ok(()),
            () = tokio::time::sleep(RENEW_EVERY) => {}
        }
    }
    info!(identity, "leading");
    let reporter = Reporter { controller: MANAGER.to_owned(), instance: Some(identity) };
    let joining = Arc::new(aggregate::Context {
        client: client.clone(),
        metrics: Arc::clone(&metrics),
        reporter: reporter.clone(),
    });
    let context = Arc::new(Context {
        client: client.clone(),
        memory: Memory::default(),
        repeats: Repeats::default(),
        speaker: Speaker { client: client.clone(), metrics: Arc::clone(&metrics), reporter },
        look_again: settings.look_again,
        slips,
        at_once: Semaphore::new(AT_ONCE),
    });
    let controllers = settings.namespaces.iter().map(|namespace| {
        let rotations: Api<Noticed> = Api::namespaced(client.clone(), namespace);
        let config = watcher::Config::default().page_size(PAGE);
        let limits = kube::runtime::controller::Config::default().concurrency(4);
        let controller = Controller::new(rotations, config).with_config(limits);
        controller.run(reconcile::<S>, retry::<S>, Arc::clone(&context)).boxed_local()
    });
    let mut controllers = select_all(controllers);
    let turn = Arc::new(Semaphore::new(1));
    let aggregates = settings.namespaces.iter().map(|namespace| {
        let aggregates: Api<SecretAggregate> = Api::namespaced(client.clone(), namespace);
        let sought = aggregate::sought(aggregates.clone(), Arc::clone(&turn));
        let secrets = Api::namespaced(client.clone(), namespace);
        let limits = kube::runtime::controller::Config::default().concurrency(2);
        let beside = Arc::clone(&metrics);
        let failed = move |error: &watcher::Error| watch_failed(error, &beside);
        let joining = Arc::clone(&joining);
        let watched = futures::future::lazy(move |_| {
            let controller = aggregate::watching(aggregates, secrets, failed).with_config(limits);
            controller.run(aggregate::reconcile, aggregate::retry, joining)
        });
        let failures = sought.map(|error| Err(Error::QueueError(error)));
        failures.chain(watched.flatten_stream()).boxed_local()
    });
    let mut aggregates = select_all(aggregates);
    let kept = keep(&mut leadership, &health, &metrics, (LASTS, RENEW_EVERY));
    let watched = async {
        while let Some(done) = controllers.next().await {
            listen(done, &metrics, |namespace, name| context.forget(namespace, name));
        }
    };
    let joined = async {
        while let Some(done) = aggregates.next().await {
            listen(done, &metrics, |_, _| {});
        }
    };
    let ended = |what: &str| Err(Trouble::Unreachable(what.to_owned()));
    let result = tokio::select! {
        () = ending => Ok(()),
        () = kept => ended("the lease is lost; another may lead"),
        () = watched => ended("the watch of rotations ended"),
        () = joined => ended("the watch of aggregates ended"),
        result = served => {
            warn!(?result, "health and metrics are not served");
            ended("the health endpoint ended")
        }
    };
    info!("ending");
    leadership.release().await;
    result
}

/// What could not even be looked at. A watch says what it may not do, and is tried again.
fn listen<T, E>(
    done: Result<T, kube::runtime::controller::Error<Trouble, E>>,
    metrics: &Metrics,
    deleted: impl Fn(&str, &str),
) where
    E: std::error::Error + 'static,
{
    use kube::runtime::controller::Error;
    match done {
        Ok(_) => {}
        Err(Error::ObjectNotFound(object)) => {
            deleted(object.namespace.as_deref().unwrap_or_default(), &object.name);
        }
        Err(Error::ReconcilerFailed(trouble, object)) => {
            let namespace = object.namespace.unwrap_or_default();
            metrics.failed_at("look");
            warn!(namespace, name = object.name, %trouble, "cannot be looked at");
        }
        Err(error) => watch_failed(&error, metrics),
    }
}

fn watch_failed(error: &(dyn std::error::Error + 'static), metrics: &Metrics) {
    metrics.failed_at("watch");
    warn!(trouble = %outcome::watching(error), "a watch failed");
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

/// Until another may have the lease: it is lost, or was not renewed for as long as it lasts. No answer is waited for
/// beyond that, and after a failure the time that is left is used.
async fn keep(
    leadership: &mut Leadership,
    health: &Health,
    metrics: &Metrics,
    (lasts, renew_every): (Duration, Duration),
) {
    let (mut renewed, mut pause) = (Instant::now(), renew_every);
    while let Some(left) = lasts.checked_sub(renewed.elapsed()) {
        tokio::time::sleep(pause.min(left)).await;
        let asked = Instant::now();
        let left = lasts.saturating_sub(renewed.elapsed());
        let held = leadership.hold_within(left).await;
        health.beat(held.is_ok());
        match held {
            Ok(true) => (renewed, pause) = (asked, renew_every),
            Ok(false) => break,
            Err(trouble) => {
                pause = renew_every / 5;
                metrics.failed_at("lease");
                warn!(%trouble, "the lease cannot be renewed");
            }
        }
    }
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
        let kept = keep(&mut leadership, &health, &metrics, (lasts, renew_every));
        // An answer alone is waited for much longer otherwise.
        assert!(tokio::time::timeout(lasts * 10, kept).await.is_ok(), "it still leads");
    }
}
