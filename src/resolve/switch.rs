//! What is off unless it is switched on. Whoever sets it up and does not say so is told.

use crate::finding::{Code, Findings, Path};
use crate::layers::Written;

pub const REMEDY: &str = "add `enabled: true`, or `enabled: false` to keep the settings for later";

/// Whether it is on. `because` says what its settings come to where it is not.
pub fn is_on(
    enabled: Option<bool>,
    is_set_up: bool,
    (path, because): (&Path, &str),
    written: &Written,
    findings: &mut Findings,
) -> bool {
    if enabled.is_none() && is_set_up {
        findings.push(Code::NoEffect.at(written.place(path)).because(because).remedy(REMEDY));
    }
    enabled == Some(true)
}
