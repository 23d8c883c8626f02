//! `StorageCluster`: a Ceph cluster that volumes lie in.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hypervisor_cluster::Ironcore;

/// A pool of storage that clouds consume.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "crossplane.c5c3.io",
    version = "v1alpha1",
    kind = "StorageCluster",
    doc = "A pool of storage that clouds consume.",
    namespaced,
    shortname = "stc",
    printcolumn = r#"{"name":"Region","type":"string","jsonPath":".spec.region"}"#,
    printcolumn = r#"{"name":"Capacity","type":"string","jsonPath":".spec.capacity"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct StorageClusterSpec {
    /// The region it stands in.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"))]
    pub region: String,
    /// The name of the cluster that is made; the pool's own if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub name: Option<String>,
    /// The version of Kubernetes on it, such as "1.29".
    pub kubernetes_version: Option<String>,
    /// How many machines it has.
    #[schemars(range(min = 1, max = 100_000))]
    pub workers: Option<i32>,
    /// How much it holds, such as 500Ti.
    #[schemars(extend("pattern" = r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"))]
    pub capacity: Option<String>,
    /// What it is. `dedicated: "true"` keeps it for one cloud.
    pub labels: Option<BTreeMap<String, String>>,
    pub ironcore: Option<Ironcore>,
    pub ceph: Option<Ceph>,
    /// The cluster that breaks ties between two sites.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub arbiter_cluster: Option<String>,
}

/// How Ceph is laid out on it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ceph {
    /// OSDs of each machine.
    #[schemars(range(min = 1, max = 1000))]
    pub osd_count: Option<i32>,
    pub device_class: Option<DeviceClass>,
    /// How much it should hold, such as 500Ti.
    #[schemars(extend("pattern" = r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"))]
    pub target_capacity: Option<String>,
    /// How many copies there are of everything.
    #[schemars(range(min = 1, max = 10))]
    pub replication_factor: Option<i32>,
}

/// What the data lies on.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceClass {
    Hdd,
    Ssd,
    Nvme,
}
