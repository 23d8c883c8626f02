//! Credentials in generations: application credentials, and passwords of two alternating users.
//!
//! A generation is staged, minted, proven, published, delivered and rolled out beside the one in use;
//! the old one is revoked when nobody can need it any more. Before that, any failure leaves the old one
//! untouched: the new generation is given up, and the next number is tried.

mod advance;
mod deliver;
mod retire;
mod seen;
mod succeed;

pub use seen::{
    Consumer, Credential, Delivered, Generation, GenerationsSeen, Marks, Means, Pods, Policy,
    Proof, Published,
};

use crate::action::{Move, Object, Phase, Precondition, Reason, Step};
use crate::seen::{Seen, Time};
use crate::slips::{Mistake, Slips};
use advance::advance;
use deliver::deliver;
use retire::remove;
use succeed::{forgotten, recover, rest, succeed};

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
    // A rotation that was deleted and made anew has no status; what is published says the most of it.
    if current > seen.marks.intended {
        return recover(seen, current);
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
    if let Some(number) = forgotten(seen, current)
        && !slips.makes(Mistake::ForgetWithStatus)
    {
        return recover(seen, number);
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
