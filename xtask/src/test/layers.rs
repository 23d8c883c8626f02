//! Which tests belong to which layer, and what each layer needs on the machine.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::tools::{Part, TABLE};
use crate::workspace;

#[derive(Debug)]
pub struct Layer {
    pub name: &'static str,
    pub steps: &'static [Step],
    /// Files of tests, as in `tests/<file>.rs`.
    pub files: &'static [&'static str],
    pub needs: Needs,
    /// Whether its files take long, mostly by waiting: then they run beside those of the layers next to it. Not where
    /// a test asks how soon something is answered.
    pub beside: bool,
}

#[derive(Debug)]
pub enum Step {
    /// The checks of `cargo xtask lint`.
    Lint,
    /// `cargo test` with these arguments.
    Tests(&'static [&'static str]),
    /// The documentation builds without a warning.
    Documentation,
}

#[derive(Debug)]
pub enum Needs {
    /// These parts of the table: programs, or the CRDs of projects.
    Parts(&'static [&'static str]),
    /// These parts, and the CRDs of all projects.
    PartsAndCrds(&'static [&'static str]),
    Everything,
}

/// A cloud's identity with everything that serves it.
const REAL_CLOUD: &[&str] = &[
    "kubectl",
    "etcd",
    "kube-apiserver",
    "k-orc",
    "k-orc-manager",
    "external-secrets",
    "external-secrets-manager",
    "keystone",
];

const NOTHING: Needs = Needs::Parts(&[]);

/// Files whose promises are about the program as it is shipped: with `--full` they are built so. Ten thousand
/// credentials would take hours otherwise.
pub const AS_SHIPPED: &[&str] = &["load"];

/// Files whose tests do little but wait, and how many of them run at once, whatever the processors.
const WAITING: &[(&str, usize)] = &[("played", 6)];

pub fn threads(file: &str) -> Option<usize> {
    WAITING.iter().find(|(name, _)| *name == file).map(|(_, threads)| *threads)
}

/// Takes the files of tests that no layer names, so that none goes unrun.
pub const OTHER: &str = "other";

pub static LAYERS: &[Layer] = &[
    Layer { name: "lint", steps: &[Step::Lint], files: &[], needs: NOTHING, beside: false },
    Layer {
        name: "unit",
        steps: &[Step::Tests(&["--lib", "--bins"])],
        files: &["reader"],
        needs: NOTHING,
        beside: false,
    },
    Layer {
        name: "golden",
        steps: &[],
        files: &["golden", "generated", "service_recipe", "layers"],
        needs: NOTHING,
        beside: false,
    },
    Layer {
        name: "cli",
        steps: &[],
        files: &["cli", "mutations", "claims"],
        needs: NOTHING,
        beside: false,
    },
    Layer {
        name: "kustomize",
        steps: &[],
        files: &["kustomize", "krm", "yaml_compat", "reader_as_kubectl"],
        needs: Needs::Parts(&["kustomize", "kubectl"]),
        beside: false,
    },
    Layer {
        name: "operator",
        steps: &[],
        files: &["load", "played"],
        needs: Needs::Parts(&["kubectl", "etcd", "kube-apiserver"]),
        beside: true,
    },
    Layer {
        name: "api-server",
        steps: &[],
        files: &["api_server", "bounds"],
        needs: Needs::PartsAndCrds(&["kubectl", "etcd", "kube-apiserver"]),
        beside: true,
    },
    Layer {
        name: "identity",
        steps: &[],
        files: &["identity"],
        needs: Needs::Parts(REAL_CLOUD),
        beside: true,
    },
    Layer {
        name: "simulation",
        steps: &[],
        files: &["simulation", "decisions", "install"],
        needs: NOTHING,
        beside: true,
    },
    Layer {
        name: "flux",
        steps: &[],
        files: &["flux"],
        needs: Needs::PartsAndCrds(&[
            "kubectl",
            "etcd",
            "kube-apiserver",
            "kustomize-controller",
            "flux",
        ]),
        beside: true,
    },
    Layer {
        name: "fuzz-corpus",
        steps: &[],
        files: &["corpus", "fuzz", "properties"],
        needs: NOTHING,
        beside: true,
    },
    Layer {
        name: "rotation",
        steps: &[],
        files: &["keys", "credentials"],
        needs: Needs::PartsAndCrds(REAL_CLOUD),
        beside: false,
    },
    Layer {
        name: "docs",
        steps: &[Step::Tests(&["--doc"]), Step::Documentation],
        files: &["docs"],
        needs: NOTHING,
        beside: false,
    },
    Layer { name: OTHER, steps: &[], files: &[], needs: Needs::Everything, beside: false },
];

