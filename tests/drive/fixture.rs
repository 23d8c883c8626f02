//! Fixtures: one folder per case, read as the command line reads a folder.

use std::fs;
use std::path::{Path, PathBuf};

use strata::Options;
use strata::load::Source;

use super::{Answer, render_sources};

/// A folder with the files of one case. Records below `generators/` are those that a person would
/// give with `--generators`; to the library all files are one input. A folder `previous/` holds the
/// input of a tree that stands already.
#[derive(Debug)]
pub struct Fixture {
    pub name: String,
    pub folder: PathBuf,
}

/// All of them, sorted by name.
pub fn fixtures() -> Vec<Fixture> {
    let entries = fs::read_dir(root().join("fixtures")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders.iter().map(|folder| Fixture::at(folder)).collect()
}

impl Fixture {
    pub fn named(name: &str) -> Self {
        Fixture::at(&root().join("fixtures").join(name))
    }

    fn at(folder: &Path) -> Self {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Fixture { name, folder: folder.to_owned() }
    }

    /// Whether it is there to be refused, or to be warned about.
    pub fn is_invalid(&self) -> bool {
        self.name.starts_with("invalid-")
    }

    pub fn sources(&self) -> Vec<Source> {
        self.sources_in(&self.folder)
    }

    fn sources_in(&self, folder: &Path) -> Vec<Source> {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
        let previous = self.previous();
        files.retain(|file| folder == previous || !file.starts_with(&previous));
        files.sort();
        let source = |file: &PathBuf| Source {
            name: file.strip_prefix(&self.folder).unwrap().to_string_lossy().into_owned(),
            bytes: fs::read(file).unwrap(),
        };
        files.iter().map(source).collect()
    }

    pub fn render(&self) -> Answer {
        let (options, allowed) = self.options();
        if !self.previous().is_dir() {
            return render_sources(self.sources(), &options);
        }
        let options = Options { tree: true, ..options };
        let before = render_sources(self.sources_in(&self.previous()), &options);
        render_sources(self.sources(), &options).after(&before, &allowed)
    }

    fn previous(&self) -> PathBuf {
        self.folder.join("previous")
    }

    /// A file `args` holds what a person would write behind `strata render PATH`.
    fn options(&self) -> (Options, Vec<String>) {
        let (mut options, mut allowed) = (Options::default(), Vec::new());
        let text = fs::read_to_string(self.folder.join("args")).unwrap_or_default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "--as-of" => options.as_of = words.next().map(str::to_owned),
                "--out" => options.tree = true,
                "--allow-removal" => allowed.extend(words.next().map(str::to_owned)),
                other => panic!("{}: args: unknown word {other}", self.name),
            }
        }
        (options, allowed)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
