//! What is said of a panic: where it was, and nothing else. Its message may quote what was being handled.

use std::panic::{Location, set_hook};

use super::log;

/// Begins the log, and nothing but it tells of panics from then on. Both at once, so that whoever has a log, has that.
pub fn begin_log() {
    log::begin();
    set_hook(Box::new(|panic| report(panic.location())));
}

fn report(location: Option<&Location<'_>>) {
    let place = location.map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a fault in the operator itself");
}
