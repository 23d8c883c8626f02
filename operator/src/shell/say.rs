//! Says where a rotation stands: status, event, metrics. Written only where something changed.

use std::sync::Arc;

use kube::runtime::events::{Event, EventType};
use kube::{Resource, ResourceExt};
use serde_json::{Value, json};

use super::access::{self, Access};
use super::events::Events;
use super::memory::{Memory, Thing};
use super::metrics::{Metrics, Standing, Which};
use super::outcome::{Outcome, Trouble};
use super::report::{self, Usable};
use super::rotation::Rotation;
use crate::api::{CredentialRotation, CredentialRotationStatus};
use crate::core::{Reason, Stamp, Step};

pub struct Speaker {
    pub metrics: Arc<Metrics>,
    pub events: Arc<Events>,
}

/// That something did not answer is not worth a write if it lasts less than this many seconds.
const BRIEF: i64 = 5;

impl Speaker {
    pub async fn say(
        &self,
        access: &Access,
        rotation: &Rotation,
        object: &CredentialRotation,
        (step, usable, troubles): (&Step, &Usable, &[Trouble]),
        memory: &Memory,
    ) -> Result<Outcome, Trouble> {
        let unready = usable.unready.is_some() || usable.refused;
        let place = format!("{}{}{unready}", step.phase.name(), step.reason.name());
        let since = memory.since(&rotation.key(), Thing::Phase, &place);
        let waiting = i64::try_from(since.elapsed().as_secs()).unwrap_or(i64::MAX);
        let status = report::status(rotation, step, usable, troubles, waiting);
        let standing = Standing {
            phase: step.phase.name(),
            reason: status.reason.clone().unwrap_or_default(),
            since,
            stalled: is_stalled(&status),
            rotated: usable.rotated,
            expires: usable.expires,
            due: usable.due,
            keys: usable.keys.clone(),
        };
        let which = Which { namespace: rotation.namespace.clone(), name: rotation.name.clone() };
        self.metrics.stands(&which, standing);
        if is_passing(step, troubles) && waiting < BRIEF {
            return Ok(Outcome::Done);
        }
        self.write(access, object, rotation.stamp, &status).await
    }

    /// Of one whose spec says what cannot be done, or that may not be read.
    pub async fn refuse(
        &self,
        access: &Access,
        object: &CredentialRotation,
        trouble: &Trouble,
        memory: &Memory,
    ) -> Result<Outcome, Trouble> {
        let name = object.name_any();
        let status = report::stopped(object, trouble);
        let reason = status.reason.clone().unwrap_or_default();
        let key = Rotation::key_of(&access.namespace, &name);
        let since = memory.since(&key, Thing::Phase, &reason);
        let which = Which { namespace: access.namespace.clone(), name };
        self.metrics.stops(&which, reason, since);
        self.metrics.failed(&which);
        match access::stamp(object.meta()) {
            Some(stamp) => self.write(access, object, stamp, &status).await,
            None => Ok(Outcome::Done),
        }
    }

    async fn write(
        &self,
        access: &Access,
        object: &CredentialRotation,
        stamp: Stamp,
        status: &CredentialRotationStatus,
    ) -> Result<Outcome, Trouble> {
        let old = object.status.clone().unwrap_or_default();
        if *status == old {
            return Ok(Outcome::Done);
        }
        let patch = json!({"status": changed(&old, status)});
        let kind = access::resource("c5c3.io/v1alpha1", "CredentialRotation");
        let name = object.meta().name.as_deref().unwrap_or_default();
        let heard = access.patch_status(&kind, name, stamp, patch).await?;
        // Not before: what could not be written is decided anew.
        if heard == Outcome::Done {
            self.announce(object, &old, status).await;
        }
        Ok(heard)
    }

    /// A person is told when somebody is needed, when nobody is any more, and of each rotation.
    async fn announce(
        &self,
        object: &CredentialRotation,
        old: &CredentialRotationStatus,
        new: &CredentialRotationStatus,
    ) {
        let needs = |status: &CredentialRotationStatus| {
            is_stalled(status).then(|| status.reason.clone().unwrap_or_default())
        };
        let (type_, reason, note) = match (needs(old), needs(new), new.generation) {
            (before, Some(reason), _) if before.as_ref() != Some(&reason) => {
                let ready = new.conditions.iter().find(|condition| condition.type_ == "Ready");
                (EventType::Warning, reason, ready.map(|ready| ready.message.clone()))
            }
            (_, _, Some(generation)) if old.generation != new.generation => {
                let note = match object.spec.keys {
                    Some(_) => format!("key {generation} is the primary"),
                    None => format!("generation {generation} is published"),
                };
                (EventType::Normal, "Rotated".to_owned(), Some(note))
            }
            (Some(_), None, _) => {
                (EventType::Normal, "Recovered".to_owned(), Some("it goes on".to_owned()))
            }
            _ => return,
        };
        let action = new.phase.clone().unwrap_or_default();
        let event = Event { type_, reason, note, action, secondary: None };
        self.events.publish(&object.object_ref(&()), event).await;
    }
}

/// Whether nothing is wrong but that somebody did not answer: a read, or the write that was to be made. The next look may
/// find that over.
fn is_passing(step: &Step, troubles: &[Trouble]) -> bool {
    let asked = matches!(step.reason, Reason::CannotRead | Reason::CannotAskKeystone);
    let unanswered =
        |trouble: &Trouble| matches!(trouble, Trouble::Unreachable(_) | Trouble::Refused(_));
    (asked || step.action.is_some()) && troubles.iter().all(unanswered)
}

fn is_stalled(status: &CredentialRotationStatus) -> bool {
    status.conditions.iter().any(|found| found.type_ == "Stalled" && found.status == "True")
}

/// A merge patch: what is no longer there is null in it.
fn changed(old: &CredentialRotationStatus, new: &CredentialRotationStatus) -> Value {
    let (old, mut new) = (json!(old), json!(new));
    if let (Some(old), Some(new)) = (old.as_object(), new.as_object_mut()) {
        for (name, before) in old {
            let now = new.entry(name.clone()).or_insert(Value::Null);
            if let (Some(before), Some(now)) = (before.as_object(), now.as_object_mut()) {
                for name in before.keys() {
                    now.entry(name.clone()).or_insert(Value::Null);
                }
            }
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Move, Object, Phase, Precondition};

    #[test]
    fn only_that_somebody_did_not_answer_passes() {
        let acting =
            Step::act(Phase::Staged, Object::Secret(2), Precondition::Absent, Move::Stage(2));
        let unread = Step::wait(Phase::Staged, Reason::CannotRead, 1);
        let waiting = Step::wait(Phase::Staged, Reason::WaitingForCredential, 1);
        let silent = || Trouble::Unreachable("create Secret nova-g2: 503".to_owned());
        let denied = || Trouble::Denied("create Secret nova-g2".to_owned());
        for (step, troubles, passes) in [
            (&acting, vec![silent()], true),
            (&acting, vec![silent(), denied()], false),
            (&acting, vec![Trouble::Rejected("create Secret nova-g2: 422".to_owned())], false),
            (&acting, vec![Trouble::TakenBack("the stamp".to_owned())], false),
            (&unread, vec![silent()], true),
            (&unread, vec![denied()], false),
            (&waiting, vec![silent()], false),
        ] {
            assert_eq!(is_passing(step, &troubles), passes, "{:?} {troubles:?}", step.reason);
        }
    }
}
