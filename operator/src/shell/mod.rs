//! What surrounds the core: reading, writing, and the clock. It decides nothing.
//!
//! Every decision is made on objects read for it, from the API server itself and not from a cache; what
//! is watched only says when to look again.

pub mod access;
mod aggregate;
mod consumers;
pub mod controller;
mod events;
mod generation_moves;
mod generation_view;
mod health;
mod job;
mod key_moves;
mod key_view;
pub mod keystone;
mod korc;
mod lease;
pub mod log;
pub mod material;
pub mod memory;
pub mod metrics;
mod missed;
pub mod names;
mod noticed;
pub mod outcome;
pub mod panics;
pub mod people;
mod reads;
mod reconcile;
mod repeats;
mod report;
mod rotation;
mod say;
mod store;
mod template;
pub mod time;
mod work;
