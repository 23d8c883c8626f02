//! What is said of a panic: where it was, and nothing else. Its message may quote what was being handled.

use std::panic::{Location, set_hook};

pub fn say_only_where() {
    set_hook(Box::new(|panic| report(panic.location())));
}

fn report(location: Option<&Location<'_>>) {
    let place = location.map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a fault in the operator itself");
}
