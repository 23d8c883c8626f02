//! The output depends on nothing but the input.

use std::collections::BTreeMap;
use std::process::Command;

use crate::desk::{Desk, SPEC};

/// The files of a tree, and what they hold.
fn tree(desk: &Desk) -> BTreeMap<String, String> {
    let files = desk.list("rendered").into_iter();
    files.map(|file| (file.clone(), desk.read(&format!("rendered/{file}")))).collect()
}

fn both(desk: &Desk, environment: &[(&str, &str)]) -> (String, BTreeMap<String, String>) {
    let run = |words: &str| {
        let output = desk.command(words).envs(environment.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let stream = run("render cloud.yaml");
    run("render cloud.yaml --out rendered");
    (stream, tree(desk))
}

#[test]
fn locale_and_time_zone_do_not_matter() {
    let plain = both(&Desk::with_spec(), &[]);
    for environment in [
        &[("LC_ALL", "C")][..],
        &[("LC_ALL", "de_DE.UTF-8"), ("LANGUAGE", "de")],
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")],
        &[("TZ", "Pacific/Kiritimati")],
        &[("TZ", "America/Los_Angeles"), ("SOURCE_DATE_EPOCH", "0")],
        &[("USER", "somebody"), ("HOSTNAME", "elsewhere"), ("COLUMNS", "20")],
    ] {
        assert!(both(&Desk::with_spec(), environment) == plain, "{environment:?}");
    }
}

#[test]
fn the_umask_does_not_matter() {
    let plain = both(&Desk::with_spec(), &[]);
    let desk = Desk::with_spec();
    let run = |words: &str| {
        let script = format!("umask 077; exec \"$0\" {words}");
        Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_strata")])
            .current_dir(desk.path(""))
            .output()
            .unwrap()
    };
    let stream = run("render cloud.yaml").stdout;
    assert!(run("render cloud.yaml --out rendered").status.success());
    assert!((String::from_utf8(stream).unwrap(), tree(&desk)) == plain);
}

#[test]
fn the_working_folder_does_not_matter() {
    let plain = Desk::with_spec().run("render cloud.yaml").output();
    let desk = Desk::new().file("deep/down/cloud.yaml", SPEC).file("elsewhere/x", "");
    let absolute = desk.path("deep/down/cloud.yaml");
    for (folder, path) in [
        ("deep", "down/cloud.yaml"),
        ("elsewhere", "../deep/down"),
        ("elsewhere", absolute.to_str().unwrap()),
    ] {
        let mut command = desk.command("render");
        let output = command.arg(path).current_dir(desk.path(folder)).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap() == plain, "{folder} {path}");
    }
}

#[test]
fn the_order_of_the_paths_does_not_matter() {
    let other = SPEC.replace("namespace: openstack", "namespace: second");
    let desk = Desk::with_spec().file("other.yaml", &other);
    let forth = desk.run("render cloud.yaml other.yaml").output();
    assert!(desk.run("render other.yaml cloud.yaml").output() == forth);
    assert!(desk.run_with_input("render -", &format!("{other}---\n{SPEC}")).output() == forth);
}
