//! Inputs of any size: one cloud, copied under other names.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::{Failure, While};
use crate::workspace;

/// Services that are off unless they are switched on.
const EXTRAS: [&str; 8] =
    ["barbican", "designate", "heat", "horizon", "ironic", "magnum", "manila", "octavia"];

#[derive(Debug)]
pub struct Clouds {
    folder: PathBuf,
    pattern: String,
}

impl Clouds {
    /// Takes the fixture that is a whole cloud as the pattern.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        let fixture = workspace::root().join("fixtures/production");
        let files = WalkDir::new(&fixture).sort_by_file_name().into_iter().filter_map(Result::ok);
        let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
        let pattern =
            texts.into_iter().find(|text| text.lines().any(|line| line == "kind: ControlPlane"));
        let missing = || Failure::new(format!("{} holds no ControlPlane", fixture.display()));
        Ok(Self { folder: folder.to_owned(), pattern: pattern.ok_or_else(missing)? })
    }

    /// A file with this many clouds, each with a name and a namespace of its own.
    pub fn file(&self, count: usize) -> Result<PathBuf, Failure> {
        let path = self.folder.join(format!("{count}-clouds.yaml"));
        let clouds: Vec<String> = (0..count).map(|number| self.cloud(number)).collect();
        fs::write(&path, clouds.join("---\n")).while_(format!("writing {}", path.display()))?;
        Ok(path)
    }

    /// The same with every service on: some three hundred objects each.
    pub fn large_file(&self, count: usize) -> Result<PathBuf, Failure> {
        let path = self.folder.join(format!("{count}-large-clouds.yaml"));
        let on = EXTRAS.map(|service| format!("    {service}: {{enabled: true}}\n")).concat();
        let cloud = |number: usize| {
            format!(
                "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata:\n  name: cloud-{number:04}\n  \
                 namespace: cloud-{number:04}\nspec:\n  services:\n{on}"
            )
        };
        let clouds: Vec<String> = (0..count).map(cloud).collect();
        fs::write(&path, clouds.join("---\n")).while_(format!("writing {}", path.display()))?;
        Ok(path)
    }

    pub fn cloud(&self, number: usize) -> String {
        let cloud = rename(&self.pattern, &format!("cloud-{number:04}"));
        // Of the clouds of one cluster, one installs the platform.
        if number == 0 { cloud } else { without(&cloud, "platform") }
    }
}

/// Writes another name and namespace into the metadata, which must be in block form.
fn rename(cloud: &str, name: &str) -> String {
    let mut renamed = String::new();
    let mut in_metadata = false;
    for line in cloud.lines() {
        if !line.starts_with([' ', '#']) {
            in_metadata = line == "metadata:";
        }
        let ours = ["  name:", "  namespace:"].iter().any(|key| line.starts_with(key));
        if line == "---" || (in_metadata && ours) {
            continue;
        }
        // No two clouds have one public domain.
        match line.split_once("    domain: ") {
            Some(("", domain)) => renamed.push_str(&format!("    domain: {name}.{domain}\n")),
            _ => renamed.push_str(&format!("{line}\n")),
        }
        if line == "metadata:" {
            renamed.push_str(&format!("  name: {name}\n  namespace: {name}\n"));
        }
    }
    renamed
}

/// Leaves out a field of the spec, which must be in block form.
fn without(cloud: &str, field: &str) -> String {
    let (mut kept, mut inside) = (String::new(), false);
    for line in cloud.lines() {
        if !line.starts_with("   ") {
            inside = line == format!("  {field}:");
        }
        if !inside {
            kept.push_str(&format!("{line}\n"));
        }
    }
    kept
}

/// Every object has its kind at the left margin, and nothing else does.
pub fn count_objects(stream: &str) -> usize {
    stream.lines().filter(|line| line.starts_with("kind: ")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_the_spec_is_left_out() {
        let cloud = "spec:\n  a:\n    b: 1\n  platform:\n    install: true\n  c: 2\n";
        assert_eq!(without(cloud, "platform"), "spec:\n  a:\n    b: 1\n  c: 2\n");
    }

    #[test]
    fn a_cloud_gets_another_name_and_namespace() {
        let cloud = "---\nkind: ControlPlane\nmetadata:\n  name: a\n  labels:\n    name: kept\nspec:\n  name: kept\n    domain: example.com\n";
        assert_eq!(
            rename(cloud, "b"),
            "kind: ControlPlane\nmetadata:\n  name: b\n  namespace: b\n  labels:\n    name: kept\nspec:\n  name: kept\n    domain: b.example.com\n"
        );
    }
}
