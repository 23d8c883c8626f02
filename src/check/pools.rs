//! A dedicated pool has one tenant: of the clouds of one input, one consumes it.

use crate::finding::{Code, Findings, Path};
use crate::pools::Pool;
use crate::resolve::Cloud;

/// Which cloud has which dedicated pool.
#[derive(Debug, Default)]
pub struct Tenants(Vec<(String, String)>);

impl Tenants {
    /// Adds the dedicated pools of a cloud; a finding for each that another cloud has already.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        let lists = [
            ("spec.compute.hypervisorClusters", &cloud.pools.hypervisors),
            ("spec.storage.storageClusters", &cloud.pools.storage),
        ];
        let owner = format!("{}/{}", cloud.namespace, cloud.name);
        for (list, pools) in lists {
            for (index, pool) in pools.iter().enumerate().filter(|(_, pool)| pool.is_dedicated()) {
                let id = pool.document.title();
                if let Some((_, other)) = self.0.iter().find(|(known, _)| *known == id) {
                    findings.push(shared(cloud, pool, other, &Path::from(list).index(index)));
                } else {
                    self.0.push((id, owner.clone()));
                }
            }
        }
    }
}

fn shared(cloud: &Cloud, pool: &Pool, other: &str, path: &Path) -> crate::finding::Finding {
    Code::DedicatedPool
        .at(cloud.written.place(path))
        .because(format!("`{}` is dedicated, and {other} consumes it already", pool.name))
        .remedy("name another pool, or remove the label `dedicated` from this one")
}
