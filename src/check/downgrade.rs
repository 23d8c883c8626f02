//! The release of a cloud goes one way: services migrate their databases when they start, and none has a
//! way back.

use crate::finding::{Code, Finding, Place};
use crate::generate::sentinel;
use crate::object::Object;

/// A release, and the older one that would follow it.
pub(super) struct Downgrade<'a> {
    from: &'a str,
    to: &'a str,
}

/// None for any other object than the sentinel, which carries the release.
pub(super) fn check<'a>(before: &'a Object, after: &'a Object) -> Option<Downgrade<'a>> {
    let (from, to) = (sentinel::release(before)?, sentinel::release(after)?);
    // `2025.1` and `2025.2`: a year has four digits, and two series.
    (to < from).then_some(Downgrade { from, to })
}

impl Downgrade<'_> {
    pub fn finding(&self, control_plane: &str, place: Place) -> Finding {
        let Downgrade { from, to } = self;
        Code::Downgrade
            .at(place)
            .because(format!(
                "{from} becomes {to}, and services of {to} cannot read the databases of {from}"
            ))
            .remedy(format!(
                "leave it at {from} or newer; if the databases may be lost, say --allow-removal {control_plane}"
            ))
    }
}
