//! What Flux and kubectl build of each folder is what was rendered.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::cloud::{Cloud, Tree};
use crate::real::{Object, tool};

#[test]
fn flux_and_kubectl_build_of_every_folder_the_bytes_that_were_rendered() {
    let cloud = Cloud::production();
    cloud.render(&[]);
    let tree = cloud.tree();
    let root = cloud.path(&cloud.tree_path());
    for (component, objects) in &tree.components {
        let expected: BTreeSet<String> = objects.iter().map(|object| object.text.clone()).collect();
        let folder = root.join(component);
        assert_eq!(built(Command::new(tool("kubectl")).arg("kustomize").arg(&folder)), expected);
        assert_eq!(flux_build(&root, &folder, &tree, component), expected, "{component}");
    }
    let entry: BTreeSet<String> = tree
        .flux
        .iter()
        .filter(|object| object.kind != "ConfigMap")
        .map(|object| object.text.clone())
        .collect();
    assert_eq!(built(Command::new(tool("kubectl")).arg("kustomize").arg(root.join("flux"))), entry);
}

/// `flux build` marks every object with the Kustomization that applies it.
fn flux_build(root: &Path, folder: &Path, tree: &Tree, component: &str) -> BTreeSet<String> {
    let name = tree.staging.stage_name(component);
    let mut flux = Command::new(tool("flux"));
    flux.args(["build", "kustomization", &name, "--dry-run"])
        .arg("--path")
        .arg(folder)
        .arg("--kustomization-file")
        .arg(root.join(format!("flux/kustomization-{name}.yaml")));
    let is_mark = |line: &&str| {
        ["name", "namespace"]
            .iter()
            .any(|mark| line.starts_with(&format!("    kustomize.toolkit.fluxcd.io/{mark}: ")))
    };
    built(&mut flux)
        .iter()
        .map(|text| {
            let lines: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
            lines.join("\n") + "\n"
        })
        .collect()
}

fn built(command: &mut Command) -> BTreeSet<String> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Object::read_all(&text).into_iter().map(|object| object.text).collect()
}
