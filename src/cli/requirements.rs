//! `strata requirements`: what must be there before a cloud can be.

use clap::Args;
use strata::requirements::{Requirements, requirements};
use strata::value::Value;

use crate::cli::render::Specs;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

/// List all that must exist before the manifests are applied
///
/// Objects that the cloud names and does not make, the paths in its secret store, and the kinds
/// whose operators the cluster must run.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata requirements controlplane.yaml
  strata requirements . --format json        for programs: an array with one cloud in each item")]
pub struct List {
    #[command(flatten)]
    specs: Specs,
}

impl List {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let clouds =
            self.specs.look(terminal, |cloud, _, contents| requirements(cloud, contents))?;
        if !terminal.is_json() {
            let texts: Vec<String> = clouds.iter().map(Requirements::text).collect();
            return terminal.print(texts.join("\n"));
        }
        let mut out = String::new();
        let clouds: Vec<Value> = clouds.iter().map(Requirements::value).collect();
        strata::json_text::write(&Value::List(clouds), 0, &mut out);
        out.push('\n');
        terminal.print(out)
    }
}
