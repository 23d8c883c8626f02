//! Single decisions: what is seen, and what follows. The simulation tries how they work together.
#![allow(clippy::unwrap_used, clippy::panic)]

use strata_rotation::generations::{
    self, Consumer, Credential, Delivered, Generation, GenerationsSeen, Marks, Means, Pods, Policy,
    Proof, Published,
};
use strata_rotation::keys::{self, JobState, KeysSeen, Kind, Migration};
use strata_rotation::ring::{Marked, Ring};
use strata_rotation::schedule::{DAY, Schedule};
use strata_rotation::{
    Digest, Faultless, Move, Phase, Precondition, Reason, Seen, Stamp, Step, Time,
};

const STAMP: Stamp = Stamp { uid: 1, version: 1 };
const DIGEST: Digest = Digest(7);

/// A credential of which generation 3 is in use, and nothing else is there.
struct Credentials {
    policy: Policy,
    marks: Marks,
    generations: Vec<Generation>,
    published: Seen<Published>,
    delivered: Seen<Delivered>,
    consumers: Vec<Consumer>,
    missing: bool,
    suspended: bool,
    listed: bool,
    delivered_watched: i64,
    now: Time,
}

fn at_rest() -> Credentials {
    Credentials {
        policy: Policy {
            means: Means::Minted,
            schedule: Schedule::Every(83 * DAY),
            overtime: 8 * DAY,
            token_life: 3_600,
            grace: DAY,
            cache: 60,
        },
        marks: Marks { committed: 3, intended: 3, given_up: 0, rolled_out: 3, drained: Time(1) },
        generations: vec![generation(3)],
        published: Seen::Present(STAMP, Published { generation: 3, digest: DIGEST }),
        delivered: Seen::Present(STAMP, Delivered { generation: 3, digest: DIGEST }),
        consumers: Vec::new(),
        missing: false,
        suspended: false,
        listed: true,
        delivered_watched: 1_000,
        now: Time(DAY),
    }
}

fn generation(number: u32) -> Generation {
    Generation {
        number,
        secret: Some(STAMP),
        made: Time(0),
        expires: Some(Time(91 * DAY)),
        credential: Some(Credential { stamp: STAMP, available: true, deleting: false }),
        in_keystone: true,
        proof: Proof::Works,
    }
}

impl Credentials {
    fn step(&self) -> Step {
        let seen = GenerationsSeen {
            policy: &self.policy,
            rotation: STAMP,
            suspended: self.suspended,
            requested: false,
            marks: self.marks,
            generations: &self.generations,
            complete: true,
            listed: self.listed,
            published: self.published,
            delivered: self.delivered,
            push: Seen::Present(STAMP, None),
            pull: Seen::Present(STAMP, None),
            consumers: &self.consumers,
            pods: if self.missing { Pods::Unnamed } else { Pods::Carry(&[Some(DIGEST)]) },
            published_watched: 1_000,
            delivered_watched: self.delivered_watched,
            free: [None; 2],
        };
        generations::step(&seen, self.now, &Faultless)
    }

    fn makes(&self) -> Option<Move> {
        self.step().action.map(|action| action.make)
    }

    fn stands(&self) -> (Phase, Reason) {
        let step = self.step();
        assert_eq!(step.action, None);
        (step.phase, step.reason)
    }
}

#[test]
fn a_credential_is_replaced_when_it_is_time() {
    let resting = at_rest();
    assert_eq!(resting.stands(), (Phase::Idle, Reason::UpToDate));
    assert_eq!(Credentials { now: Time(83 * DAY), ..resting }.makes(), Some(Move::Stage(4)));
}

#[test]
fn a_longer_interval_does_not_let_a_credential_end() {
    let mut longer = at_rest();
    longer.policy.schedule = Schedule::Every(365 * DAY);
    longer.now = Time(82 * DAY);
    assert_eq!(longer.stands(), (Phase::Idle, Reason::UpToDate));
    longer.now = Time(83 * DAY);
    assert_eq!(longer.makes(), Some(Move::Stage(4)));
}

