use std::process::{Command, Stdio};

use crate::desk::{Desk, SPEC};

const WRONG: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: test}
spec:
  infrastructure:
    mariadb:
      replicas: three
      storagSize: 100Gi
";

#[test]
fn manifests_are_the_output() {
    let desk = Desk::with_spec();
    let ran = desk.run("render cloud.yaml --quiet");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("apiVersion: v1\nkind: Namespace\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n---\napiVersion: v1\ndata:\n"), "{}", ran.stdout);
}

/// No certificate has a common name of more than 64 letters (RFC 5280), and cert-manager refuses one.
#[test]
fn the_longest_name_fits_into_certificates() {
    let long = format!("name: {},", "o".repeat(63));
    let desk = Desk::new().file("cloud.yaml", &SPEC.replace("name: test,", &long));
    let output = desk.run("render cloud.yaml").output();
    let names: Vec<&str> =
        output.lines().filter_map(|line| line.trim().strip_prefix("commonName: ")).collect();
    assert!(!names.is_empty());
    assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
}

#[test]
fn the_order_of_the_plan_is_another_order_of_the_same_objects() {
    let desk = Desk::with_spec();
    let sorted = |words: &str| {
        let output = desk.run(words).output();
        let mut documents: Vec<String> = output.split("---\n").map(str::to_owned).collect();
        documents.sort();
        (output, documents)
    };
    let (legacy, legacy_documents) = sorted("render cloud.yaml");
    let (plan, plan_documents) = sorted("render cloud.yaml --order plan");
    assert_eq!(legacy_documents, plan_documents);
    assert_ne!(legacy, plan);
    assert_eq!(desk.run("render cloud.yaml --order fifo").output(), plan);
}

