//! The repository that `strata init` writes, used as its own page says: real kustomize, patched by an
//! overlay, staged into a tree.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tools::tool;

const STRATA: &str = env!("CARGO_BIN_EXE_strata");

/// Runs the repository's own script, with the tools that it asks for on the PATH.
fn render(repository: &Path) -> (bool, String) {
    let folder = |program: &Path| program.parent().unwrap().display().to_string();
    let path = [folder(Path::new(STRATA)), folder(&tool("kustomize")), env::var("PATH").unwrap()]
        .join(":");
    let output =
        Command::new(repository.join("render.sh")).env("PATH", path).output().expect("sh runs it");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_repository_that_was_begun_renders_with_its_overlay() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Command::new(STRATA).args(["init", "--name", "lab"]).arg(folder.path()).output();
    assert!(begun.unwrap().status.success());
    let (success, said) = render(folder.path());
    assert!(success, "{said}");
    let keystone = folder.path().join("rendered/keystone/keystone-keystone.yaml");
    let plain = fs::read_to_string(&keystone).unwrap();
    assert!(folder.path().join("rendered/flux/kustomization-lab.yaml").is_file());

    // Without a patch the tree is the one of `strata render --out`.
    let direct = folder.path().join("direct");
    let output = Command::new(STRATA)
        .args(["render", "base", "--quiet", "--out"])
        .arg(&direct)
        .current_dir(folder.path())
        .output();
    assert!(output.unwrap().status.success());
    let manifest =
        |tree: &str| fs::read_to_string(folder.path().join(tree).join(".strata")).unwrap();
    assert_eq!(manifest("rendered"), manifest("direct"));

    let overlay = folder.path().join("overlays/lab/kustomization.yaml");
    let patch = "patches:\n- target: {kind: Keystone}\n  patch: |\n    - {op: replace, path: /spec/replicas, value: 7}\n";
    fs::write(&overlay, fs::read_to_string(&overlay).unwrap() + patch).unwrap();
    let (success, said) = render(folder.path());
    assert!(success, "{said}");
    let patched = fs::read_to_string(&keystone).unwrap();
    assert_ne!(patched, plain);
    assert!(patched.contains("  replicas: 7\n"), "{patched}");
}
