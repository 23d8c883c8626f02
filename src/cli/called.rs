//! The name this program was called by. kubectl and flux run what is named after them, and a person then
//! writes `kubectl strata render`.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

/// Who called us, by the name of the file that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    Itself,
    Kubectl,
    Flux,
    /// kubectl asks for the words that could come next.
    KubectlComplete,
}

impl Called {
    pub fn now() -> Self {
        Called::by(env::args_os().next().unwrap_or_default().as_os_str())
    }

    fn by(program: &OsStr) -> Self {
        match Path::new(program).file_stem().and_then(OsStr::to_str) {
            Some("kubectl-strata") => Called::Kubectl,
            Some("flux-strata") => Called::Flux,
            Some("kubectl_complete-strata") => Called::KubectlComplete,
            _ => Called::Itself,
        }
    }

    /// What a person writes to run us.
    pub fn name(self) -> &'static str {
        match self {
            Called::Itself => "strata",
            Called::Kubectl | Called::KubectlComplete => "kubectl strata",
            Called::Flux => "flux strata",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_was_run_tells() {
        for (program, called) in [
            ("strata", Called::Itself),
            ("/usr/bin/kubectl-strata", Called::Kubectl),
            ("./flux-strata", Called::Flux),
            ("kubectl_complete-strata", Called::KubectlComplete),
            ("ControlPlane", Called::Itself),
            ("", Called::Itself),
        ] {
            assert_eq!(Called::by(OsStr::new(program)), called, "{program}");
        }
    }
}
