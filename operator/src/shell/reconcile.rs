//! Look, decide, do one thing, say where it stands; and again.

use std::sync::Arc;
use std::time::Duration;

use kube::runtime::controller::Action as Requeue;
use kube::{Api, Client, Resource, ResourceExt};
use tokio::sync::Semaphore;
use tracing::{info, warn};

use super::access::{self, Access};
use super::generation_view::GenerationView;
use super::key_view::KeyView;
use super::memory::{Memory, Thing};
use super::metrics::Which;
use super::missed::{Missed, Teller};
use super::noticed::Noticed;
use super::outcome::{Outcome, Trouble};
use super::repeats::{Repeats, stamped};
use super::report::Usable;
use super::rotation::Rotation;
use super::say::Speaker;
use super::{consumers, generation_moves, key_moves, names, time};
use crate::api::CredentialRotation;
use crate::core::{Action, Phase, Slips, Step, generations, keys};

pub struct Context<S> {
    pub client: Client,
    pub memory: Memory,
    pub repeats: Repeats,
    pub speaker: Speaker,
    pub missed: Arc<Missed>,
    pub look_again: Duration,
    pub slips: Arc<S>,
    /// Of all namespaces together: what is read for a decision is held until it is made.
    pub at_once: Semaphore,
}

/// Enough that those who answer at once need not wait for one who does not.
pub const AT_ONCE: usize = 32;

impl<S> Context<S> {
    /// Nothing is kept of what is no longer there.
    pub fn forget(&self, namespace: &str, name: &str) {
        let key = Rotation::key_of(namespace, name);
        self.memory.forget(&key);
        self.repeats.forget(&key);
        let which = Which { namespace: namespace.to_owned(), name: name.to_owned() };
        self.speaker.metrics.forget(&which);
        self.speaker.events.forget(&CredentialRotation::kind(&()), namespace, name);
    }

    /// Whether the same write has been too late for so long that nobody can be merely faster.
    fn is_in_vain(&self, rotation: &Rotation, action: &Action) -> bool {
        const SECONDS: i64 = 30;
        self.memory.watch(&rotation.key(), Thing::Outdated, &format!("{action:?}")) >= SECONDS
    }
}

pub fn retry<S>(_: Arc<Noticed>, _: &Trouble, context: Arc<Context<S>>) -> Requeue {
    Requeue::requeue(context.look_again)
}

pub async fn reconcile<S: Slips>(
    object: Arc<Noticed>,
    context: Arc<Context<S>>,
) -> Result<Requeue, Trouble> {
    let _turn = context.at_once.acquire().await;
    // Made only now: whoever waits for a turn, which may be thousands, takes no room for what a look needs.
    Box::pin(look_and_act(&object, &context)).await
}

async fn look_and_act<S: Slips>(
    object: &Noticed,
    context: &Context<S>,
) -> Result<Requeue, Trouble> {
    let namespace = object.namespace().unwrap_or_default();
    let access = Access { client: context.client.clone(), namespace: namespace.clone() };
    let rotations: Api<CredentialRotation> = Api::namespaced(context.client.clone(), &namespace);
    let name = object.name_any();
    let (read, denied) = access::own(&rotations, &name).await?;
    let Some(object) = read else {
        context.forget(&namespace, &name);
        return Ok(Requeue::await_change());
    };
    let rotation = match denied.map_or_else(|| Rotation::of(&object), Err) {
        Ok(rotation) => rotation,
        Err(trouble) => {
            warn!(namespace, name, %trouble, "it cannot be rotated");
            let speaker = &context.speaker;
            let heard = speaker.refuse(&access, &object, &trouble, &context.memory).await?;
            return Ok(match (heard, trouble) {
                // A right is granted elsewhere, and a spec mended in the object.
                (Outcome::Done, Trouble::Unfit(_)) => Requeue::await_change(),
                _ => Requeue::requeue(context.look_again),
            });
        }
    };
    let mut troubles = Vec::new();
    let (step, usable, view) = look(&access, &rotation, context, &mut troubles).await;
    let about = object.object_ref(&());
    troubles.extend(context.speaker.events.settle(&about).await);
    troubles.extend(context.missed.of(&namespace, Teller::Rotations));
    let which = Which { namespace, name };
    let stamp = step.action.as_ref().and_then(stamped);
    let fought = stamp.and_then(|stamp| context.repeats.wait(&rotation.key(), stamp));
    if let (Some((place, _)), Some(_)) = (stamp, fought) {
        troubles.extend(taken_back(&rotation, place));
    } else if let Some(action) = &step.action {
        let slips = context.slips.as_ref();
        let done = execute(&access, &rotation, view.as_ref(), action, &rotations, slips).await;
        match done {
            Ok(Outcome::Outdated) if context.is_in_vain(&rotation, action) => {
                troubles.push(Trouble::Unfit(format!(
                    "{:?} is there and not of this rotation, or somebody else writes it all the time",
                    action.object
                )));
            }
            Ok(outcome) => {
                info!(
                    namespace = which.namespace, name = which.name, phase = step.phase.name(),
                    object = ?action.object, ?outcome, "acted"
                );
                if outcome == Outcome::Done {
                    context.speaker.metrics.wrote(&which);
                    if let Some(stamp) = stamp {
                        context.repeats.made(&rotation.key(), stamp, context.look_again);
                    }
                }
                return Ok(Requeue::requeue(pause(outcome)));
            }
            Err(trouble) => troubles.push(trouble),
        }
    }
    for trouble in &troubles {
        warn!(namespace = which.namespace, name = which.name, %trouble, "cannot");
        context.speaker.metrics.failed(&which);
    }
    let said = (&step, &usable, &troubles[..]);
    let heard = context.speaker.say(&access, &rotation, &object, said, &context.memory).await?;
    // What the server does not take as it is, it does not take a second later; nor is a right granted that soon.
    let lasting = |trouble: &Trouble| matches!(trouble, Trouble::Rejected(_) | Trouble::Denied(_));
    let refused = troubles.iter().any(lasting) || context.speaker.events.owes(&about);
    let fought = fought.or_else(|| refused.then_some(context.look_again));
    Ok(Requeue::requeue(match (step.phase, heard, fought) {
        (_, Outcome::Done, Some(wait)) => wait,
        // What could not be said at rest would be said minutes later, and a user is about to come back.
        (Phase::Idle, Outcome::Done, None) if usable.unready.is_none() => {
            rest(&step, rotation.spec.keys.is_some())
        }
        _ => after(&step).min(context.look_again),
    }))
}

