//! Credentials in generations: application credentials, and passwords of two alternating users.
//!
//! A generation is staged, minted, proven, published, delivered and rolled out beside the one in use;
//! the old one is revoked when nobody can need it any more. Before that, any failure leaves the old one
//! untouched: the new generation is given up, and the next number is tried.

use super::action::{Move, Object, Phase, Precondition, Reason, Step, Sync};
use super::schedule::{SKEW, Schedule};
use super::seen::{Digest, Seen, Stamp, Time};
use super::slips::{Mistake, Slips};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// An application credential per generation, made by K-ORC.
    Minted,
    /// Two users that are always there; a generation is the password of one of them.
    Alternating,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub means: Means,
    pub schedule: Schedule,
    /// How long after a rotation a credential goes on being valid if nobody replaces it.
    pub life: i64,
    /// How long tokens of a credential live, and what people add to that.
    pub token_life: i64,
    pub grace: i64,
}

/// What Keystone, or the database or the broker, says when asked with a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Not asked, or not answered.
    Unknown,
    Works,
    Refused,
}

/// All that is there of one generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation {
    pub number: u32,
    pub secret: Option<Stamp>,
    /// When its secret was made.
    pub made: Time,
    pub credential: Option<Credential>,
    /// Keystone has a credential of this name. Means nothing unless `listed`.
    pub in_keystone: bool,
    pub proof: Proof,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Credential {
    pub stamp: Stamp,
    /// K-ORC, or the operator of database or broker, calls it available, and its id is known.
    pub available: bool,
    pub deleting: bool,
}

/// What is kept in the status of the rotation. Numbers only grow, and each write of them has the
/// rotation's version for precondition: so two operators cannot disagree on whether a generation is to
/// be published or given up, nor on when nobody has an older one any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// The highest number ever taken.
    pub committed: u32,
    /// The highest number that may have been published.
    pub intended: u32,
    /// The highest number that will never be.
    pub given_up: u32,
    /// The generation that every consumer was last seen to have, and when tokens of older ones are over.
    pub rolled_out: u32,
    pub drained: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    pub generation: u32,
    pub digest: Digest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    pub generation: u32,
    /// Of the delivered Secret as a whole: what consumers carry.
    pub digest: Digest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consumer {
    pub stamp: Stamp,
    /// On its pod template.
    pub template: Option<Digest>,
}

#[derive(Debug)]
pub struct GenerationsSeen<'a> {
    pub policy: &'a Policy,
    pub rotation: Stamp,
    pub suspended: bool,
    pub requested: bool,
    pub marks: Marks,
    /// In order of their numbers. For alternating users, those whose password is known to us.
    pub generations: &'a [Generation],
    /// Whether all of them could be read, and whether Keystone answered which credentials there are.
    pub complete: bool,
    pub listed: bool,
    pub published: Seen<Published>,
    pub delivered: Seen<Delivered>,
    pub push: Seen<Option<Sync>>,
    pub pull: Seen<Option<Sync>>,
    pub consumers: &'a [Consumer],
    /// What each pod of the consumers that has not ended carries; None if they could not be listed.
    pub pods: Option<&'a [Option<Digest>]>,
    pub published_watched: i64,
    /// For alternating users: under which condition the place of each may be written; None while a
    /// generation is in it.
    pub free: [Option<Precondition>; 2],
}

const LOOK_AGAIN: i64 = 10;
const LOOK_LATER: i64 = 300;
/// After a generation that came to nothing.
const PAUSE: i64 = 600;
/// K-ORC takes seconds, and minutes when Keystone was away.
const GIVE_UP: i64 = 3_600;

pub fn step<S: Slips>(seen: &GenerationsSeen<'_>, now: Time, slips: &S) -> Step {
    let current = match seen.published {
        _ if !seen.complete => None,
        Seen::Unknown | Seen::Damaged(_) => None,
        // What may have been published is taken for published: somebody may have it.
        Seen::Absent => Some(seen.marks.intended),
        Seen::Present(_, published) => Some(published.generation),
    };
    let Some(current) = current else {
        return Step::wait(Phase::Staged, Reason::CannotRead, LOOK_AGAIN);
    };
    if slips.makes(Mistake::WriteAtRest)
        && let Seen::Present(stamp, Some(mut told)) = seen.pull
    {
        told.attempt += 1;
        let at = Precondition::At(stamp);
        return Step::act(Phase::Idle, Object::ExternalSecret, at, Move::Nudge(told));
    }
    if seen.suspended {
        return Step::wait(Phase::Suspended, Reason::SuspendedBySpec, LOOK_LATER);
    }
    if let Some(step) = deliver(seen, current, now, slips) {
        return step;
    }
    let given_up = seen.generations.iter().find(|generation| {
        generation.number <= seen.marks.given_up && generation.number > seen.marks.intended
    });
    if let Some(given_up) = given_up
        && !slips.makes(Mistake::KeepAbandoned)
    {
        return remove(seen, given_up, slips);
    }
    // The marks say which number is under way, not what happens to be visible: a number is taken only
    // when the one before is decided.
    let Marks { committed, intended, given_up, .. } = seen.marks;
    if committed > intended.max(given_up) {
        return advance(seen, committed, now, slips);
    }
    if intended > 0 && (intended > current || seen.published == Seen::Absent) {
        return advance(seen, intended, now, slips);
    }
    rest(seen, current, now, slips)
}

