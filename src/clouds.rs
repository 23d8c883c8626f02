//! Every cloud of an input, from what was written to checked objects. Clouds have nothing to do with
//! each other but for a few checks, so that many of them are made on several threads; one that is alone is
//! checked on one and written on another.

use std::sync::{Mutex, PoisonError, mpsc};
use std::{panic, thread};

use crate::catalogue::{self, Catalogue};
use crate::check::{self, Between};
use crate::finding::{Code, Finding, Findings, Place};
use crate::generate::{Contents, Evaluator, generate};
use crate::load::{Document, load};
use crate::object::Object;
use crate::plan::{Plan, plan};
use crate::resolve::{Cloud, resolve};
use crate::{Options, layers, pools, record};

/// Fewer clouds than this are not worth a thread.
const MANY: usize = 8;

/// What is made of each cloud and its objects, in the order of namespaces and names. It is told
/// whether all was sound so far: what is not sound is never shown, so that it need not be made.
pub fn each<T: Send>(
    documents: &[Document],
    findings: &mut Findings,
    options: &Options,
    make: impl Fn(&Cloud, &Plan, &Contents, bool) -> T + Sync,
) -> Vec<T> {
    let spec = load(documents, options, findings);
    let Some(catalogue) = catalogue::assemble(&spec, findings) else {
        findings.stop_short();
        return Vec::new();
    };
    let pools = pools::pools(&spec, findings);
    let control_planes = layers::control_planes(&spec, &catalogue, findings);
    if findings.has_errors() {
        // What cannot be read, or has a field that is not allowed, is left out below.
        findings.stop_short();
    } else if spec.is_empty() {
        findings.push(nothing_to_render());
    }

    let threads = options.threads.min(control_planes.len() / MANY);
    let mut between = Between::default();
    let resolved = control_planes.iter().filter_map(|written| {
        let Some(cloud) = resolve(written, &pools, &catalogue, options, findings) else {
            findings.stop_short();
            return None;
        };
        between.add(&cloud, findings);
        Some((cloud, !findings.has_errors()))
    });
    let is_alone = control_planes.len() == 1 && options.threads > 1;
    let made = match threads {
        0 | 1 => in_turn(is_alone, resolved, &make),
        _ => on(threads, resolved, &make),
    };
    let mut all = Vec::with_capacity(made.len());
    for (one, own) in made {
        all.push(one);
        own.iter().cloned().for_each(|finding| findings.push(finding));
    }
    between.check(findings);
    all
}

fn in_turn<'a, T>(
    is_alone: bool,
    clouds: impl Iterator<Item = (Cloud<'a>, bool)>,
    make: &impl Fn(&Cloud, &Plan, &Contents, bool) -> T,
) -> Vec<(T, Findings)> {
    let environment = record::environment();
    let mut evaluator = Evaluator::new(&environment);
    clouds.map(|(cloud, is_sound)| one(&cloud, is_sound, is_alone, &mut evaluator, make)).collect()
}

/// Clouds are handed out as threads ask for them, and no more than a few wait: a thousand at once
/// would need as much memory as all that is made of them.
fn on<'a, T: Send>(
    threads: usize,
    clouds: impl Iterator<Item = (Cloud<'a>, bool)>,
    make: &(impl Fn(&Cloud, &Plan, &Contents, bool) -> T + Sync),
) -> Vec<(T, Findings)> {
    let (hand_out, waiting) = mpsc::sync_channel(2 * threads);
    let waiting = Mutex::new(waiting);
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    let work = || {
        let environment = record::environment();
        let mut evaluator = Evaluator::new(&environment);
        let mut made = Vec::new();
        while let Some((number, (cloud, is_sound))) = take() {
            made.push((number, one(&cloud, is_sound, false, &mut evaluator, make)));
        }
        made
    };
    let mut made: Vec<(usize, (T, Findings))> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for numbered in clouds.enumerate() {
            if hand_out.send(numbered).is_err() {
                break;
            }
        }
        drop(hand_out);
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        joined.flat_map(|made| made.unwrap_or_else(|fault| panic::resume_unwind(fault))).collect()
    });
    made.sort_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, made)| made).collect()
}

fn one<T>(
    cloud: &Cloud,
    is_sound: bool,
    is_alone: bool,
    evaluator: &mut Evaluator,
    make: &impl Fn(&Cloud, &Plan, &Contents, bool) -> T,
) -> (T, Findings) {
    let mut findings = Findings::default();
    let plan = plan(cloud);
    let contents = generate(cloud, &plan, evaluator, &mut findings);
    if !is_alone || !is_sound || findings.has_errors() {
        check::check(&contents, cloud, &mut findings);
        let is_sound = is_sound && !findings.has_errors();
        return (make(cloud, &plan, &contents, is_sound), findings);
    }
    // A check that finds an error lets all of it go that was made meanwhile.
    let made = thread::scope(|scope| {
        let checking = scope.spawn(|| check::check(&contents, cloud, &mut findings));
        let made = make(cloud, &plan, &contents, true);
        checking.join().unwrap_or_else(|fault| panic::resume_unwind(fault));
        made
    });
    (made, findings)
}

/// The objects of an input with one cloud, each with its component, when something of the input was changed
/// to see what follows from it. None where that is refused before there are any; what checks would say
/// of them is not asked.
pub fn once_more(
    documents: &[Document],
    evaluator: &mut Evaluator,
    alter: impl FnOnce(&mut Catalogue),
) -> Option<Vec<(String, Object)>> {
    let (options, findings) = (&Options::default(), &mut Findings::default());
    let spec = load(documents, options, findings);
    let mut catalogue = catalogue::assemble(&spec, findings)?;
    alter(&mut catalogue);
    let pools = pools::pools(&spec, findings);
    let control_planes = layers::control_planes(&spec, &catalogue, findings);
    let cloud = resolve(control_planes.first()?, &pools, &catalogue, options, findings)?;
    let plan = plan(&cloud);
    let contents = generate(&cloud, &plan, evaluator, findings);
    let objects = contents.objects.into_iter();
    Some(objects.map(|made| (made.component.to_owned(), made.object)).collect())
}

fn nothing_to_render() -> Finding {
    Code::NothingToRender
        .at(Place::nowhere())
        .because(
            "no document of kind ControlPlane or OpenStackCluster (c5c3.io/v1alpha1) was found",
        )
        .remedy("name a file or folder that holds one, of an overlay its base; `strata init DIR` writes a first one")
}
