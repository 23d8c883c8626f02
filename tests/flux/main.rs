//! A real Flux follows a rendered tree: kustomize-controller on a real kube-apiserver takes a cloud from
//! nothing to ready, in the order of the plan, and then to its next revision. The operators' status is
//! played by the test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test may panic"
)]

#[path = "../real/mod.rs"]
mod real;

mod bytes;
mod cloud;
mod judged;
mod operators;
mod revisions;
mod serving;
mod world;
