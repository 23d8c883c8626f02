//! `strata render`: from specs to manifests, on standard output or as a tree of files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use strata::deliver::{self, Rendered};
use strata::finding::Findings;
use strata::generate::Contents;
use strata::load::{Document, Source};
use strata::plan::Plan;
use strata::quick_hash::QuickSet;
use strata::report::human;
use strata::resolve::Cloud;
use strata::{Options, Outcome};

use crate::cli::day;
use crate::cli::input::{self, Input};
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;
use crate::cli::tree::{self, Wish};
use crate::cli::words::many;

/// Render control planes into manifests
///
/// Reads ControlPlane and OpenStackCluster objects, the pools they consume and Defaults from files
/// and folders, and prints every object of their clouds. Any error means that nothing is printed
/// or written at all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata render controlplane.yaml                 print the manifests
  strata render . --out rendered                  write them, one file per object
  strata render clouds/ --generators my-services  with records of your own
  strata render - < controlplane.yaml             read standard input
  strata render . --as-of 2026-11-16              warn of releases out of maintenance")]
pub struct Render {
    #[command(flatten)]
    pub spec: Specs,
    /// Write a folder per component and a file per object, in place of printing
    ///
    /// The folder is Strata's own: files that are no longer rendered are removed, and the whole
    /// tree is exchanged at once. Files that others put there are kept.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite rendered files even if somebody has changed them by hand
    #[arg(long, requires = "out")]
    force: bool,
    /// Let a component of the standing tree go although it holds state, or a whole control plane;
    /// may be repeated
    #[arg(long, value_name = "NAME", requires = "out")]
    allow_removal: Vec<String>,
    /// The order of the printed objects
    #[arg(long, value_enum, default_value = "legacy", conflicts_with = "out")]
    order: Order,
}

/// What to read, and how to look at it: the same for every command that reads specs.
#[derive(Debug, Args)]
pub struct Specs {
    /// Files and folders to read, `-` for standard input
    ///
    /// Folders are read recursively for *.yaml and *.yml. Hidden files, kustomization.yaml and
    /// trees that Strata rendered are left out.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Add or replace generator records by those in this folder; may be repeated
    #[arg(long, value_name = "DIR")]
    pub generators: Vec<PathBuf>,
    /// Warn of releases that are out of maintenance on this day
    #[arg(long, value_name = "DATE", value_parser = day::named)]
    pub as_of: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// As kustomize sorts: what others need first, then by kind and name
    Legacy,
    /// Component by component, each after all it needs
    #[value(alias = "fifo")]
    Plan,
}

impl Specs {
    pub fn render(&self, options: Options) -> (Input, Outcome) {
        let mut input = input::gather(&self.paths, &self.generators);
        let as_of = self.as_of.clone().or(options.as_of);
        let options = Options { as_of, threads: threads(), ..options };
        let findings = std::mem::take(&mut input.findings);
        let outcome = strata::render(&input.documents, findings, &options);
        (input, outcome)
    }

    /// What a view says of each cloud; errors are reported, and warnings left to `validate`.
    pub fn look<T: Send>(
        &self,
        terminal: &Terminal,
        view: impl Fn(&Cloud, &Plan, &Contents) -> T + Sync,
    ) -> Result<Vec<T>, Stop> {
        let view = |cloud: &Cloud, plan: &Plan, contents: &Contents, _: &[Document]| {
            view(cloud, plan, contents)
        };
        self.look_with_sources(terminal, view).map(|(seen, _)| seen)
    }

    /// The same with what was read, for views that show places in it or read it again.
    pub fn look_with_sources<T: Send>(
        &self,
        terminal: &Terminal,
        view: impl Fn(&Cloud, &Plan, &Contents, &[Document]) -> T + Sync,
    ) -> Result<(Vec<T>, Vec<Source>), Stop> {
        let Input { sources, findings, documents } = input::gather(&self.paths, &self.generators);
        let options = Options { as_of: self.as_of.clone(), ..Options::default() };
        let view = |cloud: &Cloud, plan: &Plan, contents: &Contents| {
            view(cloud, plan, contents, &documents)
        };
        let (seen, findings) = strata::look(&documents, findings, &options, view);
        if findings.has_errors() {
            terminal.report(&findings, &sources, None);
            terminal.close_refused(&findings, "");
            return Err(Stop::INVALID);
        }
        Ok((seen, sources))
    }
}

/// As many as the machine has processors.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Render {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let options = Options {
            plan_order: self.order == Order::Plan,
            tree: self.out.is_some(),
            ..Options::default()
        };
        let (input, Outcome { objects, findings, .. }) = self.spec.render(options);
        if let Some(folder) = &self.out {
            let wish = Wish { folder, force: self.force, allowed: &self.allow_removal };
            return deliver_tree(&wish, &objects, &input, findings, terminal);
        }
        if findings.has_errors() {
            return Err(refused(&findings, &input, terminal));
        }
        match terminal.print_all(deliver::pieces(&objects)) {
            Ok(()) => {
                terminal.report(&findings, &input.sources, None);
                // A stream speaks for itself.
                let line = format!("{}{}", summary(&objects), counted(&findings));
                terminal.close_watched(&line, &findings);
                Ok(())
            }
            Err(stop) => Err(stop.reported_with(&findings, &input.sources, terminal)),
        }
    }
}

/// Writes a tree, if neither the objects nor the step from the standing one give an error.
pub fn deliver_tree(
    wish: &Wish,
    objects: &[Rendered],
    input: &Input,
    mut findings: Findings,
    terminal: &Terminal,
) -> Result<(), Stop> {
    if findings.has_errors() {
        return Err(refused(&findings, input, terminal));
    }
    let written = tree::write(wish, &deliver::tree::tree(objects), |step| {
        findings = strata::step_findings(step, &input.documents, std::mem::take(&mut findings));
        if findings.has_errors() { Err(refused(&findings, input, terminal)) } else { Ok(()) }
    });
    match written {
        Ok(written) => {
            terminal.report(&findings, &input.sources, None);
            let line = format!("{}{}\n{written}", summary(objects), counted(&findings));
            terminal.close(&line, &findings);
            Ok(())
        }
        Err(stop) => Err(stop.reported_with(&findings, &input.sources, terminal)),
    }
}

fn refused(findings: &Findings, input: &Input, terminal: &Terminal) -> Stop {
    terminal.report(findings, &input.sources, None);
    terminal.close_refused(findings, "; nothing was written");
    Stop::INVALID
}

/// `, 2 warnings`, if there are any.
fn counted(findings: &Findings) -> String {
    match human::count(findings) {
        none if none.is_empty() => none,
        some => format!(", {some}"),
    }
}

/// `24 objects of 14 kinds in 5 components`.
fn summary(objects: &[Rendered]) -> String {
    let count = |word: &str, key: fn(&Rendered) -> (&str, &str)| {
        many(objects.iter().map(key).collect::<QuickSet<_>>().len(), word)
    };
    let kinds = count("kind", |object| {
        let group = object.api_version.split_once('/').map_or("", |(group, _)| group);
        (group, &object.kind)
    });
    let components = count("component", |object| (&object.cloud, &object.component));
    let is_one = objects.windows(2).all(|pair| pair[0].cloud == pair[1].cloud);
    let clouds = || format!(" of {}", count("cloud", |object| (&object.cloud, "")));
    let clouds = if is_one { String::new() } else { clouds() };
    format!("{} of {kinds} in {components}{clouds}", many(objects.len(), "object"))
}
