//! Runs the real kubectl against the server of a test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::tools::tool;

#[derive(Debug, Clone)]
pub struct Kubectl {
    kubeconfig: PathBuf,
}

impl Kubectl {
    pub fn new(kubeconfig: &Path) -> Self {
        Self { kubeconfig: kubeconfig.to_owned() }
    }

    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    pub fn output(&self, arguments: &[&str]) -> Output {
        let mut kubectl = Command::new(tool("kubectl"));
        kubectl.arg("--kubeconfig").arg(&self.kubeconfig).args(arguments);
        kubectl.output().expect("kubectl starts")
    }

    /// What kubectl prints; a failure of kubectl is one of the test.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "kubectl {}: {complaint}", arguments.join(" "));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
