//! What the core asks for, and what it says about the state of things.

use super::seen::{Digest, Stamp, Time};

/// What must still be so when a write lands. There is no write without one.
///
/// One that asks for absence holds again when a person has deleted what somebody made meanwhile; so does
/// one by id. Before such a write, whoever executes it looks whether the CredentialRotation, whose status
/// says what is under way, is still at the version that the decision was made on, and else drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precondition {
    Absent,
    At(Stamp),
    /// What lives in Keystone has no version, but ids that are given once.
    SameId,
}

/// The objects of one rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// The CredentialRotation itself: its status.
    Rotation,
    /// Keys made for a store that has none; the store takes them only then.
    First,
    /// Keys as they shall be: the source of the PushSecret.
    Next,
    /// Keys as Keystone mounts them.
    Live,
    /// The Job that brings all credentials of Keystone under its primary key.
    Migration,
    /// The secret of one generation.
    Secret(u32),
    /// K-ORC's ApplicationCredential of one generation.
    Credential(u32),
    /// The credential that is pushed to the store.
    Published,
    FirstPushSecret,
    PushSecret,
    ExternalSecret,
    /// The pod template of a consumer, by its place in the spec.
    Consumer(usize),
    /// A credential in Keystone that no object stands for any more.
    InKeystone(u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Two new keys.
    Generate,
    /// The keys that are mounted already, offered to a store that may have none.
    Adopt(Digest),
    /// The ring that came from the store. The digest is what must be found there.
    Restore(Digest),
    Promote,
    /// One new key.
    Restage,
    Prune(Vec<u32>),
    /// `Next` becomes `Live`.
    Publish(Digest),
    /// Keys exist from now on; should all be lost, none are made anew.
    MarkInitialised,
    Migrate(Digest),
    RemoveJob,
    /// The next generation's number is taken.
    Commit(u32),
    /// The generation will be published, and is never given up from now on.
    Intend(u32),
    /// Nobody remembers what became of this number: it was taken, and may have been published.
    Recover(u32),
    /// The generation will never be published.
    GiveUp(u32),
    /// A new secret; for alternating users, in the place of one that nobody uses.
    Stage(u32),
    Mint {
        generation: u32,
        expires: Time,
    },
    /// With the version of the secret that was proven to work.
    PublishGeneration(u32, Stamp),
    Stamp(Digest),
    /// Every consumer has the generation; tokens of older ones are over then.
    RolledOut {
        generation: u32,
        drained: Time,
    },
    Revoke,
    /// An alternating user gets a password that nobody knows.
    Scramble,
    RemoveSecret,
    /// External Secrets looks only when told to, or hourly.
    Nudge(Sync),
    /// The request of a person is noted, with the primary key that has to go.
    Acknowledge {
        replaces: u32,
    },
}

/// What is to be synced, and the number of the try: an annotation must change to be noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sync {
    pub content: Digest,
    pub attempt: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub object: Object,
    pub precondition: Precondition,
    pub make: Move,
}

impl Action {
    /// Whether it is made only while the CredentialRotation is at the version decided on: it names no
    /// version itself, or publishes what somebody else may be giving up, or the other way round.
    pub const fn is_fenced(&self) -> bool {
        !matches!(self.precondition, Precondition::At(_))
            || matches!(self.object, Object::Published)
            || matches!(self.make, Move::Scramble | Move::RemoveSecret | Move::Revoke)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing to do until the next rotation.
    Idle,
    Suspended,
    /// A person is needed.
    Stopped,
    Restoring,
    Publishing,
    Distributing,
    Promoting,
    Restaging,
    Pruning,
    Migrating,
    Staged,
    Minted,
    Published,
    Delivered,
    RolledOut,
    Drained,
    Revoked,
}

impl Phase {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "Idle",
            Self::Suspended => "Suspended",
            Self::Stopped => "Stopped",
            Self::Restoring => "Restoring",
            Self::Publishing => "Publishing",
            Self::Distributing => "Distributing",
            Self::Promoting => "Promoting",
            Self::Restaging => "Restaging",
            Self::Pruning => "Pruning",
            Self::Migrating => "Migrating",
            Self::Staged => "Staged",
            Self::Minted => "Minted",
            Self::Published => "Published",
            Self::Delivered => "Delivered",
            Self::RolledOut => "RolledOut",
            Self::Drained => "Drained",
            Self::Revoked => "Revoked",
        }
    }
}

