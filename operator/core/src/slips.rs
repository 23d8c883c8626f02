//! Bugs that are made on purpose, to see the simulation catch them. Production has none: `Faultless`
//! answers `false` at compile time, and nothing of this is left in the program.

pub trait Slips {
    fn makes(&self, mistake: Mistake) -> bool;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Faultless;

impl Slips for Faultless {
    #[inline(always)]
    fn makes(&self, _: Mistake) -> bool {
        false
    }
}

/// One mistake, all the time.
#[derive(Debug, Clone, Copy)]
pub struct Only(pub Mistake);

impl Slips for Only {
    fn makes(&self, mistake: Mistake) -> bool {
        self.0 == mistake
    }
}

macro_rules! mistakes {
    ($($name:ident $($invariant:ident)+: $text:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mistake { $($name),* }

        impl Mistake {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// The invariants that it breaks, the one that matters first; if another fails, something else is wrong.
            pub const fn breaks(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$(stringify!($invariant)),+]),* }
            }
        }
    };
}

mistakes! {
    // Keys.
    PromoteWithoutWaiting I1: "promotes the staged key before every replica has it";
    PromoteUnstagedKey I1 I2: "promotes a key that was never staged";
    OneWriteRotation I1 I2 I7: "promotes and restages in one write";
    RestageWithoutWaiting I1: "restages before every replica has the new primary under its own name";
    PruneByCount I2: "keeps three keys, whatever their age";
    PruneWithoutWindow I2: "forgets the window in which expired tokens are accepted";
    PruneWithoutSkew I2: "prunes without regard to clocks that differ";
    PruneByPromotion I2: "counts a key's age from the promotion, not from when nobody used it any more";
    FreshKeysOverBackup I2: "makes new keys when the Secret is gone";
    AbsentBackupIsNone I2: "takes a backup that did not arrive for one that does not exist";
    PublishBeforeStore I2: "publishes keys that the store does not have";
    PublishForeignKeys I1 I2: "publishes what came from the store, though it has none of the keys in use";
    BackUpDamage I2 I7: "copies a damaged Secret over the backup";
    LeaveDamage I7: "leaves the next ring damaged, though a good one is there";
    FreshKeysOverDamage I1 I2 I7: "makes new keys where the next ring is damaged";
    DropDemotedKeys I1 I2: "publishes a ring without a key that tokens may still need";
    RequestedByPromotion I7: "takes a request for fulfilled by the promotion before it";
    UnknownReplicasAreNone I1: "takes replicas that could not be listed for none";
    OneReplicaIsAll I1: "is content when one replica has the keys";
    IgnoreReports I1: "does not compare what a replica says it has";
    PodReadyIsEnough I1: "takes a ready pod for one that has the newest keys";
    UnreadyPodHasKeys I1: "waits by the clock alone, though a node is out of touch";
    SkipMigration I2: "rotates credential keys without migrating";
    TrustAnyMigration I2: "takes a migration to another ring for the one it needs";
    TrustRunningMigration I2: "goes on while the migration runs";
    TrustFailedMigration I2: "goes on after a migration that failed";
    NextWithoutPrecondition I7 I9: "writes the next ring without a precondition";
    LiveWithoutPrecondition I1 I2 I9: "writes the mounted ring without a precondition";
    // Generations.
    MintBeforeStage I5 I7: "asks for a credential before its secret is kept";
    MintBeforeCommit I4 I7: "asks for a credential before its number is taken";
    PublishUnproven I3: "publishes a credential that nobody has logged in with";
    PublishOnAvailable I3: "publishes what K-ORC calls available while Keystone refuses it";
    StampBeforeDelivery I6: "rolls consumers before the credential is delivered";
    StampAtOnce I6: "rolls consumers before every node can know the credential";
    DeliveredIsRolledOut I6 I3: "takes delivery for rollout";
    OnePodIsAll I6: "is content when one pod has the new credential";
    UnknownPodsAreNone I6: "takes pods that could not be listed for none";
    MissingConsumerHasNoPods I6: "takes a consumer that is not found for one without pods";
    RetireWithoutDrain I6: "revokes without waiting for the tokens";
    DrainWithoutSkew I6: "waits for tokens without regard to clocks that differ";
    RevokeNewest I6: "revokes the generation that was just published";
    DeleteThenCreate I6 I3 I7: "revokes the old credential before the new one is made";
    TrustGoneObject I7: "takes a deleted object for a revoked credential";
    TrustFailedQuestion I4: "takes no answer of Keystone for the answer that there is nothing";
    ForgetHighWater I7 I4: "takes the number of a generation again";
    ManyGenerations I4: "makes a new generation while two are live";
    WithdrawAtOnce I3 I6: "takes back what was to be published, as soon as it is not seen published";
    ForgetWithStatus I7 I3 I4 I6: "does not look for what was under way when the rotation was made anew";
    KeepAbandoned I4 I3 I7: "never cleans up a generation that came to nothing";
    ExpireAtDue I3: "lets a credential end when its successor is begun";
    IgnoreExpiry I3: "goes by a longer interval though the credential ends before";
    RestUnasked I7: "is content though Keystone was not asked whether the old one is gone";
    NeverHeal I7: "does not replace a credential that Keystone refuses";
    HealAtRestOnly I7: "lets consumers wait with a refused credential until tokens of the one before are over";
    HealOnSilence I7: "replaces a credential when Keystone does not answer";
    PublishWithoutPrecondition I9: "publishes without a precondition";
    RevokeWithoutPrecondition I3 I9: "deletes without a precondition";
    StageWithoutPrecondition I3 I9: "writes a secret without a precondition";
    StageIntoUse I3: "gives the alternating user that is in use a new password";
    ScrambleBeforeDrain I6: "changes the old user's password while it is in use";
    PublishUnapplied I3: "publishes a password that the server does not know yet";
    WriteAtRest I7: "writes although nothing is to be done";
    // Both.
    PreconditionOfTheMoment I9 I7: "asks for the version that it finds when it writes, not for the one it decided on";
}
