//! `SecretAggregate`: Secrets and fields of status, joined into one Secret.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "SecretAggregate",
    namespaced,
    status = "SecretAggregateStatus",
    category = "strata",
    printcolumn = r#"{"name":"Target","type":"string","jsonPath":".spec.target.secretName"}"#,
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].status"}"#,
    printcolumn = r#"{"name":"Reason","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].reason"}"#,
    validation = Rule::new(
        "self.spec.sources.all(s, !has(s.secretRef) || s.secretRef != self.spec.target.secretName)"
    ).message("the target is not among the sources"),
)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateSpec {
    /// Where the values come from. A later source does not replace a key of an earlier one: that is an error.
    #[schemars(length(min = 1, max = 32))]
    pub sources: Vec<Source>,
    pub target: Target,
}

#[derive(Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("has(self.secretRef) != has(self.status)").message("a source is a Secret or the status of an object"))]
pub struct Source {
    /// A Secret of the same namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<String>,
    /// Which of its keys; all if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusSource>,
}

/// Fields of an object's status, as `id` of K-ORC's.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusSource {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    #[schemars(length(min = 1, max = 16))]
    pub fields: Vec<StatusField>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusField {
    /// The name of a field directly below `status`.
    pub field: String,
    /// What it is called in the target.
    pub key: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    #[schemars(length(min = 1, max = 253))]
    pub secret_name: String,
    /// Texts with `{{ key }}` for values; without any, the values themselves are the target.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub template: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
