//! Keys under a real Keystone: the operator as it is shipped rotates them on a real API server, replicas
//! get them late, and every token and every credential goes on being good.
//!
//! Played by the tests are kubelet and, but for one test, External Secrets; their lags are drawn from a
//! seed. How the threads meet is not: a seed brings back the lags, not the run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failing test may panic"
)]

mod cloud;
mod delivery;
mod foreign;
mod migration;
mod node;
mod operator;
mod plane;
mod rows;
#[path = "../stage/mod.rs"]
mod stage;
mod tokens;
mod traffic;
