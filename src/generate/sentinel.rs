//! The sentinel: one small object that is always emitted. A build in which it is missing did not
//! run Strata, and the guard that `strata init` writes makes such a build fail instead of
//! handing Flux an empty folder to prune from.

use crate::deliver::staging::Staging;
use crate::map;
use crate::object::Object;
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

/// The release of the cloud, if the object is its sentinel.
pub fn release(object: &Object) -> Option<&str> {
    let data = |key| object.body().at(&["data", key])?.as_str();
    let is_it = object.kind() == "ConfigMap" && object.name() == name(data("controlPlane")?);
    data("release").filter(|_| is_it)
}

/// Its name, by the name of the control plane.
pub fn name(control_plane: &str) -> String {
    format!("strata-{control_plane}")
}
