//! What a step says, as status, for people and for Flux.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time as MetaTime};
use k8s_openapi::jiff::Timestamp;

use super::outcome::Trouble;
use super::rotation::Rotation;
use super::time;
use crate::api::{CredentialRotationStatus, KeyAge};
use crate::core::ring::Marked;
use crate::core::{Phase, Reason, Step, Time};

/// What there is to use now, whatever is under way.
#[derive(Debug, Default)]
pub struct Usable {
    pub generation: Option<i64>,
    pub rotated: Option<Time>,
    pub keys: BTreeMap<String, KeyAge>,
    /// `KeysAvailable` or `Delivered`, which others wait for before they start.
    pub condition: &'static str,
    pub there: bool,
}

impl Usable {
    pub fn ring(live: Option<&Marked>) -> Self {
        let Some(live) = live else {
            return Self { condition: "KeysAvailable", ..Self::default() };
        };
        let primary = live.ring.primary().index;
        let ages = live.ring.slots().iter().map(|slot| {
            let (role, since) = match (slot.index, slot.demoted) {
                (0, _) => ("staged", live.ring.staged),
                (index, _) if index == primary => ("primary", live.ring.promoted),
                (_, Some(demoted)) => ("secondary", demoted),
                (_, None) => ("secondary", live.ring.promoted),
            };
            (slot.index.to_string(), KeyAge { role: role.to_owned(), since: time::text(since) })
        });
        Self {
            generation: Some(i64::from(primary)),
            rotated: Some(live.ring.promoted),
            keys: ages.collect(),
            condition: "KeysAvailable",
            there: true,
        }
    }
}

/// Waiting longer than this is being stuck, but for what waits by design.
const STUCK: i64 = 3_600;

pub fn status(
    rotation: &Rotation,
    step: &Step,
    usable: &Usable,
    troubles: &[Trouble],
    waiting: i64,
) -> CredentialRotationStatus {
    let denied = troubles.iter().find_map(|trouble| match trouble {
        Trouble::Denied(_) | Trouble::Unfit(_) => Some(trouble.to_string()),
        Trouble::Unreachable(_) => None,
    });
    let by_design = matches!(step.phase, Phase::Idle | Phase::Suspended | Phase::Drained);
    let stuck = waiting > STUCK && !by_design;
    let bad = matches!(
        step.reason,
        Reason::KeysLost
            | Reason::KeysDamaged
            | Reason::BackupDiffers
            | Reason::CannotRead
            | Reason::CredentialRefused
            | Reason::MigrationFailed
            | Reason::TooManyGenerations
    );
    let (reason, message) = match denied {
        Some(text) => ("Denied".to_owned(), text),
        None => (step.reason.name().to_owned(), step.reason.message().to_owned()),
    };
    let ready = usable.there && !bad && !stuck && reason != "Denied";
    let next = usable.rotated.and_then(|rotated| rotation.schedule.after(rotated));
    let old = &rotation.status;
    let condition = |kind: &str, holds: bool, reason: &str, message: &str| {
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
            observed_generation: rotation.generation,
        }
    };
    let there = if usable.there { ("Available", "") } else { ("NotYet", message.as_str()) };
    CredentialRotationStatus {
        observed_generation: rotation.generation,
        phase: Some(step.phase.name().to_owned()),
        reason: Some(reason.clone()),
        generation: usable.generation,
        last_rotation_time: usable.rotated.map(time::text),
        next_rotation_time: next.map(time::text),
        keys: usable.keys.clone(),
        conditions: vec![
            condition("Ready", ready, &reason, &message),
            condition(usable.condition, usable.there, there.0, there.1),
            condition("Stalled", bad || stuck, &reason, &message),
        ],
        ..old.clone()
    }
}
