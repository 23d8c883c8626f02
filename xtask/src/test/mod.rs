//! `cargo xtask test`: every layer of tests, one summary.

mod layers;
mod libtest;
mod report;
mod run;

pub use run::run;
