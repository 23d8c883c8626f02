//! The real tools and CRDs that the tests run against: built once, from pinned versions, into the
//! user's cache folder, and checked against their checksums at every use.
//!
//! `table` says what there is; a new tool is one row there. `recipe` says the ways there are to make
//! one; `cache` keeps the results; `install` brings the two together.

mod cache;
mod go;
mod install;
#[cfg(test)]
mod pins;
mod python;
mod recipe;
mod seal;
mod table;

pub use install::{Installed, install};
pub use table::{Part, TABLE};
