//! Keystone, the identity service.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reference::parts::{Database, Image, Resources, SecretKeyRef, Status};

pub type KeystoneStatus = Status;

/// A Keystone deployment.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "keystone.openstack.c5c3.io",
    version = "v1alpha1",
    kind = "Keystone",
    namespaced,
    status = "KeystoneStatus",
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name":"Replicas","type":"integer","jsonPath":".spec.replicas"}"#,
    printcolumn = r#"{"name":"Version","type":"string","jsonPath":".spec.image.tag"}"#,
    printcolumn = r#"{"name":"Endpoint","type":"string","jsonPath":".status.endpoint"}"#,
    printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#,
    validation = "self.spec.bootstrap.region == oldSelf.spec.bootstrap.region"
)]
#[serde(rename_all = "camelCase")]
pub struct KeystoneSpec {
    #[schemars(range(min = 1))]
    pub replicas: i32,
    pub image: Image,
    pub database: Database,
    pub cache: Cache,
    pub fernet: Fernet,
    pub federation: Option<Federation>,
    pub bootstrap: Bootstrap,
    pub resources: Option<Resources>,
}

/// Where tokens are cached.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Cache {
    /// The dogpile backend.
    pub backend: String,
    #[schemars(length(min = 1))]
    pub servers: Vec<String>,
}

/// The keys that sign tokens.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fernet {
    /// When keys rotate, as a cron expression.
    pub rotation_schedule: String,
    /// How many keys are kept: one staged, one primary and at least one that still validates.
    #[schemars(range(min = 3))]
    pub max_active_keys: i32,
}

/// Sign-in through another identity provider.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Federation {
    pub enabled: bool,
}

/// What the first start creates.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    pub admin_user: String,
    pub admin_password_secret_ref: SecretKeyRef,
    pub region: String,
}
