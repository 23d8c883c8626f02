//! Real servers and tools for tests: etcd and kube-apiserver on loopback, with CRDs installed, and
//! kubectl. Everything started here ends with the test program, however that ends.
//!
//! A test file says `mod real;` and runs under `cargo xtask test`, which installs what is needed.
#![allow(dead_code, reason = "each test file uses the part that it needs")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test may panic"
)]
#![allow(clippy::print_stdout, reason = "a test without STRATA_REPORT reports to its output")]

mod apply;
mod crds;
mod guarded;
mod http;
mod kubectl;
mod objects;
mod report;
mod server;
mod service_account_key;
mod tools;

#[allow(unused_imports, reason = "each test file uses the part that it needs")]
pub use self::{
    apply::Verdict, crds::CrdSource, kubectl::Kubectl, objects::Object, report::report,
    server::ApiServer, tools::tool,
};
