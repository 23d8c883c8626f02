//! Fernet keys and credential keys: one machine on three Secrets.
//!
//! `Next` is written first, External Secrets takes it to the store, and only what came back from there
//! becomes `Live`, which Keystone mounts. So the store is never behind what is in use by more than
//! nothing, and whatever is lost can be restored. Keys for a cloud that has none go through `First`, which
//! the store takes only if it has nothing: whether there is a backup is decided by the store, not by us.

use super::action::{Move, Object, Phase, Precondition, Reason, Step, Sync};
use super::nudge::nudge;
use super::ring::{Marked, Ring};
use super::schedule::{SKEW, Schedule};
use super::seen::{Digest, Seen, Stamp, Time};
use super::slips::{Mistake, Slips};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fernet,
    Credential,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub kind: Kind,
    pub schedule: Schedule,
    /// A token's life and the window in which an expired one is still accepted.
    pub token_life: i64,
    /// Within this time a Secret reaches the folder of a replica whose kubelet is in touch.
    pub propagation: i64,
}

/// One replica of Keystone that has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replica {
    /// The content it says it has, where it says so.
    pub reported: Option<Digest>,
    /// For how long it was ready at every look, by a clock that does not step. A node out of touch is
    /// taken out of ready by the cluster, so a ready pod has a kubelet that syncs.
    pub steady: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    Running,
    Succeeded,
    Failed,
}

/// The Job that migrates, and the ring it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    pub ring: Digest,
    pub state: JobState,
}

#[derive(Debug)]
pub struct KeysSeen<'a> {
    pub policy: &'a Policy,
    pub rotation: Stamp,
    pub initialised: bool,
    pub suspended: bool,
    /// A person asks for a rotation, and nobody has noted it yet.
    pub requested: bool,
    /// The primary that had to go when a person last asked; 0 if nobody has.
    pub replaces: u32,
    pub first: Seen<&'a Marked>,
    pub next: Seen<&'a Marked>,
    pub live: Seen<&'a Marked>,
    /// What came back from the store.
    pub backup: Seen<&'a Marked>,
    /// What the PushSecret of `First` and of `Next`, and the ExternalSecret, were last told.
    pub first_push: Seen<Option<Sync>>,
    pub push: Seen<Option<Sync>>,
    pub pull: Seen<Option<Sync>>,
    /// None if they could not be listed.
    pub replicas: Option<&'a [Replica]>,
    pub migration: Seen<Migration>,
    /// For how long this process has seen `Live`, and `Next` or `First`, in its present version.
    pub live_watched: i64,
    pub next_watched: i64,
    /// And the Job as it is.
    pub migration_watched: i64,
}

/// Keystone has three credential keys: staged, primary, and the one before.
const CREDENTIAL_KEYS: usize = 3;
const LOOK_AGAIN: i64 = 10;
const LOOK_LATER: i64 = 300;

pub fn step<S: Slips>(seen: &KeysSeen<'_>, now: Time, slips: &S) -> Step {
    let next = match (seen.next, seen.live) {
        (Seen::Unknown, _) | (_, Seen::Unknown) => return cannot_read(),
        (Seen::Damaged(stamp), _) => return repair(seen, stamp, slips),
        (Seen::Present(stamp, _), Seen::Damaged(_)) if slips.makes(Mistake::BackUpDamage) => {
            let what = Move::Restore(Digest(0));
            return Step::act(Phase::Restoring, Object::Next, Precondition::At(stamp), what);
        }
        (_, Seen::Damaged(_)) => return damaged(seen),
        (Seen::Absent, _) => return restore(seen, slips),
        (Seen::Present(stamp, next), _) => (stamp, next),
    };
    if let Some(step) = publish(seen, next, now, slips) {
        return step;
    }
    let Seen::Present(_, live) = seen.live else { return cannot_read() };
    if !seen.initialised {
        let at = Precondition::At(seen.rotation);
        return Step::act(Phase::Publishing, Object::Rotation, at, Move::MarkInitialised);
    }
    if seen.suspended {
        return Step::wait(Phase::Suspended, Reason::SuspendedBySpec, LOOK_LATER);
    }
    rotate(seen, next.0, live, now, slips)
}

fn cannot_read() -> Step {
    Step::wait(Phase::Restoring, Reason::CannotRead, LOOK_AGAIN)
}

fn stop(reason: Reason) -> Step {
    Step::wait(Phase::Stopped, reason, LOOK_LATER)
}

/// What is mounted is no ring of keys. Whoever deletes it must get back those that were there, or none.
fn damaged(seen: &KeysSeen<'_>) -> Step {
    if !seen.initialised {
        let at = Precondition::At(seen.rotation);
        return Step::act(Phase::Stopped, Object::Rotation, at, Move::MarkInitialised);
    }
    match (seen.next.value(), seen.backup.value()) {
        (None, None) => stop(Reason::OnlyKeysDamaged),
        _ => stop(Reason::KeysDamaged),
    }
}

