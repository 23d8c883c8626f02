//! Files that a test compares with what it got. `UPDATE=1` writes them anew; without it, every
//! difference is shown and nothing is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// What a folder should hold: text by path.
#[derive(Debug)]
pub struct Golden {
    folder: PathBuf,
    expected: BTreeMap<PathBuf, String>,
}

impl Golden {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Golden { folder: folder.into(), expected: BTreeMap::new() }
    }

    pub fn add(&mut self, path: impl Into<PathBuf>, text: String) {
        let path = path.into();
        let twice = self.expected.insert(path.clone(), text);
        assert!(twice.is_none(), "two texts for {}", path.display());
    }

    /// Every difference between the folder and what it should hold, a file too many included.
    pub fn differences(self) -> Vec<String> {
        let found = if self.folder.is_dir() { files(&self.folder) } else { Vec::new() };
        let stale = found.iter().filter(|path| !self.expected.contains_key(*path));
        if std::env::var_os("UPDATE").is_some() {
            for path in stale {
                fs::remove_file(self.folder.join(path)).unwrap();
            }
            for (path, text) in &self.expected {
                let path = self.folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            return Vec::new();
        }
        let mut differences: Vec<String> =
            stale.map(|path| format!("{} is stale", self.folder.join(path).display())).collect();
        for (path, text) in &self.expected {
            differences.extend(difference(&self.folder.join(path), text));
        }
        differences
    }
}

/// How a file differs from what it should hold; with `UPDATE=1` it is written and does not.
pub fn difference(path: &Path, text: &str) -> Option<String> {
    let Ok(committed) = fs::read_to_string(path) else {
        return Some(format!("{} is missing", path.display()));
    };
    if committed == text {
        return None;
    }
    let diff = TextDiff::from_lines(committed.as_str(), text);
    let shown = diff.unified_diff().context_radius(2).header("committed", "rendered").to_string();
    Some(format!("{}\n{shown}", path.display()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}
