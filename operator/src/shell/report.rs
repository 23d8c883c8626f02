//! What a step says, as status, for people and for Flux.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time as MetaTime};
use k8s_openapi::jiff::Timestamp;

use super::outcome::Trouble;
use super::rotation::Rotation;
use super::time;
use crate::api::{CredentialRotation, CredentialRotationStatus, KeyAge};
use crate::core::ring::Marked;
use crate::core::schedule::{DAY, Schedule};
use crate::core::{Phase, Reason, Step, Time};

/// What there is to use now, whatever is under way.
#[derive(Debug, Default)]
pub struct Usable {
    pub generation: Option<i64>,
    pub rotated: Option<Time>,
    /// When it has to rotate again.
    pub due: Option<Time>,
    pub keys: Vec<KeySince>,
    /// What a person has to look at, by name.
    pub suspects: Vec<String>,
    /// `KeysAvailable` or `Delivered`, which others wait for before they start.
    pub condition: &'static str,
    pub there: bool,
}

/// Since when a key has its role in the ring.
#[derive(Debug, Clone)]
pub struct KeySince {
    pub index: u32,
    pub role: &'static str,
    pub since: Time,
}

impl Usable {
    pub fn ring(live: Option<&Marked>, schedule: &Schedule, suspects: Vec<String>) -> Self {
        let Some(live) = live else {
            return Self { condition: "KeysAvailable", suspects, ..Self::default() };
        };
        let primary = live.ring.primary().index;
        let ages = live.ring.slots().iter().map(|slot| {
            let (role, since) = match (slot.index, slot.demoted) {
                (0, _) => ("staged", live.ring.staged),
                (index, _) if index == primary => ("primary", live.ring.promoted),
                (_, Some(demoted)) => ("secondary", demoted),
                (_, None) => ("secondary", live.ring.promoted),
            };
            KeySince { index: slot.index, role, since }
        });
        Self {
            generation: Some(i64::from(primary)),
            rotated: Some(live.ring.promoted),
            due: schedule.after(live.ring.promoted),
            suspects,
            keys: ages.collect(),
            condition: "KeysAvailable",
            there: true,
        }
    }
}

impl KeySince {
    fn status(&self) -> (String, KeyAge) {
        let age = KeyAge { role: self.role.to_owned(), since: time::text(self.since) };
        (self.index.to_string(), age)
    }
}

/// Waiting longer than this is being stuck, but for what waits by design.
const STUCK: i64 = 3_600;

/// A right is missing.
pub const DENIED: &str = "Denied";
/// Something is not as it has to be.
const UNFIT: &str = "Unfit";

pub fn status(
    rotation: &Rotation,
    step: &Step,
    usable: &Usable,
    troubles: &[Trouble],
    waiting: i64,
) -> CredentialRotationStatus {
    let denied = troubles.iter().find_map(|trouble| match trouble {
        Trouble::Denied(_) => Some((DENIED, trouble.to_string())),
        Trouble::Unfit(_) => Some((UNFIT, trouble.to_string())),
        Trouble::Foreign(_) => Some(("RotatedElsewhere", trouble.to_string())),
        Trouble::TakenBack(_) => Some(("StampTakenBack", trouble.to_string())),
        Trouble::Unreachable(_) | Trouble::Refused(_) => None,
    });
    let able = denied.is_none();
    // Paused or not: what is not replaced in time ends by itself.
    let overdue = usable.due.is_some_and(|due| time::now().since(due) > DAY);
    let by_design = matches!(step.phase, Phase::Idle | Phase::Suspended | Phase::Drained);
    let stuck = waiting > STUCK && !by_design;
    let bad = matches!(
        Trouble::Rejected(_) => Some(("Refused", trouble.to_string())),
        step.reason,
        Reason::KeysLost
            | Reason::KeysDamaged
            | Reason::OnlyKeysDamaged
            | Reason::BackupDiffers
            | Reason::CannotRead
            | Reason::CredentialRefused
            | Reason::MigrationFailed
            | Reason::ConsumerMissing
            | Reason::TooManyGenerations
    );
    let (reason, message) = match denied {
        Some((reason, text)) => (reason.to_owned(), text),
        None => (step.reason.name().to_owned(), explained(step.reason, usable, troubles)),
    };
    let ready = usable.there && !bad && !stuck && !overdue && able;
    let old = &rotation.status;
    let condition = |kind: &str, holds: bool, reason: &str, message: &str| {
        condition(old, rotation.generation, (kind, holds), reason, message)
    };
    let there = if usable.there { ("Available", "") } else { ("NotYet", message.as_str()) };
    CredentialRotationStatus {
        observed_generation: rotation.generation,
        phase: Some(step.phase.name().to_owned()),
        reason: Some(reason.clone()),
        generation: usable.generation,
        last_rotation_time: usable.rotated.map(time::text),
        next_rotation_time: usable.due.map(time::text),
        keys: usable.keys.iter().map(KeySince::status).collect(),
        conditions: vec![
            condition("Ready", ready, &reason, &message),
            condition(usable.condition, usable.there, there.0, there.1),
            condition("Stalled", bad || stuck || overdue || !able, &reason, &message),
        ],
        ..old.clone()
    }
}

/// Why it stands there, with what is known of it.
fn explained(reason: Reason, usable: &Usable, troubles: &[Trouble]) -> String {
    let mut text = reason.message().to_owned();
    let asked = matches!(reason, Reason::CannotRead | Reason::CannotAskKeystone);
    if let Some(trouble) = troubles.first().filter(|_| asked) {
        text.push_str(&format!(": {trouble}"));
    }
    let named = matches!(reason, Reason::KeysDamaged | Reason::OnlyKeysDamaged);
    if named && !usable.suspects.is_empty() {
        text.push_str(&format!(" (Secret {})", usable.suspects.join(", ")));
    }
    text
}

/// Of a rotation whose spec says what cannot be done. What is in use stays, and so does what is said of it.
pub fn unfit(object: &CredentialRotation, trouble: &Trouble) -> CredentialRotationStatus {
    let old = object.status.clone().unwrap_or_default();
    let (generation, message) = (object.metadata.generation, trouble.to_string());
    let said = [("Ready", false), ("Stalled", true)];
    let mut conditions = old.conditions.clone();
    conditions.retain(|found| said.iter().all(|(kind, _)| found.type_ != *kind));
    let said = said.map(|which| condition(&old, generation, which, UNFIT, &message));
    CredentialRotationStatus {
        observed_generation: generation,
        phase: Some(Phase::Stopped.name().to_owned()),
        reason: Some(UNFIT.to_owned()),
        conditions: conditions.into_iter().chain(said).collect(),
        ..old
    }
}

fn condition(
    old: &CredentialRotationStatus,
    observed_generation: Option<i64>,
    (kind, holds): (&str, bool),
    reason: &str,
    message: &str,
) -> Condition {
    let status = if holds { "True" } else { "False" };
    let before = old.conditions.iter().find(|found| found.type_ == kind);
    let same = before.filter(|found| found.status == status);
    let since = same.map(|found| found.last_transition_time.clone());
    Condition {
        type_: kind.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        last_transition_time: since.unwrap_or_else(|| MetaTime(Timestamp::now())),
        observed_generation,
    }
}
