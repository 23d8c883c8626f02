//! Strata turns a small spec into a whole OpenStack control plane on Kubernetes.
//!
//! The library is one pure function, [`render`]: it reads no file, clock, environment or terminal.

pub mod catalogue;
pub mod check;
mod clouds;
pub mod crds;
pub mod deliver;
pub mod explain;
pub mod finding;
pub mod generate;
pub mod graph;
pub mod json_patch;
pub mod json_text;
pub mod layers;
pub mod links;
pub mod load;
pub mod object;
pub mod order;
pub mod pages;
pub mod plan;
pub mod pools;
pub mod quick_hash;
pub mod record;
pub mod reference;
pub mod report;
pub mod requirements;
pub mod resolve;
pub mod resource_list;
pub mod schema;
pub mod spec;
pub mod value;
pub mod yaml;

use deliver::Rendered;
use finding::Findings;
use generate::Contents;
use layers::{At, with_places};
use load::Document;
use plan::Plan;
use resolve::Cloud;

/// What rendering may be told beside the input itself. Nothing here changes what a cloud is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The date, if findings about end of life are wanted: `2026-11-16`.
    pub as_of: Option<String>,
    /// Say on each object in which file it belongs, as kpt expects.
    pub paths: bool,
    /// Keep the order of the plan instead of kustomize's own.
    pub plan_order: bool,
    /// The clouds are to stand in one tree that Flux follows.
    pub tree: bool,
    /// How many threads may make clouds, if there are many; one if 0.
    pub threads: usize,
    /// Foreign objects are passed through by the caller, so they are no finding.
    pub foreign_pass: bool,
}

/// What came out: objects, or findings that say why there are none.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Empty if there is any error: an output is whole or it is not.
    pub objects: Vec<Rendered>,
    pub findings: Findings,
    /// The clouds that were rendered: `namespace/name`.
    pub clouds: Vec<String>,
}

/// The whole way, from documents to bytes.
pub fn render(documents: &[Document], mut findings: Findings, options: &Options) -> Outcome {
    let made = clouds::each(documents, &mut findings, options, |cloud, _, contents, is_sound| {
        // The trees are dropped cloud by cloud: a thousand clouds are held as bytes only.
        let written = is_sound.then(|| deliver::write(&contents.objects, cloud, options));
        (format!("{}/{}", cloud.namespace, cloud.name), written.unwrap_or_default())
    });
    let mut objects = Vec::with_capacity(made.iter().map(|(_, own)| own.len()).sum());
    let mut clouds = Vec::with_capacity(made.len());
    for (cloud, own) in made {
        clouds.push(cloud);
        objects.extend(own.objects());
    }
    if options.tree {
        with_places(documents, |place| {
            let place = |namespace: &str, name: &str| {
                place(&format!("{namespace}/{name}"), At::Field("spec.delivery"))
            };
            check::delivery::check(&deliver::tree::stagings(&objects), place, &mut findings);
        });
    }
    if findings.has_errors() {
        return refused(findings);
    }
    if !options.plan_order && !options.tree {
        order::sort(&mut objects, Rendered::sort_key);
    }
    findings.sort();
    Outcome { objects, findings, clouds }
}

/// What is to be said of the step from a standing tree to a new one, beside what was said already.
pub fn step_findings(
    step: &check::previous::Step,
    documents: &[Document],
    mut findings: Findings,
) -> Findings {
    with_places(documents, |place| check::previous::check(step, place, &mut findings));
    findings.sort();
    findings
}

/// What a view says of each cloud, if there is no error in any of them.
pub fn look<T: Send>(
    documents: &[Document],
    mut findings: Findings,
    options: &Options,
    view: impl Fn(&Cloud, &Plan, &Contents) -> T + Sync,
) -> (Vec<T>, Findings) {
    let seen =
        clouds::each(documents, &mut findings, options, |cloud, plan, contents, is_sound| {
            is_sound.then(|| view(cloud, plan, contents))
        });
    let is_refused = findings.has_errors();
    findings.sort();
    (seen.into_iter().flatten().filter(|_| !is_refused).collect(), findings)
}

fn refused(mut findings: Findings) -> Outcome {
    findings.sort();
    Outcome { findings, ..Outcome::default() }
}
