//! K-ORC's manager, outside of a cluster.

use super::guarded::{Guarded, folder};
use super::kubectl::Kubectl;
use super::server::free_ports;
use super::tools::tool;

pub fn start(kubectl: &Kubectl) -> Guarded {
    let [health] = free_ports();
    let arguments = [
        "--metrics-bind-address=0".to_owned(),
        format!("--health-probe-bind-address=127.0.0.1:{health}"),
    ];
    let kubeconfig = kubectl.kubeconfig().display().to_string();
    let environment = [("KUBECONFIG", kubeconfig.as_str())];
    Guarded::start_with(&environment, &tool("k-orc-manager"), &arguments, folder("k-orc"))
}
