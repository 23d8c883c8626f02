//! What a tenant's cloud cannot do without and nobody said. A ControlPlane is written by who knows the
//! installation; a claim names all of it that the cloud consumes, or has nothing.

use crate::finding::{Code, Findings, Path};
use crate::resolve::Cloud;
use crate::value::Value;

/// The component that runs virtual machines.
const COMPUTE: &str = "nova";

pub(super) fn check(cloud: &Cloud, findings: &mut Findings) {
    let written = cloud.written;
    if !written.is_claim() {
        return;
    }
    let mut say = |field: &str, because: String, remedy: &str| {
        let place = written.place(&Path::from(field));
        findings.push(Code::SparseClaim.at(place).because(because).remedy(remedy));
    };
    let region = written.spec.global.as_ref().and_then(|global| global.region.as_ref());
    if region.is_none() {
        say(
            "spec.global.region",
            format!("no region is named, so the cloud calls its own {}", cloud.region),
            "write `region: …`, or give all clouds one with Defaults",
        );
    }
    if cloud.component(COMPUTE).is_some() && !has_hypervisors(cloud) {
        say(
            "spec.compute.hypervisorClusters",
            format!("{COMPUTE} has no hypervisors, so that no virtual machine can ever start"),
            "write `hypervisorClusters: […]`, or `services: {nova: false}`",
        );
    }
}

/// Pools of the cloud, wrong ones too: these have findings of their own. A cell may name its own.
fn has_hypervisors(cloud: &Cloud) -> bool {
    let named = cloud.written.spec.compute.as_ref();
    let named = named.and_then(|compute| compute.hypervisor_clusters.as_ref());
    let cells = cloud.component(COMPUTE).and_then(|nova| nova.options.get("cells")?.as_list());
    let mut cells = cells.unwrap_or_default().iter();
    named.is_some_and(|pools| !pools.is_empty())
        || cells.any(|cell: &Value| cell.at(&["computeRef"]).is_some())
}
