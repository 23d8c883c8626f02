//! `cargo xtask test`: every layer of tests, one summary.

mod layers;
mod libtest;
mod report;
mod run;

pub use layers::{chosen, files};
pub use run::run;
