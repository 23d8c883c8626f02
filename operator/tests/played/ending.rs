//! How the process says that it is well, and how it ends when it is asked to.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::leaders::{STAGE, prepare};
use crate::play;
use crate::play::ask::{ask, free_address};
use crate::stage;
use crate::stage::real::wait_for;

const WITHIN: Duration = Duration::from_secs(60);
/// What a kubelet leaves a pod before it kills it.
const GRACE: Duration = Duration::from_secs(30);

/// A process whose end is seen. It does not outlive the test.
struct Process {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Process {
    fn start(plane: &str, kubeconfig: &str) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (path, address) = (folder.path().join("kubeconfig"), free_address());
        std::fs::write(&path, kubeconfig).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_strata-operator"))
            .env("KUBECONFIG", &path)
            .args(["run", "--watch", plane, "--own-namespace", &format!("{plane}-lease")])
            .args(["--identity", "it", "--address", &address])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, address, _folder: folder }
    }

    fn status(&self, path: &str) -> Option<u16> {
        ask(&self.address, path).map(|(status, _)| status)
    }

    fn wait_until(&self, path: &str, status: u16) {
        let missing = || match self.status(path) {
            Some(found) if found == status => Vec::new(),
            other => vec![format!("{path}: {other:?}")],
        };
        wait_for(&format!("{status} of {path}"), WITHIN, String::new, missing);
    }

    fn terminate(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let asked = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(asked.elapsed() < GRACE, "it does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn who_leads_is_ready_and_gives_the_lease_back_in_the_end() {
    let lease = prepare("ended");
    let (_way, kubeconfig) = play::another_way(STAGE.0.kubectl().kubeconfig(), stage::ACCOUNT);
    let mut process = Process::start("ended", &kubeconfig);
    process.wait_until("/readyz", 200);
    assert_eq!(process.status("/healthz"), Some(200));
    assert_eq!(process.status("/metrics"), Some(200));
    assert_eq!(process.status("/"), Some(404));
    let path = format!("/apis/coordination.k8s.io/v1/namespaces/{lease}/leases/strata-operator");
    let holder = || STAGE.0.get(&path).json()["spec"]["holderIdentity"].clone();
    assert_eq!(holder(), "it");
    assert_eq!(process.terminate().code(), Some(0));
    assert!(holder().as_str().unwrap_or_default().is_empty(), "{} still has it", holder());
}

#[test]
fn who_cannot_reach_the_server_lives_and_is_not_ready() {
    let nowhere = play::kubeconfig(&format!("http://{}", free_address()));
    let mut process = Process::start("unreached", &nowhere);
    process.wait_until("/healthz", 200);
    assert_eq!(process.status("/readyz"), Some(503));
    assert_eq!(process.terminate().code(), Some(0));
}
