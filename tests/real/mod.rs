//! Real servers and tools for tests: etcd and kube-apiserver on loopback, with CRDs installed, and
//! kubectl; Keystone, K-ORC and External Secrets, with a store of secrets; Flux's kustomize-controller.
//! Everything started here ends with the test program, however that ends.
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
mod authority;
mod crds;
pub mod external_secrets;
mod guarded;
mod http;
pub mod keystone;
pub mod korc;
mod kubectl;
pub mod kustomize_controller;
mod kv;
mod objects;
mod report;
mod server;
mod service_account_key;
pub mod state;
pub mod store;
mod tools;
mod waiting;

#[allow(unused_imports, reason = "each test file uses the part that it needs")]
pub use self::{
    apply::Verdict,
    authority::Authority,
    crds::CrdSource,
    guarded::{Guarded, folder},
    keystone::Keystone,
    kubectl::Kubectl,
    kv::{Kv, Write},
    objects::Object,
    report::report,
    server::ApiServer,
    store::Store,
    tools::tool,
    waiting::{last_words, progress, wait_for},
};
