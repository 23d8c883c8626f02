//! `ControlPlane`: one OpenStack control plane, as a platform engineer writes it.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Settings by component. Their fields come from the generator records, not from a type.
pub type Components = BTreeMap<String, Value>;

/// An OpenStack control plane. Everything is optional: `spec: {}` is a whole cloud, once all is there that `strata requirements` lists.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "ControlPlane",
    doc = "An OpenStack control plane.",
    namespaced,
    shortname = "cp",
    printcolumn = r#"{"name":"Release","type":"string","jsonPath":".spec.release"}"#,
    printcolumn = r#"{"name":"Distribution","type":"string","jsonPath":".spec.distribution"}"#,
    printcolumn = r#"{"name":"Region","type":"string","jsonPath":".spec.global.region"}"#,
    validation = "!has(self.spec.services) || !has(self.spec.openstack)"
)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlaneSpec {
    /// The OpenStack series, such as "2025.2"; the newest maintained one if left out.
    #[schemars(extend("pattern" = r"^[0-9]{4}\.[12]$"))]
    pub release: Option<String>,
    /// Whose service operators run in the cluster.
    pub distribution: Option<Distribution>,
    /// Scales every component; single fields override it.
    pub size: Option<Size>,
    /// Databases, brokers and caches.
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub infrastructure: Option<Components>,
    /// OpenStack services.
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub services: Option<Components>,
    /// Another name for `services`.
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub openstack: Option<Components>,
    /// Settings of the whole cloud.
    pub global: Option<Global>,
    /// Where virtual machines run.
    pub compute: Option<Compute>,
    /// Where volumes and images lie.
    pub storage: Option<Storage>,
    /// Where secrets live.
    pub secrets: Option<Secrets>,
    /// The virtual network.
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub network: Option<Components>,
    /// How the cloud is reached from outside.
    pub endpoints: Option<Endpoints>,
    /// The operators the cloud stands on.
    pub platform: Option<Platform>,
    /// How Flux follows the rendered tree.
    pub delivery: Option<Delivery>,
    /// How keys and credentials rotate.
    pub rotation: Option<Rotation>,
}

/// Whose service operators run in the cluster.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    #[default]
    Reference,
    Cobaltcore,
    OpenstackHelm,
}

impl Distribution {
    pub const ALL: &[Distribution] =
        &[Distribution::Reference, Distribution::Cobaltcore, Distribution::OpenstackHelm];

    pub const fn name(self) -> &'static str {
        match self {
            Distribution::Reference => "reference",
            Distribution::Cobaltcore => "cobaltcore",
            Distribution::OpenstackHelm => "openstack-helm",
        }
    }
}

/// How large the cloud is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    Small,
    #[default]
    Medium,
    Large,
    Xlarge,
}

/// Settings of the whole cloud.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Global {
    /// The region's name.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"))]
    pub region: Option<String>,
    /// Encryption of everything that crosses the network.
    pub tls: Option<Tls>,
    /// Metrics and alerts.
    pub monitoring: Option<Monitoring>,
    pub network_policies: Option<NetworkPolicies>,
}

/// Encryption of everything that crosses the network.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tls {
    /// Whether names inside the cluster are encrypted; true if left out.
    pub enabled: Option<bool>,
    /// Who issues certificates for public names, where encryption ends at the gateway.
    pub issuer_ref: Option<IssuerRef>,
}

/// A cert-manager issuer.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct IssuerRef {
    /// Its name.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: String,
    /// Issuer or ClusterIssuer; with another group, a kind of that one.
    #[schemars(extend("pattern" = r"^[A-Z][A-Za-z0-9]{0,62}$"))]
    pub kind: Option<String>,
    /// The API group, for issuers that are not cert-manager's own.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub group: Option<String>,
}

/// Metrics and alerts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Monitoring {
    /// Whether there are any; true if left out.
    pub enabled: Option<bool>,
}

/// Who may reach the pods of the cloud: with policies, only those that must.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkPolicies {
    /// Off if left out: the cluster's network must enforce them, and whoever else reaches the pods needs a policy too.
    pub enabled: Option<bool>,
    /// The namespace from which metrics are read; `monitoring` if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub monitoring_namespace: Option<String>,
    /// The namespace from which the gateway, or what else leads from the public names to services, speaks to them; that
    /// of the Gateway if left out. Envoy Gateway's proxies
    /// run where its controller does, most often in `envoy-gateway-system`.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub gateway_namespace: Option<String>,
    /// The namespaces of operators that are not where Strata installs them, such as `{mariadb-operator: databases}`.
    pub operator_namespaces: Option<BTreeMap<String, String>>,
}

