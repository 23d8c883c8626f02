use std::os::unix::fs::symlink;

use crate::desk::{Desk, RECORD, SPEC};

/// What is read is what is rendered: the same as from one plain file.
fn reads_the_spec(desk: &Desk, words: &str) {
    let plain = Desk::with_spec().run("render cloud.yaml").output();
    let ran = desk.run(words);
    assert_eq!(ran.status, 0, "{ran}");
    assert_eq!(ran.stdout, plain);
    assert!(!ran.stderr.contains("S0007"), "{ran}");
}

#[test]
fn a_folder_is_read_with_all_below_it() {
    let desk = Desk::new().file("clouds/a/b/cloud.yml", SPEC).file("clouds/notes.txt", "a: [");
    reads_the_spec(&desk, "render clouds");
}

#[test]
fn what_is_not_meant_as_input_is_left_out() {
    let kustomization = "kind: Kustomization\n";
    let desk = Desk::with_spec()
        .file("kustomization.yaml", kustomization)
        .file("a/kustomization.yml", kustomization)
        .file("b/Kustomization", kustomization)
        .file(".hidden/x.yaml", kustomization)
        .file(".x.yaml", kustomization)
        .file("rendered/.strata", "")
        .file("rendered/x.yaml", kustomization);
    reads_the_spec(&desk, "render .");
}

#[test]
fn a_rendered_tree_is_no_spec() {
    let desk = Desk::new().file("rendered/.strata", "").file("rendered/x.yaml", SPEC);
    insta::assert_snapshot!(desk.run("render rendered"), @r"
    error[S0006]: a file or folder cannot be read
     |
     = note: `rendered` is a tree that strata rendered
     = help: name the folder or file that holds the spec

    error: 1 error; nothing was written
    further checks follow once these errors are mended
    `strata explain S0006` says more
    exit 1
    ");
}

#[test]
fn standard_input_is_read() {
    let ran = Desk::new().run_with_input("render -", SPEC);
    assert_eq!(ran.output(), Desk::with_spec().run("render cloud.yaml").output());
    insta::assert_snapshot!(Desk::new().run_with_input("render -", "a: [\n"), @r"
    error[S0001]: the text is not YAML
     --> <stdin>:1:4
      |
    1 | a: [
      |    ^ this `[` is never closed
      |
      = help: mend the text here; the other documents were read

    error: 1 error; nothing was written
    further checks follow once these errors are mended
    `strata explain S0001` says more
    exit 1
    ");
}

#[test]
fn a_file_is_read_once_whatever_leads_to_it() {
    let desk = Desk::with_spec();
    symlink("cloud.yaml", desk.path("link.yaml")).unwrap();
    reads_the_spec(&desk, "render . cloud.yaml ./link.yaml .");
}

#[test]
fn links_in_a_circle_end() {
    let desk = Desk::new().file("clouds/cloud.yaml", SPEC);
    symlink(".", desk.path("clouds/self")).unwrap();
    symlink("../clouds", desk.path("clouds/up")).unwrap();
    reads_the_spec(&desk, "render clouds");
}

#[test]
fn a_path_that_is_not_there_is_told_with_all_else() {
    let desk = Desk::with_spec().file("broken.yaml", "a: 1\na: 2\n");
    insta::assert_snapshot!(desk.run("render clout.yaml broken.yaml nothing/at/all"), @r"
    warning[S0007]: an object of another kind is left out
     --> broken.yaml:1:1
      |
    1 | a: 1
      | ^ this document has no `kind`, so it is no Kubernetes object
      |
      = help: add apiVersion and kind, or remove the document

    error[S0002]: a key stands twice in one map
     --> broken.yaml:2:1
      |
    2 | a: 2
      | ^ the key `a` stands twice; first at line 1
      |
      = help: remove one of the two

    error[S0006]: a file or folder cannot be read
     |
     = note: `clout.yaml` does not exist
     = help: did you mean `cloud.yaml`?

    error[S0006]: a file or folder cannot be read
     |
     = note: `nothing/at/all` does not exist
     = help: check the spelling, and the folder you are in

    error: 3 errors, 1 warning; nothing was written
    further checks follow once these errors are mended
    `strata explain S0002` says more
    exit 1
    ");
}

#[test]
fn an_empty_folder_is_an_error() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("empty")).unwrap();
    insta::assert_snapshot!(desk.run("render empty"), @r"
    error[S0005]: there is no control plane in the input
     |
     = note: no document of kind ControlPlane or OpenStackCluster (c5c3.io/v1alpha1) was found
     = help: name a file or folder that holds one, of an overlay its base; `strata init DIR` writes a first one

    error: 1 error; nothing was written
    `strata explain S0005` says more
    exit 1
    ");
}

#[test]
fn records_can_be_given() {
    let desk = Desk::new()
        .file("records/motto.yaml", RECORD)
        .file("cloud.yaml", &SPEC.replace("spec: {}", "spec: {services: {motto: {text: Oh}}}"));
    assert_eq!(desk.run("validate cloud.yaml").status, 1);
    let output = desk.run("render cloud.yaml --generators records").output();
    assert!(output.contains("  text: Oh\n"), "{output}");
    // Also when the folder lies among what is read.
    assert_eq!(desk.run("render . --generators records").output(), output);
    assert!(desk.run("schema controlplane --generators records").output().contains("on the wall"));
    assert!(desk.run("crds --generators records").output().contains("on the wall"));
}

#[test]
fn a_folder_of_records_holds_nothing_else() {
    let desk = Desk::new().file("records/cloud.yaml", SPEC);
    insta::assert_snapshot!(desk.run("schema controlplane --generators records --format json").stderr, @r#"
    [
    {"code":"S0007","severity":"warning","title":"an object of another kind is left out","message":"--generators takes records (kind: Component), and this is none","remedy":"name the file among the paths to render, or keep it outside this folder","file":"records/cloud.yaml","line":2,"column":7,"endLine":2,"endColumn":19,"object":"ControlPlane openstack/test","path":"kind"}
    ]
    "#);
    let ran = desk.run("render records/../none.yaml --generators records");
    assert!(ran.stderr.contains("warning[S0007]"), "{ran}");
}

#[test]
fn a_cloud_that_is_there_twice_is_shown_where_it_is_first() {
    let other = SPEC.replace("name: test", "name: tested");
    for (second, code) in [(SPEC, "S0011"), (other.as_str(), "S0012")] {
        let desk = Desk::new().file("in/a.yaml", SPEC).file("in/b.yaml", second);
        for words in ["validate in", "validate in --format json"] {
            let ran = desk.run(words);
            let told = format!("{}{}", ran.stdout, ran.stderr);
            assert!(told.contains(code), "{ran}");
            assert!(told.contains("already, at in/a.yaml:3"), "{ran}");
        }
    }
}
