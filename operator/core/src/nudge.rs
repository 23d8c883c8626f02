//! External Secrets pushes and pulls hourly, and when an annotation changes.

use super::action::{Move, Object, Phase, Precondition, Reason, Step, Sync};
use super::seen::{Digest, Seen};

/// A way that has not been told of the content is told. Each try comes after twice the time of the one
/// before, so that a store that is down does not make many writes.
pub fn nudge(
    (phase, waiting): (Phase, Reason),
    content: Digest,
    watched: i64,
    ways: [(Object, Seen<Option<Sync>>); 2],
) -> Step {
    const FIRST_TRY: i64 = 20;
    const LOOK_AGAIN: i64 = 10;
    let attempt = (watched / FIRST_TRY + 1).ilog2().min(9);
    for (object, told) in ways {
        let Seen::Present(stamp, told) = told else { continue };
        let heard = told.is_some_and(|told| told.content == content && told.attempt >= attempt);
        if !heard {
            let make = Move::Nudge(Sync { content, attempt });
            return Step::act(phase, object, Precondition::At(stamp), make);
        }
    }
    Step::wait(phase, waiting, LOOK_AGAIN)
}
