//! The program as its callers run it.

use super::*;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

pub fn run(arguments: &[&str], input: &str, plugin: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command.args(arguments).env_remove("KUSTOMIZE_PLUGIN_CONFIG_ROOT");
    if plugin {
        command.env("KUSTOMIZE_PLUGIN_CONFIG_ROOT", "/somewhere");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn run_plugin(config: &str, resources: &str) -> Output {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), config).unwrap();
    run(&[file.path().to_str().unwrap()], resources, true)
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[track_caller]
fn check_refused(output: &Output, code: &str) {
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(output), "");
    assert!(stderr(output).contains(&format!("error[{code}]: ")), "{}", stderr(output));
}

#[test]
fn the_function_answers_and_says_the_same_on_standard_error() {
    let input = list(CONTROL_PLANE, &[&config_map("a")]);
    let output = run(&[], &input, false);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), answer(&input));
    let findings = function(input.as_bytes()).findings;
    assert_eq!(stderr(&output), strata::report::plain::plain(&findings));
    assert!(stderr(&output).contains("warning[S0401]: "));
}

#[test]
fn the_function_refuses_with_empty_hands() {
    check_refused(&run(&[], "", false), "S0601");
    let wrong = CONTROL_PLANE.replace("{}", "{servces: {}}");
    check_refused(&run(&[], &list(&wrong, &[&config_map("a")]), false), "S0101");
}

#[test]
fn the_plugin_prints_what_render_prints() {
    let output = run_plugin(CONTROL_PLANE, "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), rendered(CONTROL_PLANE));
    assert!(stderr(&output).contains("warning[S0401]: "));
}

#[test]
fn the_plugin_passes_resources_on_and_consumes_control_planes() {
    let foreign =
        "apiVersion: v1\ndata:\n  a: \"no\"\nkind: ConfigMap\nmetadata:\n  name: foreign\n";
    let other = CONTROL_PLANE.replace("openstack", "elsewhere");
    let output = run_plugin(CONTROL_PLANE, &format!("{foreign}---\n{other}"));
    assert_eq!(output.status.code(), Some(0));
    let both = rendered(&format!("{CONTROL_PLANE}---\n{other}"));
    assert_eq!(stdout(&output), format!("{foreign}---\n{both}"));
}

#[test]
fn the_plugin_refuses_with_empty_hands() {
    check_refused(&run_plugin(&CONTROL_PLANE.replace("{}", "{servces: {}}"), ""), "S0101");
    check_refused(&run_plugin(&config_map("a"), ""), "S0005");
    check_refused(&run_plugin("", ""), "S0005");
    let two = format!("{CONTROL_PLANE}---\n{}", CONTROL_PLANE.replace("openstack", "elsewhere"));
    check_refused(&run_plugin(&two, ""), "S0005");
    check_refused(&run_plugin("a: [", ""), "S0001");
    check_refused(&run_plugin(CONTROL_PLANE, "a: ["), "S0001");
    check_refused(&run(&["/no/such/file"], "", true), "S0006");
}
