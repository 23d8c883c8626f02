//! The program under the names by which kubectl and flux run it.

use std::process::Command;

use crate::desk::{Desk, SPEC};

fn installed() -> Desk {
    let desk = Desk::with_spec();
    desk.run("plugin install kubectl flux --dir bin").output();
    desk
}

fn run(desk: &Desk, program: &str, words: &[&str]) -> String {
    let output = Command::new(desk.path("bin").join(program))
        .args(words)
        .current_dir(desk.path(""))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn it_is_installed_for_both() {
    let desk = installed();
    assert_eq!(desk.list("bin"), ["flux-strata", "kubectl-strata", "kubectl_complete-strata"]);
}

#[test]
fn it_calls_itself_as_a_person_does() {
    let desk = installed();
    assert!(run(&desk, "kubectl-strata", &["--help"]).contains("Usage: kubectl strata "));
    assert!(run(&desk, "flux-strata", &["help", "render"]).contains("Usage: flux strata render "));
    // Without arguments it is no function here, though nobody sits at a terminal.
    assert!(run(&desk, "kubectl-strata", &[]).contains("strata init my-cloud"));
}

#[test]
fn kubectl_finds_it() {
    let desk = installed();
    let path = format!("{}:{}", desk.path("bin").display(), std::env::var("PATH").unwrap());
    let output = Command::new("kubectl")
        .args(["strata", "validate", "cloud.yaml", "--format", "json"])
        .env("PATH", path)
        .current_dir(desk.path(""))
        .output();
    let output = output.expect("kubectl is needed: see https://kubernetes.io/docs/tasks/tools");
    assert!(output.status.success(), "{output:?}");
    assert!(SPEC.contains("ControlPlane"));
}

#[test]
fn words_are_completed_as_cobra_asks() {
    let desk = installed();
    let asked = |words: &[&str]| run(&desk, "kubectl_complete-strata", words);
    insta::assert_snapshot!(asked(&["va"]), @"validate\tSay everything that is wrong with a spec\n:4");
    insta::assert_snapshot!(asked(&["graph", "--as", "m"]), @"mermaid\tA flowchart that GitHub, GitLab and others draw\n:4");
    insta::assert_snapshot!(asked(&["render", ""]), @":0");
    assert!(asked(&["render", "--allow"]).starts_with("--allow-removal\t"));
    assert_eq!(run(&desk, "flux-strata", &["__complete", "va"]), asked(&["va"]));
}
