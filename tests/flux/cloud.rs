//! The production cloud as the tests want it, rendered into a tree and packed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use strata::deliver::staging::Staging;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::real::Object;

/// A spec, and the tree that was rendered of it.
pub struct Cloud {
    folder: TempDir,
    pub spec: Value,
}

/// What a tree says of itself.
pub struct Tree {
    pub staging: Staging,
    /// Component → its objects.
    pub components: BTreeMap<String, Vec<Object>>,
    /// Flux's own objects, without the entry's list.
    pub flux: Vec<Object>,
}

impl Cloud {
    /// The fixture, with a release that has a next one.
    pub fn production() -> Self {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/production");
        let text = fs::read_to_string(fixture.join("controlplane.yaml")).unwrap();
        let mut spec = strata::spec::to_json(&strata::yaml::read::read(&text).documents[0].root);
        spec["spec"]["release"] = json!("2025.2");
        Cloud { folder: tempfile::tempdir().unwrap(), spec }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Where the tree lies below what the source holds.
    pub fn tree_path(&self) -> String {
        let path = self.spec["spec"]["delivery"]["path"].as_str().unwrap_or_default();
        format!("source/{path}").trim_end_matches('/').to_owned()
    }

    pub fn try_render(&self, more: &[&str]) -> Output {
        fs::write(self.path("cloud.yaml"), self.spec.to_string()).unwrap();
        let out = self.path(&self.tree_path());
        strata()
            .args(["render", "--quiet"])
            .arg(self.path("cloud.yaml"))
            .arg("--out")
            .arg(out)
            .args(more)
            .output()
            .unwrap()
    }

    pub fn render(&self, more: &[&str]) {
        let output = self.try_render(more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The archive of what the source holds, and its digest.
    pub fn pack(&self) -> (Vec<u8>, String) {
        let file = self.path("source.tar.gz");
        let output = strata()
            .arg("artifact")
            .arg(self.path("source"))
            .arg("-o")
            .arg(&file)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let digest = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        (fs::read(file).unwrap(), digest)
    }

    pub fn tree(&self) -> Tree {
        let root = self.path(&self.tree_path());
        let (mut components, mut flux, mut staging) = (BTreeMap::new(), Vec::new(), None);
        for entry in WalkDir::new(&root).sort_by_file_name() {
            let entry = entry.unwrap();
            let relative = entry.path().strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            let is_object =
                relative.ends_with(".yaml") && !relative.ends_with("kustomization.yaml");
            let Some((component, _)) = relative.split_once('/').filter(|_| is_object) else {
                continue;
            };
            let text = fs::read_to_string(entry.path()).unwrap();
            let object = Object::read_all(&text).remove(0);
            let value = strata::yaml::read::read(&text).documents.remove(0).root.into();
            staging = staging.or_else(|| Staging::of_sentinel(&value));
            match component {
                "flux" => flux.push(object),
                component => {
                    components.entry(component.to_owned()).or_insert_with(Vec::new).push(object);
                }
            }
        }
        Tree { staging: staging.expect("the tree has a sentinel"), components, flux }
    }
}

impl Tree {
    /// Every component that cannot be ready before this one is.
    pub fn dependents(&self, component: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        // The plan has each component after all that it needs.
        for stage in &self.staging.stages {
            let waits = |need: &String| need == component || found.contains(need);
            if stage.needs.iter().any(waits) && self.components.contains_key(&stage.component) {
                found.insert(stage.component.clone());
            }
        }
        found
    }

    pub fn objects(&self) -> usize {
        self.components.values().map(Vec::len).sum()
    }

    /// The Kustomizations by name.
    pub fn kustomizations(&self) -> impl Iterator<Item = &Object> {
        self.flux.iter().filter(|object| object.kind == "Kustomization")
    }
}

pub fn strata() -> Command {
    Command::new(env!("CARGO_BIN_EXE_strata"))
}
