//! The custom resources that the companion operator serves: what only exists at run time is made by
//! it, and what it needs to know for that is rendered.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const API: &str = "c5c3.io/v1alpha1";

pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![CredentialRotation::crd(), SecretAggregate::crd()]
}

/// A credential that is made anew from time to time, the old one valid until nobody uses it.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "CredentialRotation",
    doc = "A credential that is made anew from time to time.",
    namespaced,
    status = "CredentialRotationStatus",
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name":"Type","type":"string","jsonPath":".spec.rotationType"}"#,
    printcolumn = r#"{"name":"Next","type":"date","jsonPath":".status.nextRotation"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRotationSpec {
    /// The K-ORC User whose credential it is, in the same namespace.
    pub target_service_user: String,
    pub rotation_type: RotationType,
    /// When it rotates; if left out it is made once and stays.
    pub schedule: Option<Schedule>,
    /// How long the old one stays valid after everybody has the new one.
    #[schemars(range(min = 0))]
    pub grace_period_days: Option<i32>,
}

/// What is rotated.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RotationType {
    ApplicationCredential,
}

/// When a credential rotates.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// How long a credential is valid.
    #[schemars(range(min = 1))]
    pub interval_days: i32,
    /// How long before its end the next one is made.
    #[schemars(range(min = 0))]
    pub pre_rotation_days: i32,
}

/// Where a rotation stands.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRotationStatus {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// The id in Keystone of the credential in use. Its secret is in the Secret `<name>-current`.
    pub credential_id: Option<String>,
    pub last_rotation: Option<String>,
    pub next_rotation: Option<String>,
    pub observed_generation: Option<i64>,
}

/// Keys of several Secrets, and fields of other objects' status, in one Secret.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "SecretAggregate",
    doc = "Parts of several objects in one Secret.",
    namespaced,
    status = "SecretAggregateStatus",
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name":"Target","type":"string","jsonPath":".spec.target.name"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateSpec {
    /// Where its keys come from; of two with the same key the later one wins.
    #[schemars(length(min = 1))]
    pub sources: Vec<Source>,
    pub target: Target,
}

/// Keys of a Secret, or one field of an object's status.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    pub secret_ref: Option<Target>,
    /// The keys that are taken from the Secret; all if left out.
    pub keys: Option<Vec<String>>,
    pub status_ref: Option<StatusRef>,
}

/// One field of an object's status.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusRef {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    /// The field below `status`.
    pub field: String,
    /// The key it gets in the Secret.
    pub key: String,
}

/// A Secret in the same namespace.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Target {
    pub name: String,
}

/// Whether all sources were there.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateStatus {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    pub observed_generation: Option<i64>,
}
