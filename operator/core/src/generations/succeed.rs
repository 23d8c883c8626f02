//! When the next generation is begun, and how.

use super::advance::was_marked;
use super::retire::{is_refused, remove, withdrawing, withdrawn};
use super::{Generation, GenerationsSeen, LOOK_AGAIN, LOOK_LATER, Means, PAUSE, Proof};
use crate::action::{Move, Object, Phase, Precondition, Reason, Step};
use crate::seen::{Seen, Time};
use crate::slips::{Mistake, Slips};

/// One generation, or none, and no other under way: is it time for the next?
pub(super) fn rest<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    now: Time,
    slips: &S,
) -> Step {
    let published = seen.generations.iter().find(|generation| generation.number == current);
    let refused = published.is_none_or(|published| {
        published.proof == Proof::Refused
            || (published.proof == Proof::Unknown && slips.makes(Mistake::HealOnSilence))
    });
    let heal = refused && !slips.makes(Mistake::NeverHeal);
    let next = published.and_then(|found| {
        let expires = found.expires.filter(|_| !slips.makes(Mistake::IgnoreExpiry));
        seen.policy.due(found.made, expires)
    });
    let due = next.is_some_and(|next| next <= now);
    if current > 0 && !heal && !due && !seen.requested {
        // Until Keystone has been asked, an old one may be left that nothing else knows of.
        let asked = seen.listed || seen.policy.means == Means::Alternating;
        if !asked && !slips.makes(Mistake::RestUnasked) {
            return Step::wait(Phase::Idle, Reason::CannotAskKeystone, LOOK_AGAIN);
        }
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

/// A generation that was under way when the rotation was deleted, and its status with it. What Keystone
/// alone has is of a cloud that was there before, if nothing is published.
pub(super) fn forgotten(seen: &GenerationsSeen<'_>, current: u32) -> Option<u32> {
    let made = |other: &&Generation| {
        other.credential.is_some() || (other.in_keystone && seen.published != Seen::Absent)
    };
    let highest = seen.generations.iter().filter(made).map(|other| other.number).max();
    highest.filter(|number| *number > seen.marks.committed.max(current))
}

pub(super) fn recover(seen: &GenerationsSeen<'_>, number: u32) -> Step {
    let at = Precondition::At(seen.rotation);
    Step::act(Phase::Staged, Object::Rotation, at, Move::Recover(number))
}

/// Two generations are live at most: this one, and one that Keystone has already.
pub(super) fn crowded<S: Slips>(
    seen: &GenerationsSeen<'_>,
    number: u32,
    slips: &S,
) -> Option<Step> {
    if slips.makes(Mistake::ManyGenerations) {
        return None;
    }
    if !seen.listed && !slips.makes(Mistake::TrustFailedQuestion) {
        return Some(Step::wait(Phase::Staged, Reason::CannotAskKeystone, LOOK_AGAIN));
    }
    let current = seen.published.value().map_or(0, |published| published.generation);
    let going = withdrawn(seen, current);
    let others = seen.generations.iter().filter(|other| {
        // What is taken back goes soon, and K-ORC may mint it until then.
        let waited_for = going.contains(&other.number) && !is_refused(seen, current);
        // What Keystone refuses, nobody uses; it goes when its successor is published.
        let live = other.in_keystone && other.proof != Proof::Refused;
        other.number != number && (live || waited_for)
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
pub(super) fn succeed<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    now: Time,
    slips: &S,
) -> Step {
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

pub(super) fn write_place<S: Slips>(seen: &GenerationsSeen<'_>, number: u32, slips: &S) -> Step {
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
