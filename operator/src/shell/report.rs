//! What a step says, as status, for people and for Flux.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time as MetaTime};
use k8s_openapi::jiff::Timestamp;

use super::outcome::{self, Trouble};
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
    /// When it ends by itself.
    pub expires: Option<Time>,
    /// When it has to rotate again.
    pub due: Option<Time>,
    pub keys: Vec<KeySince>,
    /// What a person has to look at, by name.
    pub suspects: Vec<String>,
    /// `KeysAvailable` or `Delivered`, which others wait for before they start.
    pub condition: &'static str,
    pub there: bool,
    /// What K-ORC says of a credential that it has not made.
    pub said: Option<String>,
    /// At rest: the user whose password is in use, and that its server may not have it.
    pub unready: Option<String>,
    /// Keystone does not take what is in use, whatever is under way.
    pub refused: bool,
    /// The consumers that do not mention the Secret in their pods. None if they were not looked at.
    pub unread: Option<Vec<String>>,
}

/// Whose credential may not work any more, though nothing is under way.
const UNREADY: &str = "UserNotReady";

/// Said before why nothing has come in its place yet.
const REFUSED: &str =
    "Keystone refuses the credential in use: its user may be disabled, or without its role";

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
            ..Self::default()
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
const DENIED: &str = "Denied";
/// Something is not as it has to be.
const UNFIT: &str = "Unfit";

pub fn status(
    rotation: &Rotation,
    step: &Step,
    usable: &Usable,
    troubles: &[Trouble],
    waiting: i64,
) -> CredentialRotationStatus {
    let hindered = troubles.iter().find_map(hindrance);
    let able = hindered.is_none();
    let unready = usable.unready.as_ref().filter(|_| step.phase == Phase::Idle);
    // Paused or not: what is not replaced in time ends by itself.
    let overdue = usable.due.is_some_and(|due| time::now().since(due) > DAY);
    let by_design = matches!(step.phase, Phase::Idle | Phase::Suspended | Phase::Drained);
    // Each of them is given up before the wait for it is too long.
    let fruitless = rotation.is_fruitless() && !by_design;
    let bad = matches!(
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
    let (reason, message) = match (hindered, unready) {
        (Some(reason), _) => {
            let alike = troubles.iter().filter(|trouble| hindrance(trouble) == hindered);
            (reason.to_owned(), outcome::told(alike).unwrap_or_default())
        }
        (None, Some(text)) => (UNREADY.to_owned(), text.clone()),
        (None, None) => {
            let mut text = explained(step.reason, usable, troubles);
            if usable.refused {
                text = format!("{REFUSED}. {text}");
            }
            if fruitless {
                let last = rotation.status.given_up;
                text = format!("{text}. Generation {last} and the one before came to nothing");
            }
            (step.reason.name().to_owned(), text)
        }
    };
    let unusable = unready.is_some() || usable.refused;
    // That Keystone is not asked is as bad at rest: nobody would know that it refuses what is in use.
    let patient = by_design && !unusable && step.reason != Reason::CannotAskKeystone;
    let place = (step.phase, reason.as_str(), usable.generation);
    let too_long = waiting > STUCK || was_stuck(&rotation.status, place);
    let stuck = fruitless || (too_long && !patient);
    let ready = usable.there && !bad && !stuck && !overdue && able && !unusable;
    let old = &rotation.status;
    let condition = |kind: &str, holds: bool, reason: &str, message: &str| {
        condition(old, rotation.generation, (kind, holds), reason, message)
    };
    let there = if usable.there { ("Available", "") } else { ("NotYet", message.as_str()) };
    let mut conditions = vec![
        condition("Ready", ready, &reason, &message),
        condition(usable.condition, usable.there, there.0, there.1),
        condition("Stalled", bad || stuck || overdue || !able, &reason, &message),
    ];
    conditions.extend(match &usable.unread {
        None => old.conditions.iter().find(|found| found.type_ == READ).cloned(),
        Some(_) if rotation.spec.consumers.is_empty() => None,
        Some(unread) if unread.is_empty() => Some(condition(READ, true, "Mentioned", "")),
        Some(unread) => {
            let secret = &rotation.spec.delivery.secret_name;
            Some(condition(READ, false, "ConsumerDoesNotReadSecret", &unread_by(unread, secret)))
        }
    });
    CredentialRotationStatus {
        observed_generation: rotation.generation,
        phase: Some(step.phase.name().to_owned()),
        reason: Some(reason.clone()),
        generation: usable.generation,
        last_rotation_time: usable.rotated.map(time::text),
        next_rotation_time: usable.due.map(time::text),
        keys: usable.keys.iter().map(KeySince::status).collect(),
        conditions,
        ..old.clone()
    }
}

/// The reason, if it is one that time alone does not mend.
const fn hindrance(trouble: &Trouble) -> Option<&'static str> {
    match trouble {
        Trouble::Denied(_) => Some(DENIED),
        Trouble::Unfit(_) => Some(UNFIT),
        Trouble::Rejected(_) => Some("Refused"),
        Trouble::Foreign(_) => Some("RotatedElsewhere"),
        Trouble::TakenBack(_) => Some("StampTakenBack"),
        Trouble::Unreachable(_) | Trouble::Refused(_) => None,
    }
}

