//! How many database connections a cloud can open. MariaDB refuses what goes beyond its limits, so
//! they follow from what runs.

use crate::generate::evaluate::Evaluator;
use crate::generate::scope::Scope;
use crate::resolve::{Cloud, Component, Scaled};
use crate::value::Value;

/// What one worker may open to each database: oslo.db keeps 5 connections in its pool and lets 50 more
/// overflow.
const PER_WORKER: i64 = 5 + 50;

/// Room for the operator, backups, monitoring and a person with a shell.
const RESERVE: i64 = 100;

/// Every worker has a pool for each database of its service: Nova's have one for its API, one for cell0
/// and one for each cell.
pub fn of_processes(processes: &[Scaled], databases: usize) -> i64 {
    let workers = processes.iter().map(|it| it.replicas.saturating_mul(it.workers));
    let workers = workers.fold(0, i64::saturating_add);
    let databases = i64::try_from(databases).unwrap_or(i64::MAX);
    workers.max(1).saturating_mul(PER_WORKER).saturating_mul(databases.max(1))
}

/// `needed` says what a component can open.
pub fn of_cloud(cloud: &Cloud, needed: impl FnMut(&Component) -> i64) -> i64 {
    clients(cloud).map(needed).fold(RESERVE, i64::saturating_add)
}

/// Who opens connections.
pub fn clients<'a>(cloud: &'a Cloud<'a>) -> impl Iterator<Item = &'a Component<'a>> {
    cloud.components.iter().filter(|component| !component.record.databases.is_empty())
}

/// How many databases a component has, before any is made. An expression that cannot be evaluated makes
/// its finding when they are.
pub fn databases<'a>(
    component: &Component,
    evaluator: &mut Evaluator,
    scope: impl FnOnce() -> Scope<'a>,
) -> usize {
    let names = &component.record.databases;
    if names.iter().all(|named| named.each.is_none() && named.name.literal().is_some()) {
        return names.len();
    }
    let scope = scope();
    let mut count = 0;
    for named in names.iter() {
        let Some(each) = &named.each else {
            let name = evaluator.template(&named.name, &scope);
            count += usize::from(matches!(name, Ok(Some(_))));
            continue;
        };
        let Ok(Some(Value::List(items))) = evaluator.leaf(each, &scope) else { continue };
        for item in items {
            let name = evaluator.template(&named.name, &scope.with_item(item));
            count += usize::from(matches!(name, Ok(Some(_))));
        }
    }
    count
}
