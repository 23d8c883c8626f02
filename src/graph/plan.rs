//! The plan: components by phase, each with what it needs.

use std::fmt::Write as _;

use crate::graph::mermaid::Part;
use crate::graph::title;
use crate::plan::{Plan, needs};
use crate::record::Phase;
use crate::resolve::{Cloud, Component};

pub fn plan_text(cloud: &Cloud, plan: &Plan) -> String {
    let mut out = format!("{}\n", title(cloud));
    let width = cloud.components.iter().map(|component| component.name().len()).max();
    for (phase, components) in phases(cloud, plan) {
        let _ = writeln!(out, "\n{}", phase.name());
        for component in components {
            let needs: Vec<&str> = needs(cloud, component).collect();
            let line = match needs.as_slice() {
                [] => component.name().to_owned(),
                needs => format!(
                    "{:width$}  needs {}",
                    component.name(),
                    needs.join(", "),
                    width = width.unwrap_or_default()
                ),
            };
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// An arrow leads from what must be ready to what then starts.
pub fn plan_mermaid(cloud: &Cloud, plan: &Plan) -> String {
    const NODE: (&str, &str) = ("[", "]");
    let mut part = Part::new(&cloud.namespace, &title(cloud));
    for (phase, components) in phases(cloud, plan) {
        part.open(phase.name());
        for component in components {
            part.node(component.name(), NODE);
        }
        part.close();
    }
    for component in plan.components(cloud) {
        for need in needs(cloud, component) {
            let (from, to) = (part.node(need, NODE), part.node(component.name(), NODE));
            part.arrow(&from, &to);
        }
    }
    part.finish()
}

/// The phases that have components, in order, with these in the order of the plan.
fn phases<'a>(
    cloud: &'a Cloud,
    plan: &'a Plan,
) -> impl Iterator<Item = (Phase, Vec<&'a Component<'a>>)> {
    Phase::ALL.iter().filter_map(move |&phase| {
        let of_phase = plan.components(cloud).filter(|component| component.record.phase == phase);
        Some((phase, of_phase.collect::<Vec<_>>())).filter(|(_, components)| !components.is_empty())
    })
}
