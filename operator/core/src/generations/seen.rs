//! What is seen of a credential in generations, and by which rules it is judged.

use crate::action::{Precondition, Sync};
use crate::schedule::{DAY, Schedule};
use crate::seen::{Digest, Seen, Stamp, Time};

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
    /// How long a node may give a new pod a Secret as it was before.
    pub cache: i64,
}

impl Policy {
    /// Without any, a credential would end at the moment at which its successor is begun.
    fn overtime(&self) -> i64 {
        self.overtime.max(DAY)
    }

    /// When a credential that is made now ends by itself.
    pub(super) fn expiry(&self, now: Time) -> Time {
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
    /// For how long this process has seen what is published, and what is delivered, in its present version.
    pub published_watched: i64,
    pub delivered_watched: i64,
    /// For alternating users: under which condition the place of each may be written; None while a
    /// generation is in it.
    pub free: [Option<Precondition>; 2],
}
