//! YAML in and out: reading keeps the place of every node, writing gives kustomize's own bytes.

mod anchors;
mod compose;
mod encoding;
mod open_map;
pub mod place;
pub mod plain;
pub mod read;
mod scalar;
mod syntax;
pub mod tree;
