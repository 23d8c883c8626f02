//! What must hold between the clouds of one input: each is sound by itself, and they share a cluster.

use super::authorities::Authorities;
use super::domains::Domains;
use super::platform::Owners;
use super::pools::Tenants;
use crate::finding::Findings;
use crate::resolve::Cloud;

#[derive(Debug, Default)]
pub struct Between {
    owners: Owners,
    tenants: Tenants,
    domains: Domains,
    authorities: Authorities,
}

impl Between {
    /// Adds a cloud; a finding for all that another has already.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        self.owners.add(cloud, findings);
        self.tenants.add(cloud, findings);
        self.domains.add(cloud, findings);
        self.authorities.add(cloud);
    }

    /// What can be said when all are known.
    pub fn check(&self, findings: &mut Findings) {
        self.authorities.check(findings);
    }
}
