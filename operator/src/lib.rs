//! The companion operator of Strata: keys and credentials that rotate without anyone noticing.

pub mod api;
pub mod install;
pub mod rbac;
pub mod shell;

/// What decides; it has no dependencies, and does nothing by itself.
pub use strata_rotation as core;