fn after(step: &Step) -> Duration {
    Duration::from_secs(u64::try_from(step.again).unwrap_or(1))
}

/// No watch tells that the Secret of keys is lost, and a Keystone that starts without it does not start.
fn rest(step: &Step, keys: bool) -> Duration {
    const SOON: Duration = Duration::from_secs(60);
    if keys { after(step).min(SOON) } else { after(step) }
}

/// Of a stamp that somebody else removes each time.
fn taken_back(rotation: &Rotation, place: usize) -> Option<Trouble> {
    let consumer = rotation.spec.consumers.get(place)?;
    Some(Trouble::TakenBack(format!(
        "somebody removes the annotation {} from the pod template of {} {} whenever it is put there, which starts its \
         pods anew each time: have its operator keep annotations that it does not know, or put this one there itself \
         and say `stamped: true` of this consumer",
        names::content(&rotation.spec.delivery.secret_name),
        consumers::kind(consumer),
        consumer.name,
    )))
}

/// After a write that came too late, whoever was faster is given a moment.
fn pause(outcome: Outcome) -> Duration {
    match outcome {
        Outcome::Done => Duration::ZERO,
        Outcome::Outdated => Duration::from_millis(200),
    }
}

async fn look<S: Slips>(
    access: &Access,
    rotation: &Rotation,
    context: &Context<S>,
    troubles: &mut Vec<Trouble>,
) -> (Step, Usable, Option<GenerationView>) {
    if let Some(keys) = &rotation.spec.keys {
        let view = KeyView::look(access, rotation, keys, &context.memory, troubles).await;
        let step = keys::step(&view.seen(rotation), time::now(), context.slips.as_ref());
        let suspects = view.damaged(rotation, keys);
        return (step, Usable::ring(view.live.value(), &rotation.schedule, suspects), None);
    }
    let view = GenerationView::look(access, rotation, &context.memory, troubles).await;
    let seen = view.seen(rotation);
    let step = generations::step(&seen, time::now(), context.slips.as_ref());
    let published = seen.published.value().map(|published| published.generation);
    let delivered = seen.delivered.value().map(|delivered| delivered.generation);
    let times = view.times();
    let usable = Usable {
        generation: published.map(i64::from),
        rotated: times.map(|times| times.made),
        expires: times.and_then(|times| times.expires),
        due: times.and_then(|times| times.due),
        condition: "Delivered",
        there: delivered.is_some_and(|generation| generation > 0) || seen.marks.rolled_out > 0,
        said: view.said.clone(),
        unready: view.unready.clone(),
        refused: view.is_refused(),
        unread: view.unread(),
        ..Usable::default()
    };
    (step, usable, Some(view))
}

async fn execute<S: Slips>(
    access: &Access,
    rotation: &Rotation,
    view: Option<&GenerationView>,
    action: &Action,
    rotations: &Api<CredentialRotation>,
    slips: &S,
) -> Result<Outcome, Trouble> {
    if action.is_fenced() {
        let now = rotations.get_opt(&rotation.name).await;
        let doing = format!("get CredentialRotation {}", rotation.name);
        let now = now.map_err(|error| Trouble::of(&doing, &error))?;
        if now.and_then(|now| access::stamp(now.meta())) != Some(rotation.stamp) {
            return Ok(Outcome::Outdated);
        }
    }
    match (&rotation.spec.keys, view) {
        (Some(keys), _) => key_moves::make(access, rotation, keys, action, slips).await,
        (None, Some(view)) => generation_moves::make(access, rotation, view, action).await,
        (None, None) => Ok(Outcome::Outdated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Reason;

    #[test]
    fn keys_at_rest_are_looked_at_every_minute() {
        let step = |again| Step::wait(Phase::Idle, Reason::UpToDate, again);
        assert_eq!(rest(&step(300), true), Duration::from_secs(60));
        assert_eq!(rest(&step(300), false), Duration::from_secs(300));
        assert_eq!(rest(&step(7), true), Duration::from_secs(7), "it is due before");
    }
}