#[test]
fn a_credential_outlives_its_schedule() {
    let mut yearly = at_rest();
    yearly.policy.schedule = Schedule::Cron("@yearly".parse().unwrap());
    yearly.policy.overtime = 0;
    yearly.marks.committed = 4;
    let staged = Generation { credential: None, made: yearly.now, ..generation(4) };
    yearly.generations.push(Generation { in_keystone: false, ..staged });
    let Some(Move::Mint { expires, .. }) = yearly.makes() else { panic!("{:?}", yearly.step()) };
    assert_eq!(expires, Time(365 * DAY + DAY), "a day after the next first of January");
}

#[test]
fn numbers_start_above_those_of_a_cloud_that_was_there_before() {
    let mut restored = at_rest();
    let before = |number| Generation { secret: None, credential: None, ..generation(number) };
    restored.generations = vec![before(4), before(5)];
    (restored.marks, restored.published) = (Marks::default(), Seen::Absent);
    restored.delivered = Seen::Present(STAMP, Delivered { generation: 0, digest: Digest(9) });
    assert_eq!(restored.makes(), Some(Move::Stage(6)));
}

#[test]
fn what_was_under_way_is_not_forgotten_with_the_status() {
    let mut anew = at_rest();
    anew.generations.push(generation(4));
    anew.marks = Marks::default();
    assert_eq!(anew.makes(), Some(Move::Recover(3)), "what is published");
    anew.marks =
        Marks { committed: 3, intended: 3, rolled_out: 3, drained: Time(1), ..Marks::default() };
    assert_eq!(anew.makes(), Some(Move::Recover(4)), "what may have been");
    (anew.marks.committed, anew.marks.intended) = (4, 4);
    assert_eq!(anew.makes(), Some(Move::PublishGeneration(4, STAMP)));
    anew.generations[1].proof = Proof::Refused;
    assert_eq!(anew.makes(), Some(Move::GiveUp(4)));
}

#[test]
fn nothing_is_revoked_while_a_consumer_is_missing() {
    let mut missing = at_rest();
    missing.missing = true;
    assert_eq!(missing.stands(), (Phase::Idle, Reason::UpToDate), "nothing to revoke");
    missing.generations.insert(0, generation(2));
    assert_eq!(missing.stands(), (Phase::Delivered, Reason::ConsumerMissing));
    missing.missing = false;
    assert_eq!(missing.makes(), Some(Move::RemoveSecret));
}

#[test]
fn a_refused_credential_is_replaced_though_its_rollout_has_not_ended() {
    let mut refused = at_rest();
    refused.marks.rolled_out = 2;
    refused.generations[0].proof = Proof::Refused;
    refused.generations.insert(0, generation(2));
    refused.delivered = Seen::Present(STAMP, Delivered { generation: 3, digest: Digest(8) });
    assert_eq!(refused.makes(), Some(Move::Stage(4)));
    refused.generations[1].proof = Proof::Works;
    assert_eq!(refused.stands(), (Phase::Delivered, Reason::WaitingForRollout));
}

#[test]
fn a_refused_credential_is_replaced_though_tokens_of_the_one_before_are_waited_for() {
    let mut draining = at_rest();
    draining.marks.drained = draining.now.plus(DAY);
    draining.generations.insert(0, generation(2));
    assert_eq!(draining.stands(), (Phase::Drained, Reason::WaitingForTokens));
    draining.generations[1].proof = Proof::Unknown;
    assert_eq!(draining.stands(), (Phase::Drained, Reason::WaitingForTokens), "nobody was asked");
    draining.generations[1].proof = Proof::Refused;
    assert_eq!(draining.makes(), Some(Move::Stage(4)));
    draining.generations.pop();
    assert_eq!(draining.makes(), Some(Move::Stage(4)), "nothing is left of it");
    draining.listed = false;
    assert_eq!(draining.stands(), (Phase::Drained, Reason::WaitingForTokens), "for all we know");
}

