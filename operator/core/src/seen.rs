//! How the world looks to the core.

/// Seconds since 1970 by the wall clock of whoever wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub i64);

impl Time {
    #[must_use]
    pub const fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The first half of a SHA-256: enough to tell contents apart, and nothing to get them back from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest(pub u128);

/// One version of one object. Kubernetes writes versions as decimal numbers and UIDs as UUIDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stamp {
    pub uid: u128,
    pub version: u64,
}

/// What is known of an object. Not to know is not to know that it is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen<T> {
    Unknown,
    Absent,
    /// It is there, and its contents are not what they should be.
    Damaged(Stamp),
    Present(Stamp, T),
}

impl<T> Seen<T> {
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Present(_, value) => Some(value),
            _ => None,
        }
    }

    pub fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Present(stamp, _) | Self::Damaged(stamp) => Some(*stamp),
            Self::Unknown | Self::Absent => None,
        }
    }
}
