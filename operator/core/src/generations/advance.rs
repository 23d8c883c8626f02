//! The way of one generation until it is published.

use super::retire::drain;
use super::succeed::{crowded, succeed, write_place};
use super::{GIVE_UP, Generation, GenerationsSeen, LOOK_AGAIN, Means, PAUSE, Proof};
use crate::action::{Move, Object, Phase, Precondition, Reason, Step};
use crate::schedule::SKEW;
use crate::seen::{Seen, Stamp, Time};
use crate::slips::{Mistake, Slips};

/// A generation is not published yet, or no longer.
pub(super) fn advance<S: Slips>(
    seen: &GenerationsSeen<'_>,
    number: u32,
    now: Time,
    slips: &S,
) -> Step {
    let rotation =
        |make| Step::act(Phase::Staged, Object::Rotation, Precondition::At(seen.rotation), make);
    let hopeless = || match seen.published {
        _ if number > seen.marks.intended => rotation(Move::GiveUp(number)),
        Seen::Present(_, published) if seen.marks.rolled_out == published.generation => {
            rotation(Move::GiveUp(number))
        }
        Seen::Present(..) => Step::wait(Phase::Staged, Reason::TooManyGenerations, LOOK_AGAIN),
        // It may be in use, so it stays until its successor is; of two users the other may be needed.
        _ => match had_before(seen, number) {
            Some((older, secret)) if works(older) => publish(seen, older.number, secret),
            // An operator that has just started knows of no password yet that the server has it.
            Some(_) => Step::wait(Phase::Staged, Reason::WaitingForCredential, LOOK_AGAIN),
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
        // One whose secret is old would be due too soon.
        if number <= seen.marks.intended || now.since(candidate.made) >= GIVE_UP {
            return hopeless();
        }
        if let Some(step) = crowded(seen, number, slips) {
            return step;
        }
        let mut expires = seen.policy.expiry(now);
        if slips.makes(Mistake::ExpireAtDue) {
            expires = seen.policy.schedule.after(now).unwrap_or(now);
        }
        let make = Move::Mint { generation: number, expires };
        return Step::act(Phase::Staged, Object::Credential(number), Precondition::Absent, make);
    };
    let alternating = seen.policy.means == Means::Alternating;
    let unapplied = alternating && slips.makes(Mistake::PublishUnapplied);
    if credential.deleting {
        return hopeless();
    }
    if !credential.available && !unapplied {
        // A server that is late with a password of one user is late with the next one, too.
        return match !alternating && now.since(candidate.made) >= GIVE_UP {
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

pub(super) fn was_marked(seen: &GenerationsSeen<'_>, now: Time) -> bool {
    is_marked(seen) && seen.marks.drained <= now
}

fn is_kept(seen: &GenerationsSeen<'_>, now: Time) -> bool {
    seen.marks.rolled_out > 0 || seen.marks.drained > now.plus(SKEW)
}

fn publish(seen: &GenerationsSeen<'_>, number: u32, secret: Stamp) -> Step {
    let at = seen.published.stamp().map_or(Precondition::Absent, Precondition::At);
    Step::act(Phase::Minted, Object::Published, at, Move::PublishGeneration(number, secret))
}

/// The newest that consumers had before, of two users.
fn had_before<'a>(seen: &GenerationsSeen<'a>, number: u32) -> Option<(&'a Generation, Stamp)> {
    if seen.policy.means == Means::Minted {
        return None;
    }
    let had = |older: &&Generation| match seen.marks.rolled_out {
        0 => older.number < number && older.number != seen.marks.given_up,
        rolled_out => older.number < number && older.number <= rolled_out,
    };
    let newest = seen.generations.iter().rev().find(had)?;
    newest.secret.map(|secret| (newest, secret))
}

fn works(generation: &Generation) -> bool {
    let there = generation.credential.is_some_and(|found| found.available && !found.deleting);
    there && generation.proof == Proof::Works
}
