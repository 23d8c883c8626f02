//! Where CRDs come from, and their installation.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, thread};

use walkdir::WalkDir;

use super::objects::documents;
use super::server::ApiServer;
use super::tools::from_environment;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CrdSource {
    /// `crds/` of this repository.
    Ours,
    /// Those of the published Go modules that `cargo xtask tools` downloads.
    Published,
    /// Those that are published nowhere, or only in older versions: the folder that `STRATA_CRDS`
    /// names. Nothing if it is unset.
    Unpublished,
}

impl CrdSource {
    /// Ours before all; then the folder of the user's, which may hold newer versions than are published.
    pub const ALL: &[Self] = &[Self::Ours, Self::Unpublished, Self::Published];

    fn folder(self) -> Option<PathBuf> {
        match self {
            Self::Ours => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("crds")),
            Self::Published => Some(from_environment("STRATA_CRD_CACHE")),
            Self::Unpublished => std::env::var_os("STRATA_CRDS").map(PathBuf::from),
        }
    }

    /// The text of every CRD of the source, by file name.
    fn read(self) -> Vec<String> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let mut crds = Vec::new();
        for entry in WalkDir::new(&folder).sort_by_file_name() {
            let entry = entry.unwrap_or_else(|error| panic!("the CRDs of {self:?}: {error}"));
            if entry.path().extension().is_some_and(|extension| extension == "yaml") {
                let text = fs::read_to_string(entry.path()).expect("a CRD file in UTF-8");
                crds.extend(documents(&text).into_iter().filter(|text| is_crd(text)));
            }
        }
        crds
    }
}

fn is_crd(text: &str) -> bool {
    text.lines().any(|line| line == "kind: CustomResourceDefinition")
}

/// The server spends most of the time on each; a few at once keep all cores busy.
const AT_ONCE: usize = 4;

pub fn install(server: &ApiServer, sources: &[CrdSource]) {
    for source in sources {
        let waiting = Mutex::new(source.read());
        thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    while let Some(crd) = next(&waiting) {
                        create(server, &crd);
                    }
                });
            }
        });
    }
    if !sources.is_empty() {
        server.kubectl().run(&[
            "wait",
            "--for=condition=Established",
            "--all",
            "--timeout=120s",
            "crd",
        ]);
    }
}

/// The lock is held for this call alone, not while the CRD is created.
fn next(waiting: &Mutex<Vec<String>>) -> Option<String> {
    waiting.lock().expect("no thread has panicked").pop()
}

fn create(server: &ApiServer, crd: &str) {
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let answer = server.request("POST", path, "application/yaml", crd);
    // 409: an earlier source has it already.
    assert!(matches!(answer.status, 201 | 409), "a CRD is refused: {}", answer.message());
}