/// Whether a person was needed at the same place before. A process that has just started knows of no wait, and would
/// say that it is over.
fn was_stuck(
    old: &CredentialRotationStatus,
    (phase, reason, generation): (Phase, &str, Option<i64>),
) -> bool {
    let stalled =
        old.conditions.iter().any(|found| found.type_ == "Stalled" && found.status == "True");
    let before = (old.phase.as_deref(), old.reason.as_deref(), old.generation);
    stalled && before == (Some(phase.name()), Some(reason), generation)
}

/// Whether the pods of all consumers mention the Secret whose hash is put on them.
const READ: &str = "ConsumersReadSecret";

/// It is told and no more: operators may make another Secret of it, which the pods mount.
fn unread_by(consumers: &[String], secret: &str) -> String {
    format!(
        "the pods of {} do not mention Secret {secret}: that they carry its hash shows only that they started \
         after it was delivered. If an operator copies it for them, an old credential may be revoked before the \
         copy is made: have that operator put the hash on the pods, and say `stamped: true` of the consumer",
        consumers.join(", ")
    )
}

/// Why it stands there, with what is known of it.
fn explained(reason: Reason, usable: &Usable, troubles: &[Trouble]) -> String {
    let mut text = reason.message().to_owned();
    let asked = matches!(reason, Reason::CannotRead | Reason::CannotAskKeystone);
    if let Some(trouble) = troubles.first().filter(|_| asked) {
        text.push_str(&format!(": {trouble}"));
    }
    if let (Reason::WaitingForCredential, Some(said)) = (reason, &usable.said) {
        text.push_str(&format!(": K-ORC says {said}"));
    }
    let named = matches!(reason, Reason::KeysDamaged | Reason::OnlyKeysDamaged);
    if named && !usable.suspects.is_empty() {
        text.push_str(&format!(" (Secret {})", usable.suspects.join(", ")));
    }
    text
}

