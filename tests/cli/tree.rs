use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::process::Command;

use crate::desk::{Desk, RECORD, SPEC};

/// One component more than `SPEC` has, one line in it different, and the component switched off.
const WITH: &str = "spec: {services: {motto: {text: Hello}}}";
const OTHER: &str = "spec: {services: {motto: {text: Goodbye}}}";
const WITHOUT: &str = "spec: {services: {motto: {enabled: false}}}";

const RENDER: &str = "render cloud.yaml --generators records --out rendered --quiet";

/// A desk with a tree on it, rendered from `cloud.yaml`.
fn rendered(spec: &str) -> Desk {
    let desk = Desk::new().file("records/motto.yaml", RECORD);
    render(&desk, spec);
    desk
}

fn render(desk: &Desk, spec: &str) {
    desk.write("cloud.yaml", &SPEC.replace("spec: {}", spec));
    desk.run(RENDER).output();
}

fn stream(desk: &Desk) -> String {
    desk.run("render cloud.yaml --generators records").output()
}

/// Every file with its bytes, its time and its inode.
fn state(desk: &Desk, folder: &str) -> Vec<(String, Vec<u8>, i64, u64)> {
    let of = |file: String| {
        let path = desk.path(folder).join(&file);
        let metadata = fs::symlink_metadata(&path).unwrap();
        (file, fs::read(&path).unwrap_or_default(), metadata.mtime_nsec(), metadata.ino())
    };
    desk.list(folder).into_iter().map(of).collect()
}

