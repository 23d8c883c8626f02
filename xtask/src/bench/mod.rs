//! `cargo xtask bench`: what rendering costs, against the bounds that the project promises.
//!
//! Instruction counts and ratios within one run are the figures to trust; the machine's mood moves
//! everything that is timed.

mod clouds;
mod figures;
mod measure;
mod peers;

use std::fs;
use std::path::Path;
use std::time::Duration;

use clouds::Clouds;
use figures::{Bound, Figures};

use crate::failure::{Failure, While};
use crate::tools::{self, TABLE};
use crate::workspace;

const COUNTS: [usize; 3] = [10, 100, 1000];
/// Kustomize takes more than linear time; the promised ratio is one at this size.
const PEER_OBJECTS: usize = 1000;

pub fn run(_: &[String]) -> Result<(), Failure> {
    measure::require_valgrind()?;
    let kustomize: Vec<_> = TABLE.iter().filter(|part| part.name == "kustomize").collect();
    let kustomize = tools::install(&kustomize)?.programs.join("kustomize");
    workspace::show(workspace::cargo().args(["build", "--release", "--package", "strata"]))?;
    let target = workspace::target_folder()?;
    let strata = target.join("release/strata");
    let folder = target.join("bench");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).while_("creating the folder for inputs")?;

    let clouds = Clouds::new(&folder)?;
    let mut figures = Figures::default();
    one_cloud(&strata, &mut figures)?;
    many_clouds(&strata, &clouds, &mut figures)?;
    against_kustomize(&strata, &kustomize, &clouds, &folder, &mut figures)?;

    let path = target.join("bench.json");
    fs::write(&path, figures.json()).while_(format!("writing {}", path.display()))?;
    println!("\n{}\nwritten to {}", figures.table(), path.display());
    figures.verdict()
}

fn one_cloud(strata: &Path, figures: &mut Figures) -> Result<(), Failure> {
    let fixture = workspace::root().join("fixtures/production");
    let render = measure::Job::new(strata, ["render".as_ref(), fixture.as_os_str()]);
    let objects = clouds::count_objects(&render.output()?);
    figures.add("one cloud: objects", objects as f64, "", Bound::None);
    figures.add("one cloud: instructions", render.instructions()? as f64, "", Bound::None);
    figures.add(
        "one cloud: wall from process start",
        milliseconds(render.best_wall(30)?),
        "ms",
        Bound::Below(5.0),
    );
    Ok(())
}

fn many_clouds(strata: &Path, clouds: &Clouds, figures: &mut Figures) -> Result<(), Failure> {
    let mut per_object = Vec::new();
    for count in COUNTS {
        let render =
            measure::Job::new(strata, ["render".as_ref(), clouds.file(count)?.as_os_str()]);
        let objects = clouds::count_objects(&render.output()?).max(1);
        let instructions = render.instructions()?;
        let each = instructions as f64 / objects as f64;
        figures.add(&format!("{count} clouds: objects"), objects as f64, "", Bound::None);
        figures.add(&format!("{count} clouds: instructions"), instructions as f64, "", Bound::None);
        figures.add(&format!("{count} clouds: instructions per object"), each, "", Bound::None);
        figures.add(
            &format!("{count} clouds: wall"),
            milliseconds(render.best_wall(3)?),
            "ms",
            Bound::None,
        );
        per_object.push(each);
        if Some(&count) == COUNTS.last() {
            let peak = render.peak_memory()? as f64 / f64::from(1 << 20);
            figures.add(&format!("{count} clouds: peak memory"), peak, "MiB", Bound::Below(300.0));
        }
    }
    let most = per_object.iter().copied().fold(0.0, f64::max);
    let least = per_object.iter().copied().fold(f64::INFINITY, f64::min);
    let spread = (most / least - 1.0) * 100.0;
    figures.add(
        "instructions per object: spread over 10 to 1000 clouds",
        spread,
        "%",
        Bound::Below(10.0),
    );
    Ok(())
}

fn against_kustomize(
    strata: &Path,
    kustomize: &Path,
    clouds: &Clouds,
    folder: &Path,
    figures: &mut Figures,
) -> Result<(), Failure> {
    let single = measure::Job::new(strata, ["render".as_ref(), clouds.file(1)?.as_os_str()]);
    let count = PEER_OBJECTS.div_ceil(clouds::count_objects(&single.output()?).max(1)).max(2);
    let render = measure::Job::new(strata, ["render".as_ref(), clouds.file(count)?.as_os_str()]);
    let rendered = render.output()?;
    let objects = clouds::count_objects(&rendered);
    let plain = peers::plain_files(kustomize, &rendered, &folder.join("plain"))?;
    let function = peers::function(kustomize, strata, clouds, count, &folder.join("function"))?;
    // As many objects, or the ratio would compare different work.
    peers::same_count("kustomize over plain files", objects, &plain)?;
    peers::same_count("kustomize with our function", objects, &function)?;

    let (ours, plain, function) =
        (render.best_wall(10)?, plain.best_wall(3)?, function.best_wall(3)?);
    let ratio = |other: Duration| other.as_secs_f64() / ours.as_secs_f64();
    let at = format!("{objects} objects");
    figures.add(&format!("{at}: strata render"), milliseconds(ours), "ms", Bound::None);
    figures.add(&format!("{at}: kustomize, plain files"), milliseconds(plain), "ms", Bound::None);
    figures.add(
        &format!("{at}: kustomize with our function"),
        milliseconds(function),
        "ms",
        Bound::None,
    );
    figures.add(
        &format!("{at}: times faster than kustomize, plain files"),
        ratio(plain),
        "×",
        Bound::AtLeast(100.0),
    );
    figures.add(
        &format!("{at}: times faster than kustomize with our function"),
        ratio(function),
        "×",
        Bound::None,
    );
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
