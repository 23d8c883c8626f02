//! Credentials in generations: application credentials, and passwords of two alternating users.
//!
//! A generation is staged, minted, proven, published, delivered and rolled out beside the one in use;
//! the old one is revoked when nobody can need it any more. Before that, any failure leaves the old one
//! untouched: the new generation is given up, and the next number is tried.

use std::ops::RangeInclusive;

use super::action::{Move, Object, Phase, Precondition, Reason, Step, Sync};
use super::nudge::nudge;
use super::schedule::{DAY, SKEW, Schedule};
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
    /// How long a credential goes on being valid after its successor was due, if nobody made one.
    pub overtime: i64,
    /// How long tokens of a credential live, and what people add to that.
    pub token_life: i64,
    pub grace: i64,
}

impl Policy {
    /// Without any, a credential would end at the moment at which its successor is begun.
    fn overtime(&self) -> i64 {
        self.overtime.max(DAY)
    }

    /// When a credential that is made now ends by itself.
    fn expiry(&self, now: Time) -> Time {
        self.schedule.after(now).unwrap_or(now).plus(self.overtime())
    }

    /// When a credential has to be replaced. A schedule that was changed since does not put off its end.
    pub fn due(&self, made: Time, expires: Option<Time>) -> Option<Time> {
        let last = expires.map(|expires| expires.plus(-self.overtime()));
        self.schedule.after(made).into_iter().chain(last).min()
    }
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
    /// When it ends by itself.
    pub expires: Option<Time>,
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
    /// In the spec.
    pub place: usize,
    pub stamp: Stamp,
    /// On its pod template.
    pub template: Option<Digest>,
}

/// What is known of the pods of all consumers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pods<'a> {
    /// They could not be listed.
    Unknown,
    /// A consumer that the spec names is not there. It may be called otherwise, and its pods have whatever
    /// they have: that none is found is no evidence that there are none.
    Unnamed,
    /// What each that has not ended carries.
    Carry(&'a [Option<Digest>]),
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
    pub pods: Pods<'a>,
    pub published_watched: i64,
    /// For alternating users: under which condition the place of each may be written; None while a
    /// generation is in it.
    pub free: [Option<Precondition>; 2],
}

const LOOK_AGAIN: i64 = 10;
const LOOK_LATER: i64 = 300;
/// Nobody sees a state of things that is older than this.
const BEHIND: i64 = 120;
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
    if seen.published == Seen::Absent && intended > 0 {
        return advance(seen, intended, now, slips);
    }
    match intended > current {
        true if given_up >= intended => succeed(seen, current, now, slips),
        true => advance(seen, intended, now, slips),
        false => rest(seen, current, now, slips),
    }
}