/// Why it stands where it stands. The name is the reason of the conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    Working,
    UpToDate,
    SuspendedBySpec,
    CannotRead,
    KeysLost,
    KeysDamaged,
    OnlyKeysDamaged,
    BackupDiffers,
    WaitingForStore,
    WaitingForReplicas,
    NoReplicas,
    WaitingForMigration,
    MigrationFailed,
    WaitingForCredential,
    CredentialRefused,
    CannotAskKeystone,
    WaitingForDelivery,
    WaitingForRollout,
    ConsumerMissing,
    WaitingForTokens,
    WaitingForRevocation,
    TooManyGenerations,
    TooSoon,
}

impl Reason {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Working => "Working",
            Self::UpToDate => "UpToDate",
            Self::SuspendedBySpec => "SuspendedBySpec",
            Self::CannotRead => "CannotRead",
            Self::KeysLost => "KeysLost",
            Self::KeysDamaged => "KeysDamaged",
            Self::OnlyKeysDamaged => "OnlyKeysDamaged",
            Self::BackupDiffers => "BackupDiffers",
            Self::WaitingForStore => "WaitingForStore",
            Self::WaitingForReplicas => "WaitingForReplicas",
            Self::NoReplicas => "NoReplicas",
            Self::WaitingForMigration => "WaitingForMigration",
            Self::MigrationFailed => "MigrationFailed",
            Self::WaitingForCredential => "WaitingForCredential",
            Self::CredentialRefused => "CredentialRefused",
            Self::CannotAskKeystone => "CannotAskKeystone",
            Self::WaitingForDelivery => "WaitingForDelivery",
            Self::WaitingForRollout => "WaitingForRollout",
            Self::ConsumerMissing => "ConsumerMissing",
            Self::WaitingForTokens => "WaitingForTokens",
            Self::WaitingForRevocation => "WaitingForRevocation",
            Self::TooManyGenerations => "TooManyGenerations",
            Self::TooSoon => "TooSoon",
        }
    }

    /// What a person reads in `kubectl describe`.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Working => "a rotation is under way",
            Self::UpToDate => "nothing to do until the next rotation",
            Self::SuspendedBySpec => "spec.suspend is set; resume to go on",
            Self::CannotRead => "an object could not be read",
            Self::KeysLost => {
                "the keys and their backup are gone: bring them back to the store, from an older version there \
                 or from a running Keystone. Deleting this CredentialRotation brings back the keys of day one, \
                 if any. The steps are in docs/rotation.md, Lost keys"
            }
            Self::KeysDamaged => {
                "a Secret's contents are no ring of keys; delete it to have it restored from the store"
            }
            Self::OnlyKeysDamaged => {
                "the mounted Secret is no ring of keys, and there is no other copy: do not delete it; mend it, \
                 so that its names are numbers, 0 among them, and each value is a key of 44 characters"
            }
            Self::BackupDiffers => {
                "the store holds other keys than the mounted Secret. If the mounted ones are right, copy them to \
                 the Secret whose name ends in -next, not to the store; if those of the store are, delete the \
                 mounted Secret. The steps are in docs/rotation.md, Lost keys"
            }
            Self::WaitingForStore => {
                "the store does not have the keys yet, or they did not come back from it"
            }
            Self::WaitingForReplicas => "a replica is not known to have the keys",
            Self::NoReplicas => "no replica of Keystone runs; keys rotate when there is one",
            Self::WaitingForMigration => {
                "the Job that re-encrypts Keystone's credentials is running"
            }
            Self::MigrationFailed => {
                "the Job that re-encrypts Keystone's credentials failed; see its log, it is tried again \
                 after a few minutes"
            }
            Self::WaitingForCredential => "the new credential is not there yet",
            Self::CredentialRefused => {
                "Keystone refuses the new credential; another is made after a pause"
            }
            Self::CannotAskKeystone => "Keystone could not be asked which credentials there are",
            Self::WaitingForDelivery => "the new credential has not come back from the store",
            Self::WaitingForRollout => "a consumer's pod still has another credential",
            Self::ConsumerMissing => {
                "a workload of spec.consumers does not exist; start it, or name those that run"
            }
            Self::WaitingForTokens => "tokens of the old credential or key may still be in use",
            Self::WaitingForRevocation => "the old credential is still there",
            Self::TooManyGenerations => "two generations are live; one has to go first",
            Self::TooSoon => "the last try failed a short while ago",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub phase: Phase,
    pub reason: Reason,
    pub action: Option<Action>,
    /// Seconds after which to look again, if nothing changes before.
    pub again: i64,
}

impl Step {
    pub fn act(phase: Phase, object: Object, precondition: Precondition, make: Move) -> Self {
        let action = Some(Action { object, precondition, make });
        Self { phase, reason: Reason::Working, action, again: 1 }
    }

    pub fn wait(phase: Phase, reason: Reason, again: i64) -> Self {
        Self { phase, reason, action: None, again: again.max(1) }
    }
}
