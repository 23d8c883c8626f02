//! The companion operator of Strata: keys and credentials that rotate without anyone noticing.

pub mod shell;

/// What decides; it has no dependencies, and does nothing by itself.
pub use strata_rotation as core;
/// What it agrees on with those who render for it.
pub use strata_rotation_api as api;
pub use strata_rotation_api::rbac;
