use crate::desk::{Desk, SPEC};

#[test]
fn a_repository_is_begun() {
    insta::assert_snapshot!(Desk::new().run("init clouds/mine"), @r"
    wrote
      clouds/mine/base/controlplane.yaml
      clouds/mine/base/kustomization.yaml
      clouds/mine/overlays/production/kustomization.yaml
      clouds/mine/render.sh
      clouds/mine/README.md
      clouds/mine/.gitignore
      clouds/mine/.gitattributes
      clouds/mine/.githooks/pre-commit
      clouds/mine/.github/workflows/strata.yaml
      clouds/mine/.gitlab-ci.yml
      clouds/mine/.vscode/settings.json
      clouds/mine/.vscode/controlplane.schema.json
    next
      edit clouds/mine/base/controlplane.yaml
      strata validate clouds/mine
      clouds/mine/render.sh, which needs kustomize
    exit 0
    ");
}

#[test]
fn what_was_begun_is_valid_and_guarded() {
    let desk = Desk::new();
    desk.run("init . --name lab").output();
    let rendered = desk.run("render .").output();
    let guard = "\n  - select:\n      kind: ConfigMap\n      name: strata-lab\n";
    assert!(desk.read("base/kustomization.yaml").contains(guard));
    assert!(rendered.contains("\n  name: strata-lab\n"), "{rendered}");
    assert!(!rendered.contains("config.kubernetes.io/function"), "{rendered}");
    for file in desk.list("") {
        assert!(!file.contains("{{") && !desk.read(&file).contains("{{name"), "{file}");
    }
    // Nothing beside the spec is taken for one.
    let said = desk.run("validate . --quiet");
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    assert_eq!(
        desk.read(".vscode/controlplane.schema.json"),
        desk.run("schema controlplane").output()
    );
}

/// Every file that is YAML or JSON for another program can be read by it.
#[test]
fn what_other_programs_read_is_well_formed() {
    let desk = Desk::new();
    desk.run("init . --name lab").output();
    for file in desk.list("") {
        let text = desk.read(&file);
        match file.rsplit('.').next() {
            Some("yaml" | "yml") => {
                let faults = strata::yaml::read::read(&text).faults;
                assert!(faults.is_empty(), "{file}: {faults:?}");
            }
            Some("json") => {
                serde_json::from_str::<serde_json::Value>(&text).unwrap();
            }
            _ => {}
        }
    }
    for script in ["render.sh", ".githooks/pre-commit"] {
        let checked = std::process::Command::new("sh").arg("-n").arg(desk.path(script)).status();
        assert!(checked.unwrap().success(), "{script}");
        let mode =
            std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(desk.path(script)).unwrap());
        assert_eq!(mode & 0o777, 0o755, "{script}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let desk = Desk::new().file("mine/base/kustomization.yaml", "my own");
    insta::assert_snapshot!(desk.run("init mine"), @r"
    error: nothing was written, because there is already: mine/base/kustomization.yaml
     |
     = help: name another folder, or move these files away
    exit 1
    ");
    assert_eq!(desk.list("mine"), ["base/kustomization.yaml"]);
    assert_eq!(desk.read("mine/base/kustomization.yaml"), "my own");
}

#[test]
fn nothing_is_written_beside_another_spec() {
    let desk = Desk::new().file("mine/clouds/a.yaml", SPEC).file("mine/other.yaml", "kind: Pod");
    insta::assert_snapshot!(desk.run("init mine"), @r"
    error: nothing was written, because there is already a spec: mine/clouds/a.yaml
     |
     = help: name another folder, or move these files away; `strata validate` takes them where they are
    exit 1
    ");
    assert_eq!(desk.list("mine"), ["clouds/a.yaml", "other.yaml"]);
}

#[test]
fn no_repository_is_begun_inside_another() {
    let desk = Desk::new();
    desk.run("init mine").output();
    let files = desk.list("");
    insta::assert_snapshot!(desk.run("init mine/base"), @r"
    error: nothing was written, because there is already a spec: mine/base/controlplane.yaml
     |
     = help: name another folder, or move these files away; `strata validate` takes them where they are
    exit 1
    ");
    insta::assert_snapshot!(desk.run("init mine/clouds/second"), @r"
    error: nothing was written, because the folder is in the repository of a spec: mine/base/controlplane.yaml
     |
     = help: name a folder beside that repository, or change the spec that is there
    exit 1
    ");
    assert_eq!(desk.list(""), files);
    assert_eq!(desk.run("init second").status, 0);
}

/// Most repositories begin with a README.
#[test]
fn a_readme_of_ones_own_is_kept() {
    let desk = Desk::new().file("mine/README.md", "my own");
    insta::assert_snapshot!(desk.run("init mine"), @r"
    wrote
      mine/base/controlplane.yaml
      mine/base/kustomization.yaml
      mine/overlays/production/kustomization.yaml
      mine/render.sh
      mine/.gitignore
      mine/.gitattributes
      mine/.githooks/pre-commit
      mine/.github/workflows/strata.yaml
      mine/.gitlab-ci.yml
      mine/.vscode/settings.json
      mine/.vscode/controlplane.schema.json
    kept
      mine/README.md
    next
      edit mine/base/controlplane.yaml
      strata validate mine
      mine/render.sh, which needs kustomize
    exit 0
    ");
    assert_eq!(desk.read("mine/README.md"), "my own");
}

/// A machine with Strata alone can render all but the overlays.
#[test]
fn the_script_says_what_to_do_without_kustomize() {
    let desk = Desk::new();
    desk.run("init mine").output();
    std::fs::create_dir(desk.path("bin")).unwrap();
    let strata = std::path::Path::new(env!("CARGO_BIN_EXE_strata"));
    for tool in [strata, std::path::Path::new("/usr/bin/dirname")] {
        std::os::unix::fs::symlink(tool, desk.path("bin").join(tool.file_name().unwrap())).unwrap();
    }
    let ran = std::process::Command::new(desk.path("mine/render.sh"))
        .env("PATH", desk.path("bin"))
        .output()
        .unwrap();
    assert!(!ran.status.success());
    insta::assert_snapshot!(String::from_utf8(ran.stderr).unwrap(), @r"
    kustomize is not on the PATH: install it
    without the overlays, Strata renders alone: strata render base --out rendered
    ");
    let alone = desk.command("render base --out rendered").current_dir(desk.path("mine")).status();
    assert!(alone.unwrap().success());
}

#[test]
fn a_name_must_be_one() {
    assert_eq!(Desk::new().run("init mine --name My_Cloud").status, 2);
}
