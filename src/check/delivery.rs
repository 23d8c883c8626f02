//! What must hold of the clouds of one tree together.

use std::collections::HashMap;

use crate::deliver::staging::Staging;
use crate::finding::{Code, Findings, Place};

/// Flux writes the name of a Kustomization into a label of all that it applies; 63 bytes is what a
/// label's value may have.
const LONGEST: usize = 63;

/// `place` is where `delivery` of a control plane (namespace, name) stands.
pub fn check(clouds: &[Staging], place: impl Fn(&str, &str) -> Place, findings: &mut Findings) {
    let mut names: HashMap<(&str, String), &Staging> = HashMap::new();
    for cloud in clouds {
        let here = || place(&cloud.namespace, &cloud.control_plane);
        let shown = |cloud: &Staging| format!("{}/{}", cloud.namespace, cloud.control_plane);
        let stages = cloud.stages.iter().map(|stage| cloud.stage_name(&stage.component));
        for name in stages.chain([cloud.control_plane.clone()]) {
            if name.len() > LONGEST {
                findings.push(
                    Code::BadObjectName
                        .at(here())
                        .because(format!(
                            "Flux's Kustomization `{name}` has more than {LONGEST} bytes"
                        ))
                        .remedy("shorten the name of the control plane"),
                );
            }
            let key = (cloud.delivery.namespace.as_str(), name);
            if let Some(other) = names.get(&key) {
                findings.push(
                    Code::SameStage
                        .at(here())
                        .because(format!("`{}` is also one of {}", key.1, shown(other)))
                        .remedy("give one of the two control planes another name, or another `delivery.namespace`"),
                );
                break;
            }
            names.insert(key, cloud);
        }
    }
    let Some(first) = clouds.first() else { return };
    for cloud in &clouds[1..] {
        let refuse = |because: String, remedy: &str| {
            Code::SplitTree
                .at(place(&cloud.namespace, &cloud.control_plane))
                .because(because)
                .remedy(remedy)
        };
        if cloud.delivery.path != first.delivery.path {
            findings.push(refuse(
                format!(
                    "the tree would lie at `{}` and, for {}/{}, at `{}`",
                    cloud.delivery.path, first.namespace, first.control_plane, first.delivery.path
                ),
                "give both the same path, or render them into trees of their own",
            ));
        }
        let other = clouds.iter().find(|other| {
            let [one, two] = [&cloud.delivery.source, &other.delivery.source];
            let (Some(one), Some(two)) = (one, two) else { return false };
            one.get("kind") == two.get("kind")
                && one.get("metadata") == two.get("metadata")
                && one != two
        });
        if let Some(other) = other {
            findings.push(refuse(
                format!(
                    "{}/{} says otherwise of the same source",
                    other.namespace, other.control_plane
                ),
                "say the same of it in both, or give one of the two another name",
            ));
        }
    }
}