/// Nothing is left beside the tree.
fn is_tidy(desk: &Desk) {
    let left: Vec<String> =
        desk.list("").into_iter().filter(|file| file.contains(".strata-")).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn a_tree_holds_what_the_stream_holds() {
    let desk = rendered(WITH);
    let files = desk.list("rendered");
    assert!(files.contains(&"keystone/keystone-keystone.yaml".to_owned()), "{files:?}");
    // Beside the objects, Flux's own and lists of files.
    let objects = files
        .iter()
        .filter(|file| !file.ends_with("kustomization.yaml") && !file.starts_with("flux/"));
    let mut tree: Vec<String> = objects
        .filter(|file| *file != ".strata")
        .map(|file| desk.read(&format!("rendered/{file}")))
        .collect();
    let stream = stream(&desk);
    let mut documents: Vec<&str> = stream.split("---\n").collect();
    tree.sort();
    documents.sort_unstable();
    assert_eq!(tree, documents);
    is_tidy(&desk);
}

#[test]
fn kubectl_reads_the_tree_as_the_stream() {
    let desk = rendered(WITH);
    let output = Command::new("kubectl").arg("kustomize").arg(desk.path("rendered")).output();
    let output = output.expect("kubectl is needed: see https://kubernetes.io/docs/tasks/tools");
    assert!(output.status.success(), "{output:?}");
    let stream = stream(&desk);
    assert!(String::from_utf8(output.stdout).unwrap() == stream);
}

#[test]
fn the_manifest_is_one_that_sha256sum_checks() {
    let desk = rendered(WITH);
    let output = Command::new("sha256sum")
        .args(["-c", ".strata"])
        .current_dir(desk.path("rendered"))
        .output();
    assert!(output.unwrap().status.success());
}

#[test]
fn clouds_have_a_folder_each() {
    let other = SPEC.replace("name: test, namespace: openstack", "name: other, namespace: second");
    let desk = Desk::with_spec().file("other.yaml", &other);
    desk.run("render cloud.yaml other.yaml --out rendered").output();
    assert!(desk.path("rendered/openstack/keystone/keystone-keystone.yaml").is_file());
    assert!(desk.path("rendered/second/keystone/kustomization.yaml").is_file());
    insta::assert_snapshot!(desk.read("rendered/kustomization.yaml"), @r"
    apiVersion: kustomize.config.k8s.io/v1beta1
    kind: Kustomization
    resources:
    - openstack
    - second
    ");
    insta::assert_snapshot!(desk.read("rendered/flux/kustomization.yaml"), @r"
    apiVersion: kustomize.config.k8s.io/v1beta1
    kind: Kustomization
    resources:
    - kustomization-other-flux.yaml
    - kustomization-test-flux.yaml
    ");
    // One cloud less: its folder goes, and the other one moves up.
    assert_eq!(desk.run("render cloud.yaml --out rendered").status, 1);
    desk.run("render cloud.yaml --out rendered --allow-removal other").output();
    assert!(!desk.path("rendered/second").exists());
    assert!(desk.path("rendered/keystone/keystone-keystone.yaml").is_file());
}

#[test]
fn nothing_changes_where_nothing_changed() {
    let desk = rendered(WITH);
    let folder = || fs::metadata(desk.path("rendered")).unwrap().ino();
    let (before, inode) = (state(&desk, "rendered"), folder());
    desk.run(RENDER).output();
    assert_eq!(state(&desk, "rendered"), before);
    assert_eq!(folder(), inode);
}

#[test]
fn files_whose_bytes_stay_are_not_written_again() {
    let desk = rendered(WITH);
    let before = state(&desk, "rendered");
    render(&desk, OTHER);
    let after = state(&desk, "rendered");
    let changed: Vec<&str> = after
        .iter()
        .zip(&before)
        .filter(|(after, before)| after != before)
        .map(|(after, _)| after.0.as_str())
        .collect();
    assert_eq!(changed, [".strata", "motto/configmap-motto.yaml"]);
}

#[test]
fn files_that_are_no_longer_rendered_go() {
    let desk = rendered(WITH);
    assert!(desk.path("rendered/motto").exists());
    render(&desk, WITHOUT);
    assert!(!desk.path("rendered/motto").exists());
    assert!(!desk.read("rendered/kustomization.yaml").contains("motto"));
}

#[test]
fn files_of_others_stay() {
    let desk = rendered(WITH);
    desk.write("rendered/NOTES.md", "mine");
    desk.write("rendered/motto/patch.yaml", "mine");
    desk.write("rendered/motto/run.sh", "mine");
    fs::set_permissions(desk.path("rendered/motto/run.sh"), fs::Permissions::from_mode(0o750))
        .unwrap();
    fs::create_dir(desk.path("rendered/empty")).unwrap();
    symlink("NOTES.md", desk.path("rendered/link")).unwrap();
    let mine = |desk: &Desk| -> Vec<_> {
        let names = ["NOTES.md", "motto/patch.yaml", "motto/run.sh", "link"];
        state(desk, "rendered").into_iter().filter(|file| names.contains(&&*file.0)).collect()
    };
    let before = mine(&desk);
    assert_eq!(before.len(), 4);
    render(&desk, WITHOUT);
    assert_eq!(mine(&desk), before);
    assert!(desk.path("rendered/empty").is_dir());
    assert!(desk.path("rendered/link").is_symlink());
    let mode = fs::metadata(desk.path("rendered/motto/run.sh")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert!(!desk.path("rendered/motto/kustomization.yaml").exists());
    is_tidy(&desk);
}

#[test]
fn what_somebody_changed_is_not_overwritten() {
    let desk = rendered(WITH);
    desk.write("rendered/keystone/keystone-keystone.yaml", "mine\n");
    desk.write("rendered/motto/configmap-motto.yaml", "mine too\n");
    desk.write("cloud.yaml", &SPEC.replace("spec: {}", WITHOUT));
    let before = state(&desk, "rendered");
    insta::assert_snapshot!(desk.run(RENDER), @r"
    error: nothing was written, because somebody has changed in rendered: keystone/keystone-keystone.yaml, motto/configmap-motto.yaml
     |
     = help: put the change into the spec or a kustomize patch, or discard it with --force
    exit 1
    ");
    assert_eq!(state(&desk, "rendered"), before);
    desk.run(&format!("{RENDER} --force")).output();
    assert_ne!(desk.read("rendered/keystone/keystone-keystone.yaml"), "mine\n");
    assert!(!desk.path("rendered/motto").exists());
}

#[test]
fn a_file_of_others_in_our_place_is_not_overwritten() {
    let desk = rendered(WITHOUT);
    desk.write("rendered/motto/configmap-motto.yaml", "mine\n");
    desk.write("cloud.yaml", &SPEC.replace("spec: {}", WITH));
    let ran = desk.run(RENDER);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("motto/configmap-motto.yaml"), "{ran}");
    assert_eq!(desk.read("rendered/motto/configmap-motto.yaml"), "mine\n");
}

#[test]
fn a_file_of_others_in_the_place_of_a_folder_is_not_overwritten() {
    let desk = rendered(WITHOUT);
    desk.write("rendered/motto", "mine\n");
    desk.write("cloud.yaml", &SPEC.replace("spec: {}", WITH));
    insta::assert_snapshot!(desk.run(RENDER), @r"
    error: nothing was written, because somebody has changed in rendered: motto
     |
     = help: put the change into the spec or a kustomize patch, or discard it with --force
    exit 1
    ");
    assert_eq!(desk.read("rendered/motto"), "mine\n");
    desk.run(&format!("{RENDER} --force")).output();
    assert!(desk.path("rendered/motto/configmap-motto.yaml").is_file());
}

#[test]
fn a_file_that_was_deleted_comes_back() {
    let desk = rendered(WITH);
    let before = desk.list("rendered");
    fs::remove_dir_all(desk.path("rendered/keystone")).unwrap();
    desk.run(RENDER).output();
    assert_eq!(desk.list("rendered"), before);
}

#[test]
fn an_invalid_input_leaves_the_tree_alone() {
    let desk = rendered(WITH);
    desk.write("cloud.yaml", &SPEC.replace("{}", "{sice: small}"));
    let before = state(&desk, "rendered");
    assert_eq!(desk.run(RENDER).status, 1);
    assert_eq!(state(&desk, "rendered"), before);
    assert_eq!(desk.run("render cloud.yaml --out fresh").status, 1);
    assert!(!desk.path("fresh").exists());
}

#[test]
fn a_failure_while_writing_leaves_the_tree_alone() {
    let desk = rendered(WITHOUT);
    // A folder of somebody stands where a file of ours would have to be.
    desk.write("rendered/motto/configmap-motto.yaml/mine", "");
    desk.write("cloud.yaml", &SPEC.replace("spec: {}", WITH));
    let before = state(&desk, "rendered");
    let ran = desk.run(RENDER);
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("motto"), "{ran}");
    assert_eq!(state(&desk, "rendered"), before);
    is_tidy(&desk);
}

#[test]
fn what_a_crash_left_is_mended() {
    let desk = rendered(WITH);
    let before = desk.list("rendered");
    desk.write("rendered/NOTES.md", "mine");
    // Between the two renamings.
    fs::rename(desk.path("rendered"), desk.path(".rendered.strata-old")).unwrap();
    desk.write(".rendered.strata-new/half", "");
    desk.run(RENDER).output();
    assert_eq!(desk.read("rendered/NOTES.md"), "mine");
    assert_eq!(desk.list("rendered").len(), before.len() + 1);
    is_tidy(&desk);
    // Behind them.
    desk.write(".rendered.strata-old/keystone/x.yaml", "");
    desk.run(RENDER).output();
    is_tidy(&desk);
}

#[test]
fn folders_that_are_not_ours_are_refused() {
    let desk = Desk::with_spec()
        .file("full/x", "mine")
        .file("repository/.git/HEAD", "")
        .file("home/x", "")
        .file("manifest/.strata", "resources: []\n");
    symlink("nowhere", desk.path("dangling")).unwrap();
    let mut said = String::new();
    let folders =
        ["full", "repository", "home", ".", "..", "/", "cloud.yaml", "dangling", "manifest"];
    for folder in folders {
        let ran = desk.run(&format!("render cloud.yaml -q --out {folder}"));
        said += &format!("{ran}\n");
    }
    insta::assert_snapshot!(said, @r"
    error: full is not empty, and strata has not written it
     |
     = help: name a new or empty folder; a tree of strata's own is known by its file .strata
    exit 2
    error: repository is the root of a repository
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: home is your home folder
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: . holds the folder you are in
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: .. holds the folder you are in
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: / is the root of the file system
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: cloud.yaml is no folder
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: dangling is a link that leads nowhere
     |
     = help: name a folder of its own, such as rendered/
    exit 2
    error: manifest/.strata is not as strata writes it, so what is ours cannot be told
     |
     = help: restore the file, or remove the whole folder and render it anew
    exit 1
    ");
    assert_eq!(desk.list("full"), ["x"]);
}

#[test]
fn a_link_to_the_tree_stays_a_link() {
    let desk = Desk::with_spec();
    fs::create_dir(desk.path("real")).unwrap();
    symlink("real", desk.path("link")).unwrap();
    desk.run("render cloud.yaml --out link").output();
    assert!(desk.path("link").is_symlink());
    assert!(desk.path("real/kustomization.yaml").is_file());
}

#[test]
fn a_failure_is_part_of_the_json() {
    let desk = Desk::with_spec().file("full/x", "mine");
    let ran = desk.run("render cloud.yaml -q --out full --format json");
    insta::assert_snapshot!(ran, @r#"
    [
    {"severity":"error","message":"full is not empty, and strata has not written it","remedy":"name a new or empty folder; a tree of strata's own is known by its file .strata"}
    ]
    exit 2
    "#);
}
