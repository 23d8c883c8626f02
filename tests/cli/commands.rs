use std::fs;

use crate::desk::{Desk, SPEC};

#[test]
fn strata_alone_tells_a_newcomer_what_to_do() {
    insta::assert_snapshot!(Desk::new().run("--color never"), @r"
    Strata turns a short spec into a whole OpenStack control plane on Kubernetes:
    plain manifests, the same bytes every time, to be reviewed before they are applied.

      strata init my-cloud                       start a deployment repository
      strata validate my-cloud                   say everything that is wrong with it
      strata render my-cloud --out rendered      write the manifests, one file per object

    `strata help` lists all commands, `strata help render` explains one of them.
    exit 0
    ");
}

#[test]
fn every_command_shows_examples() {
    let desk = Desk::new();
    let help = desk.run("help").output();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(commands.len(), 13, "{commands:?}");
    for command in commands.into_iter().chain(["plugin install"]) {
        let help = desk.run(&format!("help {command}")).output();
        assert!(help.contains("Examples:\n  strata "), "{help}");
    }
}

#[test]
fn wrong_usage_has_its_own_status() {
    insta::assert_snapshot!(Desk::new().run("rendr"), @r"
    error: unrecognized subcommand 'rendr'

      tip: a similar subcommand exists: 'render'

    Usage: strata [OPTIONS] [COMMAND]

    For more information, try '--help'.
    exit 2
    ");
    assert_eq!(Desk::new().run("render").status, 2);
    assert_eq!(Desk::new().run("render x --order plan --out y").status, 2);
}

#[test]
fn a_valid_spec_is_said_to_be_valid() {
    let ran = Desk::with_spec().run("validate cloud.yaml");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    assert!(ran.stderr.contains("1 control plane: valid, "), "{ran}");
    let quiet = Desk::with_spec().run("validate cloud.yaml -q");
    assert_eq!(quiet.to_string(), "exit 0");
}

#[test]
fn an_invalid_spec_is_said_to_be_invalid() {
    let desk = Desk::new().file("cloud.yaml", &SPEC.replace("spec: {}", "spec: {sice: small}"));
    insta::assert_snapshot!(desk.run("validate cloud.yaml"), @r"
    error[S0101]: an unknown field
     --> cloud.yaml:4:8
      |
    4 | spec: {sice: small}
      |        ^^^^ there is no field `sice` here
      |
      = help: did you mean `size`?

    error: 1 error
    further checks follow once these errors are mended
    `strata explain S0101` says more
    exit 1
    ");
}

#[test]
fn findings_as_json_are_the_output_of_validate() {
    let desk = Desk::new().file("cloud.yaml", &SPEC.replace("spec: {}", "spec: {sice: small}"));
    let ran = desk.run("validate cloud.yaml --format json");
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let findings: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(findings[0]["code"], "S0101");
    assert_eq!(findings[0]["line"], 4);
    assert_eq!(findings[0]["column"], 8);
    let quiet = Desk::with_spec().run("validate cloud.yaml --format json -q");
    assert_eq!(quiet.output(), "[]\n");
}

#[test]
fn a_code_is_explained() {
    insta::assert_snapshot!(Desk::new().run("explain s0301"), @r"
    error[S0301]: a Galera cluster needs an odd number of members

    Galera decides by majority. With an even number of members a network split can
    leave two halves of equal size, and neither may write; the even member adds cost
    and no safety. The MariaDB operator refuses an even number as well. Write 1, 3
    or 5.
    exit 0
    ");
}

#[test]
fn a_code_that_does_not_exist_gets_a_suggestion() {
    insta::assert_snapshot!(Desk::new().run("explain S0031"), @r"
    error: there is no code `S0031`
     |
     = help: did you mean S0001? `strata explain` lists all codes
    exit 2
    ");
}

#[test]
fn all_codes_are_listed() {
    let list = Desk::new().run("explain").output();
    assert_eq!(list.lines().count(), strata::finding::Code::ALL.len());
    assert!(list.contains("S0007  warning  an object of another kind is left out\n"), "{list}");
}

#[test]
fn the_crds_are_those_of_the_repository() {
    let desk = Desk::new();
    let ran = desk.run("crds --out crds");
    insta::assert_snapshot!(ran, @r"
    25 files written to crds
    exit 0
    ");
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/crds");
    let mut texts = Vec::new();
    for file in desk.list("crds") {
        texts.push(desk.read(&format!("crds/{file}")));
        assert_eq!(
            desk.read(&format!("crds/{file}")),
            fs::read_to_string(format!("{committed}/{file}")).unwrap()
        );
    }
    assert_eq!(desk.run("crds").output(), texts.join("---\n"));
}

#[test]
fn the_plugin_goes_where_kustomize_looks() {
    let desk = Desk::new();
    let places = [
        "c5c3.io/v1alpha1/controlplane/ControlPlane",
        "c5c3.io/v1alpha1/openstackcluster/OpenStackCluster",
    ];
    let install = |words: &str, variables: &[(&str, &str)]| {
        let mut command = desk.command(words);
        for (name, folder) in variables {
            command.env(name, desk.path(folder));
        }
        assert_eq!(command.output().unwrap().status.code(), Some(0));
    };
    install("plugin install", &[]);
    install("plugin install", &[("XDG_CONFIG_HOME", "config")]);
    install("plugin install", &[("XDG_CONFIG_HOME", "config"), ("KUSTOMIZE_PLUGIN_HOME", "own")]);
    install("plugin install --dir given", &[("KUSTOMIZE_PLUGIN_HOME", "own")]);
    // Twice: what is there is replaced.
    install("plugin install --dir given", &[]);
    let homes = ["config/kustomize/plugin", "given", "home/.config/kustomize/plugin", "own"];
    let expected =
        homes.iter().flat_map(|home| places.iter().map(move |place| format!("{home}/{place}")));
    let expected: Vec<String> = expected.collect();
    assert_eq!(desk.list(""), expected);
    let program = fs::read(env!("CARGO_BIN_EXE_strata")).unwrap();
    for place in expected {
        let installed = desk.path(&place);
        assert_eq!(fs::read(&installed).unwrap(), program);
        let output = std::process::Command::new(installed).arg("--version").output().unwrap();
        assert!(output.status.success());
    }
}

#[test]
fn shells_get_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = Desk::new().run(&format!("completions {shell}")).output();
        assert!(text.contains("validate"), "{shell}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let desk = Desk::new();
    assert!(desk.run("man").output().contains(".SH SYNOPSIS"));
    insta::assert_snapshot!(desk.run("man --out man"), @r"
    15 pages written to man
    exit 0
    ");
    insta::assert_snapshot!(desk.list("man").join(" "), @"strata-artifact.1 strata-completions.1 strata-crds.1 strata-explain.1 strata-graph.1 strata-init.1 strata-man.1 strata-plugin-install.1 strata-plugin.1 strata-render.1 strata-requirements.1 strata-schema.1 strata-stage.1 strata-validate.1 strata.1");
}

#[test]
fn a_fault_of_ours_is_told_as_such() {
    let ran = Desk::new().run("panic");
    // The line changes with every edit of the file.
    let stderr: Vec<&str> = ran.stderr.lines().filter(|line| !line.contains(".rs:")).collect();
    assert_eq!((ran.status, ran.stdout.as_str()), (70, ""));
    insta::assert_snapshot!(stderr.join("\n"), @r"
    error: strata 0.1.0 has a fault, which is not yours: as asked
      Nothing was printed or half written. Please report this with the command line, the text above and, if you may share it, the input.
    ");
}
