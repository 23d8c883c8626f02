//! What findings look like to those who read them.

pub mod excerpt;
pub mod human;
pub mod json;
pub mod plain;
pub mod reason;
