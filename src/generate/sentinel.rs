//! The sentinel: one small object that is always emitted. A build in which it is missing did not
//! run Strata, and the guard that `strata init` writes makes such a build fail instead of
//! handing Flux an empty folder to prune from.

use crate::map;
use crate::plan::{self, Plan};
use crate::resolve::Cloud;
use crate::value::Map;

/// The component it belongs to.
pub const HOME: &str = "namespace";

/// It carries the plan, so that a later step can tell order without the spec.
pub fn sentinel(cloud: &Cloud, plan: &Plan) -> Map {
    let mut lines = String::new();
    for component in plan.components(cloud) {
        let needs: Vec<&str> = plan::needs(cloud, component).collect();
        lines.push_str(component.name());
        lines.push(':');
        for need in needs {
            lines.push(' ');
            lines.push_str(need);
        }
        lines.push('\n');
    }
    map! {
        "apiVersion" => "v1",
        "kind" => "ConfigMap",
        "metadata" => map! { "name" => name(&cloud.name) },
        "data" => map! {
            "controlPlane" => cloud.name.clone(),
            "release" => cloud.release.clone(),
            "distribution" => cloud.distribution.name(),
            "plan" => lines,
        },
    }
}

/// Its name, by the name of the control plane.
pub fn name(control_plane: &str) -> String {
    format!("strata-{control_plane}")
}
