//! Flux's kustomize-controller, outside of a cluster. It needs no source-controller: a test serves
//! archives and writes the status of sources itself.

use super::guarded::{Guarded, folder};
use super::kubectl::Kubectl;
use super::server::free_ports;
use super::tools::tool;

pub fn start(kubectl: &Kubectl) -> Guarded {
    let [metrics, health] = free_ports();
    let arguments = [
        format!("--metrics-addr=127.0.0.1:{metrics}"),
        format!("--health-addr=127.0.0.1:{health}"),
        // A component that waits for its objects holds a worker; with as many as there are
        // components, none waits for a worker.
        "--concurrent=40".to_owned(),
        "--requeue-dependency=2s".to_owned(),
    ];
    let kubeconfig = kubectl.kubeconfig().display().to_string();
    let environment = [("KUBECONFIG", kubeconfig.as_str()), ("RUNTIME_NAMESPACE", "flux-system")];
    let program = tool("kustomize-controller");
    Guarded::start_with(&environment, &program, &arguments, folder("kustomize-controller"))
}
