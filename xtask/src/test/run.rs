//! Installs what the chosen layers need, runs them, those that mostly wait side by side, and sums up.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::layers::{self, AS_SHIPPED, Layer, Step};
use super::libtest;
use super::report::{Report, Row, summary};
use crate::failure::{Failure, While};
use crate::tally::Tally;
use crate::tools::{self, Installed};
use crate::{lint, workspace};

#[derive(Debug, Default)]
struct Options {
    only: Vec<String>,
    require_all: bool,
    /// Whether tests that take samples do all that is promised.
    full: bool,
}

/// What every test program finds in its environment.
#[derive(Debug)]
struct Surroundings {
    installed: Installed,
    report: Report,
    /// CRDs that are published nowhere, in a folder of the user's.
    own_crds: Option<PathBuf>,
    full: bool,
}

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options(arguments)?;
    let files = layers::files()?;
    let chosen = layers::chosen(&options.only, &files)?;
    let surroundings = Surroundings {
        own_crds: own_crds()?,
        full: options.full,
        report: Report::empty(&workspace::target_folder()?)?,
        installed: tools::install(&layers::parts(&chosen))?,
    };
    let mut rows = Vec::new();
    for group in chosen.chunk_by(|layer, next| layer.beside && next.beside) {
        let names: Vec<&str> = group.iter().map(|layer| layer.name).collect();
        println!("\n=== {} ===", names.join(", "));
        match group {
            [layer] => rows.push(one_after_the_other(layer, &files, &surroundings)?),
            layers => rows.extend(side_by_side(layers, &files, &surroundings)?),
        }
    }
    let lines = surroundings.report.lines()?;
    if options.require_all {
        require_all_judged(&lines, &mut rows);
    }
    println!("\n{}", summary(&rows, &lines));
    match rows.iter().all(|row| row.tally.failed == 0) {
        true => Ok(()),
        false => Err(Failure::told()),
    }
}

fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), argument.strip_prefix("--only=")) {
            ("--require-all", _) => options.require_all = true,
            ("--full", _) => options.full = true,
            ("--only", _) => match arguments.next() {
                Some(layer) => options.only.push(layer.clone()),
                None => return Err(Failure::new("--only wants the name of a layer")),
            },
            (_, Some(layer)) => options.only.push(layer.to_owned()),
            _ => {
                let usage = "cargo xtask test [--only LAYER]... [--require-all] [--full]";
                return Err(Failure::new(format!("unknown argument {argument}; usage: {usage}")));
            }
        }
    }
    Ok(options)
}

/// Made absolute, because test programs run in their package's folder.
fn own_crds() -> Result<Option<PathBuf>, Failure> {
    let Some(folder) = std::env::var_os("STRATA_CRDS").filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = PathBuf::from(folder);
    folder.canonicalize().map(Some).while_(format!("STRATA_CRDS names {}", folder.display()))
}

fn one_after_the_other(
    layer: &Layer,
    files: &BTreeSet<String>,
    surroundings: &Surroundings,
) -> Result<Row, Failure> {
    let started = Instant::now();
    let mut tally = Tally::default();
    for step in layer.steps {
        match step {
            Step::Lint => tally.add(lint::checks()),
            Step::Tests(arguments) => {
                tally.add(libtest::run(cargo_test(surroundings).args(*arguments), "")?)
            }
            Step::Documentation => tally.check("cargo doc", documentation()),
        }
    }
    let (shipped, files): (Vec<_>, Vec<_>) =
        layer.existing(files).into_iter().partition(|file| surroundings.is_shipped(file));
    for files in [files, shipped].iter().filter(|files| !files.is_empty()) {
        tally.add(libtest::run(&mut surroundings.tests(files), "")?);
    }
    if tally.passed + tally.failed == 0 {
        tally.fail("the layer ran no test");
    }
    Ok(Row { layer: layer.name, tally, time: started.elapsed() })
}