/// What is published reaches everybody, and then nothing older is left. None when that is so.
fn deliver<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    now: Time,
    slips: &S,
) -> Option<Step> {
    let delivered = match (seen.delivered, seen.published) {
        (Seen::Present(_, delivered), _) if delivered.generation == current => delivered,
        (Seen::Present(_, delivered), _) if slips.makes(Mistake::StampBeforeDelivery) => delivered,
        (Seen::Unknown, _) => {
            return Some(Step::wait(Phase::Published, Reason::CannotRead, LOOK_AGAIN));
        }
        (_, Seen::Present(_, published)) => return Some(sync(seen, published.digest)),
        // To be published again first.
        _ => return None,
    };
    for (place, consumer) in seen.consumers.iter().enumerate() {
        if consumer.template != Some(delivered.digest) {
            let (at, make) = (Precondition::At(consumer.stamp), Move::Stamp(delivered.digest));
            return Some(Step::act(Phase::Delivered, Object::Consumer(place), at, make));
        }
    }
    let rolled_out = match seen.pods {
        _ if slips.makes(Mistake::DeliveredIsRolledOut) => true,
        None => slips.makes(Mistake::UnknownPodsAreNone),
        Some(pods) if slips.makes(Mistake::OnePodIsAll) => pods.contains(&Some(delivered.digest)),
        Some(pods) => pods.iter().all(|pod| *pod == Some(delivered.digest)),
    };
    retire(seen, current, rolled_out, now, slips)
}

/// As for keys: hourly, or when told; each try after twice the time of the one before.
fn sync(seen: &GenerationsSeen<'_>, content: Digest) -> Step {
    const FIRST_TRY: i64 = 20;
    let attempt = (seen.published_watched / FIRST_TRY + 1).ilog2().min(9);
    for (object, told) in [(Object::PushSecret, seen.push), (Object::ExternalSecret, seen.pull)] {
        let Seen::Present(stamp, told) = told else { continue };
        let heard = told.is_some_and(|told| told.content == content && told.attempt >= attempt);
        if !heard {
            let make = Move::Nudge(Sync { content, attempt });
            return Step::act(Phase::Published, object, Precondition::At(stamp), make);
        }
    }
    Step::wait(Phase::Published, Reason::WaitingForDelivery, LOOK_AGAIN)
}

/// The way out of older generations: when nobody is given one any more, that is written down; when
/// nobody can have a token of one, they go. None when there are none.
fn retire<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    rolled_out: bool,
    now: Time,
    slips: &S,
) -> Option<Step> {
    let waiting = Step::wait(Phase::Delivered, Reason::WaitingForRollout, LOOK_AGAIN);
    if seen.marks.rolled_out != current {
        if !rolled_out {
            return Some(waiting);
        }
        let mut wait = seen.policy.token_life.max(seen.policy.grace) + SKEW;
        if slips.makes(Mistake::RetireWithoutDrain) || slips.makes(Mistake::ScrambleBeforeDrain) {
            wait = 0;
        }
        if slips.makes(Mistake::DrainWithoutSkew) {
            wait -= SKEW;
        }
        let make = Move::RolledOut { generation: current, drained: now.plus(wait) };
        let at = Precondition::At(seen.rotation);
        return Some(Step::act(Phase::RolledOut, Object::Rotation, at, make));
    }
    let newest = slips.makes(Mistake::RevokeNewest) && seen.generations.len() > 1;
    let old = seen.generations.iter().find(|other| match newest {
        true => other.number == current,
        false => other.number < current,
    });
    // Somebody may have been rolled back in the meantime.
    if !rolled_out {
        return Some(waiting);
    }
    let old = old?;
    if now < seen.marks.drained {
        let wait = seen.marks.drained.since(now).min(LOOK_LATER);
        return Some(Step::wait(Phase::Drained, Reason::WaitingForTokens, wait));
    }
    Some(remove(seen, old, slips))
}

