//! The operator as a process on a real API server, with everybody else around it played (`../play/`).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ending;
mod fight;
mod leaders;
mod panics;
mod people;
#[path = "../play/mod.rs"]
mod play;
mod refused;
mod rights;
mod rules;
mod scene;
#[path = "../stage/mod.rs"]
mod stage;
mod telling;
mod unheard;
mod unrenewed;