impl Layer {
    pub fn needs(&self, part: &Part) -> bool {
        match self.needs {
            Needs::Parts(names) => names.contains(&part.name),
            Needs::PartsAndCrds(names) => names.contains(&part.name) || !part.is_program(),
            Needs::Everything => true,
        }
    }

    /// The layer's files among those that exist.
    pub fn existing(&self, files: &BTreeSet<String>) -> Vec<String> {
        let named = |file: &str| LAYERS.iter().any(|layer| layer.files.contains(&file));
        let ours =
            |file: &str| if self.name == OTHER { !named(file) } else { self.files.contains(&file) };
        files.iter().filter(|file| ours(file)).cloned().collect()
    }
}

/// The layers asked for, in the order of the table; all of them if none is named.
pub fn chosen(only: &[String], files: &BTreeSet<String>) -> Result<Vec<&'static Layer>, Failure> {
    if let Some(unknown) = only.iter().find(|name| !LAYERS.iter().any(|layer| layer.name == **name))
    {
        let names: Vec<&str> = LAYERS.iter().map(|layer| layer.name).collect();
        return Err(Failure::new(format!("there is no layer {unknown}"))
            .remedy(format!("take one of {}", names.join(", "))));
    }
    let named = |layer: &&Layer| only.iter().any(|name| name == layer.name);
    // Left out when nobody asks for it and there is nothing in it.
    let worth = |layer: &&Layer| {
        only.is_empty() && (layer.name != OTHER || !layer.existing(files).is_empty())
    };
    Ok(LAYERS.iter().filter(|layer| named(layer) || worth(layer)).collect())
}

pub fn parts(layers: &[&Layer]) -> Vec<&'static Part> {
    TABLE.iter().filter(|part| layers.iter().any(|layer| layer.needs(part))).collect()
}

/// The names of all files of integration tests in the workspace.
pub fn files() -> Result<BTreeSet<String>, Failure> {
    let metadata = workspace::metadata(&["--no-deps"])?;
    let targets = metadata["packages"].as_array().into_iter().flatten();
    let targets = targets.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| {
        target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "test"))
    });
    Ok(tests.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_layer_names_is_run_in_other() -> Result<(), Failure> {
        let files: BTreeSet<String> = ["golden", "invented"].map(str::to_owned).into();
        for layer in LAYERS {
            let expected: &[&str] = match layer.name {
                "golden" => &["golden"],
                OTHER => &["invented"],
                _ => &[],
            };
            assert_eq!(layer.existing(&files), expected, "{}", layer.name);
        }
        assert_eq!(chosen(&[], &files)?.len(), LAYERS.len());
        assert_eq!(
            chosen(&[], &BTreeSet::new())?.len(),
            LAYERS.len() - 1,
            "without the empty `other`"
        );
        Ok(())
    }

    #[test]
    fn every_part_that_a_layer_needs_is_in_the_table() {
        for layer in LAYERS {
            if let Needs::Parts(names) | Needs::PartsAndCrds(names) = layer.needs {
                for name in names {
                    assert!(
                        TABLE.iter().any(|part| part.name == *name),
                        "{name} of {}",
                        layer.name
                    );
                }
            }
        }
    }

    #[test]
    fn an_unknown_layer_is_refused() {
        assert!(chosen(&["goldn".to_owned()], &BTreeSet::new()).is_err());
    }
}
