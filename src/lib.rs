//! Strata turns a small spec into a whole OpenStack control plane on Kubernetes.

pub mod order;
pub mod value;
pub mod yaml;
