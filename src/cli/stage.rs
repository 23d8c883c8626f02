//! `strata stage`: what kustomize printed, as the tree that Flux follows.

use std::path::PathBuf;

use clap::Args;
use strata::deliver::stage::stage;
use strata::deliver::tree::stagings;
use strata::finding::Place;

use crate::cli::input::{self, Input};
use crate::cli::render::deliver_tree;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;
use crate::cli::tree::Wish;

/// Split what kustomize printed into the tree that Flux follows
///
/// The plan and the settings of delivery come with the stream: an object that Strata puts into every
/// cloud carries them. Objects that people added go to the component whose objects they name, or to
/// `extra/`. Where nothing was patched, the tree is the one of `strata render --out`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata stage built.yaml --out rendered
  kustomize build --enable-alpha-plugins --enable-exec overlays/production | strata stage --out rendered")]
pub struct Stage {
    /// The stream; standard input if left out
    #[arg(default_value = "-", value_name = "FILE")]
    file: PathBuf,
    /// The folder of the tree
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite rendered files even if somebody has changed them by hand
    #[arg(long)]
    force: bool,
    /// Let a component of the standing tree go although it holds state, or a whole control plane;
    /// may be repeated
    #[arg(long, value_name = "NAME")]
    allow_removal: Vec<String>,
}

impl Stage {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let mut input: Input = input::gather(std::slice::from_ref(&self.file), &[]);
        let mut findings = std::mem::take(&mut input.findings);
        let objects = stage(&input.documents, &mut findings);
        strata::check::delivery::check(&stagings(&objects), |_, _| Place::nowhere(), &mut findings);
        let wish = Wish { folder: &self.out, force: self.force, allowed: &self.allow_removal };
        deliver_tree(&wish, &objects, &input, findings, terminal)
    }
}
