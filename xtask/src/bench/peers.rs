//! The same objects made by kustomize: from plain files, and with our program as its function.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::clouds::{Clouds, count_objects};
use super::measure::Job;
use crate::failure::{Failure, While};

/// One file per object, as people keep them.
pub fn plain_files(kustomize: &Path, rendered: &str, folder: &Path) -> Result<Job, Failure> {
    let documents = rendered.split("\n---\n").map(|text| text.trim_start_matches("---\n"));
    let mut kustomization = String::from("resources:\n");
    for (number, document) in documents.filter(|text| count_objects(text) > 0).enumerate() {
        let name = format!("{number:05}.yaml");
        write(folder, &name, &format!("{document}\n"))?;
        kustomization.push_str(&format!("- {name}\n"));
    }
    write(folder, "kustomization.yaml", &kustomization)?;
    Ok(build(kustomize, folder, &[]))
}

/// As a transformer, which is one call for all clouds: the first is its configuration, the others
/// are among the items.
pub fn function(
    kustomize: &Path,
    strata: &Path,
    clouds: &Clouds,
    count: usize,
    folder: &Path,
) -> Result<Job, Failure> {
    let annotation = format!(
        "metadata:\n  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: {}\n",
        strata.display()
    );
    write(folder, "function.yaml", &clouds.cloud(0).replacen("metadata:\n", &annotation, 1))?;
    let others: Vec<String> = (1..count).map(|number| clouds.cloud(number)).collect();
    write(folder, "clouds.yaml", &others.join("---\n"))?;
    write(
        folder,
        "kustomization.yaml",
        "resources:\n- clouds.yaml\ntransformers:\n- function.yaml\n",
    )?;
    Ok(build(kustomize, folder, &["--enable-alpha-plugins", "--enable-exec"]))
}

pub fn same_count(what: &str, objects: usize, peer: &Job) -> Result<(), Failure> {
    match count_objects(&peer.output()?) {
        count if count == objects => Ok(()),
        count => Err(Failure::new(format!("{what} made {count} objects, strata render {objects}"))),
    }
}

fn build(kustomize: &Path, folder: &Path, flags: &[&str]) -> Job {
    let flags = flags.iter().map(OsStr::new);
    Job::new(kustomize, [OsStr::new("build"), folder.as_os_str()].into_iter().chain(flags))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join(name), text))
        .while_(format!("writing {name}"))
}
