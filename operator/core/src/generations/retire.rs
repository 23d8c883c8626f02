//! The way out of generations that nobody needs any more.

use std::ops::RangeInclusive;

use super::{
    Generation, GenerationsSeen, LOOK_AGAIN, LOOK_LATER, Means, PAUSE, Pods, Policy, Proof,
};
use crate::action::{Move, Object, Phase, Precondition, Reason, Step};
use crate::schedule::SKEW;
use crate::seen::Time;
use crate::slips::{Mistake, Slips};

/// The way out of older generations: when nobody is given one any more, that is written down; when
/// nobody can have a token of one, they go. None when there are none.
pub(super) fn retire<S: Slips>(
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
        let at_once = match seen.policy.means {
            Means::Minted => Mistake::RetireWithoutDrain,
            Means::Alternating => Mistake::ScrambleBeforeDrain,
        };
        if slips.makes(at_once) {
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
        // The old one stays for those who have a token of it; whoever was given the new one cannot wait.
        if refused && !slips.makes(Mistake::HealAtRestOnly) {
            return None;
        }
        let wait = seen.marks.drained.since(now).min(LOOK_LATER);
        return Some(Step::wait(Phase::Drained, Reason::WaitingForTokens, wait));
    }
    Some(remove(seen, old, slips))
}

/// Whether Keystone refuses it, or nothing is left of it anywhere.
pub(super) fn is_refused(seen: &GenerationsSeen<'_>, number: u32) -> bool {
    let found = seen.generations.iter().find(|generation| generation.number == number);
    let minted = number > 0 && seen.policy.means == Means::Minted;
    found.map_or(minted && seen.listed, |generation| generation.proof == Proof::Refused)
}

/// Generations that were to be published, and came to nothing before they were. That nobody has one is
/// known by time: once its number is given up nobody publishes it; `drained` is marked after that, with
/// zero for the generation; and later than that nobody sees an older state of what is published.
pub(super) fn withdrawn(seen: &GenerationsSeen<'_>, current: u32) -> RangeInclusive<u32> {
    current + 1..=seen.marks.intended.min(seen.marks.given_up)
}

pub(super) fn withdrawing(seen: &GenerationsSeen<'_>, current: u32) -> bool {
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
pub(super) fn remove<S: Slips>(seen: &GenerationsSeen<'_>, old: &Generation, slips: &S) -> Step {
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

/// From when nobody is given a credential any more until nobody can have a token of it.
pub(super) fn drain(policy: &Policy) -> i64 {
    policy.token_life.max(policy.grace).max(PAUSE) + SKEW
}
