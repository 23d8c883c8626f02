//! The recipe "Add an OpenStack service" of CONTRIBUTING.md, followed as a reader would: its blocks of
//! YAML go into a scratch folder under the names that it gives them, and the program renders them.

mod page;

use std::fs;
use std::path::Path;
use std::process::Command;

use page::Block;
use strata::catalogue::{Catalogue, RECORD_SCHEMA};
use strata::finding::Findings;
use strata::record::{self, Record};
use strata::yaml::read::read_bytes;

const RECORD: &str = "generators/extras/swift.yaml";
const FIXTURE: &str = "fixtures/swift/controlplane.yaml";

/// A folder with the files of the recipe.
struct Kitchen(tempfile::TempDir);

impl Kitchen {
    fn new() -> Self {
        let kitchen = Kitchen(tempfile::tempdir().unwrap());
        for Block { file, text } in page::recipe() {
            let path = kitchen.0.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        kitchen
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    /// Runs the program as the last line of the recipe says; standard output and standard error.
    fn strata(&self, arguments: &[&str]) -> (String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_strata"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (said, told) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "strata {arguments:?}: {}\n{told}", output.status);
        (said, told)
    }

    fn record(&self) -> Record {
        let node = read_bytes(self.read(RECORD).as_bytes()).documents.remove(0).root;
        let mut findings = Findings::default();
        let record = record::decode(&node, &RECORD_SCHEMA, Some(0), &mut findings);
        assert!(findings.is_empty(), "{findings:#?}");
        record.unwrap()
    }
}

#[test]
fn the_recipe_names_the_two_files_that_it_gives() {
    let files: Vec<String> = page::recipe().into_iter().map(|block| block.file).collect();
    assert_eq!(files, [RECORD, FIXTURE]);
}

/// What the build asks of all records together, with this one among them.
#[test]
fn the_record_could_be_built_in() {
    let kitchen = Kitchen::new();
    let record = kitchen.record();
    let built_in = Catalogue::built_in();
    assert!(built_in.record(&record.component).is_none(), "choose a service that is not there yet");
    let mut findings = Findings::default();
    record::check(built_in.records().chain([&record]), &mut findings);
    assert!(findings.is_empty(), "{findings:#?}");
    // The build does not read what is not below this folder and does not end like this.
    assert!(Path::new(RECORD).starts_with("generators") && RECORD.ends_with(".yaml"));
    assert_eq!(RECORD, format!("generators/{}/{}.yaml", record.phase.name(), record.component));
}

#[test]
fn it_renders_all_that_the_recipe_promises() {
    let kitchen = Kitchen::new();
    let (rendered, findings) =
        kitchen.strata(&["render", FIXTURE, "--generators", "generators", "--color=never"]);
    let mut ours: Vec<String> = rendered
        .split("---\n")
        .map(|document| read_bytes(document.as_bytes()).documents.remove(0).root.to_value())
        .map(|object| {
            let text = |path: &[&str]| object.at(path).unwrap().as_str().unwrap().to_owned();
            format!("{} {}", text(&["kind"]), text(&["metadata", "name"]))
        })
        .filter(|id| id.contains("swift"))
        .collect();
    ours.sort();
    assert_eq!(
        ours,
        [
            "Certificate swift-tls",
            "ConfigMap strata-swift",
            "Endpoint swift-internal",
            "Endpoint swift-public",
            "ExternalSecret swift-keystone-credentials",
            "Namespace swift",
            "PushSecret swift-keystone-credentials",
            "RoleAssignment swift-admin",
            "RoleAssignment swift-service",
            "Service swift",
            "Swift swift",
            "User swift",
        ]
    );
    for line in [
        "url: https://swift.swift.svc.cluster.local:8080/v1/AUTH_%(project_id)s\n",
        "type: object-store\n",
        "storagePolicy: erasure-coded\n",
        "authUrl: https://keystone.swift.svc.cluster.local:5000/v3\n",
        "secretName: swift-keystone-credentials\n",
    ] {
        assert!(rendered.contains(line), "nothing has {line:?}");
    }
    // The comment in the record says so.
    let served = findings.lines().find(|line| line.contains("serves the objects of"));
    assert!(served.is_some_and(|line| line.contains("swift")), "{findings}");
}

#[test]
fn the_plan_has_it_after_all_it_needs() {
    let kitchen = Kitchen::new();
    let (plan, _) = kitchen.strata(&["graph", FIXTURE, "--generators", "generators"]);
    // The first line is the name of the cloud.
    let line = plan.lines().skip(1).find(|line| line.trim_start().starts_with("swift"));
    let line = line.unwrap_or_else(|| panic!("swift is not in the plan:\n{plan}"));
    for need in ["keystone", "catalog"] {
        assert!(line.contains(need), "{line} does not name {need}");
    }
}

#[test]
fn its_settings_are_in_the_schema_and_the_crd() {
    let kitchen = Kitchen::new();
    for command in [&["schema", "controlplane"][..], &["crds"]] {
        let (text, _) = kitchen.strata(&[command, &["--generators", "generators"]].concat());
        for word in ["swift", "storagePolicy", "erasure-coded", "replicas", "resources"] {
            assert!(text.contains(word), "{command:?} has no {word}");
        }
    }
}

#[test]
fn a_slip_in_the_settings_is_found() {
    let kitchen = Kitchen::new();
    let path = kitchen.0.path().join(FIXTURE);
    let slip = kitchen.read(FIXTURE).replacen("storagePolicy", "storagePolice", 1);
    fs::write(path, slip).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_strata"))
        .args(["render", FIXTURE, "--generators", "generators"])
        .current_dir(&kitchen.0)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(output.stdout.is_empty());
    assert!(told.contains("S0101") && told.contains("did you mean `storagePolicy`?"), "{told}");
}

/// "Write every option of the record once."
#[test]
fn the_fixture_writes_every_option_of_the_record() {
    let kitchen = Kitchen::new();
    let fixture = kitchen.read(FIXTURE);
    for (option, _) in kitchen.record().options.iter() {
        assert!(fixture.contains(&format!("{option}:")), "the fixture does not write {option}");
    }
}

/// Every name that the recipe puts into code letters and that looks like a command or a file of the
/// repository is one.
#[test]
fn what_the_recipe_tells_to_run_and_to_read_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = page::section();
    let tasks = fs::read_to_string(root.join("xtask/src/main.rs")).unwrap();
    let mut tried = 0;
    for words in page::in_code_letters(&text) {
        if let Some(task) = words.strip_prefix("cargo xtask ") {
            let task = task.split_whitespace().next().unwrap();
            assert!(tasks.contains(&format!("\"{task}\"")), "there is no task {task}");
            tried += 1;
        } else if let Some(command) = words.strip_prefix("strata ") {
            let command: Vec<&str> = command.split_whitespace().collect();
            let kitchen = Kitchen::new();
            if command[0] != "render" {
                kitchen.strata(&command);
            }
            tried += 1;
        } else if words.ends_with('/') {
            assert!(root.join(&words).is_dir(), "there is no folder {words}");
            tried += 1;
        }
    }
    assert!(tried >= 5, "only {tried} commands and folders were found in\n{text}");
}
