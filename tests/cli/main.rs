//! The commands as people run them: the real program, its output, its messages and its status.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod delivery;
mod desk;
mod explain;
mod graph;
mod init;
mod input;
mod killed;
mod plugin;
mod render;
mod same_bytes;
mod schema;
mod secrets;
mod tree;