/// `Next` is no ring of keys, and its PushSecret takes it to the store as it is. What is good is written over it,
/// and new keys never are.
fn repair<S: Slips>(seen: &KeysSeen<'_>, next: Stamp, slips: &S) -> Step {
    let at = Precondition::At(next);
    let write = |make| Step::act(Phase::Restoring, Object::Next, at, make);
    if slips.makes(Mistake::FreshKeysOverDamage) {
        return write(Move::Generate);
    }
    if slips.makes(Mistake::LeaveDamage) {
        return stop(Reason::KeysDamaged);
    }
    match (seen.backup, seen.live) {
        (Seen::Unknown, _) => cannot_read(),
        // As where there is no `Next`. If the mounted ring has other keys, that is told then.
        (Seen::Present(_, backup), _) => write(Move::Restore(backup.digest)),
        (Seen::Damaged(_), _) => over_damage(seen, at),
        // What the store has, it brings back.
        (Seen::Absent, Seen::Present(..)) => {
            Step::wait(Phase::Restoring, Reason::WaitingForStore, LOOK_AGAIN)
        }
        (Seen::Absent, _) => stop(Reason::KeysDamaged),
    }
}

/// The store has no ring of keys, so that nothing is lost there: what is mounted was in it once.
fn over_damage(seen: &KeysSeen<'_>, at: Precondition) -> Step {
    match seen.live {
        Seen::Present(_, live) if seen.initialised => {
            Step::act(Phase::Restoring, Object::Next, at, Move::Adopt(live.digest))
        }
        _ => stop(Reason::KeysDamaged),
    }
}

/// There is no `Next`: what the store has becomes it. A cloud without any keys gets them by way of the
/// store, too.
fn restore<S: Slips>(seen: &KeysSeen<'_>, slips: &S) -> Step {
    let absent = Precondition::Absent;
    if slips.makes(Mistake::FreshKeysOverBackup) {
        return Step::act(Phase::Restoring, Object::Next, absent, Move::Generate);
    }
    match (seen.backup, seen.first) {
        (Seen::Unknown, _) | (_, Seen::Unknown) => cannot_read(),
        (Seen::Damaged(_), _) => over_damage(seen, absent),
        (_, Seen::Damaged(_)) => stop(Reason::KeysDamaged),
        (Seen::Present(_, backup), _) => {
            Step::act(Phase::Restoring, Object::Next, absent, Move::Restore(backup.digest))
        }
        (Seen::Absent, _) if slips.makes(Mistake::AbsentBackupIsNone) && !seen.initialised => {
            Step::act(Phase::Restoring, Object::Next, absent, Move::Generate)
        }
        // They were there once: their loss is for a person to see. What is left in `First` is as old as
        // the cloud.
        (Seen::Absent, _) if seen.initialised && seen.live == Seen::Absent => {
            stop(Reason::KeysLost)
        }
        (Seen::Absent, Seen::Present(_, first)) => {
            sync(seen, first.digest, Object::FirstPushSecret, seen.first_push)
        }
        (Seen::Absent, Seen::Absent) => {
            let make = match seen.live {
                Seen::Present(_, live) => Move::Adopt(live.digest),
                _ => Move::Generate,
            };
            Step::act(Phase::Restoring, Object::First, absent, make)
        }
    }
}

/// Through the store to `Live`. None when all three are the same.
fn publish<S: Slips>(
    seen: &KeysSeen<'_>,
    (stamp, next): (Stamp, &Marked),
    now: Time,
    slips: &S,
) -> Option<Step> {
    let confirmed = seen.backup.value().is_some_and(|backup| backup.digest == next.digest);
    if !confirmed && !slips.makes(Mistake::PublishBeforeStore) {
        return Some(sync(seen, next.digest, Object::PushSecret, seen.push));
    }
    let continues =
        |live: &Marked, now| continues(seen.policy, (&live.ring, &next.ring), now, slips);
    let precondition = match seen.live {
        Seen::Present(_, live) if live.digest == next.digest => return None,
        Seen::Present(_, live) if seen.initialised && is_behind(&next.ring, &live.ring) => {
            let make = Move::Adopt(live.digest);
            return Some(Step::act(Phase::Restoring, Object::Next, Precondition::At(stamp), make));
        }
        Seen::Present(stamp, live) if continues(live, now) => Precondition::At(stamp),
        // Whoever pruned may have had the clock that is ahead, or have been a person who did not know: both are right
        // when it is over by this clock, too.
        Seen::Present(_, live) if continues(live, now.plus(SKEW)) => {
            return Some(Step::wait(Phase::Pruning, Reason::WaitingForTokens, LOOK_AGAIN));
        }
        Seen::Present(stamp, _)
            if slips.makes(Mistake::PublishForeignKeys)
                || slips.makes(Mistake::PromoteUnstagedKey) =>
        {
            Precondition::At(stamp)
        }
        Seen::Present(..) => return Some(stop(Reason::BackupDiffers)),
        _ => Precondition::Absent,
    };
    let make = Move::Publish(next.digest);
    Some(Step::act(Phase::Publishing, Object::Live, precondition, make))
}

