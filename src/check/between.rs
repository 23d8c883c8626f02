//! What must hold between the clouds of one input: each is sound by itself, and some share a cluster.

use std::collections::BTreeMap;

use super::authorities::Authorities;
use super::domains::Domains;
use super::platform::Owners;
use super::pools::Tenants;
use super::services::Services;
use crate::finding::Findings;
use crate::resolve::Cloud;

#[derive(Debug, Default)]
pub struct Between {
    tenants: Tenants,
    domains: Domains,
    /// By what leads to each.
    clusters: BTreeMap<String, Cluster>,
}

/// What stands once in a cluster, whichever clouds it has.
#[derive(Debug, Default)]
struct Cluster {
    owners: Owners,
    services: Services,
    authorities: Authorities,
}

impl Between {
    /// Adds a cloud; a finding for all that another has already.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        self.tenants.add(cloud, findings);
        self.domains.add(cloud, findings);
        let cluster = self.clusters.entry(cloud.delivery.cluster()).or_default();
        cluster.owners.add(cloud, findings);
        cluster.services.add(cloud, findings);
        cluster.authorities.add(cloud);
    }

    /// What can be said when all are known.
    pub fn check(&self, findings: &mut Findings) {
        for cluster in self.clusters.values() {
            cluster.authorities.check(findings);
        }
    }
}
