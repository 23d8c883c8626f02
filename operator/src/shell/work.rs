//! What a leader does: it looks after the rotations and aggregates of its namespaces.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::select_all;
use futures::{FutureExt, StreamExt};
use kube::runtime::controller::{Config, Controller, Error};
use kube::runtime::watcher;
use kube::{Api, Client, Resource};
use tokio::sync::Semaphore;
use tracing::warn;

use super::access::PAGE;
use super::aggregate;
use super::events::Events;
use super::memory::Memory;
use super::metrics::Metrics;
use super::missed::{Missed, Teller};
use super::noticed::Noticed;
use super::outcome::{self, Trouble};
use super::reconcile::{AT_ONCE, Context, reconcile, retry};
use super::repeats::Repeats;
use super::say::Speaker;
use crate::api::SecretAggregate;
use crate::core::Slips;

pub struct Work<'a> {
    pub client: Client,
    pub namespaces: &'a [String],
    /// Looks again at least this often while something is under way.
    pub look_again: Duration,
    pub metrics: Arc<Metrics>,
    pub missed: Arc<Missed>,
    pub events: Arc<Events>,
}

impl Work<'_> {
    /// It goes on for ever, unless something is wrong with the process itself.
    pub async fn run<S: Slips + Send + Sync + 'static>(
        &self,
        slips: Arc<S>,
    ) -> Result<(), Trouble> {
        let ended = |what: &str| Err(Trouble::Unreachable(what.to_owned()));
        tokio::select! {
            () = self.rotate(slips) => ended("the watch of rotations ended"),
            () = self.join() => ended("the watch of aggregates ended"),
        }
    }

    async fn rotate<S: Slips + Send + Sync + 'static>(&self, slips: Arc<S>) {
        let (metrics, events) = (Arc::clone(&self.metrics), Arc::clone(&self.events));
        let context = Arc::new(Context {
            client: self.client.clone(),
            memory: Memory::default(),
            repeats: Repeats::default(),
            speaker: Speaker { metrics, events },
            missed: Arc::clone(&self.missed),
            look_again: self.look_again,
            slips,
            at_once: Semaphore::new(AT_ONCE),
        });
        let controllers = self.namespaces.iter().map(|namespace| {
            let rotations: Api<Noticed> = Api::namespaced(self.client.clone(), namespace);
            let config = watcher::Config::default().page_size(PAGE);
            let news = Arc::clone(&self.missed).news(namespace.clone(), Teller::Rotations);
            let controller = Controller::new(rotations, config)
                .with_config(Config::default().concurrency(4))
                .reconcile_all_on(news)
                .run(reconcile::<S>, retry::<S>, Arc::clone(&context));
            controller.map(move |done| (namespace, done)).boxed_local()
        });
        let tellers = [Teller::Readiness, Teller::Rotations];
        let failed = self.failures("credentialrotations", tellers);
        let mut controllers = select_all(controllers);
        while let Some((namespace, done)) = controllers.next().await {
            self.listen(namespace, done, &failed, |name| context.forget(namespace, name));
        }
    }

    async fn join(&self) {
        let context = Arc::new(aggregate::Context {
            client: self.client.clone(),
            events: Arc::clone(&self.events),
            missed: Arc::clone(&self.missed),
            at_once: Semaphore::new(aggregate::TOGETHER),
        });
        let turn = Arc::new(Semaphore::new(1));
        let controllers = self.namespaces.iter().map(|namespace| {
            let aggregates: Api<SecretAggregate> = Api::namespaced(self.client.clone(), namespace);
            let sought = aggregate::sought(aggregates.clone(), Arc::clone(&turn));
            let secrets = Api::namespaced(self.client.clone(), namespace);
            let (failed, of) =
                (self.failures("secrets", [Teller::Aggregates; 2]), namespace.clone());
            let failed = move |error: &watcher::Error| failed(&of, error);
            let news = Arc::clone(&self.missed).news(namespace.clone(), Teller::Aggregates);
            let context = Arc::clone(&context);
            let watched = futures::future::lazy(move |_| {
                aggregate::watching(aggregates, secrets, failed)
                    .with_config(Config::default().concurrency(2))
                    .reconcile_all_on(news)
                    .run(aggregate::reconcile, aggregate::retry, context)
            });
            let failures = sought.map(|error| Err(Error::QueueError(error)));
            let controller = failures.chain(watched.flatten_stream());
            controller.map(move |done| (namespace, done)).boxed_local()
        });
        let tellers = [Teller::Readiness, Teller::Aggregates];
        let failed = self.failures("secretaggregates", tellers);
        let kind = SecretAggregate::kind(&());
        let mut controllers = select_all(controllers);
        while let Some((namespace, done)) = controllers.next().await {
            self.listen(namespace, done, &failed, |name| {
                self.events.forget(&kind, namespace, name)
            });
        }
    }

    /// What could not even be looked at.
    fn listen<T, E: StdError + 'static>(
        &self,
        namespace: &str,
        done: Result<T, Error<Trouble, E>>,
        watch_failed: impl Fn(&str, &(dyn StdError + 'static)),
        gone: impl Fn(&str),
    ) {
        match done {
            Ok(_) => {}
            Err(Error::ObjectNotFound(object)) => gone(&object.name),
            Err(Error::ReconcilerFailed(trouble, object)) => {
                self.metrics.failed_at("look");
                self.missed.note(namespace, Teller::Readiness, &trouble);
                warn!(namespace, name = object.name, %trouble, "cannot be looked at");
            }
            Err(error) => watch_failed(namespace, &error),
        }
    }

    /// A watch says what it may not do, and is tried again. Who tells of its list, from which nobody may be known yet,
    /// and who of the watch itself.
    fn failures(
        &self,
        watched: &'static str,
        [listing, watching]: [Teller; 2],
    ) -> impl Fn(&str, &(dyn StdError + 'static)) + Send + use<> {
        let (metrics, missed) = (Arc::clone(&self.metrics), Arc::clone(&self.missed));
        move |namespace, error| {
            let (is_list, trouble) = outcome::watching(error, watched);
            metrics.failed_at("watch");
            missed.note(namespace, if is_list { listing } else { watching }, &trouble);
            warn!(namespace, %trouble, "a watch failed");
        }
    }
}