/// Whether a ring is the mounted one as it was before a promotion, as an old backup is. To mount it would bring back as
/// primary a key that somebody had replaced; the mounted one has all of its keys, and was in the store when it became it.
fn is_behind(next: &Ring<Digest>, live: &Ring<Digest>) -> bool {
    next.primary().index < live.primary().index
        && next.slots().iter().all(|slot| live.holds(&slot.key))
}

/// Whether nothing that may be in use is lost on the way from one ring to the other.
fn continues<S: Slips>(
    policy: &Policy,
    (live, next): (&Ring<Digest>, &Ring<Digest>),
    now: Time,
    slips: &S,
) -> bool {
    let expired = expired(policy, live, now, slips);
    live.slots().iter().all(|slot| {
        let over = expired.contains(&slot.index)
            || (slot.demoted.is_some() && slips.makes(Mistake::DropDemotedKeys));
        over || next.holds(&slot.key)
    })
}

fn sync(seen: &KeysSeen<'_>, content: Digest, push: Object, told: Seen<Option<Sync>>) -> Step {
    let ways = [(push, told), (Object::ExternalSecret, seen.pull)];
    let why = (Phase::Publishing, Reason::WaitingForStore);
    nudge(why, content, seen.next_watched, ways)
}

/// Everything is settled; the next write to `Next`, if it is time for one.
fn rotate<S: Slips>(
    seen: &KeysSeen<'_>,
    stamp: Stamp,
    live: &Marked,
    now: Time,
    slips: &S,
) -> Step {
    let write = |phase, make| Step::act(phase, Object::Next, Precondition::At(stamp), make);
    let primary = live.ring.primary().index;
    if seen.requested {
        // Whoever asks may know that the primary of this moment has leaked, however new it is.
        let late = live.ring.is_promoted() && slips.makes(Mistake::RequestedByPromotion);
        let make = Move::Acknowledge { replaces: if late { primary - 1 } else { primary } };
        let at = Precondition::At(seen.rotation);
        return Step::act(Phase::Promoting, Object::Rotation, at, make);
    }
    if live.ring.is_promoted() {
        if !slips.makes(Mistake::RestageWithoutWaiting)
            && let Err(reason) = distributed(seen, live, slips)
        {
            return Step::wait(Phase::Distributing, reason, LOOK_AGAIN);
        }
        if seen.policy.kind == Kind::Credential
            && let Some(step) = migrate(seen, live, slips)
        {
            return step;
        }
        return write(Phase::Restaging, Move::Restage);
    }
    let gone = expired(seen.policy, &live.ring, now, slips);
    if !gone.is_empty() {
        return write(Phase::Pruning, Move::Prune(gone));
    }
    // Not those before it: a ring that was brought back from long ago would rotate until it is as far again.
    if seen.replaces != primary && !seen.policy.schedule.is_due(live.ring.promoted, now) {
        return idle(seen, live, now);
    }
    if !slips.makes(Mistake::PromoteWithoutWaiting)
        && let Err(reason) = distributed(seen, live, slips)
    {
        return Step::wait(Phase::Distributing, reason, LOOK_AGAIN);
    }
    if seen.policy.kind == Kind::Credential
        && let Some(step) = migrate(seen, live, slips)
    {
        return step;
    }
    write(Phase::Promoting, Move::Promote)
}

fn idle(seen: &KeysSeen<'_>, live: &Marked, now: Time) -> Step {
    let due = seen.policy.schedule.after(live.ring.promoted).map(|due| due.since(now));
    let prunable = live.ring.slots().iter().filter_map(|slot| slot.demoted).min();
    let prune = prunable.map(|demoted| demoted.plus(seen.policy.token_life + SKEW).since(now));
    let again = due.into_iter().chain(prune).filter(|wait| *wait > 0).min();
    Step::wait(Phase::Idle, Reason::UpToDate, again.unwrap_or(LOOK_LATER).min(LOOK_LATER))
}

