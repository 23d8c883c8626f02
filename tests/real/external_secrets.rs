//! External Secrets' controller, outside of a cluster and without its webhooks.

use super::guarded::{Guarded, folder};
use super::kubectl::Kubectl;
use super::server::free_ports;
use super::tools::tool;

pub fn start(kubectl: &Kubectl) -> Guarded {
    let [metrics, live] = free_ports();
    let arguments = [
        "--enable-leader-election=false".to_owned(),
        // One at a time, as by default, takes minutes for a cloud when each first try comes too early.
        "--concurrent=4".to_owned(),
        format!("--metrics-addr=127.0.0.1:{metrics}"),
        format!("--live-addr=127.0.0.1:{live}"),
    ];
    let kubeconfig = kubectl.kubeconfig().display().to_string();
    let environment = [("KUBECONFIG", kubeconfig.as_str())];
    let program = tool("external-secrets-manager");
    Guarded::start_with(&environment, &program, &arguments, folder("external-secrets"))
}
