//! The core under seeded faults. A model of the API server, the store with External Secrets, K-ORC,
//! Keystone, kubelets and people stands in for the world; the core is the one that runs in production.
//! One seed is one schedule, and the same seed is the same schedule for ever.

pub mod cell;
pub mod fault;
pub mod flight;
mod generation_end;
mod generation_events;
mod generation_look;
pub mod generation_world;
mod generation_writes;
mod key_events;
mod key_pods;
pub mod key_world;
mod key_writes;
pub mod leader;
pub mod random;
pub mod run;

pub use run::{Machine, Report, pairs, replay, schedule, schedules};

/// An invariant that did not hold, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub invariant: &'static str,
    pub text: String,
}

impl Violation {
    pub fn new(invariant: &'static str, text: impl Into<String>) -> Self {
        Self { invariant, text: text.into() }
    }
}
