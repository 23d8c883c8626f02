//! What is published reaches everybody.

use super::retire::{retire, withdrawing};
use super::{BEHIND, Consumer, GenerationsSeen, LOOK_AGAIN, Means, Pods};
use crate::action::{Move, Object, Phase, Precondition, Reason, Step};
use crate::nudge::nudge;
use crate::seen::{Digest, Seen, Time};
use crate::slips::{Mistake, Slips};

/// What is published reaches everybody, and then nothing older is left. None when that is so.
pub(super) fn deliver<S: Slips>(
    seen: &GenerationsSeen<'_>,
    current: u32,
    now: Time,
    slips: &S,
) -> Option<Step> {
    let delivered = match (seen.delivered, seen.published) {
        // What is there before anything was published is none of ours.
        (Seen::Present(..), _) if current == 0 => return None,
        (Seen::Present(_, delivered), _) if delivered.generation == current => delivered,
        (Seen::Present(_, delivered), _) if slips.makes(Mistake::StampBeforeDelivery) => delivered,
        (Seen::Unknown, _) => {
            return Some(Step::wait(Phase::Published, Reason::CannotRead, LOOK_AGAIN));
        }
        (_, Seen::Present(_, published)) => {
            let ways = [(Object::PushSecret, seen.push), (Object::ExternalSecret, seen.pull)];
            let why = (Phase::Published, Reason::WaitingForDelivery);
            return Some(nudge(why, published.digest, seen.published_watched, ways));
        }
        // To be published again first.
        _ => return None,
    };
    // When a user's password came to nothing and the other one's was published again, a pod may carry
    // the digest of the one and have the other. So all are rolled, for that purpose alone.
    let alternating = seen.policy.means == Means::Alternating;
    let again = alternating && seen.marks.rolled_out > 0 && withdrawing(seen, current);
    if again && seen.published_watched < BEHIND {
        return Some(Step::wait(Phase::Delivered, Reason::WaitingForDelivery, LOOK_AGAIN));
    }
    let digest = if again { Digest(!delivered.digest.0) } else { delivered.digest };
    let behind = seen.consumers.iter().find(|consumer| consumer.template != Some(digest));
    if let Some(Consumer { place, stamp, .. }) = behind {
        // A pod that starts before its node knows the new credential would carry the hash of the new one and
        // have the old one.
        let known = seen.delivered_watched >= seen.policy.cache;
        if !known && !slips.makes(Mistake::StampAtOnce) {
            return Some(Step::wait(Phase::Delivered, Reason::WaitingForDelivery, LOOK_AGAIN));
        }
        let (at, make) = (Precondition::At(*stamp), Move::Stamp(digest));
        return Some(Step::act(Phase::Delivered, Object::Consumer(*place), at, make));
    }
    let rolled_out = match seen.pods {
        _ if slips.makes(Mistake::DeliveredIsRolledOut) => true,
        Pods::Unknown => slips.makes(Mistake::UnknownPodsAreNone),
        Pods::Unnamed => slips.makes(Mistake::MissingConsumerHasNoPods),
        Pods::Carry(pods) if slips.makes(Mistake::OnePodIsAll) => pods.contains(&Some(digest)),
        Pods::Carry(pods) => pods.iter().all(|pod| *pod == Some(digest)),
    };
    retire(seen, current, rolled_out, now, slips)
}
