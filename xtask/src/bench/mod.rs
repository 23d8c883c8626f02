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

/// The example that only writes.
const WRITE_AGAIN: &str = "write_again";
const COUNTS: [usize; 3] = [10, 100, 1000];
/// What is fast because it makes little is not fast: the cloud that installs the platform has at least so many
/// objects, and each cloud of many.
const ONE_CLOUD: f64 = 250.0;
const EACH_CLOUD: f64 = 230.0;
/// What a tree is measured with: at least 50,000 objects.
const TREE_CLOUDS: usize = 200;
/// Kustomize takes more than linear time; the promised ratio is one at this size.
const PEER_OBJECTS: usize = 1000;

pub fn run(_: &[String]) -> Result<(), Failure> {
    measure::require_valgrind()?;
    let kustomize: Vec<_> = TABLE.iter().filter(|part| part.name == "kustomize").collect();
    let kustomize = tools::install(&kustomize)?.programs.join("kustomize");
    workspace::show(workspace::cargo().args([
        "build",
        "--release",
        "--package",
        "strata",
        "--bins",
        "--example",
        WRITE_AGAIN,
    ]))?;
    let target = workspace::target_folder()?;
    let strata = target.join("release/strata");
    let write_again = target.join("release/examples").join(WRITE_AGAIN);
    let folder = target.join("bench");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).while_("creating the folder for inputs")?;

    let clouds = Clouds::new(&folder)?;
    let mut figures = Figures::default();
    eprintln!("{}", measure::machine());
    one_cloud(&strata, &write_again, &kustomize, &folder, &mut figures)?;
    many_clouds(&strata, &clouds, &mut figures)?;
    tree(&strata, &clouds, &folder, &mut figures)?;
    against_kustomize(&strata, &kustomize, &clouds, &folder, &mut figures)?;

    let path = target.join("bench.json");
    fs::write(&path, figures.json(&measure::machine()))
        .while_(format!("writing {}", path.display()))?;
    println!("\n{}\n{}\nwritten to {}", measure::machine(), figures.table(), path.display());
    figures.verdict()
}

fn one_cloud(
    strata: &Path,
    write_again: &Path,
    kustomize: &Path,
    folder: &Path,
    figures: &mut Figures,
) -> Result<(), Failure> {
    let fixture = workspace::root().join("fixtures/production");
    let render = measure::Job::new(strata, ["render".as_ref(), fixture.as_os_str()]);
    let rendered = render.output()?;
    let objects = clouds::count_objects(&rendered);
    let instructions = render.instructions()? as f64;
    let writing = writing(write_again, &rendered, folder)?;
    figures.add("one cloud: objects", objects as f64, "", Bound::AtLeast(ONE_CLOUD));
    figures.add("one cloud: instructions", instructions, "", Bound::None);
    figures.add("one cloud: instructions of writing its bytes", writing, "", Bound::None);
    figures.add(
        "one cloud: times the instructions of writing its bytes",
        instructions / writing,
        "×",
        Bound::Below(5.0),
    );
    let wall = render.best_wall(100)?;
    figures.add("one cloud: wall from process start", milliseconds(wall), "ms", Bound::Below(10.0));
    let plain = peers::plain_files(kustomize, &rendered, &folder.join("one"))?;
    peers::same_count("kustomize over plain files", objects, &plain)?;
    let plain = plain.best_wall(5)?;
    figures.add("one cloud: kustomize, plain files", milliseconds(plain), "ms", Bound::None);
    figures.add(
        "one cloud: times faster than kustomize, plain files",
        plain.as_secs_f64() / wall.as_secs_f64(),
        "×",
        Bound::AtLeast(20.0),
    );
    Ok(())
}

/// What writing objects costs that are built already: the difference between writing them once and
/// eleven times, so that reading them is not in it.
fn writing(write_again: &Path, rendered: &str, folder: &Path) -> Result<f64, Failure> {
    let file = folder.join("rendered.yaml");
    fs::write(&file, rendered).while_("writing the rendered objects")?;
    let count = |times: &str| {
        measure::Job::new(write_again, [file.as_os_str(), times.as_ref()]).instructions()
    };
    Ok((count("11")? - count("1")?) as f64 / 10.0)
}

fn many_clouds(strata: &Path, clouds: &Clouds, figures: &mut Figures) -> Result<(), Failure> {
    let mut per_object = Vec::new();
    for count in COUNTS {
        let render =
            measure::Job::new(strata, ["render".as_ref(), clouds.file(count)?.as_os_str()]);
        let objects = clouds::count_objects(&render.output()?).max(1);
        let instructions = render.instructions()?;
        let each = instructions as f64 / objects as f64;
        let least = count as f64 * EACH_CLOUD;
        figures.add(&format!("{count} clouds: objects"), objects as f64, "", Bound::AtLeast(least));
        figures.add(&format!("{count} clouds: instructions"), instructions as f64, "", Bound::None);
        figures.add(&format!("{count} clouds: instructions per object"), each, "", Bound::None);
        // Promised of the largest number: a quarter of a million objects.
        let largest = Some(&count) == COUNTS.last();
        let bound = if largest { Bound::Below(3000.0) } else { Bound::None };
        let wall = milliseconds(render.best_wall(10)?);
        figures.add(&format!("{count} clouds: wall"), wall, "ms", bound);
        per_object.push(each);
        if largest {
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

/// A tree of many clouds, written for the first time and then again with nothing changed.
fn tree(
    strata: &Path,
    clouds: &Clouds,
    folder: &Path,
    figures: &mut Figures,
) -> Result<(), Failure> {
    let (input, out) = (clouds.large_file(TREE_CLOUDS)?, folder.join("tree"));
    let stream = measure::Job::new(strata, ["render".as_ref(), input.as_os_str()]);
    let objects = clouds::count_objects(&stream.output()?);
    let arguments = [
        "render".as_ref(),
        input.as_os_str(),
        "--quiet".as_ref(),
        "--out".as_ref(),
        out.as_os_str(),
    ];
    let render = measure::Job::new(strata, arguments);
    let at = format!("tree of {TREE_CLOUDS} clouds");
    figures.add(&format!("{at}: objects"), objects as f64, "", Bound::AtLeast(50_000.0));
    let first = render.watched()?;
    figures.add(&format!("{at}: written"), milliseconds(first.wall), "ms", Bound::Below(5000.0));
    let peak = first.peak as f64 / f64::from(1 << 20);
    figures.add(&format!("{at}: peak memory"), peak, "MiB", Bound::Below(400.0));
    let before = measure::newest(&out)?;
    let again = render.watched()?;
    figures.add(
        &format!("{at}: nothing to write"),
        milliseconds(again.wall),
        "ms",
        Bound::Below(5000.0),
    );
    let touched = f64::from(u8::from(measure::newest(&out)? != before));
    figures.add(&format!("{at}: touched by a second run"), touched, "", Bound::Below(1.0));
    fs::remove_dir_all(&out).while_("removing the tree")
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
        (render.best_wall(30)?, plain.best_wall(3)?, function.best_wall(3)?);
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
