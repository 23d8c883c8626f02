//! The services that are off by default. They have one shape: an API, perhaps workers beside it, a
//! database, perhaps a queue. What only one of them has stands behind it.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

use crate::reference::amphora::Amphora;
use crate::reference::keystone::Cache;
use crate::reference::name_servers::NamePool;
use crate::reference::parts::{
    Database, Dependency, DjangoSettings, Image, KeystoneAddress, KeystoneAuth, Messaging,
    OwnDomain, Process, Resources, SecretKeyRef, Sections, ServiceTls, Status,
};
use crate::reference::shares::{ShareBackend, ShareType};

macro_rules! extras {
    ($(
        $kind:literal $module:ident::$type:ident $spec:ident in $group:literal, $keystone:ident, $config:ident, $doc:literal
        $(rules $rules:tt)?
        $(has { $($own:tt)* })?;
    )*) => {
        $(pub mod $module {
            use super::*;

            kind! {
                #[doc = $doc]
                $kind $spec in $group, status "Status" $(rules $rules)? {
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
                    $($($own)*)?
                    /// Where a browser reaches it.
                    pub public_url: Option<String>,
                    /// Encryption of what it serves and calls.
                    pub tls: Option<ServiceTls>,
                    /// Processor and memory of each replica.
                    pub resources: Option<Resources>,
                    /// What must be ready first.
                    pub depends_on: Option<Vec<Dependency>>,
                    /// Options of its own configuration file that have no field here: by section, or as Django has them.
                    pub extra_config: Option<$config>,
                }
            }
        })*

        pub fn crds() -> Vec<CustomResourceDefinition> {
            vec![$($module::$type::crd()),*]
        }
    };
}

extras! {
    "Horizon" horizon::Horizon HorizonSpec in "horizon.openstack.c5c3.io", KeystoneAddress, DjangoSettings, "A dashboard.";
    "Heat" heat::Heat HeatSpec in "heat.openstack.c5c3.io", KeystoneAuth, Sections, "A Heat deployment.";
    "Octavia" octavia::Octavia OctaviaSpec in "octavia.openstack.c5c3.io", KeystoneAuth, Sections, "An Octavia deployment." has {
        /// How amphorae are made, and what they and Octavia know each other by.
        pub amphora: Option<Amphora>,
    };
    "Barbican" barbican::Barbican BarbicanSpec in "barbican.openstack.c5c3.io", KeystoneAuth, Sections, "A Barbican deployment.";
    "Designate" designate::Designate DesignateSpec in "designate.openstack.c5c3.io", KeystoneAuth, Sections, "A Designate deployment." has {
        /// Name servers that zones are written to.
        pub pools: Option<Vec<NamePool>>,
    };
    "Manila" manila::Manila ManilaSpec in "manila.openstack.c5c3.io", KeystoneAuth, Sections, "A Manila deployment."
    rules {
        "!has(self.shareTypes) || self.shareTypes.all(t, self.backends.exists(b, b.name == t.backend))" =>
            "every share type names one of the backends",
        "!has(self.shareTypes) || !has(self.defaultShareType) || self.shareTypes.exists(t, t.name == self.defaultShareType)" =>
            "the default is one of the share types",
    }
    has {
        /// Where shares lie.
        #[schemars(length(min = 1, max = 64), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
        pub backends: Vec<ShareBackend>,
        /// The share type of those who name none.
        #[schemars(length(max = 255))]
        pub default_share_type: Option<String>,
        /// What users choose a share by; each backend by its name if left out.
        #[schemars(length(max = 64), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
        pub share_types: Option<Vec<ShareType>>,
    };
    "Magnum" magnum::Magnum MagnumSpec in "magnum.openstack.c5c3.io", KeystoneAuth, Sections, "A Magnum deployment.";
    "Ironic" ironic::Ironic IronicSpec in "ironic.openstack.c5c3.io", KeystoneAuth, Sections, "An Ironic deployment.";
}
