//! YAML in and out: reading keeps the place of every node, writing gives kustomize's own bytes.

pub(crate) mod bytes;
pub mod place;
pub mod read;
pub mod tree;
pub mod unfit;
pub mod write;