/// Where virtual machines run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compute {
    /// Hypervisor pools, by name.
    pub hypervisor_clusters: Option<Vec<String>>,
}

/// Where volumes and images lie.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    /// Storage pools, by name.
    pub storage_clusters: Option<Vec<String>>,
}

/// Where secrets live.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Secrets {
    /// The store that holds every secret of the cloud.
    pub store: Option<SecretStore>,
}

/// A store that External Secrets knows.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct SecretStore {
    /// Its name; `openbao-cluster-store` if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: Option<String>,
    /// Its kind; ClusterSecretStore if left out.
    pub kind: Option<StoreKind>,
    /// The first part of every path in it; `openstack` if left out.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"))]
    pub prefix: Option<String>,
    /// Where OpenBao or Vault is. The store is then rendered in the control plane's namespace; one that exists is
    /// named without it.
    pub vault: Option<Vault>,
}

/// An OpenBao or Vault that ServiceAccounts of the cluster can log in to.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Vault {
    /// Its address, such as `https://openbao.example.com:8200`.
    #[schemars(extend("pattern" = r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$"))]
    pub server: String,
    /// The mount of its key-value store of version 2; `kv-v2` if left out. Paths are relative to it.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"))]
    pub mount: Option<String>,
    /// The role of the cloud, which must be allowed to read and write the cloud's paths.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$"))]
    pub role: String,
    /// Where logging in as a ServiceAccount is mounted; `kubernetes` if left out.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"))]
    pub auth_mount: Option<String>,
    /// The ServiceAccount that logs in, which is rendered too; `openstack-secrets` if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub service_account: Option<String>,
    /// The Secret with ca.crt of its authority, if that is no public one.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub ca_secret_name: Option<String>,
}

/// Which kind of store it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum StoreKind {
    #[default]
    ClusterSecretStore,
    SecretStore,
}

/// How the cloud is reached from outside.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Endpoints {
    /// The public domain; service names stand before it. Without it the public addresses of the catalog are those
    /// inside the cluster. Without a gateway these names are routed by something of yours: `strata requirements` lists
    /// where each must lead.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub domain: Option<String>,
    /// The Gateway that public routes hang on; none are made if left out. With TLS inside the cloud it must take a Secret
    /// in `caCertificateRefs` of a BackendTLSPolicy, as Envoy Gateway does; Gateway API demands ConfigMaps alone.
    pub gateway: Option<Gateway>,
}

/// The Gateway that public routes hang on.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gateway {
    /// Its name.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: String,
    /// Its namespace, if not the one of the cloud.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub namespace: Option<String>,
    /// Its listener for the public names. All that take them if left out: one for plain HTTP among them would serve
    /// passwords and tokens in clear text.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub section_name: Option<String>,
}

/// The operators the cloud stands on.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Platform {
    /// Whether this tree installs them; each can be told otherwise by its own `enabled`. One tree of a cluster does, so
    /// it brings those of databases, brokers and caches whether or not its own cloud has one: others in the cluster may.
    pub install: Option<bool>,
}

/// How Flux follows the rendered tree.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Where in its source the tree lives; at its root if left out.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$"))]
    pub path: Option<String>,
    /// Where Flux's own objects live; `flux-system` if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub namespace: Option<String>,
    /// The Flux source that holds the tree; the GitRepository `flux-system` if left out.
    pub source_ref: Option<SourceRef>,
    /// Where the source fetches from. The tree then brings the source itself; left out, it must exist.
    pub source: Option<DeliverySource>,
    /// How often the cluster is compared with the tree; 10m if left out.
    #[schemars(extend("pattern" = r"^([0-9]+(ms|s|m|h))+$"))]
    pub interval: Option<String>,
    /// How soon a failed component is tried again; 1m if left out.
    #[schemars(extend("pattern" = r"^([0-9]+(ms|s|m|h))+$"))]
    pub retry_interval: Option<String>,
    /// The account that Flux applies with; its own if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub service_account_name: Option<String>,
    /// How Flux decrypts what people encrypted in the tree.
    pub decryption: Option<Decryption>,
    /// How Flux reaches another cluster; the cloud is applied to Flux's own if left out.
    pub kube_config: Option<KubeConfig>,
}

