//! How many database connections a cloud can open. MariaDB refuses what goes beyond its limits, so
//! they follow from what runs.

use crate::resolve::{Cloud, Component};

/// What one worker may open: oslo.db keeps 5 connections in its pool and lets 50 more overflow.
const PER_WORKER: i64 = 5 + 50;

/// Room for the operator, backups, monitoring and a person with a shell.
const RESERVE: i64 = 100;

pub fn of_component(component: &Component) -> i64 {
    let workers: i64 =
        component.processes.iter().map(|process| process.replicas * process.workers).sum();
    (workers * PER_WORKER).max(PER_WORKER)
}

pub fn of_cloud(cloud: &Cloud) -> i64 {
    clients(cloud).map(of_component).sum::<i64>() + RESERVE
}

/// Who opens connections.
pub fn clients<'a>(cloud: &'a Cloud<'a>) -> impl Iterator<Item = &'a Component<'a>> {
    cloud.components.iter().filter(|component| !component.record.databases.is_empty())
}