/// What is published reaches everybody, and then nothing older is left. None when that is so.
fn deliver<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    now: Time,
    slips: &S,
) -> Option<Step> {
    let delivered = match (seen.delivered, seen.published) {
        // What is there before anything was published is none of ours.
        (Seen::Present(..), _) if current == 0 => return None,
        (Seen::Present(_, delivered), _) if delivered.generation == current => delivered,
        (Seen::Present(_, delivered), _) if slips.makes(Mistake::StampBeforeDelivery) => delivered,
        (Seen::Unknown, _) => {
            return Some(Step::wait(Phase::Published, Reason::CannotRead, LOOK_AGAIN));
        }
        (_, Seen::Present(_, published)) => {
            let ways = [(Object::PushSecret, seen.push), (Object::ExternalSecret, seen.pull)];
            let why = (Phase::Published, Reason::WaitingForDelivery);
            return Some(nudge(why, published.digest, seen.published_watched, ways));
        }
        // To be published again first.
        _ => return None,
    };
    // When a user's password came to nothing and the other one's was published again, a pod may carry
    // the digest of the one and have the other. So all are rolled, for that purpose alone.
    let alternating = seen.policy.means == Means::Alternating;
    let again = alternating && seen.marks.rolled_out > 0 && withdrawing(seen, current);
    if again && seen.published_watched < BEHIND {
        return Some(Step::wait(Phase::Delivered, Reason::WaitingForDelivery, LOOK_AGAIN));
    }
    let digest = if again { Digest(!delivered.digest.0) } else { delivered.digest };
    let behind = seen.consumers.iter().find(|consumer| consumer.template != Some(digest));
    if let Some(Consumer { place, stamp, .. }) = behind {
        let (at, make) = (Precondition::At(*stamp), Move::Stamp(digest));
        return Some(Step::act(Phase::Delivered, Object::Consumer(*place), at, make));
    }
    let rolled_out = match seen.pods {
        _ if slips.makes(Mistake::DeliveredIsRolledOut) => true,
        Pods::Unknown => slips.makes(Mistake::UnknownPodsAreNone),
        Pods::Unnamed => slips.makes(Mistake::MissingConsumerHasNoPods),
        Pods::Carry(pods) if slips.makes(Mistake::OnePodIsAll) => pods.contains(&Some(digest)),
        Pods::Carry(pods) => pods.iter().all(|pod| *pod == Some(digest)),
    };
    retire(seen, current, rolled_out, now, slips)
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
    let why = match seen.pods {
        Pods::Unknown => Reason::CannotRead,
        Pods::Unnamed => Reason::ConsumerMissing,
        Pods::Carry(_) => Reason::WaitingForRollout,
    };
    // Pods that cannot start because it is refused would wait for ever for pods that start.
    let refused = is_refused(seen, current);
    // Of one that follows nobody there is nothing to revoke, and nobody to be careful of.
    let harmless = seen.pods == Pods::Unnamed
        && seen.policy.means == Means::Minted
        && seen.generations.iter().all(|other| other.number >= current);
    let waiting = (!refused && !harmless).then(|| Step::wait(Phase::Delivered, why, LOOK_AGAIN));
    let withdrawing = withdrawing(seen, current);
    let due = if withdrawing { 0 } else { current };
    if seen.marks.rolled_out != due {
        if !rolled_out {
            return waiting;
        }
        let mut wait = drain(seen.policy);
        if slips.makes(Mistake::RetireWithoutDrain) || slips.makes(Mistake::ScrambleBeforeDrain) {
            wait = 0;
        }
        if slips.makes(Mistake::DrainWithoutSkew) {
            wait -= SKEW;
        }
        let make = Move::RolledOut { generation: due, drained: now.plus(wait) };
        let at = Precondition::At(seen.rotation);
        return Some(Step::act(Phase::RolledOut, Object::Rotation, at, make));
    }
    if withdrawing {
        let numbers = withdrawn(seen, current);
        let left = seen.generations.iter().find(|other| numbers.contains(&other.number))?;
        // The one that shall follow goes on in the meantime, if there is room for it.
        let waited = seen.marks.drained <= now || slips.makes(Mistake::WithdrawAtOnce);
        return (rolled_out && waited).then(|| remove(seen, left, slips));
    }
    let newest = slips.makes(Mistake::RevokeNewest) && seen.generations.len() > 1;
    let old = seen.generations.iter().find(|other| match newest {
        true => other.number == current,
        false => other.number < current,
    });
    // Somebody may have been rolled back in the meantime.
    if !rolled_out {
        return waiting;
    }
    let old = old?;
    if now < seen.marks.drained {
        let wait = seen.marks.drained.since(now).min(LOOK_LATER);
        return Some(Step::wait(Phase::Drained, Reason::WaitingForTokens, wait));
    }
    Some(remove(seen, old, slips))
}

fn is_refused(seen: &GenerationsSeen<'_>, number: u32) -> bool {
    let found = seen.generations.iter().find(|generation| generation.number == number);
    found.is_some_and(|generation| generation.proof == Proof::Refused)
}

