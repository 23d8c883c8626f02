//! `CredentialRotation`: one credential, or one ring of keys, that rotates.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{LocalObjectReference, Toleration};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "CredentialRotation",
    namespaced,
    status = "CredentialRotationStatus",
    shortname = "rotation",
    category = "strata",
    printcolumn = r#"{"name":"Type","type":"string","jsonPath":".spec.rotationType"}"#,
    printcolumn = r#"{"name":"Phase","type":"string","jsonPath":".status.phase"}"#,
    printcolumn = r#"{"name":"Generation","type":"integer","jsonPath":".status.generation"}"#,
    printcolumn = r#"{"name":"Last Rotated","type":"date","jsonPath":".status.lastRotationTime"}"#,
    printcolumn = r#"{"name":"Next","type":"string","jsonPath":".status.nextRotationTime"}"#,
    printcolumn = r#"{"name":"Reason","type":"string","jsonPath":".status.reason"}"#,
    printcolumn = r#"{"name":"User","type":"string","priority":1,"jsonPath":".spec.targetServiceUser"}"#,
    validation = Rule::new(
        "self.spec.rotationType in ['fernetKeys', 'credentialKeys'] == has(self.spec.keys)"
    ).message("keys is for the rotation types fernetKeys and credentialKeys, which need it"),
    validation = Rule::new(
        "(self.spec.rotationType == 'applicationCredential') == has(self.spec.applicationCredential)"
    ).message("applicationCredential is for the rotation type of that name, which needs it"),
    validation = Rule::new(
        "self.spec.rotationType in ['databasePassword', 'messagingPassword'] == has(self.spec.alternatingUsers)"
    ).message("alternatingUsers is for databasePassword and messagingPassword, which need it"),
    validation = Rule::new(
        "self.spec.rotationType != 'credentialKeys' || has(self.spec.keys.migration)"
    ).message("credential keys rotate only with keys.migration, which says how rows are re-encrypted"),
    validation = Rule::new(
        "!has(self.spec.keys) || (has(self.spec.delivery.firstPushSecretName) && size(self.spec.consumers) > 0)"
    ).message("keys need delivery.firstPushSecretName, and consumers: the replicas that mount them"),
    validation = Rule::new("self.spec.rotationType == oldSelf.spec.rotationType")
        .message("the type of a rotation does not change; make another"),
    validation = Rule::new("size(self.metadata.name) <= 40")
        .message("the name has at most 40 characters, because generations are named after it"),
)]
// On the spec, not on the object: a status is written though the spec is from before the rule.
#[x_kube(
    validation = Rule::new(
        "has(self.keys) || size(self.consumers) > 0 || (has(self.noConsumers) && self.noConsumers)"
    ).message("name the consumers: without them the old credential is revoked though pods may have it; if no pod has it, say noConsumers: true"),
    validation = Rule::new("size(self.consumers) == 0 || !has(self.noConsumers) || !self.noConsumers")
        .message("noConsumers is for a credential that no pod has; there are consumers"),
    validation = Rule::new(
        "has(self.keys) || has(self.schedule.cron) || self.schedule.preRotationDays + self.gracePeriodDays < self.schedule.intervalDays"
    ).message("preRotationDays and gracePeriodDays together are less than intervalDays: the next credential is made only when the one before the last is revoked"),
)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRotationSpec {
    /// The user of the service whose credential it is, for people to see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_service_user: Option<String>,
    /// What rotates.
    pub rotation_type: RotationType,
    /// When it rotates.
    #[serde(default)]
    pub schedule: ScheduleSpec,
    /// How long the old credential goes on being valid after every consumer has the new one. Of keys it says nothing:
    /// they go when no token of theirs can be in use.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 365))]
    pub grace_period_days: i32,
    /// Begins no rotation while set. What was begun stands still, too; lost keys are still restored.
    // Not written where it is false: Flux would take a person's `pause` back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
    /// The Secrets of a ring of keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Keys>,
    /// How application credentials are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application_credential: Option<ApplicationCredentialSource>,
    /// The two users that take turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternating_users: Option<AlternatingUsers>,
    /// The way through the store.
    pub delivery: Delivery,
    /// Who has the credential: all of their pods carry it before an older one is revoked. For keys,
    /// the replicas that mount them.
    #[serde(default)]
    #[schemars(length(max = 32))]
    pub consumers: Vec<Consumer>,
    /// Says that no pod has the credential, as where it is read anew each time: the old one is then revoked once the
    /// Secret has the new one, and tokens of the old one are over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_consumers: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RotationType {
    FernetKeys,
    CredentialKeys,
    ApplicationCredential,
    DatabasePassword,
    MessagingPassword,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleSpec {
    /// How long a credential is in use.
    #[serde(default = "ninety")]
    #[schemars(range(min = 1, max = 3650))]
    pub interval_days: i32,
    /// How many days before the end of the interval the next one is made. A credential ends by itself that
    /// many days and the grace period after the next one was due, and at least one day. Keys do not end, so of them it
    /// says nothing.
    #[serde(default = "seven")]
    #[schemars(range(min = 0, max = 365))]
    pub pre_rotation_days: i32,
    /// Five fields, in UTC; instead of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
}

impl Default for ScheduleSpec {
    fn default() -> Self {
        Self { interval_days: ninety(), pre_rotation_days: seven(), cron: None }
    }
}

const fn one() -> i32 {
    1
}

const fn seven() -> i32 {
    7
}

const fn ninety() -> i32 {
    90
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Keys {
    /// The Secret that Keystone mounts. `<name>-next` and `<name>-first` are the operator's own.
    // Its name becomes that of an annotation, which has at most 63 characters.
    #[schemars(length(min = 1, max = 63))]
    pub secret_name: String,
    /// How long a token lives, as in `[token] expiration`.
    #[serde(default = "hour")]
    #[schemars(range(min = 60, max = 31_536_000))]
    pub token_expiration_seconds: i64,
    /// As in `[token] allow_expired_window`.
    #[serde(default = "two_days")]
    #[schemars(range(min = 0, max = 31_536_000))]
    pub allow_expired_window_seconds: i64,
    /// Within this time a changed Secret has reached every replica whose node is in touch: the sync period of
    /// kubelet and its cache, both once more after a node was out of touch, and the time after which it counts
    /// as lost.
    #[serde(default = "ten_minutes")]
    #[schemars(range(min = 1, max = 86_400))]
    pub propagation_seconds: i64,
    /// The Job that re-encrypts Keystone's credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
}

const fn hour() -> i64 {
    3_600
}

const fn two_days() -> i64 {
    172_800
}

const fn ten_minutes() -> i64 {
    600
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Migration {
    /// Keystone's image, by tag or digest.
    pub image: String,
    /// The Secret with `keystone.conf`.
    pub config_secret_name: String,
    /// Where the configuration says that the keys are.
    #[serde(default = "key_folder")]
    pub key_repository: String,
    /// The authority of the database's server, mounted at `/etc/mysql/certs/ca.crt`, where the configuration looks
    /// for it. Not needed where connections are not encrypted, or the image knows the authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_secret_ref: Option<KeyOfSecret>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_name: Option<String>,
    /// Secrets that let the image be pulled, as Keystone itself has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub image_pull_secrets: Vec<LocalObjectReference>,
    /// Labels of the nodes that it runs on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub node_selector: BTreeMap<String, String>,
    /// Taints of nodes that it bears.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub tolerations: Vec<Toleration>,
    /// The number of the image's user. It never runs as root, and a node cannot tell whether a user that the image has
    /// by name is that: such an image needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub run_as_user: Option<i64>,
}

fn key_folder() -> String {
    "/etc/keystone/credential-keys".to_owned()
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationCredentialSource {
    /// K-ORC's User, whose own credential it is: Keystone lets nobody make one for another.
    pub user_ref: String,
    /// The `clouds.yaml` of that user, with its password.
    pub cloud_credentials_ref: CloudCredentials,
    /// How the operator itself asks Keystone: whether a credential works, and whether an old one is gone.
    pub keystone: Login,
    /// How long tokens live: the old credential is revoked later than that.
    #[serde(default = "hour")]
    #[schemars(range(min = 0, max = 31_536_000))]
    pub token_expiration_seconds: i64,
}

/// The user's own login, with its password.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    /// As in `https://keystone.openstack.svc:5000/v3`.
    #[schemars(regex(pattern = r"^https?://[^\s/]+(/.*)?$"))]
    pub auth_url: String,
    pub username: String,
    #[serde(default = "default_domain")]
    pub user_domain_name: String,
    pub project_name: String,
    #[serde(default = "default_domain")]
    pub project_domain_name: String,
    pub password_secret_ref: KeyOfSecret,
    /// The authority that Keystone's certificate is checked against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_secret_ref: Option<KeyOfSecret>,
}

fn default_domain() -> String {
    "Default".to_owned()
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyOfSecret {
    pub name: String,
    pub key: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloudCredentials {
    pub secret_name: String,
    pub cloud_name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlternatingUsers {
    /// The kind of the users' objects, as `k8s.mariadb.com/v1alpha1` or `rabbitmq.com/v1beta1`.
    pub api_version: String,
    /// The two objects, whose passwords are in the Secrets `<rotation>-a` and `<rotation>-b`.
    #[x_kube(validation = Rule::new("size(self) == 2").message("two users take turns"))]
    #[schemars(length(min = 2, max = 2))]
    pub names: Vec<String>,
    /// Within this time the server has a password that changed.
    #[serde(default = "two_minutes")]
    #[schemars(range(min = 1, max = 86_400))]
    pub settle_seconds: i64,
}

const fn two_minutes() -> i64 {
    120
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The PushSecret that takes it to the store: of `<keys>-next`, or of `<rotation>-current`.
    pub push_secret_name: String,
    /// For keys: the PushSecret of `<keys>-first`, with `updatePolicy: IfNotExists`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_push_secret_name: Option<String>,
    /// The ExternalSecret that brings it back.
    pub external_secret_name: String,
    /// The Secret that consumers read: the one that the ExternalSecret makes, or one that is made of it.
    // Its name becomes that of an annotation, which has at most 63 characters.
    #[schemars(length(min = 1, max = 63))]
    pub secret_name: String,
    /// How long a node may give a new pod the Secret as it was before: consumers of a credential are rolled that
    /// much after it was delivered. Keys have `propagationSeconds` instead.
    #[serde(default = "cache_seconds", skip_serializing_if = "is_usual")]
    #[schemars(range(min = 0, max = 3600))]
    pub cache_seconds: i64,
}

impl Delivery {
    /// Kubelet looks at least once a minute.
    pub const CACHE_SECONDS: i64 = 60;
}

const fn cache_seconds() -> i64 {
    Delivery::CACHE_SECONDS
}

const fn is_usual(seconds: &i64) -> bool {
    *seconds == Delivery::CACHE_SECONDS
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConsumerKind {
    Deployment,
    StatefulSet,
    DaemonSet,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    pub kind: ConsumerKind,
    pub name: String,
    /// Whether the operator of the consumer puts the annotation `content-hash.c5c3.io/<Secret>` on its pods by
    /// itself: the first 16 bytes, in hexadecimal, of a SHA-256 as docs/rotation.md has it. Of keys it says nothing:
    /// nobody is stamped for them, and what a pod carries counts whoever put it there.
    #[serde(default)]
    pub stamped: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRotationStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The generation that is published, or the number of the primary key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_rotation_time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_rotation_time: Option<String>,
    /// Keys exist; should all be lost, none are made anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub initialised: bool,
    /// The highest number ever taken.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub committed: i64,
    /// The highest number that may have been published.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub intended: i64,
    /// The highest number that will never be.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given_up: i64,
    /// The generation that every consumer has.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rolled_out: i64,
    /// When tokens of older generations are over, in seconds since 1970.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub drained: i64,
    /// The last request of a person that was taken up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<String>,
    /// The primary key that a person wants replaced.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replaces: i64,
    /// The age of each key, by its number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, KeyAge>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyAge {
    pub role: String,
    pub since: String,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}