/// A Flux source.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct SourceRef {
    /// Its kind.
    pub kind: SourceKind,
    /// Its name.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: String,
    /// Its namespace; that of Flux's other objects if left out.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
    pub namespace: Option<String>,
}

/// Which kind of Flux source it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum SourceKind {
    #[default]
    GitRepository,
    OCIRepository,
    Bucket,
}

/// Where a source fetches from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliverySource {
    /// Of a Git repository (https://, ssh://) or of an OCI repository (oci://).
    pub url: Option<String>,
    /// Of a Git repository; `main` if neither it nor a tag or commit is given.
    pub branch: Option<String>,
    /// Of a Git or an OCI repository.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$"))]
    pub tag: Option<String>,
    /// Of a Git repository.
    pub commit: Option<String>,
    /// Of an OCI repository: sha256:….
    pub digest: Option<String>,
    /// The bucket, of the kind Bucket.
    pub bucket: Option<Bucket>,
    /// The Secret to log in with.
    pub secret_ref: Option<SecretRef>,
    /// How often to look for a new revision; 5m if left out.
    #[schemars(extend("pattern" = r"^([0-9]+(ms|s|m|h))+$"))]
    pub interval: Option<String>,
}

/// An S3-compatible bucket.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// Host and port of the server.
    pub endpoint: String,
    /// Where it lies, if the server has regions.
    #[schemars(extend("pattern" = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"))]
    pub region: Option<String>,
    /// Whose bucket it is, which decides how Flux logs in.
    pub provider: Option<BucketProvider>,
}

/// Whose bucket it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BucketProvider {
    #[default]
    Generic,
    Aws,
    Gcp,
    Azure,
}

/// A Secret of the same namespace.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct SecretRef {
    /// Its name.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: String,
}

/// A key of a Secret of the same namespace.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct SecretKeyRef {
    /// Its name.
    #[schemars(extend("pattern" = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"))]
    pub name: String,
    /// The key in it; `value` if left out.
    pub key: Option<String>,
}

/// How Flux decrypts what people encrypted in the tree.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decryption {
    /// What it was encrypted with.
    pub provider: DecryptionProvider,
    /// The Secret with the private keys.
    pub secret_ref: Option<SecretRef>,
}

/// What it was encrypted with.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DecryptionProvider {
    Sops,
}

/// How Flux reaches another cluster.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeConfig {
    /// The Secret with the kubeconfig.
    pub secret_ref: SecretKeyRef,
}

/// How keys and credentials rotate.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Whether application credentials are ever replaced; true if left out.
    pub enabled: Option<bool>,
    /// After how many days each is replaced; 90 if left out.
    #[schemars(range(min = 1, max = 3650))]
    pub interval_days: Option<i32>,
    /// How many days before that the next one is made; 7 if left out.
    #[schemars(range(min = 0, max = 365))]
    pub pre_rotation_days: Option<i32>,
    /// How many days the old one still works after everybody has the new one; 1 if left out, or none where
    /// interval and preRotationDays leave no day.
    #[schemars(range(min = 0, max = 365))]
    pub grace_period_days: Option<i32>,
    /// The keys by which Keystone signs tokens.
    pub fernet_keys: Option<KeyRotation>,
    /// The keys by which Keystone encrypts credentials in its database.
    pub credential_keys: Option<KeyRotation>,
    /// The passwords of services in their databases, by two users of each that take turns.
    pub database_passwords: Option<PasswordRotation>,
    /// The passwords of services on the broker, by two users of each that take turns.
    pub messaging_passwords: Option<PasswordRotation>,
}

/// Keys that the companion operator rotates.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRotation {
    /// Whether the companion operator does it; false if left out.
    pub enabled: Option<bool>,
    /// After how many days; if left out, when `services.keystone.fernet.rotationSchedule` says for the keys of tokens,
    /// and as for everything else for the others.
    #[schemars(range(min = 1, max = 3650))]
    pub interval_days: Option<i32>,
}

/// Passwords that the companion operator rotates.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PasswordRotation {
    /// Whether the companion operator does it; false if left out.
    pub enabled: Option<bool>,
    /// After how many days each is replaced; as for everything else if left out.
    #[schemars(range(min = 1, max = 3650))]
    pub interval_days: Option<i32>,
    /// How many days before that the next one is made; as for everything else if left out.
    #[schemars(range(min = 0, max = 365))]
    pub pre_rotation_days: Option<i32>,
    /// How many days the old one still works; as for everything else if left out.
    #[schemars(range(min = 0, max = 365))]
    pub grace_period_days: Option<i32>,
}
