//! What the custom resources of all services have in common.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The container image of a service.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Image {
    /// Registry and name, without a tag.
    pub repository: String,
    /// A version; a digest may stand behind it.
    pub tag: String,
}

/// A Secret in the same namespace.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct SecretRef {
    pub name: String,
}

/// One key of a Secret in the same namespace.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct SecretKeyRef {
    pub name: String,
    pub key: String,
}

/// A database and the credential for it.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Database {
    /// Holds `username` and `password`.
    pub secret_ref: SecretRef,
    /// The database's name on the server.
    pub database: String,
    /// The server.
    pub host: Option<String>,
    #[schemars(range(min = 1, max = 65535))]
    pub port: Option<i32>,
}

/// Processor and memory of each replica.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Resources {
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub requests: Option<serde_json::Map<String, serde_json::Value>>,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub limits: Option<serde_json::Map<String, serde_json::Value>>,
}

/// What an operator reports about a service.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Where the service answers.
    pub endpoint: Option<String>,
    pub observed_generation: Option<i64>,
}
