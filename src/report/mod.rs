//! What findings look like to those who read them.

pub mod plain;
