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
    ($($name:ident: $text:literal;)*) => {
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
        }
    };
}

mistakes! {
    // Keys.
    PromoteWithoutWaiting: "promotes the staged key before every replica has it";
    PromoteUnstagedKey: "promotes a key that was never staged";
    OneWriteRotation: "promotes and restages in one write";
    RestageWithoutWaiting: "restages before every replica has the new primary under its own name";
    PruneByCount: "keeps three keys, whatever their age";
    PruneWithoutWindow: "forgets the window in which expired tokens are accepted";
    PruneWithoutSkew: "prunes without regard to clocks that differ";
    PruneByPromotion: "counts a key's age from the promotion, not from when nobody used it any more";
    FreshKeysOverBackup: "makes new keys when the Secret is gone";
    AbsentBackupIsNone: "takes a backup that did not arrive for one that does not exist";
    PublishBeforeStore: "publishes keys that the store does not have";
    PublishForeignKeys: "publishes what came from the store, though it has none of the keys in use";
    BackUpDamage: "copies a damaged Secret over the backup";
    UnknownReplicasAreNone: "takes replicas that could not be listed for none";
    OneReplicaIsAll: "is content when one replica has the keys";
    IgnoreReports: "does not compare what a replica says it has";
    PodReadyIsEnough: "takes a ready pod for one that has the newest keys";
    UnreadyPodHasKeys: "waits by the clock alone, though a node is out of touch";
    SkipMigration: "rotates credential keys without migrating";
    TrustAnyMigration: "takes a migration to another ring for the one it needs";
    TrustRunningMigration: "goes on while the migration runs";
    TrustFailedMigration: "goes on after a migration that failed";
    NextWithoutPrecondition: "writes the next ring without a precondition";
    LiveWithoutPrecondition: "writes the mounted ring without a precondition";
    // Generations.
    MintBeforeStage: "asks for a credential before its secret is kept";
    MintBeforeCommit: "asks for a credential before its number is taken";
    PublishUnproven: "publishes a credential that nobody has logged in with";
    PublishOnAvailable: "publishes what K-ORC calls available while Keystone refuses it";
    StampBeforeDelivery: "rolls consumers before the credential is delivered";
    DeliveredIsRolledOut: "takes delivery for rollout";
    OnePodIsAll: "is content when one pod has the new credential";
    UnknownPodsAreNone: "takes pods that could not be listed for none";
    MissingConsumerHasNoPods: "takes a consumer that is not found for one without pods";
    RetireWithoutDrain: "revokes without waiting for the tokens";
    DrainWithoutSkew: "waits for tokens without regard to clocks that differ";
    RevokeNewest: "revokes the generation that was just published";
    DeleteThenCreate: "revokes the old credential before the new one is made";
    TrustGoneObject: "takes a deleted object for a revoked credential";
    TrustFailedQuestion: "takes no answer of Keystone for the answer that there is nothing";
    ForgetHighWater: "takes the number of a generation again";
    ManyGenerations: "makes a new generation while two are live";
    WithdrawAtOnce: "takes back what was to be published, as soon as it is not seen published";
    ForgetWithStatus: "does not look for what was under way when the rotation was made anew";
    KeepAbandoned: "never cleans up a generation that came to nothing";
    NeverHeal: "does not replace a credential that Keystone refuses";
    HealOnSilence: "replaces a credential when Keystone does not answer";
    PublishWithoutPrecondition: "publishes without a precondition";
    RevokeWithoutPrecondition: "deletes without a precondition";
    StageWithoutPrecondition: "writes a secret without a precondition";
    StageIntoUse: "gives the alternating user that is in use a new password";
    ScrambleBeforeDrain: "changes the old user's password while it is in use";
    PublishUnapplied: "publishes a password that the server does not know yet";
    WriteAtRest: "writes although nothing is to be done";
}
