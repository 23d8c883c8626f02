//! `strata graph`: the plan of each cloud, or the way of its secrets.

use clap::{Args, ValueEnum};
use strata::graph;

use crate::cli::render::Specs;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

/// Show what comes after what, or where each secret goes
///
/// The plan: every phase with its components, and what each of them needs. With `--secrets`, every
/// Secret from who makes it to all that read it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata graph controlplane.yaml                    the plan
  strata graph controlplane.yaml --as mermaid       the plan as a drawing for a page
  strata graph controlplane.yaml --secrets          each secret from producer to consumers")]
pub struct Graph {
    #[command(flatten)]
    specs: Specs,
    /// Follow secrets in place of the plan
    #[arg(long)]
    secrets: bool,
    /// How to draw
    #[arg(long = "as", value_name = "FORM", default_value = "text")]
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Lines for a terminal
    Text,
    /// A flowchart that GitHub, GitLab and others draw
    Mermaid,
}

impl Graph {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let parts =
            self.specs.look(terminal, |cloud, plan, contents| match (self.secrets, self.form) {
                (false, Form::Text) => graph::plan_text(cloud, plan),
                (false, Form::Mermaid) => graph::plan_mermaid(cloud, plan),
                (true, Form::Text) => graph::secrets_text(cloud, contents),
                (true, Form::Mermaid) => graph::secrets_mermaid(cloud, contents),
            })?;
        terminal.print(match self.form {
            Form::Text => parts.join("\n"),
            Form::Mermaid => graph::page(&parts),
        })
    }
}
