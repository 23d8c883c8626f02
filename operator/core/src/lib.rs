//! What to do next, as a pure function of what is seen: no I/O, no clock, no randomness. Secrets are
//! known here by their digests alone; new key material is asked for and made by the shell.
//!
//! The crate has no dependencies, so that this cannot change by accident.

pub mod action;
pub mod cron;
pub mod generations;
pub mod keys;
mod nudge;
pub mod ring;
pub mod schedule;
pub mod seen;
pub mod simulate;
pub mod slips;

pub use action::{Action, Move, Object, Phase, Precondition, Reason, Step, Sync};
pub use ring::Ring;
pub use seen::{Digest, Seen, Stamp, Time};
pub use slips::{Faultless, Mistake, Slips};
