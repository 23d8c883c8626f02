//! The plan: components by phase, each with what it needs.

use std::fmt::Write as _;

use crate::graph::drawing::{Drawing, Shape};
use crate::graph::{dot, mermaid, title};
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

pub fn plan_mermaid(cloud: &Cloud, plan: &Plan) -> String {
    let mut part = mermaid::Part::new(&cloud.namespace, &title(cloud));
    draw(cloud, plan, &mut part);
    part.finish()
}

pub fn plan_dot(cloud: &Cloud, plan: &Plan) -> String {
    let mut part = dot::Part::new(&cloud.namespace, &title(cloud));
    draw(cloud, plan, &mut part);
    part.finish()
}

/// An arrow leads from what must be ready to what then starts.
fn draw(cloud: &Cloud, plan: &Plan, part: &mut impl Drawing) {
    for (phase, components) in phases(cloud, plan) {
        part.open(phase.name());
        for component in components {
            part.node(component.name(), Shape::Box);
        }
        part.close();
    }
    for component in plan.components(cloud) {
        for need in needs(cloud, component) {
            let (from, to) = (part.node(need, Shape::Box), part.node(component.name(), Shape::Box));
            part.arrow(&from, &to);
        }
    }
}

/// The phases that have components, in order, with these in the order of the plan.
pub(super) fn phases<'a>(
    cloud: &'a Cloud,
    plan: &'a Plan,
) -> impl Iterator<Item = (Phase, Vec<&'a Component<'a>>)> {
    Phase::ALL.iter().filter_map(move |&phase| {
        let of_phase = plan.components(cloud).filter(|component| component.record.phase == phase);
        Some((phase, of_phase.collect::<Vec<_>>())).filter(|(_, components)| !components.is_empty())
    })
}