/// Of a rotation whose spec says what cannot be done, or that may not be read. What is in use stays, and so does what is
/// said of it.
pub fn stopped(object: &CredentialRotation, trouble: &Trouble) -> CredentialRotationStatus {
    let reason = if matches!(trouble, Trouble::Denied(_)) { DENIED } else { UNFIT };
    let old = object.status.clone().unwrap_or_default();
    let (generation, message) = (object.metadata.generation, trouble.to_string());
    let said = [("Ready", false), ("Stalled", true)];
    let mut conditions = old.conditions.clone();
    conditions.retain(|found| said.iter().all(|(kind, _)| found.type_ != *kind));
    let said = said.map(|which| condition(&old, generation, which, reason, &message));
    CredentialRotationStatus {
        observed_generation: generation,
        phase: Some(Phase::Stopped.name().to_owned()),
        reason: Some(reason.to_owned()),
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn rotation(status: Value) -> Rotation {
        let spec = json!({
            "rotationType": "databasePassword",
            "delivery": {"pushSecretName": "push", "externalSecretName": "pull", "secretName": "nova-db"},
            "consumers": [{"kind": "Deployment", "name": "nova-api"}],
        });
        Rotation::example("nova", &spec, &status)
    }

    fn usable() -> Usable {
        Usable { condition: "Delivered", there: true, ..Usable::default() }
    }

    /// The reasons of Ready and Stalled, and what Ready says; each with `!` where it does not hold.
    fn said(
        status: Value,
        step: (Phase, Reason),
        usable: &Usable,
        troubles: &[Trouble],
        waiting: i64,
    ) -> (String, String, String) {
        let step = Step::wait(step.0, step.1, 1);
        let status = super::status(&rotation(status), &step, usable, troubles, waiting);
        let found = |kind: &str| {
            let found = status.conditions.iter().find(|found| found.type_ == kind).unwrap();
            (format!("{}={}", found.reason, found.status), found.message.clone())
        };
        let (ready, message) = found("Ready");
        (ready, found("Stalled").0, message)
    }

    const WAITING: (Phase, Reason) = (Phase::Staged, Reason::WaitingForCredential);
    const RESTING: (Phase, Reason) = (Phase::Idle, Reason::UpToDate);

    #[test]
    fn a_write_that_is_refused_is_told() {
        let trouble = [Trouble::Rejected("create Secret nova: 422 Invalid (data[a b])".to_owned())];
        let (ready, stalled, message) = said(json!({}), WAITING, &usable(), &trouble, 0);
        assert_eq!((ready.as_str(), stalled.as_str()), ("Refused=False", "Refused=True"));
        assert!(message.contains("data[a b]"), "{message}");
    }

    #[test]
    fn all_rights_that_are_missing_are_told_at_once() {
        let denied = |what: &str| Trouble::Denied(what.to_owned());
        let troubles = [denied("list pods"), denied("get Secret nova"), denied("list pods")];
        let (ready, stalled, message) = said(json!({}), WAITING, &usable(), &troubles, 0);
        assert_eq!((ready.as_str(), stalled.as_str()), ("Denied=False", "Denied=True"));
        assert_eq!(message, "not allowed: get Secret nova; not allowed: list pods");
    }

    #[test]
    fn generations_that_come_to_nothing_one_after_the_other_are_told_with_what_korc_says() {
        let refused =
            || Usable { said: Some("InvalidConfiguration: no such role".to_owned()), ..usable() };
        let one = json!({"committed": 2, "givenUp": 1});
        let (ready, stalled, message) = said(one, WAITING, &refused(), &[], 0);
        assert!(ready.ends_with("=True") && stalled.ends_with("=False"), "{ready} {stalled}");
        assert!(message.contains("K-ORC says InvalidConfiguration: no such role"), "{message}");
        let two = json!({"committed": 3, "givenUp": 2});
        let (ready, stalled, message) = said(two.clone(), WAITING, &refused(), &[], 0);
        assert!(ready.ends_with("=False") && stalled.ends_with("=True"), "{ready} {stalled}");
        assert!(message.contains("Generation 2") && message.contains("no such role"), "{message}");
        let (_, stalled, _) = said(two, RESTING, &usable(), &[], 0);
        assert_eq!(stalled, "UpToDate=False", "what is in use works again");
        let published = json!({"committed": 6, "intended": 5, "givenUp": 4});
        let (_, stalled, _) = said(published, WAITING, &usable(), &[], 0);
        assert!(stalled.ends_with("=False"), "{stalled}");
    }

    #[test]
    fn a_user_that_is_not_ready_at_rest_is_told_and_after_an_hour_a_person_is_needed() {
        let gone = || Usable { unready: Some("User nova-a is gone".to_owned()), ..usable() };
        let (ready, stalled, message) = said(json!({}), RESTING, &gone(), &[], 0);
        assert_eq!(
            (ready.as_str(), stalled.as_str()),
            ("UserNotReady=False", "UserNotReady=False")
        );
        assert_eq!(message, "User nova-a is gone");
        let (_, stalled, _) = said(json!({}), RESTING, &gone(), &[], STUCK + 1);
        assert_eq!(stalled, "UserNotReady=True");
        let (ready, ..) = said(json!({}), WAITING, &gone(), &[], 0);
        assert_eq!(ready, "WaitingForCredential=True", "while another is under way, that is told");
    }

    #[test]
    fn what_keystone_refuses_is_not_ready_whatever_is_under_way() {
        let refused = || Usable { refused: true, ..usable() };
        let suspended = (Phase::Suspended, Reason::SuspendedBySpec);
        for step in [RESTING, WAITING, suspended, (Phase::Idle, Reason::TooSoon)] {
            let (ready, stalled, message) = said(json!({}), step, &refused(), &[], 0);
            assert!(ready.ends_with("=False") && stalled.ends_with("=False"), "{ready} {stalled}");
            assert!(message.starts_with("Keystone refuses the credential in use"), "{message}");
            assert!(message.ends_with(step.1.message()), "{message}");
            let (_, stalled, _) = said(json!({}), step, &refused(), &[], STUCK + 1);
            assert!(stalled.ends_with("=True"), "after an hour: {stalled}");
        }
    }

    #[test]
    fn a_process_that_has_just_started_does_not_take_back_that_a_person_is_needed() {
        let step = Step::wait(WAITING.0, WAITING.1, 1);
        let stuck = super::status(&rotation(json!({})), &step, &usable(), &[], STUCK + 1);
        let (ready, stalled, _) = said(json!(stuck), WAITING, &usable(), &[], 0);
        assert!(ready.ends_with("=False") && stalled.ends_with("=True"), "{ready} {stalled}");
        let delivered = (Phase::Published, Reason::WaitingForDelivery);
        let (_, stalled, _) = said(json!(stuck), delivered, &usable(), &[], 0);
        assert!(stalled.ends_with("=False"), "it has gone on: {stalled}");
        let next = Usable { generation: Some(2), ..usable() };
        let (_, stalled, _) = said(json!(stuck), WAITING, &next, &[], 0);
        assert!(stalled.ends_with("=False"), "it is the next one: {stalled}");
        let (_, stalled, _) = said(json!(stuck), RESTING, &usable(), &[], 0);
        assert!(stalled.ends_with("=False"), "it is over: {stalled}");
    }

    #[test]
    fn a_keystone_that_cannot_be_asked_for_long_needs_a_person_though_nothing_is_under_way() {
        let silent = (Phase::Idle, Reason::CannotAskKeystone);
        let (ready, stalled, _) = said(json!({}), silent, &usable(), &[], STUCK);
        assert!(ready.ends_with("=True") && stalled.ends_with("=False"), "{ready} {stalled}");
        let (ready, stalled, _) = said(json!({}), silent, &usable(), &[], STUCK + 1);
        assert!(ready.ends_with("=False") && stalled.ends_with("=True"), "{ready} {stalled}");
    }

    #[test]
    fn consumers_that_do_not_mention_the_secret_are_named_until_they_do() {
        let read = |old: Value, unread: Option<Vec<String>>| {
            let usable = Usable { unread, ..usable() };
            let step = Step::wait(Phase::Idle, Reason::UpToDate, 1);
            super::status(&rotation(old), &step, &usable, &[], 0)
        };
        let of = |status: &CredentialRotationStatus| {
            let found = status.conditions.iter().find(|found| found.type_ == READ);
            found.map(|found| (found.status.clone(), found.message.clone()))
        };
        assert_eq!(of(&read(json!({}), None)), None);
        let told = read(json!({}), Some(vec!["Deployment nova-api".to_owned()]));
        let (holds, message) = of(&told).unwrap();
        assert_eq!(holds, "False");
        assert!(message.contains("Deployment nova-api") && message.contains("Secret nova-db"));
        assert!(
            told.conditions.iter().any(|found| found.type_ == "Ready" && found.status == "True")
        );
        let unseen = read(json!(told), None);
        assert_eq!(of(&unseen).unwrap().0, "False", "nobody looked meanwhile");
        assert_eq!(of(&read(json!(told), Some(Vec::new()))).unwrap().0, "True");
    }
}
