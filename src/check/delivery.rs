//! What must hold of the clouds of one tree together.

use std::collections::HashMap;

use crate::deliver::staging::Staging;
use crate::finding::{Code, Finding, Findings, Place};

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
        let names_of_stages: Vec<String> = stages.chain([cloud.control_plane.clone()]).collect();
        if let Some(finding) = too_long(cloud, &names_of_stages, here) {
            findings.push(finding);
        }
        for name in names_of_stages {
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

/// One finding for all: they have the name of the control plane in common.
fn too_long(cloud: &Staging, names: &[String], place: impl Fn() -> Place) -> Option<Finding> {
    let long = names.iter().filter(|name| name.len() > LONGEST).count();
    let longest = names.iter().max_by_key(|name| name.len()).filter(|_| long > 0)?;
    let others = match long {
        1 => String::new(),
        _ => format!(", and {} others have more than {LONGEST}", long - 1),
    };
    let fitting = (cloud.control_plane.len() + LONGEST).saturating_sub(longest.len());
    Some(
        Code::BadObjectName
            .at(place())
            .because(format!(
                "Flux's Kustomization `{longest}` has {} bytes, which do not fit into a label{others}",
                longest.len()
            ))
            .remedy(format!("give the control plane a name of at most {fitting} bytes")),
    )
}
