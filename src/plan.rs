//! The plan: components and the edges between them. It decides order everywhere.
//!
//! No circle is possible: the catalogue was refused if its needs had one, and leaving components
//! out of a graph without circles makes none.

use crate::resolve::{Cloud, Component};

#[derive(Clone, Debug)]
pub struct Plan {
    /// Indices into the cloud's components, each after all it needs.
    order: Vec<usize>,
}

impl Plan {
    pub fn components<'a>(&'a self, cloud: &'a Cloud) -> impl Iterator<Item = &'a Component<'a>> {
        self.order.iter().map(|&index| &cloud.components[index])
    }
}

/// Among components that are free to start, the one of the earlier phase and then of the earlier
/// name comes first, so that the plan never depends on the order of records.
pub fn plan(cloud: &Cloud) -> Plan {
    let components = &cloud.components;
    let mut waiting: Vec<usize> = (0..components.len()).collect();
    waiting.sort_by_key(|&index| {
        let record = components[index].record;
        (record.phase, record.component.as_ref())
    });
    let mut order: Vec<usize> = Vec::with_capacity(components.len());
    while !waiting.is_empty() {
        let free = waiting.iter().position(|&index| {
            needs(cloud, &components[index])
                .all(|need| order.iter().any(|&done| components[done].name() == need))
        });
        // A circle cannot be; should a record slip through, its components still come out.
        order.push(waiting.remove(free.unwrap_or(0)));
    }
    Plan { order }
}

/// What a component comes after, of what the cloud has.
pub fn needs<'a>(cloud: &'a Cloud, component: &'a Component) -> impl Iterator<Item = &'a str> {
    component.waits_for().map(AsRef::as_ref).filter(|need| cloud.component(need).is_some())
}
