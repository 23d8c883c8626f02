//! `HypervisorCluster`: a pool of machines that run virtual machines.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A pool of hypervisors that clouds consume.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "crossplane.c5c3.io",
    version = "v1alpha1",
    kind = "HypervisorCluster",
    doc = "A pool of hypervisors that clouds consume.",
    namespaced,
    shortname = "hvc",
    printcolumn = r#"{"name":"Region","type":"string","jsonPath":".spec.region"}"#,
    printcolumn = r#"{"name":"Workers","type":"integer","jsonPath":".spec.workers"}"#,
    validation = "!has(self.spec.maxWorkers) || !has(self.spec.workers) || self.spec.maxWorkers >= self.spec.workers"
)]
#[serde(rename_all = "camelCase")]
pub struct HypervisorClusterSpec {
    /// The region it stands in.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"))]
    pub region: String,
    /// The name of the cluster that is made; the pool's own if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub name: Option<String>,
    /// The version of Kubernetes on it, such as "1.29".
    pub kubernetes_version: Option<String>,
    /// How many hypervisors it has.
    #[schemars(range(min = 1, max = 100_000))]
    pub workers: Option<i32>,
    /// How many it may grow to.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_workers: Option<i32>,
    /// What it is. `dedicated: "true"` keeps it for one cloud; `availability-zone` names its zone.
    pub labels: Option<BTreeMap<String, String>>,
    pub ironcore: Option<Ironcore>,
}

/// The machines it is made of.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ironcore {
    /// The pool of machines.
    pub machine_pool: String,
    /// What sort of machine is taken from it.
    pub machine_class: Option<String>,
}