#[test]
fn consumers_are_rolled_when_every_node_knows_the_credential() {
    let mut delivered = at_rest();
    delivered.consumers = vec![Consumer { place: 0, stamp: STAMP, template: None }];
    delivered.delivered_watched = 59;
    assert_eq!(delivered.stands(), (Phase::Delivered, Reason::WaitingForDelivery));
    delivered.delivered_watched = 60;
    assert_eq!(delivered.makes(), Some(Move::Stamp(DIGEST)));
    delivered.delivered_watched = 0;
    delivered.consumers[0].template = Some(DIGEST);
    assert_eq!(delivered.stands(), (Phase::Idle, Reason::UpToDate), "all have it already");
}

#[test]
fn it_does_not_rest_before_keystone_was_asked_what_is_left() {
    let mut silent = at_rest();
    silent.listed = false;
    assert_eq!(silent.stands(), (Phase::Idle, Reason::CannotAskKeystone));
    silent.policy.means = Means::Alternating;
    assert_eq!(silent.stands(), (Phase::Idle, Reason::UpToDate), "it has nothing to do with it");
}

#[test]
fn a_secret_that_was_left_behind_is_not_used_months_later() {
    let mut due = at_rest();
    due.now = Time(83 * DAY);
    let left = Generation { credential: None, in_keystone: false, ..generation(4) };
    due.generations.push(left);
    assert_eq!(due.makes(), Some(Move::Commit(4)));
    due.marks.committed = 4;
    assert_eq!(due.makes(), Some(Move::GiveUp(4)));
    due.generations[1].made = due.now;
    assert!(matches!(due.makes(), Some(Move::Mint { generation: 4, .. })));
}

#[test]
fn a_pause_stops_a_rotation_where_it_is() {
    let mut paused = at_rest();
    (paused.suspended, paused.now) = (true, Time(83 * DAY));
    assert_eq!(paused.stands(), (Phase::Suspended, Reason::SuspendedBySpec), "though it is due");
    paused.generations.insert(0, generation(2));
    assert_eq!(paused.stands(), (Phase::Suspended, Reason::SuspendedBySpec), "nothing is revoked");
    paused.suspended = false;
    assert_eq!(paused.makes(), Some(Move::RemoveSecret));
}

/// Keys of which none were ever seen whole.
fn keys(live: Seen<&Marked>, backup: Seen<&Marked>, initialised: bool) -> Step {
    let policy = policy(Kind::Fernet);
    let seen = KeysSeen { live, backup, initialised, ..nothing(&policy) };
    keys::step(&seen, Time(DAY), &Faultless)
}

fn policy(kind: Kind) -> keys::Policy {
    keys::Policy { kind, schedule: Schedule::Every(7 * DAY), token_life: 3_600, propagation: 300 }
}

fn nothing(policy: &keys::Policy) -> KeysSeen<'_> {
    KeysSeen {
        policy,
        rotation: STAMP,
        initialised: false,
        suspended: false,
        requested: false,
        replaces: 0,
        first: Seen::Absent,
        next: Seen::Absent,
        live: Seen::Absent,
        backup: Seen::Absent,
        first_push: Seen::Present(STAMP, None),
        push: Seen::Present(STAMP, None),
        pull: Seen::Present(STAMP, None),
        replicas: Some(&[]),
        migration: Seen::Absent,
        live_watched: 1_000,
        next_watched: 1_000,
        migration_watched: 0,
    }
}

fn ring() -> Marked {
    Marked { ring: Ring::fresh(Digest(1), Digest(2), Time(0)), digest: DIGEST }
}

