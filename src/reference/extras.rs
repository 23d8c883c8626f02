//! The services that are off by default. They have one shape: an API, perhaps workers beside it, a
//! database, perhaps a queue.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

use crate::reference::keystone::Cache;
use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAddress, KeystoneAuth, Messaging, OwnDomain, Process,
    Resources, SecretKeyRef, SecretRef, ServiceTls, Status,
};

part! {
    /// What amphorae and Octavia know each other by.
    Amphora {
        /// Holds `tls.crt` and `tls.key` of the authority by which Octavia certifies amphorae.
        pub server_ca_secret_ref: SecretRef,
        /// Holds `tls.crt` and `tls.key` that Octavia shows to amphorae, and `ca.crt` by which they know it.
        pub client_cert_secret_ref: SecretRef,
        /// Holds what amphorae sign their heartbeats with.
        pub heartbeat_key_secret_ref: SecretKeyRef,
    }
}

macro_rules! extras {
    ($($kind:literal $module:ident::$type:ident $spec:ident in $group:literal, $keystone:ident, $doc:literal;)*) => {
        $(pub mod $module {
            use super::*;

            kind! {
                #[doc = $doc]
                $kind $spec in $group, status "Status" {
                    /// How many of the API there are.
                    #[schemars(range(min = 1))]
                    pub replicas: i32,
                    /// Worker processes in each replica.
                    #[schemars(range(min = 1))]
                    pub workers: Option<i32>,
                    /// Processes beside the API, by name.
                    pub processes: Option<BTreeMap<String, Process>>,
                    /// What it runs.
                    pub image: Image,
                    /// Where what it knows lies.
                    pub database: Option<Database>,
                    /// How its processes speak to each other.
                    pub messaging: Option<Messaging>,
                    /// Where sessions and tokens are cached.
                    pub cache: Option<Cache>,
                    /// How it reaches Keystone.
                    pub keystone: $keystone,
                    /// Where it makes users of its own: of stacks, or of clusters.
                    pub domain: Option<OwnDomain>,
                    /// What it signs sessions with.
                    pub secret_key_ref: Option<SecretKeyRef>,
                    /// What it encrypts with before it stores: 32 characters for Heat, and 32 bytes in base64 for Barbican.
                    /// With another key it could read nothing of what is there.
                    pub encryption_key_secret_ref: Option<SecretKeyRef>,
                    /// What amphorae and Octavia know each other by.
                    pub amphora: Option<Amphora>,
                    /// Where a browser reaches it.
                    pub public_url: Option<String>,
                    /// Encryption of what it serves and calls.
                    pub tls: Option<ServiceTls>,
                    /// Processor and memory of each replica.
                    pub resources: Option<Resources>,
                    /// What must be ready first.
                    pub depends_on: Option<Vec<Dependency>>,
                }
            }
        })*

        pub fn crds() -> Vec<CustomResourceDefinition> {
            vec![$($module::$type::crd()),*]
        }
    };
}

extras! {
    "Horizon" horizon::Horizon HorizonSpec in "horizon.openstack.c5c3.io", KeystoneAddress, "A dashboard.";
    "Heat" heat::Heat HeatSpec in "heat.openstack.c5c3.io", KeystoneAuth, "A Heat deployment.";
    "Octavia" octavia::Octavia OctaviaSpec in "octavia.openstack.c5c3.io", KeystoneAuth, "An Octavia deployment.";
    "Barbican" barbican::Barbican BarbicanSpec in "barbican.openstack.c5c3.io", KeystoneAuth, "A Barbican deployment.";
    "Designate" designate::Designate DesignateSpec in "designate.openstack.c5c3.io", KeystoneAuth, "A Designate deployment.";
    "Manila" manila::Manila ManilaSpec in "manila.openstack.c5c3.io", KeystoneAuth, "A Manila deployment.";
    "Magnum" magnum::Magnum MagnumSpec in "magnum.openstack.c5c3.io", KeystoneAuth, "A Magnum deployment.";
    "Ironic" ironic::Ironic IronicSpec in "ironic.openstack.c5c3.io", KeystoneAuth, "An Ironic deployment.";
}
