//! Links between objects: what an object names, what it makes beside itself, and what lies outside
//! of the cloud. One table of fields says where names stand; the check and the graphs read it.

mod find;
mod generated;
mod made;
mod outside;
mod patches;
mod table;

pub use find::{Reference, Step, references, shown_path};
pub use generated::{GENERATOR, generated};
pub use made::{Id, Makers, group, is_always_there};
pub use outside::{External, Flux, excuse, reasons};
pub use table::{DEFAULT_CLASS, SECRET, STORE_PATH, TRUST};