/// As many files at once as there are processors: most of them wait for servers most of the time.
fn side_by_side(
    layers: &[&Layer],
    files: &BTreeSet<String>,
    surroundings: &Surroundings,
) -> Result<Vec<Row>, Failure> {
    let jobs: Vec<(usize, String)> = layers
        .iter()
        .enumerate()
        .flat_map(|(at, layer)| layer.existing(files).into_iter().map(move |file| (at, file)))
        .collect();
    // Built at once, or those that run would wait for those that build.
    let (shipped, plain): (Vec<String>, Vec<String>) =
        jobs.iter().map(|(_, file)| file.clone()).partition(|file| surroundings.is_shipped(file));
    for files in [plain, shipped].iter().filter(|files| !files.is_empty()) {
        workspace::show(surroundings.tests(files).arg("--no-run"))?;
    }
    let mut rows: Vec<Row> = layers
        .iter()
        .map(|layer| Row { layer: layer.name, tally: Tally::default(), time: Duration::ZERO })
        .collect();
    let (waiting, done) = (Mutex::new(jobs.iter()), Mutex::new(Vec::new()));
    let next = || locked(&waiting).next();
    let work = || {
        while let Some((at, file)) = next() {
            let started = Instant::now();
            let mut command = surroundings.tests(std::slice::from_ref(file));
            if let Some(threads) = layers::threads(file).filter(|_| !surroundings.full) {
                command.args(["--", &format!("--test-threads={threads}")]);
            }
            let ran = libtest::run(&mut command, &format!("{file}: "));
            locked(&done).push((*at, ran, started.elapsed()));
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        // What is promised in full includes how soon a client is answered: nothing else may be under way then.
        let lanes = if surroundings.full { 1 } else { processors };
        (0..lanes).for_each(|_| drop(scope.spawn(work)));
    });
    for (at, ran, time) in locked(&done).drain(..) {
        rows[at].tally.add(ran?);
        rows[at].time += time;
    }
    for row in rows.iter_mut().filter(|row| row.tally.passed + row.tally.failed == 0) {
        row.tally.fail("the layer ran no test");
    }
    Ok(rows)
}

/// Whatever a lane that panicked left behind is whole.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Surroundings {
    fn is_shipped(&self, file: &str) -> bool {
        self.full && AS_SHIPPED.contains(&file)
    }

    /// `cargo test` of files that are built alike.
    fn tests(&self, files: &[String]) -> Command {
        let mut command = cargo_test(self);
        command.args(files.iter().any(|file| self.is_shipped(file)).then_some("--release"));
        for file in files {
            command.args(["--test", file]);
        }
        command
    }
}

/// Always over the whole workspace: with one package chosen, cargo picks other features for the
/// dependencies and builds them all again.
fn cargo_test(surroundings: &Surroundings) -> Command {
    let mut command = workspace::cargo();
    command
        .args(["test", "--workspace", "--no-fail-fast"])
        .env("PATH", path_with(&surroundings.installed.programs))
        .env("STRATA_TOOLS", &surroundings.installed.programs)
        .env("STRATA_CRD_CACHE", &surroundings.installed.manifests)
        .env("STRATA_REPORT", surroundings.report.path());
    if surroundings.full {
        command.env("STRATA_FULL", "1");
    }
    if let Some(folder) = &surroundings.own_crds {
        command.env("STRATA_CRDS", folder);
    }
    command
}

/// The pinned programs come before those of the machine also for tests that call them by name.
fn path_with(programs: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    // Fails only for a folder with a colon in its name, which no PATH can hold.
    std::env::join_paths(folders).unwrap_or(path)
}

fn documentation() -> Result<(), Failure> {
    let mut command = workspace::cargo();
    command.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    workspace::show(command.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn require_all_judged(lines: &BTreeSet<String>, rows: &mut [Row]) {
    let unjudged = lines.iter().filter(|line| line.starts_with("not judged:"));
    if let Some(row) = rows.last_mut() {
        unjudged.for_each(|line| row.tally.fail(format!("--require-all: {line}")));
    }
}
