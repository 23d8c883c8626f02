//! A control plane as it was written: layer over layer. Built-in values lie below all of them, then
//! the Defaults of the whole installation, then those of the cloud's own namespace, then what was
//! written for the cloud alone: a ControlPlane, or a claim that stands for one.

mod claim;
mod merge;
mod names;
mod places;
mod written;

use crate::schema::Schema;
pub use claim::schema as claim_schema;
pub use names::of_pool as pool_name;
pub use places::{At, SIZE, with_places};
pub use written::{Layer, Written, control_planes};

/// The schema of Defaults, from that of a ControlPlane: the same fields, and none has to be there.
pub fn defaults_schema(control_plane: &Schema) -> Schema {
    let mut schema = control_plane.clone();
    if let Some(spec) = schema.property_mut("spec") {
        *spec = std::mem::take(spec).of_part();
    }
    schema
}

/// The namespace whose Defaults are for every cloud.
pub const SYSTEM: &str = "strata-system";