#[test]
fn whoever_deletes_damaged_keys_does_not_get_new_ones() {
    let (damaged, ring) = (Seen::Damaged(STAMP), ring());
    let first = keys(damaged, Seen::Absent, false);
    assert_eq!(first.action.map(|action| action.make), Some(Move::MarkInitialised));
    assert_eq!(keys(damaged, Seen::Absent, true).reason, Reason::OnlyKeysDamaged);
    assert_eq!(keys(Seen::Absent, Seen::Absent, true).reason, Reason::KeysLost);
    let saved = Seen::Present(STAMP, &ring);
    assert_eq!(keys(damaged, saved, true).reason, Reason::KeysDamaged);
}

#[test]
fn a_pause_does_not_keep_lost_keys_from_being_restored() {
    let (ring, policy) = (ring(), policy(Kind::Fernet));
    let present = Seen::Present(STAMP, &ring);
    let paused = KeysSeen {
        suspended: true,
        initialised: true,
        requested: true,
        backup: present,
        ..nothing(&policy)
    };
    let makes = |seen: &KeysSeen<'_>| keys::step(seen, Time(DAY), &Faultless).action;
    assert_eq!(makes(&paused).map(|action| action.make), Some(Move::Restore(DIGEST)));
    let restored = KeysSeen { next: present, ..paused };
    assert_eq!(makes(&restored).map(|action| action.make), Some(Move::Publish(DIGEST)));
    let whole = KeysSeen { live: present, ..restored };
    let step = keys::step(&whole, Time(30 * DAY), &Faultless);
    assert_eq!(
        (step.phase, step.action),
        (Phase::Suspended, None),
        "though it is asked for and due"
    );
}

#[test]
fn a_failed_migration_is_left_to_be_looked_at_before_the_next_try() {
    let (ring, policy) = (ring(), policy(Kind::Credential));
    let present = Seen::Present(STAMP, &ring);
    let replicas = [keys::Replica { reported: Some(DIGEST), steady: 0 }];
    let failed = Migration { ring: DIGEST, state: JobState::Failed };
    let after = |seconds| {
        let seen = KeysSeen {
            initialised: true,
            replaces: 1,
            next: present,
            live: present,
            backup: present,
            replicas: Some(&replicas),
            migration: Seen::Present(STAMP, failed),
            migration_watched: seconds,
            ..nothing(&policy)
        };
        keys::step(&seen, Time(DAY), &Faultless)
    };
    assert_eq!(after(10).reason, Reason::MigrationFailed);
    assert_eq!(after(10).action, None);
    assert_eq!(after(301).action.map(|action| action.make), Some(Move::RemoveJob));
}

#[test]
fn a_damaged_next_ring_is_written_anew_from_what_is_good() {
    let (ring, policy) = (ring(), policy(Kind::Fernet));
    let (good, damaged) = (Seen::Present(STAMP, &ring), Seen::Damaged(STAMP));
    let step = |live, backup, initialised| {
        let seen = KeysSeen { next: damaged, live, backup, initialised, ..nothing(&policy) };
        keys::step(&seen, Time(DAY), &Faultless)
    };
    let makes = |live, backup| step(live, backup, true).action.map(|action| action.make);
    assert_eq!(makes(good, good), Some(Move::Restore(DIGEST)));
    assert_eq!(makes(damaged, good), Some(Move::Restore(DIGEST)));
    assert_eq!(makes(good, damaged), Some(Move::Adopt(DIGEST)), "the store has the damage, too");
    assert_eq!(step(good, damaged, true).action.unwrap().precondition, Precondition::At(STAMP));
    assert_eq!(step(good, damaged, false).reason, Reason::KeysDamaged, "it may be another cloud's");
    assert_eq!(step(good, Seen::Absent, true).reason, Reason::WaitingForStore);
    assert_eq!(step(good, Seen::Unknown, true).reason, Reason::CannotRead);
    for (live, backup) in [(Seen::Absent, damaged), (damaged, damaged), (damaged, Seen::Absent)] {
        assert_eq!(step(live, backup, true).reason, Reason::KeysDamaged);
    }
}

