use crate::desk::Desk;

#[test]
fn a_repository_is_begun() {
    insta::assert_snapshot!(Desk::new().run("init clouds/mine"), @r"
    wrote
      clouds/mine/controlplane.yaml
      clouds/mine/kustomization.yaml
      clouds/mine/README.md
      clouds/mine/.gitignore
    next
      edit clouds/mine/controlplane.yaml
      strata validate clouds/mine
      strata render clouds/mine --out rendered
    exit 0
    ");
}

#[test]
fn what_was_begun_is_valid_and_guarded() {
    let desk = Desk::new();
    desk.run("init . --name lab").output();
    let rendered = desk.run("render .").output();
    let guard = "\n  - select:\n      kind: ConfigMap\n      name: strata-lab\n";
    assert!(desk.read("kustomization.yaml").contains(guard));
    assert!(rendered.contains("\n  name: strata-lab\n"), "{rendered}");
    assert!(!rendered.contains("config.kubernetes.io/function"), "{rendered}");
    for file in desk.list("") {
        assert!(!desk.read(&file).contains("{{"), "{file}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let desk = Desk::new().file("mine/kustomization.yaml", "my own");
    insta::assert_snapshot!(desk.run("init mine"), @r"
    error: nothing was written, because there is already: mine/kustomization.yaml
     |
     = help: name another folder, or move these files away
    exit 1
    ");
    assert_eq!(desk.list("mine"), ["kustomization.yaml"]);
    assert_eq!(desk.read("mine/kustomization.yaml"), "my own");
}

/// Most repositories begin with a README.
#[test]
fn a_readme_of_ones_own_is_kept() {
    let desk = Desk::new().file("mine/README.md", "my own");
    insta::assert_snapshot!(desk.run("init mine"), @r"
    wrote
      mine/controlplane.yaml
      mine/kustomization.yaml
      mine/.gitignore
    kept
      mine/README.md
    next
      edit mine/controlplane.yaml
      strata validate mine
      strata render mine --out rendered
    exit 0
    ");
    assert_eq!(desk.read("mine/README.md"), "my own");
}

#[test]
fn a_name_must_be_one() {
    assert_eq!(Desk::new().run("init mine --name My_Cloud").status, 2);
}
