//! Lines for the summary of `cargo xtask test`.

use std::fs::OpenOptions;
use std::io::Write;

/// Adds a line to the report; the summary repeats those that start with `judged:`, `not judged:`,
/// `identity:`, `flux:` or `rotation:`.
pub fn report(line: &str) {
    let Some(path) = std::env::var_os("STRATA_REPORT") else {
        println!("{line}");
        return;
    };
    // One write per line, appended: test programs may run side by side.
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).expect("the report can be opened");
    file.write_all(format!("{line}\n").as_bytes()).expect("the report can be written");
}