#[test]
fn every_mistake_is_shown_where_it_stands() {
    let desk = Desk::new().file("cloud.yaml", WRONG);
    insta::assert_snapshot!(desk.run("render cloud.yaml"), @r#"
    error[S0102]: a value of the wrong type
     --> cloud.yaml:7:17
      |
    7 |       replicas: three
      |                 ^^^^^ expected a whole number, found the text "three"
      |
      = help: write a whole number

    error[S0101]: an unknown field
     --> cloud.yaml:8:7
      |
    8 |       storagSize: 100Gi
      |       ^^^^^^^^^^ there is no field `storagSize` here
      |
      = help: did you mean `storageSize`?

    error: 2 errors; nothing was written
    further checks follow once these errors are mended
    `strata explain S0102` says more
    exit 1
    "#);
}

#[test]
fn programs_get_findings_as_json() {
    let desk = Desk::new().file("cloud.yaml", WRONG);
    insta::assert_snapshot!(desk.run("render cloud.yaml --format json"), @r#"
    [
    {"code":"S0102","severity":"error","title":"a value of the wrong type","message":"expected a whole number, found the text \"three\"","remedy":"write a whole number","file":"cloud.yaml","line":7,"column":17,"endLine":7,"endColumn":22,"object":"ControlPlane test","path":"spec.infrastructure.mariadb.replicas"},
    {"code":"S0101","severity":"error","title":"an unknown field","message":"there is no field `storagSize` here","remedy":"did you mean `storageSize`?","file":"cloud.yaml","line":8,"column":7,"endLine":8,"endColumn":17,"object":"ControlPlane test","path":"spec.infrastructure.mariadb.storagSize"}
    ]
    exit 1
    "#);
}

#[test]
fn a_quiet_run_shows_errors_alone() {
    let foreign = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: x}\n";
    let desk = Desk::new().file("cloud.yaml", &format!("{WRONG}{foreign}"));
    let loud = desk.run("render cloud.yaml");
    assert!(loud.stderr.contains("warning[S0007]"), "{loud}");
    assert!(loud.stderr.contains("error: 2 errors, 1 warning; nothing was written"), "{loud}");
    let quiet = desk.run("render cloud.yaml -q");
    assert!(quiet.stderr.contains("error[S0101]"), "{quiet}");
    assert!(!quiet.stderr.contains("warning"), "{quiet}");
    assert!(!quiet.stderr.contains("nothing was written"), "{quiet}");
}

#[test]
fn colours_are_shown_when_they_are_asked_for() {
    let desk = Desk::new().file("cloud.yaml", WRONG);
    let colours = |words: &str, variables: &[(&str, &str)]| {
        let mut command = desk.command(words);
        command.envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stderr).unwrap().contains('\u{1b}')
    };
    assert!(!colours("render cloud.yaml", &[]));
    assert!(colours("render cloud.yaml --color always", &[("NO_COLOR", "1")]));
    assert!(colours("render cloud.yaml", &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours("render cloud.yaml", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colours("render cloud.yaml --color never", &[("CLICOLOR_FORCE", "1")]));
    assert!(colours("render --nonsense --color=always", &[]));
    assert!(!colours("render --nonsense --color=never", &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn nothing_of_an_input_reaches_the_terminal_as_a_command() {
    let desk = Desk::new().file("cloud.yaml", "kind: \"\u{9b}2J\"\n\u{1b}]0;x\u{7}: \u{202e}1\n");
    let ran = desk.run("render cloud.yaml");
    assert_eq!(ran.status, 1);
    let harmful =
        |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
    assert!(!ran.stderr.contains(harmful), "{:?}", ran.stderr);
}

/// The program on a terminal, which `script` (util-linux) plays.
fn watched(desk: &Desk, words: &str) -> String {
    let program = format!("{} {words}", env!("CARGO_BIN_EXE_strata"));
    let mut command = Command::new("script");
    command.args(["-qec", &program, "/dev/null"]).current_dir(desk.path("")).stdin(Stdio::null());
    let output = command.env("NO_COLOR", "1").output().expect("script of util-linux is needed");
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

#[test]
fn somebody_who_watches_is_told_what_happened() {
    let desk = Desk::with_spec();
    let said = watched(&desk, "render cloud.yaml --out rendered");
    let line = said.lines().find(|line| line.contains(" objects of ")).unwrap();
    assert!(line.contains(" kinds in ") && line.contains(" components"), "{line}");
    assert!(said.contains(" files written to rendered\n"), "{said}");
    assert!(watched(&desk, "render cloud.yaml --out rendered").contains("rendered is up to date"));
    assert!(!watched(&desk, "render cloud.yaml --quiet").contains(" objects of "));
    // In a pipeline nobody does.
    assert!(!desk.run("render cloud.yaml").stderr.contains(" objects of "));
    assert!(watched(&desk, "").starts_with("Strata turns a short spec"));
}

#[test]
fn a_day_that_is_none_is_wrong_usage() {
    let desk = Desk::with_spec();
    for day in ["2026-13-01", "2026-02-30", "26-01-01", "tomorrow", "2026-01-01T00:00"] {
        let ran = desk.run(&format!("render cloud.yaml --as-of {day}"));
        assert_eq!(ran.status, 2, "{day}: {ran}");
    }
    assert_eq!(desk.run("render cloud.yaml --as-of 2026-02-28").status, 0);
}

#[test]
fn a_release_out_of_maintenance_is_no_matter_of_the_clock_where_something_is_written() {
    let spec = "{apiVersion: c5c3.io/v1alpha1, kind: ControlPlane, metadata: {name: a, namespace: a}, \
                spec: {release: '2024.2'}}";
    let desk = Desk::new().file("cloud.yaml", spec);
    assert!(desk.run("validate cloud.yaml").stderr.contains("warning[S0305]"));
    assert!(!desk.run("validate cloud.yaml --as-of 2025-01-01").stderr.contains("S0305"));
    assert!(!desk.run("render cloud.yaml").stderr.contains("S0305"));
}

#[test]
fn a_reader_who_has_enough_is_no_error() {
    let desk = Desk::new();
    let mut child = desk.command("render -").stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), SPEC.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let desk = Desk::with_spec();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = desk.command("render -q cloud.yaml").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @r"
    error: cannot write to standard output: No space left on device (os error 28)
     |
     = help: look at where the output goes, and run the same command again
    ");
}
