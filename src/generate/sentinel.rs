//! The sentinel: one small object that is always emitted. A build in which it is missing did not
//! run Strata, and the guard that `strata init` writes makes such a build fail instead of
//! handing Flux an empty folder to prune from.

use crate::deliver::staging::Staging;
use crate::map;
use crate::plan::Plan;
use crate::resolve::Cloud;
use crate::value::Map;

/// The component it belongs to.
pub const HOME: &str = "namespace";

/// It carries the plan and how the tree is delivered, so that a later step needs no spec for either.
pub fn sentinel(cloud: &Cloud, plan: &Plan) -> Map {
    let mut data = Staging::of(cloud, plan).to_data();
    data.insert("release", cloud.release.clone());
    data.insert("distribution", cloud.distribution.name());
    map! {
        "apiVersion" => "v1",
        "kind" => "ConfigMap",
        "metadata" => map! { "name" => name(&cloud.name) },
        "data" => data,
    }
}

/// Its name, by the name of the control plane.
pub fn name(control_plane: &str) -> String {
    format!("strata-{control_plane}")
}
