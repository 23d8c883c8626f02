//! `OpenStackCluster`: a tenant's claim to a cloud. It becomes a ControlPlane of the same name, so
//! that most of its fields are those of one; `layers::claim_schema` says which.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Size;
use super::control_plane::Components;

/// An OpenStack cloud that consumes pools. Everything is optional.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "OpenStackCluster",
    doc = "A tenant's claim to an OpenStack cloud.",
    namespaced,
    shortname = "osc",
    printcolumn = r#"{"name":"Region","type":"string","jsonPath":".spec.region"}"#,
    printcolumn = r#"{"name":"Size","type":"string","jsonPath":".spec.size"}"#,
    printcolumn = r#"{"name":"Hypervisors","type":"string","jsonPath":".spec.hypervisorClusters"}"#,
    printcolumn = r#"{"name":"Storage","type":"string","jsonPath":".spec.storageClusters"}"#,
    // Its cloud is in the namespace openstack-NAME, and a namespace has 63 letters at most.
    validation = "size(self.metadata.name) <= 53"
)]
#[serde(rename_all = "camelCase")]
pub struct OpenStackClusterSpec {
    pub region: Option<String>,
    pub size: Option<Size>,
    pub hypervisor_clusters: Option<Vec<String>>,
    pub storage_clusters: Option<Vec<String>>,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub services: Option<Components>,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub cortex: Option<Components>,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub tls: Option<serde_json::Map<String, Value>>,
}
