//! Strata turns a small spec into a whole OpenStack control plane on Kubernetes.
//!
//! The library is one pure function, [`render`]: it reads no file, clock, environment or terminal.

pub mod catalogue;
pub mod check;
pub mod crds;
pub mod deliver;
pub mod finding;
pub mod generate;
pub mod load;
pub mod object;
pub mod order;
pub mod plan;
pub mod record;
pub mod reference;
pub mod report;
pub mod resolve;
pub mod resource_list;
pub mod schema;
pub mod spec;
pub mod value;
pub mod yaml;

use deliver::Rendered;
use finding::{Code, Findings, Place};
use load::{Document, Spec};

/// What rendering may be told beside the input itself. Nothing here changes what a cloud is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The date, if findings about end of life are wanted: `2026-11-16`.
    pub as_of: Option<String>,
    /// Say on each object in which file it belongs, as kpt expects.
    pub paths: bool,
    /// Keep the order of the plan instead of kustomize's own.
    pub plan_order: bool,
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
    let spec = load::load(documents, options, &mut findings);
    let Some(catalogue) = catalogue::assemble(&spec, &mut findings) else {
        return refused(findings);
    };
    let mut objects = Vec::new();
    let mut clouds = Vec::new();
    let environment = record::environment();
    let mut evaluator = generate::Evaluator::new(&environment);
    for control_plane in load::control_planes(&spec, &catalogue, &mut findings) {
        let Some(cloud) = resolve::resolve(&control_plane, &catalogue, options, &mut findings)
        else {
            continue;
        };
        let plan = plan::plan(&cloud);
        let made = generate::generate(&cloud, &plan, &mut evaluator, &mut findings);
        check::check(&made, &cloud, &mut findings);
        clouds.push(format!("{}/{}", cloud.namespace, cloud.name));
        // The trees are dropped cloud by cloud: a thousand clouds are held as bytes only.
        if !findings.has_errors() {
            deliver::write(made, &cloud, options, &mut objects);
        }
    }
    if spec.is_empty() && !findings.has_errors() {
        findings.push(nothing_to_render(&spec));
    }
    if findings.has_errors() {
        return refused(findings);
    }
    if !options.plan_order {
        objects.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    }
    findings.sort();
    Outcome { objects, findings, clouds }
}

fn refused(mut findings: Findings) -> Outcome {
    findings.sort();
    Outcome { findings, ..Outcome::default() }
}

fn nothing_to_render(_spec: &Spec) -> finding::Finding {
    Code::NothingToRender
        .at(Place::nowhere())
        .because("no document of kind ControlPlane (c5c3.io/v1alpha1) was found")
        .remedy("name a file or folder that holds one; `strata init DIR` writes a first one")
}
