//! `strata graph`: the plan of each cloud, or the way of its secrets.

use clap::{Args, ValueEnum};
use strata::graph;

use crate::cli::render::Specs;
use crate::cli::stop::{Failure, Stop};
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
  strata graph controlplane.yaml --as html > plan.html
  strata graph controlplane.yaml --as dot | dot -Tsvg > plan.svg
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
    /// A graph for Graphviz
    Dot,
    /// A page for the browser, of the plan alone
    Html,
}

impl Graph {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        if self.secrets && self.form == Form::Html {
            return Err(Failure::usage(
                "the page shows the plan, and no secrets",
                "leave out --secrets, or draw them with --as mermaid or --as dot",
            )
            .into());
        }
        let parts =
            self.specs.look(terminal, |cloud, plan, contents| match (self.form, self.secrets) {
                (Form::Text, false) => graph::plan_text(cloud, plan),
                (Form::Text, true) => graph::secrets_text(cloud, contents),
                (Form::Mermaid, false) => graph::plan_mermaid(cloud, plan),
                (Form::Mermaid, true) => graph::secrets_mermaid(cloud, contents),
                (Form::Dot, false) => graph::plan_dot(cloud, plan),
                (Form::Dot, true) => graph::secrets_dot(cloud, contents),
                (Form::Html, _) => graph::plan_html(cloud, plan, contents),
            })?;
        terminal.print(match self.form {
            Form::Text => parts.join("\n"),
            Form::Mermaid => graph::mermaid_page(&parts),
            Form::Dot => graph::dot_page(&parts),
            Form::Html => graph::html_page(&parts),
        })
    }
}
