//! Waiting for what others do, within bounds, and saying what for.

use std::io::Write;
use std::time::{Duration, Instant};

use super::guarded::Guarded;

const POLL: Duration = Duration::from_millis(500);
const SAY_EVERY: Duration = Duration::from_secs(10);

/// Waits until nothing is missing. `missing` names what is, with the reason where one is known.
pub fn wait_for(
    what: &str,
    within: Duration,
    last_words: impl Fn() -> String,
    missing: impl Fn() -> Vec<String>,
) {
    let started = Instant::now();
    let mut said = started;
    loop {
        let names = missing();
        if names.is_empty() {
            return progress(&format!("{what}: all there after {:.1?}", started.elapsed()));
        }
        assert!(
            started.elapsed() < within,
            "{what}: after {within:?} these are missing:\n  {}\n{}",
            names.join("\n  "),
            last_words()
        );
        if said.elapsed() > SAY_EVERY {
            said = Instant::now();
            progress(&format!("waiting for {what}: {} missing, first {}", names.len(), names[0]));
        }
        std::thread::sleep(POLL);
    }
}

/// Written past the capture of the test program: whoever waits wants to know now.
pub fn progress(line: &str) {
    // Nobody reading is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

pub fn last_words(name: &str, server: &Guarded) -> String {
    format!("--- the last words of {name}:\n{}", server.last_words())
}
