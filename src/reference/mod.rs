//! The custom resources of the reference distribution: what the service operators of the blueprint
//! serve. Their CRDs are generated from these types; the records fill them in.

#[macro_use]
mod kind;
mod cinder;
mod cortex;
mod extras;
mod glance;
mod keystone;
mod neutron;
mod nova;
mod ovn;
mod parts;
mod placement;
mod tempest;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

/// The CRDs of all kinds.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut crds = vec![
        keystone::Keystone::crd(),
        glance::Glance::crd(),
        placement::Placement::crd(),
        nova::Nova::crd(),
        neutron::Neutron::crd(),
        ovn::OVNCluster::crd(),
        ovn::OVNChassis::crd(),
        cinder::Cinder::crd(),
        cortex::Cortex::crd(),
        tempest::Tempest::crd(),
    ];
    crds.extend(extras::crds());
    crds
}