/// Whether every replica is known to have `Live`.
fn distributed<S: Slips>(seen: &KeysSeen<'_>, live: &Marked, slips: &S) -> Result<(), Reason> {
    let bound = seen.policy.propagation;
    let Some(replicas) = seen.replicas else {
        return if slips.makes(Mistake::UnknownReplicasAreNone) {
            Ok(())
        } else {
            Err(Reason::CannotRead)
        };
    };
    if replicas.is_empty() {
        return Err(Reason::NoReplicas);
    }
    let has = |replica: &Replica| match replica.reported {
        Some(content) => content == live.digest || slips.makes(Mistake::IgnoreReports),
        None => {
            let watched = seen.live_watched >= bound || slips.makes(Mistake::PodReadyIsEnough);
            let steady = replica.steady >= bound || slips.makes(Mistake::UnreadyPodHasKeys);
            watched && steady
        }
    };
    let all = match slips.makes(Mistake::OneReplicaIsAll) {
        true => replicas.iter().any(has),
        false => replicas.iter().all(has),
    };
    if all { Ok(()) } else { Err(Reason::WaitingForReplicas) }
}

/// The keys that no token and no credential needs any more.
fn expired<S: Slips>(policy: &Policy, ring: &Ring<Digest>, now: Time, slips: &S) -> Vec<u32> {
    let slots = ring.slots();
    let old = &slots[1..slots.len() - 1];
    if slips.makes(Mistake::PruneByCount) || policy.kind == Kind::Credential {
        // What is demoted was migrated away from: demoting comes after migration.
        let surplus = slots.len().saturating_sub(CREDENTIAL_KEYS);
        let demoted =
            old.iter().filter(|slot| slot.demoted.is_some() || slips.makes(Mistake::PruneByCount));
        return demoted.take(surplus).map(|slot| slot.index).collect();
    }
    let mut life = policy.token_life + SKEW;
    if slips.makes(Mistake::PruneWithoutWindow) {
        life = 3_600;
    }
    if slips.makes(Mistake::PruneWithoutSkew) {
        life -= SKEW;
    }
    let gone = |demoted: Option<Time>| match demoted {
        _ if slips.makes(Mistake::PruneByPromotion) => now.since(ring.promoted) >= life - SKEW,
        Some(demoted) => now.since(demoted) >= life,
        None => false,
    };
    old.iter().filter(|slot| gone(slot.demoted)).map(|slot| slot.index).collect()
}

/// Brings all credentials under the primary of `Live`. None when that is done.
fn migrate<S: Slips>(seen: &KeysSeen<'_>, live: &Marked, slips: &S) -> Option<Step> {
    if slips.makes(Mistake::SkipMigration) {
        return None;
    }
    let ours = |migration: &Migration| {
        migration.ring == live.digest || slips.makes(Mistake::TrustAnyMigration)
    };
    let step = match seen.migration {
        Seen::Unknown => Step::wait(Phase::Migrating, Reason::CannotRead, LOOK_AGAIN),
        Seen::Absent => {
            let make = Move::Migrate(live.digest);
            Step::act(Phase::Migrating, Object::Migration, Precondition::Absent, make)
        }
        Seen::Present(_, migration) if ours(&migration) && finished(migration, slips) => {
            return None;
        }
        Seen::Present(_, migration) if migration.state == JobState::Running => {
            Step::wait(Phase::Migrating, Reason::WaitingForMigration, LOOK_AGAIN)
        }
        // It stays until whatever came late has arrived, and people can see why it failed.
        Seen::Present(_, migration)
            if migration.state == JobState::Failed
                && seen.migration_watched < seen.policy.propagation =>
        {
            Step::wait(Phase::Migrating, Reason::MigrationFailed, LOOK_AGAIN)
        }
        Seen::Present(stamp, _) | Seen::Damaged(stamp) => {
            let at = Precondition::At(stamp);
            Step::act(Phase::Migrating, Object::Migration, at, Move::RemoveJob)
        }
    };
    Some(step)
}

fn finished<S: Slips>(migration: Migration, slips: &S) -> bool {
    match migration.state {
        JobState::Succeeded => true,
        JobState::Running => slips.makes(Mistake::TrustRunningMigration),
        JobState::Failed => slips.makes(Mistake::TrustFailedMigration),
    }
}

/// The ring that a move makes of `ring`. `fresh` makes a new key.
pub fn moved<K: Clone + PartialEq, S: Slips>(
    ring: &Ring<K>,
    make: &Move,
    now: Time,
    mut fresh: impl FnMut() -> K,
    slips: &S,
) -> Option<Ring<K>> {
    Some(match make {
        Move::Promote if slips.makes(Mistake::OneWriteRotation) => {
            ring.promote(now).restage(fresh(), now)
        }
        Move::Promote if slips.makes(Mistake::PromoteUnstagedKey) => {
            ring.restage(fresh(), now).promote(now)
        }
        Move::Promote => ring.promote(now),
        Move::Restage => ring.restage(fresh(), now),
        Move::Prune(gone) => ring.prune(gone),
        _ => return None,
    })
}