/// Generations that were to be published, and came to nothing before they were. That nobody has one is
/// known by time: once its number is given up nobody publishes it; `drained` is marked after that, with
/// zero for the generation; and later than that nobody sees an older state of what is published.
fn withdrawn(seen: &GenerationsSeen<'_>, current: u32) -> RangeInclusive<u32> {
    current + 1..=seen.marks.intended.min(seen.marks.given_up)
}

fn withdrawing(seen: &GenerationsSeen<'_>, current: u32) -> bool {
    let numbers = withdrawn(seen, current);
    match seen.policy.means {
        Means::Minted => seen.generations.iter().any(|other| numbers.contains(&other.number)),
        // Its place is written anew, so it matters whether or not something is left in it.
        Means::Alternating => !numbers.is_empty() && seen.marks.committed <= seen.marks.given_up,
    }
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
    let hopeless = || match seen.published {
        _ if number > seen.marks.intended => rotation(Move::GiveUp(number)),
        Seen::Present(_, published) if seen.marks.rolled_out == published.generation => {
            rotation(Move::GiveUp(number))
        }
        Seen::Present(..) => Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN),
        // It may be in use, so it stays until its successor is; of two users the other may be needed.
        _ => match usable_before(seen, number) {
            Some((older, secret)) => publish(seen, older, secret),
            // Consumers had it, or it was looked at twice, with a time between in which nobody is behind.
            None if seen.marks.rolled_out == number || was_marked(seen, now) => {
                succeed(seen, number, now, slips)
            }
            None if is_marked(seen) => {
                Step::wait(Phase::Drained, Reason::WaitingForTokens, LOOK_AGAIN)
            }
            None => {
                rotation(Move::RolledOut { generation: 0, drained: now.plus(drain(seen.policy)) })
            }
        },
    };
    let found = seen.generations.iter().find(|generation| generation.number == number);
    let kept = found.and_then(|generation| Some((generation, generation.secret?)));
    let Some((candidate, secret)) = kept else {
        // The place of an alternating user is written after its number is taken.
        return match seen.policy.means {
            Means::Alternating if number > seen.marks.intended => write_place(seen, number, slips),
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
        let make = Move::Mint { generation: number, expires: seen.policy.expiry(now) };
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
        // Nothing else is published, so it is taken back that this one was given up; whoever removes it
        // looks at the time that is marked here.
        Proof::Works if number <= seen.marks.given_up && !is_kept(seen, now) => {
            rotation(Move::RolledOut { generation: 0, drained: now.plus(drain(seen.policy)) })
        }
        Proof::Works => publish(seen, number, secret),
    }
}

/// A time is marked, and not for a generation.
fn is_marked(seen: &GenerationsSeen<'_>) -> bool {
    seen.marks.rolled_out == 0 && seen.marks.drained > Time(0)
}

fn was_marked(seen: &GenerationsSeen<'_>, now: Time) -> bool {
    is_marked(seen) && seen.marks.drained <= now
}

fn is_kept(seen: &GenerationsSeen<'_>, now: Time) -> bool {
    seen.marks.rolled_out > 0 || seen.marks.drained > now.plus(SKEW)
}

/// From when nobody is given a credential any more until nobody can have a token of it.
fn drain(policy: &Policy) -> i64 {
    policy.token_life.max(policy.grace).max(PAUSE) + SKEW
}

fn publish(seen: &GenerationsSeen<'_>, number: u32, secret: Stamp) -> Step {
    let at = seen.published.stamp().map_or(Precondition::Absent, Precondition::At);
    Step::act(Phase::Minted, Object::Published, at, Move::PublishGeneration(number, secret))
}

/// The newest that consumers had before.
fn usable_before(seen: &GenerationsSeen<'_>, number: u32) -> Option<(u32, Stamp)> {
    if seen.policy.means == Means::Minted {
        return None;
    }
    let had = |older: &Generation| match seen.marks.rolled_out {
        0 => older.number < number.min(seen.marks.given_up),
        rolled_out => older.number < number && older.number <= rolled_out,
    };
    let mut older = seen.generations.iter().rev().filter(|older| had(older));
    let usable = older.find(|older| {
        let there = older.credential.is_some_and(|found| found.available && !found.deleting);
        there && older.proof == Proof::Works && older.secret.is_some()
    })?;
    Some((usable.number, usable.secret?))
}

