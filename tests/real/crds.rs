//! Where CRDs come from, and their installation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};

use walkdir::WalkDir;

use super::objects::documents;
use super::server::ApiServer;
use super::tools::from_environment;

/// The server spends most of the time on each; a few at once keep all cores busy.
const AT_ONCE: usize = 4;
const ESTABLISHED_WITHIN: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CrdSource {
    /// `crds/` of this repository.
    Ours,
    /// Those of the published Go modules that `cargo xtask tools` downloads.
    Published,
    /// Those of one project among the published ones.
    Project(&'static str),
    /// Those that are published nowhere, or only in older versions: the folder that `STRATA_CRDS`
    /// names. Nothing if it is unset.
    Unpublished,
}

impl CrdSource {
    /// Ours before all; then the folder of the user's, which may hold newer versions than are published.
    pub const ALL: &[Self] = &[Self::Ours, Self::Unpublished, Self::Published];

    /// For clouds of the distribution cobaltcore, whose kinds bear the names of ours.
    pub const COBALTCORE: &[Self] = &[Self::Unpublished, Self::Published];

    fn folder(self) -> Option<PathBuf> {
        match self {
            Self::Ours => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("crds")),
            Self::Published => Some(from_environment("STRATA_CRD_CACHE")),
            Self::Project(name) => Some(from_environment("STRATA_CRD_CACHE").join(name)),
            Self::Unpublished => std::env::var_os("STRATA_CRDS").map(PathBuf::from),
        }
    }

    /// The text of every CRD of the source.
    fn read(self) -> Vec<String> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let mut crds = Vec::new();
        // The published ones are links into the cache.
        for entry in WalkDir::new(&folder).follow_links(true).sort_by_file_name() {
            let entry = entry.unwrap_or_else(|error| panic!("the CRDs of {self:?}: {error}"));
            if entry.path().extension().is_some_and(|extension| extension == "yaml") {
                let text = fs::read_to_string(entry.path()).expect("a CRD file in UTF-8");
                crds.extend(documents(&text).into_iter().filter(|text| is_crd(text)));
            }
        }
        crds
    }
}

/// The CRDs of all sources by name: of two with the same, the first.
fn read_all(sources: &[CrdSource]) -> BTreeMap<String, String> {
    let mut crds = BTreeMap::new();
    for text in sources.iter().flat_map(|source| source.read()) {
        crds.entry(name(&text)).or_insert(text);
    }
    crds
}

/// `metadata.name`, found by its indentation: parsing megabytes of schemas would take longer than
/// installing them.
fn name(crd: &str) -> String {
    let metadata = crd.lines().skip_while(|line| *line != "metadata:").skip(1);
    let name = metadata
        .take_while(|line| line.starts_with(' '))
        .find_map(|line| line.strip_prefix("  name: "));
    name.unwrap_or_else(|| {
        panic!("a CRD without a name:\n{}", crd.chars().take(500).collect::<String>())
    })
    .to_owned()
}

fn is_crd(text: &str) -> bool {
    text.lines().any(|line| line == "kind: CustomResourceDefinition")
}

/// Takes `spec.conversion` out: it names a webhook of an operator that does not run here, and without
/// it the server converts by changing the version alone.
fn without_webhook(crd: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for line in crd.lines() {
        inside = line == "  conversion:" || (inside && line.starts_with("   "));
        if !inside {
            kept += &format!("{line}\n");
        }
    }
    kept
}

pub fn install(server: &ApiServer, sources: &[CrdSource]) {
    let waiting = Mutex::new(read_all(sources));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((name, crd)) = next(&waiting) {
                    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
                    let answer =
                        server.request("POST", path, "application/yaml", &without_webhook(&crd));
                    assert!(
                        answer.status == 201,
                        "the CRD {name} is refused: {}",
                        answer.message()
                    );
                }
            });
        }
    });
    wait_until_established(server);
}

/// The lock is held for this call alone, not while the CRD is created.
fn next(waiting: &Mutex<BTreeMap<String, String>>) -> Option<(String, String)> {
    waiting.lock().expect("no thread has panicked").pop_first()
}

/// A CRD that was just created has no conditions at all, at which `kubectl wait` and a JSON path fail.
const STATES: &str = r#"go-template={{range .items}}{{.metadata.name}}=
    {{- range .status.conditions}}{{if eq .type "Established"}}{{.status}}{{end}}{{end}}{{"\n"}}{{end}}"#;

fn wait_until_established(server: &ApiServer) {
    let started = Instant::now();
    loop {
        let states = server.kubectl().run(&["get", "crd", "--output", STATES]);
        let waiting: Vec<&str> = states.lines().filter(|line| !line.ends_with("=True")).collect();
        if waiting.is_empty() {
            return;
        }
        assert!(started.elapsed() < ESTABLISHED_WITHIN, "not established: {}", waiting.join(", "));
        thread::sleep(POLL);
    }
}
