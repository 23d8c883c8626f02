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
    printcolumn = r#"{"name":"Target","type":"string","jsonPath":".spec.target.name"}"#,
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].status"}"#,
    printcolumn = r#"{"name":"Reason","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].reason"}"#,
    validation = Rule::new(
        "self.spec.sources.all(s, !has(s.secretRef) || s.secretRef.name != self.spec.target.name)"
    ).message("the target is not among the sources"),
)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateSpec {
    /// Where the values come from. A later source does not replace a key of an earlier one: that is an error.
    #[schemars(length(min = 1, max = 32))]
    pub sources: Vec<Source>,
    pub target: Target,
}

/// Keys of a Secret, or one field of an object's status.
#[derive(Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
#[x_kube(
    validation = Rule::new("has(self.secretRef) != has(self.statusRef)").message("a source is a Secret or the status of an object"),
    validation = Rule::new("!has(self.keys) || has(self.secretRef)").message("keys are those of a Secret"),
)]
pub struct Source {
    /// A Secret of the same namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretRef>,
    /// Which of its keys; all if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub keys: Vec<String>,
    /// One field of an object's status, as `id` of K-ORC's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_ref: Option<StatusRef>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SecretRef {
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
}

/// One field of the status of an object in the same namespace.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusRef {
    #[schemars(length(min = 1, max = 253))]
    pub api_version: String,
    #[schemars(length(min = 1, max = 63))]
    pub kind: String,
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The field below `status`, with dots between the names of deeper ones.
    #[schemars(length(min = 1, max = 253))]
    pub field: String,
    /// The key it gets in the Secret.
    #[schemars(length(min = 1, max = 253))]
    pub key: String,
}

/// A Secret in the same namespace. It belongs to the aggregate and goes with it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Texts in which each `{{ expression }}` becomes a value: `{{ password }}`, `{{ tls.crt }}`, or
    /// `{{ values['tls-key'] }}` for a key that is no path. Without any, the values themselves are the
    /// target.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(length(max = 64))]
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