/// One generation, or none, and no other under way: is it time for the next?
fn rest<S: Slips>(seen: &GenerationsSeen<'_>, current: u32, now: Time, slips: &S) -> Step {
    let published = seen.generations.iter().find(|generation| generation.number == current);
    let refused = published.is_none_or(|published| {
        published.proof == Proof::Refused
            || (published.proof == Proof::Unknown && slips.makes(Mistake::HealOnSilence))
    });
    let heal = refused && !slips.makes(Mistake::NeverHeal);
    let next = published.and_then(|found| seen.policy.due(found.made, found.expires));
    let due = next.is_some_and(|next| next <= now);
    if current > 0 && !heal && !due && !seen.requested {
        let wait = next.map_or(LOOK_LATER, |next| next.since(now)).clamp(1, LOOK_LATER);
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
    // With nothing published, and neither of two that could be, there is room for one that can. So there is
    // beside those of a cloud that was there before: they go when their successor is in use.
    let begun = seen.marks.intended > 0 || seen.marks.committed == 0;
    let lost = seen.published == Seen::Absent && begun;
    let most = if lost { 2 } else { 1 };
    (others.count() > most)
        .then(|| Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN))
}

/// Stages the generation after `current`.
fn succeed<S: Slips>(seen: &GenerationsSeen<'_>, current: u32, now: Time, slips: &S) -> Step {
    // Keystone may have some of a cloud that was there before, whose numbers nobody here has taken.
    let foreign = |other: &&Generation| other.in_keystone && other.secret.is_none();
    let highest = seen.generations.iter().filter(foreign).map(|other| other.number).max();
    let last = match slips.makes(Mistake::ForgetHighWater) {
        true => current,
        false => seen.marks.committed.max(current).max(highest.unwrap_or(0)),
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
            let due = if withdrawing(seen, current) { 0 } else { current };
            let drained = seen.marks.rolled_out == due && seen.marks.drained <= now;
            let lost = seen.published == Seen::Absent;
            if lost
                && seen.marks.given_up < seen.marks.intended
                && let Some(left) = left_in_place(seen, number)
            {
                return remove(seen, left, slips);
            }
            let unused = match seen.free[number as usize % 2] {
                Some(Precondition::At(_)) => lost,
                Some(_) => lost && seen.delivered == Seen::Absent,
                None => false,
            };
            let at = Precondition::At(seen.rotation);
            let free = drained || (unused && was_marked(seen, now));
            if current > 0 && !free && !slips.makes(Mistake::StageIntoUse) {
                return Step::wait(Phase::Drained, Reason::WaitingForTokens, LOOK_AGAIN);
            }
            Step::act(Phase::Staged, Object::Rotation, at, Move::Commit(number))
        }
    }
}

fn write_place<S: Slips>(seen: &GenerationsSeen<'_>, number: u32, slips: &S) -> Step {
    if let Some(precondition) = seen.free[number as usize % 2] {
        let (object, make) = (Object::Secret(number), Move::Stage(number));
        return Step::act(Phase::Staged, object, precondition, make);
    }
    // What was given up was waited for before this number was taken.
    match left_in_place(seen, number) {
        Some(left) => remove(seen, left, slips),
        None => Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN),
    }
}

/// What is left, in the place of this number, of the generation that was given up last.
fn left_in_place<'a>(seen: &GenerationsSeen<'a>, number: u32) -> Option<&'a Generation> {
    let given_up = seen.marks.given_up;
    let found = seen.generations.iter().find(|other| other.number == given_up)?;
    (given_up < number && given_up % 2 == number % 2).then_some(found)
}
