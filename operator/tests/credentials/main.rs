//! Credentials in generations and joined Secrets, on real servers.
//!
//! Real: kube-apiserver, the operator as a process under its own account, External Secrets, K-ORC,
//! Keystone. Played by the test: the store of secrets (its KV v2 contract), the controllers of Deployments
//! and pods (`pods.rs`), and, for passwords, the operators of database and broker (`passwords.rs`). The
//! operator's clock is put forward where tokens have to grow old.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod application_credential;
mod chance;
mod clock;
mod cloud;
mod healing;
mod joined;
mod korc;
mod missing;
mod passwords;
mod phases;
mod plane;
mod pods;
mod rotation;
mod service;
mod shared;
#[path = "../stage/mod.rs"]
mod stage;

use stage::real;