/// Takes away all that is left of a generation that nobody has. Its secret goes first: without it K-ORC
/// mints nothing, even if an operator that was asleep asks for this generation once more. That the
/// credential is gone, only Keystone can say: K-ORC takes an error for "not found" and lets the object go.
fn remove<S: Slips>(seen: &GenerationsSeen<'_>, old: &Generation, slips: &S) -> Step {
    let number = old.number;
    let act = |object, precondition, make| Step::act(Phase::Revoked, object, precondition, make);
    if seen.policy.means == Means::Alternating {
        return match old.secret {
            Some(stamp) => act(Object::Secret(number), Precondition::At(stamp), Move::Scramble),
            None => Step::wait(Phase::Revoked, Reason::WaitingForRevocation, LOOK_AGAIN),
        };
    }
    match (old.secret, old.credential) {
        (Some(stamp), _) => {
            act(Object::Secret(number), Precondition::At(stamp), Move::RemoveSecret)
        }
        (None, Some(credential)) if !credential.deleting => {
            let at = Precondition::At(credential.stamp);
            act(Object::Credential(number), at, Move::Revoke)
        }
        (None, None) if old.in_keystone && !slips.makes(Mistake::TrustGoneObject) => {
            act(Object::InKeystone(number), Precondition::SameId, Move::Revoke)
        }
        _ => Step::wait(Phase::Revoked, Reason::WaitingForRevocation, LOOK_AGAIN),
    }
}

/// A generation is not published yet, or no longer.
fn advance<S: Slips>(seen: &GenerationsSeen<'_>, number: u32, now: Time, slips: &S) -> Step {
    let rotation =
        |make| Step::act(Phase::Staged, Object::Rotation, Precondition::At(seen.rotation), make);
    let hopeless = || match number > seen.marks.intended {
        true => rotation(Move::GiveUp(number)),
        // It may be in use, so it stays until its successor is.
        false => succeed(seen, number, now, slips),
    };
    let found = seen.generations.iter().find(|generation| generation.number == number);
    let kept = found.and_then(|generation| Some((generation, generation.secret?)));
    let Some((candidate, secret)) = kept else {
        // The place of an alternating user is written after its number is taken.
        return match seen.policy.means {
            Means::Alternating if number > seen.marks.intended => write_place(seen, number),
            // Without its secret it is of no use to anybody.
            _ => hopeless(),
        };
    };
    let waiting = Step::wait(Phase::Staged, Reason::WaitingForCredential, LOOK_AGAIN);
    let Some(credential) = candidate.credential else {
        if seen.policy.means == Means::Alternating {
            return waiting;
        }
        // Once it may have been published, one that is gone is not made again under the same name.
        if number <= seen.marks.intended {
            return hopeless();
        }
        if let Some(step) = crowded(seen, number, slips) {
            return step;
        }
        let make = Move::Mint { generation: number, expires: now.plus(seen.policy.life) };
        return Step::act(Phase::Staged, Object::Credential(number), Precondition::Absent, make);
    };
    let alternating = seen.policy.means == Means::Alternating;
    let unapplied = alternating && slips.makes(Mistake::PublishUnapplied);
    if credential.deleting {
        return hopeless();
    }
    if !credential.available && !unapplied {
        return match now.since(candidate.made) >= GIVE_UP {
            true => hopeless(),
            false => waiting,
        };
    }
    let proof = match candidate.proof {
        _ if unapplied => Proof::Works,
        Proof::Unknown if slips.makes(Mistake::PublishUnproven) => Proof::Works,
        Proof::Refused if slips.makes(Mistake::PublishOnAvailable) => Proof::Works,
        proof => proof,
    };
    match proof {
        Proof::Unknown => Step::wait(Phase::Minted, Reason::CannotAskKeystone, LOOK_AGAIN),
        Proof::Refused => match now.since(candidate.made) >= PAUSE {
            true => hopeless(),
            false => Step::wait(Phase::Minted, Reason::CredentialRefused, LOOK_AGAIN),
        },
        Proof::Works if number > seen.marks.intended => rotation(Move::Intend(number)),
        Proof::Works => {
            let at = seen.published.stamp().map_or(Precondition::Absent, Precondition::At);
            let make = Move::PublishGeneration(number, secret);
            Step::act(Phase::Minted, Object::Published, at, make)
        }
    }
}

