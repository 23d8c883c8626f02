//! The names of what the operator makes, all from the name of the rotation. What is rendered beside
//! it refers to them.

pub const MANAGER: &str = "strata-operator";

/// The label by which RabbitMQ's topology operator knows the Secrets that it may read: its webhook refuses a User whose
/// Secret has none.
pub const BROKER_READS: (&str, &str) = ("rabbitmq.com/topology-operator", "true");

pub fn next(keys: &str) -> String {
    format!("{keys}-next")
}

pub fn first(keys: &str) -> String {
    format!("{keys}-first")
}

/// The password of one of two users that take turns: the first has the odd numbers.
pub fn place(rotation: &str, number: u32) -> String {
    format!("{rotation}-{}", if number % 2 == 1 { "a" } else { "b" })
}

/// The Job that re-encrypts rows.
pub fn migration(rotation: &str) -> String {
    format!("{rotation}-migrate")
}

pub fn published(rotation: &str) -> String {
    format!("{rotation}-current")
}
