//! Writes on their way. Whoever sent one looked before at what else it depends on, and it arrives later; and
//! when the answer is lost, it may arrive twice.

use super::cell::BEHIND;
use super::fault::Crash;
use super::random::Random;
use crate::{Action, Seen, Time};

/// A write with all that its sender put into it.
#[derive(Debug, Clone)]
pub struct Sent<Body> {
    pub action: Action,
    /// What its sender saw of the object when this was decided.
    pub saw: Seen<()>,
    pub body: Body,
    /// By the clock of whoever sent it.
    pub now: Time,
    /// It goes without its precondition.
    pub blind: bool,
    until: i64,
}

#[derive(Debug)]
pub struct Flights<Body>(Vec<Sent<Body>>);

impl<Body> Default for Flights<Body> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<Body: Clone> Sent<Body> {
    pub fn new(
        (action, saw): (Action, Seen<()>),
        body: Body,
        now: Time,
        blind: bool,
        time: i64,
    ) -> Self {
        Self { action, saw, body, now, blind, until: time + BEHIND }
    }
}

impl<Body: Clone> Flights<Body> {
    /// What arrives at once, of a write that somebody sends.
    pub fn send(
        &mut self,
        sent: Sent<Body>,
        crash: Option<Crash>,
        late: bool,
    ) -> Option<Sent<Body>> {
        match crash {
            Some(Crash::Before) => None,
            _ if late => {
                self.0.push(sent);
                None
            }
            Some(Crash::LostReply) => {
                self.0.push(sent.clone());
                Some(sent)
            }
            Some(Crash::After) | None => Some(sent),
        }
    }

    /// One that arrives now.
    pub fn arrive(&mut self, random: &mut Random) -> Option<Sent<Body>> {
        if self.0.is_empty() || !random.one_in(3) {
            return None;
        }
        let which = random.below(self.0.len());
        Some(self.0.swap_remove(which))
    }

    /// The first that arrives between these times at the latest, and when.
    pub fn arrive_until(&mut self, now: i64, until: i64) -> Option<(i64, Sent<Body>)> {
        let (which, _) = self.0.iter().enumerate().min_by_key(|(_, sent)| sent.until)?;
        (self.0[which].until <= until).then(|| {
            let sent = self.0.swap_remove(which);
            (sent.until.max(now), sent)
        })
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
