//! Look, decide, do one thing, say where it stands; and again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::select_all;
use kube::runtime::controller::{Action as Requeue, Controller};
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::watcher;
use kube::{Api, Client, Resource, ResourceExt};
use tracing::{info, warn};

use super::access::{self, Access};
use super::generation_view::GenerationView;
use super::health::{self, Health};
use super::key_view::KeyView;
use super::lease::{Leadership, RENEW_EVERY};
use super::memory::Memory;
use super::metrics::{Metrics, Where, Which};
use super::names::MANAGER;
use super::outcome::{Outcome, Trouble};
use super::report::{self, Usable};
use super::rotation::Rotation;
use super::{aggregate, generation_moves, key_moves, time};
use crate::api::{CredentialRotation, CredentialRotationStatus, SecretAggregate};
use crate::core::{Action, Faultless, Phase, Precondition, Reason, Step, generations, keys};

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

struct Context {
    client: Client,
    memory: Memory,
    metrics: Arc<Metrics>,
    recorder: Recorder,
    look_again: Duration,
}

/// Runs until it is told to end, or loses the lease.
pub async fn run(client: Client, settings: Settings) -> Result<(), Trouble> {
    let (health, metrics) = (Arc::new(Health::default()), Arc::new(Metrics::new()));
    let served = health::serve(settings.address, Arc::clone(&health), Arc::clone(&metrics));
    let served = tokio::spawn(served);
    let identity = settings.identity.clone();
    let own = &settings.own_namespace;
    let mut leadership = Leadership::new(client.clone(), own, MANAGER, identity.clone());
    let mut ending = std::pin::pin!(ended());
    health.alive.store(true, Ordering::Relaxed);
    loop {
        match leadership.hold().await {
            Ok(true) => break,
            Ok(false) => {}
            Err(trouble) => warn!(%trouble, "the lease cannot be had"),
        }
        tokio::select! {
            () = &mut ending => return Ok(()),
            () = tokio::time::sleep(RENEW_EVERY) => {}
        }
    }
    info!(identity, "leading");
    health.ready.store(true, Ordering::Relaxed);
    let reporter = Reporter { controller: MANAGER.to_owned(), instance: Some(identity) };
    let context = Arc::new(Context {
        client: client.clone(),
        memory: Memory::default(),
        metrics,
        recorder: Recorder::new(client.clone(), reporter),
        look_again: settings.look_again,
    });
    let controllers = settings.namespaces.iter().map(|namespace| {
        let rotations: Api<CredentialRotation> = Api::namespaced(client.clone(), namespace);
        let config = watcher::Config::default().page_size(50);
        let limits = kube::runtime::controller::Config::default().concurrency(4);
        let controller = Controller::new(rotations, config).with_config(limits);
        controller.run(reconcile, retry, Arc::clone(&context)).boxed_local()
    });
    let mut controllers = select_all(controllers);
    let shared = Arc::new(client.clone());
    let aggregates = settings.namespaces.iter().map(|namespace| {
        let aggregates: Api<SecretAggregate> = Api::namespaced(client.clone(), namespace);
        let config = watcher::Config::default().page_size(50);
        let limits = kube::runtime::controller::Config::default().concurrency(2);
        let controller = Controller::new(aggregates, config).with_config(limits);
        controller.run(aggregate::reconcile, aggregate::retry, Arc::clone(&shared)).boxed_local()
    });
    let mut aggregates = select_all(aggregates);
    let kept = keep(&mut leadership, &health);
    tokio::select! {
        () = ending => info!("ending"),
        () = kept => warn!("the lease is lost"),
        () = async { while controllers.next().await.is_some() {} } => {}
        () = async { while aggregates.next().await.is_some() {} } => {}
        result = served => warn!(?result, "the health endpoint ended"),
    }
    leadership.release().await;
    Ok(())
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

async fn keep(leadership: &mut Leadership, health: &Health) {
    let mut failures = 0;
    while failures < 3 {
        tokio::time::sleep(RENEW_EVERY).await;
        match leadership.hold().await {
            Ok(true) => failures = 0,
            Ok(false) => break,
            Err(trouble) => {
                warn!(%trouble, "the lease cannot be renewed");
                failures += 1;
            }
        }
    }
    health.alive.store(false, Ordering::Relaxed);
}

fn retry(_: Arc<CredentialRotation>, _: &Trouble, context: Arc<Context>) -> Requeue {
    Requeue::requeue(context.look_again)
}

async fn reconcile(
    object: Arc<CredentialRotation>,
    context: Arc<Context>,
) -> Result<Requeue, Trouble> {
    let namespace = object.namespace().unwrap_or_default();
    let access = Access { client: context.client.clone(), namespace: namespace.clone() };
    let rotations: Api<CredentialRotation> = Api::namespaced(context.client.clone(), &namespace);
    let name = object.name_any();
    let read = rotations.get_opt(&name).await;
    let read = read.map_err(|error| Trouble::of("get the CredentialRotation", &error))?;
    let Some(object) = read else {
        context.memory.forget(&format!("{namespace}/{name}/"));
        return Ok(Requeue::await_change());
    };
    let rotation = match Rotation::of(&object) {
        Ok(rotation) => rotation,
        Err(trouble) => {
            warn!(namespace, name, %trouble, "it cannot be rotated");
            return Ok(Requeue::requeue(Duration::from_secs(300)));
        }
    };
    let mut troubles = Vec::new();
    let (step, usable, view) = look(&access, &rotation, &context, &mut troubles).await;
    let which = Which { namespace, name };
    if let Some(action) = &step.action {
        let done = execute(&access, &rotation, view.as_ref(), action, &rotations).await;
        match done {
            Ok(outcome) => {
                info!(
                    namespace = which.namespace, name = which.name, phase = step.phase.name(),
                    object = ?action.object, ?outcome, "acted"
                );
                context.metrics.writes.get_or_create(&which).inc();
                return Ok(Requeue::requeue(Duration::ZERO.max(pause(outcome))));
            }
            Err(trouble) => troubles.push(trouble),
        }
    }
    for trouble in &troubles {
        warn!(namespace = which.namespace, name = which.name, %trouble, "cannot");
        context.metrics.troubles.get_or_create(&which).inc();
    }
    say(&access, &rotation, &object, &step, &usable, &troubles, &context).await?;
    let again = Duration::from_secs(u64::try_from(step.again).unwrap_or(1));
    Ok(Requeue::requeue(again.min(match step.phase {
        Phase::Idle => again,
        _ => context.look_again,
    })))
}

/// After a write that came too late, whoever was faster is given a moment.
fn pause(outcome: Outcome) -> Duration {
    match outcome {
        Outcome::Done => Duration::ZERO,
        Outcome::Outdated => Duration::from_millis(200),
    }
}

async fn look(
    access: &Access,
    rotation: &Rotation,
    context: &Context,
    troubles: &mut Vec<Trouble>,
) -> (Step, Usable, Option<GenerationView>) {
    if let Some(keys) = &rotation.spec.keys {
        let view = KeyView::look(access, rotation, keys, &context.memory, troubles).await;
        let step = keys::step(&view.seen(rotation), time::now(), &Faultless);
        return (step, Usable::ring(view.live.value()), None);
    }
    let view = GenerationView::look(access, rotation, &context.memory, troubles).await;
    let seen = view.seen(rotation);
    let step = generations::step(&seen, time::now(), &Faultless);
    let published = seen.published.value().map(|published| published.generation);
    let delivered = seen.delivered.value().map(|delivered| delivered.generation);
    let usable = Usable {
        generation: published.map(i64::from),
        rotated: view.made(),
        condition: "Delivered",
        there: delivered.is_some_and(|generation| generation > 0) || seen.marks.rolled_out > 0,
        ..Usable::default()
    };
    (step, usable, Some(view))
}

async fn execute(
    access: &Access,
    rotation: &Rotation,
    view: Option<&GenerationView>,
    action: &Action,
    rotations: &Api<CredentialRotation>,
) -> Result<Outcome, Trouble> {
    // A write that names no version is made only while the rotation has the one decided on.
    if !matches!(action.precondition, Precondition::At(_)) {
        let now = rotations.get_opt(&rotation.name).await;
        let now = now.map_err(|error| Trouble::of("get the CredentialRotation", &error))?;
        if now.and_then(|now| access::stamp(now.meta())) != Some(rotation.stamp) {
            return Ok(Outcome::Outdated);
        }
    }
    match (&rotation.spec.keys, view) {
        (Some(keys), _) => key_moves::make(access, rotation, keys, action).await,
        (None, Some(view)) => generation_moves::make(access, rotation, view, action).await,
        (None, None) => Ok(Outcome::Outdated),
    }
}

/// Status, event and metrics; written only where something changed.
async fn say(
    access: &Access,
    rotation: &Rotation,
    object: &CredentialRotation,
    step: &Step,
    usable: &Usable,
    troubles: &[Trouble],
    context: &Context,
) -> Result<(), Trouble> {
    let place = format!("{}{}", step.phase.name(), step.reason.name());
    let waiting = context.memory.watch(&format!("{}phase", rotation.key()), &place);
    let status = report::status(rotation, step, usable, troubles, waiting);
    let which = Which { namespace: rotation.namespace.clone(), name: rotation.name.clone() };
    let stalled =
        status.conditions.iter().any(|found| found.type_ == "Stalled" && found.status == "True");
    context.metrics.stalled.get_or_create(&which).set(i64::from(stalled));
    if let Some(rotated) = usable.rotated {
        context.metrics.age.get_or_create(&which).set(time::now().since(rotated));
    }
    let standing = Where {
        namespace: which.namespace,
        name: which.name,
        phase: step.phase.name().to_owned(),
        reason: step.reason.name().to_owned(),
    };
    context.metrics.waiting.clear();
    context.metrics.waiting.get_or_create(&standing).set(waiting);
    if status == rotation.status {
        return Ok(());
    }
    announce(object, step, &status, context).await;
    let patch = serde_json::json!({"status": changed(&rotation.status, &status)});
    let kind = access::resource("c5c3.io/v1alpha1", "CredentialRotation");
    access.patch_status(&kind, &rotation.name, rotation.stamp, patch).await.map(drop)
}

/// A merge patch: what is no longer there is null in it.
fn changed(old: &CredentialRotationStatus, new: &CredentialRotationStatus) -> serde_json::Value {
    let (old, mut new) = (serde_json::json!(old), serde_json::json!(new));
    if let (Some(old), Some(new)) = (old.as_object(), new.as_object_mut()) {
        for (name, before) in old {
            let now = new.entry(name.clone()).or_insert(serde_json::Value::Null);
            if let (Some(before), Some(now)) = (before.as_object(), now.as_object_mut()) {
                for name in before.keys() {
                    now.entry(name.clone()).or_insert(serde_json::Value::Null);
                }
            }
        }
    }
    new
}

async fn announce(
    object: &CredentialRotation,
    step: &Step,
    status: &CredentialRotationStatus,
    context: &Context,
) {
    let before = object.status.as_ref().and_then(|status| status.reason.as_deref());
    if before == status.reason.as_deref() {
        return;
    }
    let bad = step.phase == Phase::Stopped || step.reason == Reason::CredentialRefused;
    let event = Event {
        type_: if bad { EventType::Warning } else { EventType::Normal },
        reason: status.reason.clone().unwrap_or_default(),
        note: Some(step.reason.message().to_owned()),
        action: step.phase.name().to_owned(),
        secondary: None,
    };
    // An event that nobody hears is no reason to stop.
    let _ = context.recorder.publish(&event, &object.object_ref(&())).await;
}