/// One generation, or none, and no other under way: is it time for the next?
fn rest<S: Slips>(seen: &GenerationsSeen<'_>, current: u32, now: Time, slips: &S) -> Step {
    let published = seen.generations.iter().find(|generation| generation.number == current);
    let refused = published.is_none_or(|published| {
        published.proof == Proof::Refused
            || (published.proof == Proof::Unknown && slips.makes(Mistake::HealOnSilence))
    });
    let heal = refused && !slips.makes(Mistake::NeverHeal);
    let due = published.is_some_and(|published| seen.policy.schedule.is_due(published.made, now));
    if current > 0 && !heal && !due && !seen.requested {
        let wait = published.and_then(|published| seen.policy.schedule.after(published.made));
        let wait = wait.map_or(LOOK_LATER, |due| due.since(now)).clamp(1, LOOK_LATER);
        return Step::wait(Phase::Idle, Reason::UpToDate, wait);
    }
    if slips.makes(Mistake::DeleteThenCreate)
        && let Some(Generation { number, credential: Some(credential), .. }) = published
        && !credential.deleting
    {
        let at = Precondition::At(credential.stamp);
        return Step::act(Phase::Idle, Object::Credential(*number), at, Move::Revoke);
    }
    // A credential that is refused again and again is not minted again and again.
    if heal && published.is_some_and(|published| now.since(published.made) < PAUSE) {
        return Step::wait(Phase::Idle, Reason::TooSoon, LOOK_AGAIN);
    }
    succeed(seen, current, now, slips)
}

/// Two generations are live at most: this one, and one that Keystone has already.
fn crowded<S: Slips>(seen: &GenerationsSeen<'_>, number: u32, slips: &S) -> Option<Step> {
    if slips.makes(Mistake::ManyGenerations) {
        return None;
    }
    if !seen.listed && !slips.makes(Mistake::TrustFailedQuestion) {
        return Some(Step::wait(Phase::Staged, Reason::CannotAskKeystone, LOOK_AGAIN));
    }
    // What Keystone refuses, nobody uses; it goes when its successor is published.
    let others = seen.generations.iter().filter(|other| {
        other.in_keystone && other.number != number && other.proof != Proof::Refused
    });
    (others.count() > 1).then(|| Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN))
}

/// Stages the generation after `current`.
fn succeed<S: Slips>(seen: &GenerationsSeen<'_>, current: u32, now: Time, slips: &S) -> Step {
    let last = match slips.makes(Mistake::ForgetHighWater) {
        true => current,
        false => seen.marks.committed.max(current),
    };
    let mut number = last + 1;
    match seen.policy.means {
        Means::Minted if slips.makes(Mistake::MintBeforeStage) => {
            let make = Move::Mint { generation: number, expires: Time(i64::MAX) };
            Step::act(Phase::Staged, Object::Credential(number), Precondition::Absent, make)
        }
        Means::Minted => {
            if let Some(step) = crowded(seen, number, slips) {
                return step;
            }
            let staged = seen
                .generations
                .iter()
                .any(|generation| generation.number == number && generation.secret.is_some());
            if staged && !slips.makes(Mistake::MintBeforeCommit) {
                let at = Precondition::At(seen.rotation);
                return Step::act(Phase::Staged, Object::Rotation, at, Move::Commit(number));
            }
            if staged {
                let make = Move::Mint { generation: number, expires: Time(i64::MAX) };
                let object = Object::Credential(number);
                return Step::act(Phase::Staged, object, Precondition::Absent, make);
            }
            let (object, make) = (Object::Secret(number), Move::Stage(number));
            Step::act(Phase::Staged, object, Precondition::Absent, make)
        }
        // The password of a user that somebody may have must not change. So the number is taken first,
        // when the other user is known to be unused, and the place is written after that.
        Means::Alternating => {
            if number % 2 == current % 2 && current > 0 && !slips.makes(Mistake::StageIntoUse) {
                number += 1;
            }
            let drained = seen.marks.rolled_out == current && seen.marks.drained <= now;
            if current > 0 && !drained && !slips.makes(Mistake::StageIntoUse) {
                return Step::wait(Phase::Idle, Reason::WaitingForTokens, LOOK_AGAIN);
            }
            let at = Precondition::At(seen.rotation);
            Step::act(Phase::Staged, Object::Rotation, at, Move::Commit(number))
        }
    }
}

fn write_place(seen: &GenerationsSeen<'_>, number: u32) -> Step {
    match seen.free[number as usize % 2] {
        Some(precondition) => {
            let (object, make) = (Object::Secret(number), Move::Stage(number));
            Step::act(Phase::Staged, object, precondition, make)
        }
        None => Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN),
    }
}