#[test]
fn a_key_that_tokens_may_need_is_not_left_out() {
    let policy = policy(Kind::Fernet);
    let rotated = ring().ring.promote(Time(0)).restage(Digest(3), Time(DAY));
    let live = Marked { ring: rotated.clone(), digest: Digest(8) };
    let next = Marked { ring: rotated.prune(&[1]), digest: DIGEST };
    let at = |now| {
        let seen = KeysSeen {
            initialised: true,
            next: Seen::Present(STAMP, &next),
            live: Seen::Present(STAMP, &live),
            backup: Seen::Present(STAMP, &next),
            ..nothing(&policy)
        };
        keys::step(&seen, now, &Faultless)
    };
    assert_eq!(at(Time(DAY + 3_599)).reason, Reason::BackupDiffers);
    // Whoever left it out may have had a clock that is an hour ahead.
    assert_eq!(at(Time(DAY + 3_600)).reason, Reason::WaitingForTokens);
    assert_eq!(at(Time(DAY + 7_199)).action, None);
    let published = at(Time(DAY + 7_200)).action.map(|action| action.make);
    assert_eq!(published, Some(Move::Publish(DIGEST)), "it is over by this clock, too");
}

#[test]
fn a_ring_from_before_a_promotion_is_not_mounted_again() {
    let policy = policy(Kind::Fernet);
    let (old, other) = (ring(), Digest(8));
    let step = |live: Ring<Digest>, initialised| {
        let live = Marked { ring: live, digest: other };
        let seen = KeysSeen {
            initialised,
            next: Seen::Present(STAMP, &old),
            live: Seen::Present(STAMP, &live),
            backup: Seen::Present(STAMP, &old),
            ..nothing(&policy)
        };
        keys::step(&seen, Time(DAY), &Faultless)
    };
    let promoted = old.ring.promote(Time(30));
    let restaged = promoted.restage(Digest(3), Time(60));
    for live in [&promoted, &restaged] {
        let action = step(live.clone(), true).action.unwrap();
        assert_eq!(action.make, Move::Adopt(other), "what is mounted has all of it and more");
        assert_eq!(action.precondition, Precondition::At(STAMP));
    }
    assert_eq!(step(restaged.clone(), false).reason, Reason::BackupDiffers, "perhaps another's");
    let pruned = restaged.prune(&[1]);
    assert_eq!(step(pruned, true).reason, Reason::BackupDiffers, "each has a key of its own");
}

#[test]
fn a_request_replaces_the_primary_that_it_found() {
    let policy = policy(Kind::Fernet);
    let replicas = [keys::Replica { reported: Some(DIGEST), steady: 0 }];
    let makes = |ring: Ring<Digest>, requested, replaces| {
        let ring = Marked { ring, digest: DIGEST };
        let present = Seen::Present(STAMP, &ring);
        let seen = KeysSeen {
            initialised: true,
            requested,
            replaces,
            next: present,
            live: present,
            backup: present,
            replicas: Some(&replicas),
            ..nothing(&policy)
        };
        keys::step(&seen, Time(60), &Faultless).action.map(|action| action.make)
    };
    let first = ring().ring;
    let promoted = first.promote(Time(30));
    let restaged = promoted.restage(Digest(3), Time(60));
    assert_eq!(makes(first.clone(), true, 0), Some(Move::Acknowledge { replaces: 1 }));
    assert_eq!(makes(first, false, 1), Some(Move::Promote));
    assert_eq!(makes(promoted.clone(), false, 1), Some(Move::Restage));
    assert_eq!(makes(promoted, true, 1), Some(Move::Acknowledge { replaces: 2 }), "the new one");
    assert_eq!(makes(restaged.clone(), false, 1), None, "it is gone");
    assert_eq!(makes(restaged.clone(), false, 2), Some(Move::Promote));
    assert_eq!(makes(restaged, false, 7), None, "of a ring that is further");
}
