//! From the paths a person gives to the sources that are read.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use strata::finding::{Code, Finding, Findings, Path as Field, Place};
use strata::load::{self, Document, Source};
use strata::schema::nearest;
use strata::spec::{Kind, Recognised, recognise};
use strata::yaml::read::Limits;
use strata::yaml::tree::Node;
use walkdir::{DirEntry, WalkDir};

use crate::cli::tree::MANIFEST;

/// Everything that was read, under the names it was given by.
#[derive(Debug, Default)]
pub struct Input {
    pub sources: Vec<Source>,
    pub findings: Findings,
    pub documents: Vec<Document>,
}

/// Reads files, folders and `-`, and folders of records.
pub fn gather(paths: &[PathBuf], generators: &[PathBuf]) -> Input {
    let mut gathering = Gathering::default();
    paths.iter().for_each(|path| gathering.path(path));
    let records_from = gathering.sources.len();
    generators.iter().for_each(|path| gathering.path(path));

    let Gathering { sources, mut findings, .. } = gathering;
    let mut documents = load::read(&sources, &mut findings);
    documents.retain(|document| {
        let stays = document.source < records_from || is_record(document);
        if !stays {
            findings.push(no_record(document));
        }
        stays
    });
    Input { sources, findings, documents }
}

/// The files of a folder and of all below it in which something is of our kinds.
pub fn specs(folder: &Path) -> Vec<String> {
    let input = gather(&[folder.to_owned()], &[]);
    let ours = input.documents.iter().filter(|document| {
        recognise(text(document, "apiVersion"), text(document, "kind")) != Recognised::Foreign
    });
    let mut names: Vec<String> =
        ours.map(|document| input.sources[document.source].name.clone()).collect();
    names.dedup();
    names
}

#[derive(Default)]
struct Gathering {
    sources: Vec<Source>,
    findings: Findings,
    /// A file is read once, however many of the given paths lead to it.
    seen: HashSet<PathBuf>,
}

impl Gathering {
    fn path(&mut self, path: &Path) {
        if path.as_os_str() == "-" {
            if self.seen.insert(path.to_owned()) {
                self.read("<stdin>".to_owned(), || bounded(io::stdin().lock()));
            }
        } else if path.is_dir() {
            self.folder(path);
        } else {
            self.file(path, path);
        }
    }

    fn folder(&mut self, folder: &Path) {
        if is_rendered_tree(folder) {
            self.findings.push(
                Code::Unreadable
                    .at(Place::nowhere())
                    .because(format!("`{}` is a tree that strata rendered", folder.display()))
                    .remedy("name the folder or file that holds the spec"),
            );
            return;
        }
        let entries = WalkDir::new(folder)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !is_left_out(entry));
        for entry in entries {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_yaml(entry.path()) => {
                    // `.` was given, but nobody calls a file `./a.yaml`.
                    let name = entry.path().strip_prefix(".").unwrap_or(entry.path());
                    self.file(entry.path(), name);
                }
                Ok(_) => {}
                // A link to a folder above it leads nowhere new.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let error = error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into());
                    self.findings.push(unreadable(&path, &error));
                }
            }
        }
    }

    fn file(&mut self, path: &Path, name: &Path) {
        // What has no canonical path cannot be read either, and reading says why.
        let identity = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.seen.insert(identity) {
            self.read(name.display().to_string(), || bounded(File::open(path)?));
        }
    }

    fn read(&mut self, name: String, read: impl FnOnce() -> io::Result<Vec<u8>>) {
        match read() {
            Ok(bytes) => self.sources.push(Source { name, bytes }),
            Err(error) => self.findings.push(unreadable(Path::new(&name), &error)),
        }
    }
}

/// One byte more than the reader takes, so that it can say what is too large.
fn bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(Limits::default().bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_left_out(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name.starts_with('.')
        || matches!(name.as_ref(), "kustomization.yaml" | "kustomization.yml" | "Kustomization")
        || entry.file_type().is_dir() && is_rendered_tree(entry.path())
}

fn is_rendered_tree(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file()
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

fn unreadable(path: &Path, error: &io::Error) -> Finding {
    let shown = path.display();
    let (because, remedy) = match error.kind() {
        ErrorKind::NotFound => (format!("`{shown}` does not exist"), did_you_mean(path)),
        ErrorKind::PermissionDenied => (
            format!("`{shown}` may not be read by this user"),
            "change its permissions, or run as a user who may read it".to_owned(),
        ),
        _ => (format!("`{shown}`: {error}"), "name a file or folder that can be read".to_owned()),
    };
    Code::Unreadable.at(Place::nowhere()).because(because).remedy(remedy)
}

fn did_you_mean(path: &Path) -> String {
    let folder = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let written = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&written, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{}`?", path.with_file_name(near).display()),
        None => "check the spelling, and the folder you are in".to_owned(),
    }
}

fn text<'a>(document: &'a Document, key: &str) -> &'a str {
    document.root.get(key).and_then(Node::as_str).unwrap_or_default()
}

fn is_record(document: &Document) -> bool {
    let (api_version, kind) = (text(document, "apiVersion"), text(document, "kind"));
    matches!(
        recognise(api_version, kind),
        // Under another version it is a slip, and the loader says which.
        Recognised::Ours(Kind::Component) | Recognised::OtherVersion(_)
    )
}

fn no_record(document: &Document) -> Finding {
    Code::ForeignObject
        .at(document.place(&Field::from("kind")))
        .because("--generators takes records (kind: Component), and this is none")
        .remedy("name the file among the paths to render, or keep it outside this folder")
}
