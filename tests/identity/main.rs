//! The rendered credentials and identity objects of a whole cloud, walked by the controllers that serve
//! them: External Secrets makes every password, keeps it in the store and delivers it; K-ORC registers
//! every service in a real Keystone, and the services log in there with what was delivered to them.
//!
//! Real: kube-apiserver, External Secrets, K-ORC, Keystone, the client `openstack`. Played by the test:
//! the store of secrets (its KV v2 contract), cert-manager (the test writes the authority's Secret),
//! the operator of Keystone (the test bootstraps it with the delivered password), and one line of the
//! delivered `clouds.yaml`, which names a host that only a cluster's DNS knows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod catalog;
mod cloud;
mod credentials;
mod keystone;
#[path = "../real/mod.rs"]
mod real;
mod stage;
mod store;
