//! What the custom resources of all services have in common.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::Schema;

/// A field of pods that Kubernetes itself defines. With `additionalProperties`, as a map has it, an
/// API server would drop all that lies two levels below.
fn as_kubernetes_has_it(schema: &mut Schema) {
    schema.remove("additionalProperties");
    schema.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
}

/// Options of a service's own file by section, all of them texts. CobaltCore's kinds have the same, so that a
/// change of distribution leaves them as they are.
pub type Sections = BTreeMap<String, BTreeMap<String, String>>;

/// Horizon's file is Python, and has no sections.
#[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
#[schemars(transform = as_kubernetes_has_it)]
pub struct DjangoSettings(pub serde_json::Map<String, serde_json::Value>);

part! {
    /// The container image of a service.
    Image {
        /// Registry and name, without a tag.
        pub repository: String,
        /// A version; a digest may stand behind it.
        pub tag: String,
    }
}

part! {
    /// A Secret in the same namespace.
    SecretRef {
        /// Its name.
        pub name: String,
    }
}

part! {
    /// A domain in Keystone that belongs to a service.
    OwnDomain {
        /// Its name.
        pub name: String,
        /// Holds `username` and `password` of its administrator, who is a user of that domain.
        pub secret_ref: SecretRef,
    }
}

part! {
    /// One key of a Secret in the same namespace.
    SecretKeyRef {
        /// The Secret's name.
        pub name: String,
        /// The key in it.
        pub key: String,
    }
}

part! {
    /// An object, in the same namespace unless it says otherwise.
    ObjectRef {
        /// Its name.
        pub name: String,
        /// Its namespace, if another.
        pub namespace: Option<String>,
    }
}

part! {
    /// A database and the credential for it.
    Database {
        /// Holds `username` and `password`, and whole addresses for SQLAlchemy: `connection` of this database and
        /// `<name>_connection` of each further one. With TLS they name the file of the server's authority: mount it at
        /// /etc/mysql/certs/ca.crt, from `caSecretRef` or, without one, from what the service trusts.
        pub secret_ref: SecretRef,
        /// The database's name on the server.
        pub database: String,
        /// The server.
        pub host: Option<String>,
        /// The server's port.
        #[schemars(range(min = 1, max = 65535))]
        pub port: Option<i32>,
        /// Holds the authority of a server that runs elsewhere.
        pub ca_secret_ref: Option<SecretKeyRef>,
    }
}

part! {
    /// The queue of a service on the broker.
    Messaging {
        /// Holds `username` and `password`, and whole addresses for oslo.messaging: `transport_url` of this virtual host
        /// and `<name>_transport_url` of each further one. With TLS they name the file of the broker's authority: mount
        /// it at /etc/rabbitmq/certs/ca.crt, from `caSecretRef` or, without one, from what the service trusts. A public
        /// authority is looked for in the image's own /etc/ssl/certs/ca-certificates.crt.
        pub secret_ref: SecretRef,
        /// The members of the broker, each with its port.
        #[schemars(length(min = 1))]
        pub hosts: Vec<String>,
        /// The virtual host.
        pub vhost: Option<String>,
        /// Holds the authority of a broker that runs elsewhere.
        pub ca_secret_ref: Option<SecretKeyRef>,
    }
}

part! {
    /// How a service proves who it is.
    KeystoneAuth {
        /// Keystone's address, with its path.
        pub auth_url: String,
        /// What it shows there.
        pub app_credential_ref: CredentialRef,
    }
}

part! {
    /// Where Keystone is, for what shows it only what people log in with.
    KeystoneAddress {
        /// Keystone's address, with its path.
        pub auth_url: String,
    }
}

part! {
    /// The Secret that holds a service's credential.
    CredentialRef {
        /// Its name.
        pub secret_name: String,
    }
}

part! {
    /// Encryption of what a service serves and calls.
    ServiceTls rules {
        "!self.enabled || has(self.certSecretRef)" => "a service that serves TLS has a certificate",
    } {
        /// Whether it serves TLS.
        pub enabled: bool,
        /// Holds `tls.crt` and `tls.key`.
        pub cert_secret_ref: Option<SecretRef>,
        /// Holds the certificates that it trusts.
        pub ca_bundle_secret_ref: Option<SecretKeyRef>,
    }
}

part! {
    /// What a client trusts.
    ClientTls {
        /// Holds the certificates that it trusts.
        pub ca_bundle_secret_ref: SecretKeyRef,
    }
}

part! {
    /// Another object that must be in a condition first.
    Dependency {
        /// Its kind.
        pub kind: String,
        /// Its name, in the same namespace.
        pub name: String,
        /// The condition that must be true.
        pub condition: String,
    }
}

part! {
    /// A process that scales by itself.
    Process {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// Processor and memory of each.
        pub resources: Option<Resources>,
    }
}

part! {
    /// Processor and memory of each replica.
    Resources {
        /// What is set aside for it.
        #[schemars(transform = as_kubernetes_has_it)]
        pub requests: Option<serde_json::Map<String, serde_json::Value>>,
        /// What it may use at most.
        #[schemars(transform = as_kubernetes_has_it)]
        pub limits: Option<serde_json::Map<String, serde_json::Value>>,
    }
}

part! {
    /// Nodes and pods to run on, beside, or away from.
    Affinity {
        /// To nodes, by their labels.
        #[schemars(transform = as_kubernetes_has_it)]
        pub node_affinity: Option<serde_json::Map<String, serde_json::Value>>,
        /// To other pods.
        #[schemars(transform = as_kubernetes_has_it)]
        pub pod_affinity: Option<serde_json::Map<String, serde_json::Value>>,
        /// Away from other pods.
        #[schemars(transform = as_kubernetes_has_it)]
        pub pod_anti_affinity: Option<serde_json::Map<String, serde_json::Value>>,
    }
}

part! {
    /// A taint that is borne.
    Toleration {
        /// The key of the taint; every one if left out.
        pub key: Option<String>,
        /// Equal or Exists.
        pub operator: Option<String>,
        /// The value of the taint, for Equal.
        pub value: Option<String>,
        /// What the taint does; everything if left out.
        pub effect: Option<String>,
        /// How long it is borne.
        pub toleration_seconds: Option<i64>,
    }
}

part! {
    /// One rule by which pods spread.
    Spread {
        /// By how many pods places may differ.
        pub max_skew: i32,
        /// The label that says which nodes are one place.
        pub topology_key: String,
        /// DoNotSchedule or ScheduleAnyway.
        pub when_unsatisfiable: String,
        /// The pods that count.
        #[schemars(transform = as_kubernetes_has_it)]
        pub label_selector: Option<serde_json::Map<String, serde_json::Value>>,
        /// Labels whose values tell groups of pods apart.
        pub match_label_keys: Option<Vec<String>>,
        /// How many places there must be.
        pub min_domains: Option<i32>,
        /// Whether only nodes count that the pods may run on.
        pub node_affinity_policy: Option<String>,
        /// Whether only nodes count whose taints the pods bear.
        pub node_taints_policy: Option<String>,
    }
}

part! {
    /// A pool in a Ceph cluster.
    Rbd {
        /// The pool's name.
        pub pool: String,
        /// Holds the key of the client.
        pub ceph_secret_ref: SecretRef,
        /// The CephClient whose key that is, if Rook runs the Ceph cluster.
        pub ceph_client_ref: Option<ObjectRef>,
        /// Holds the configuration of a Ceph cluster that runs elsewhere.
        pub ceph_conf_ref: Option<SecretKeyRef>,
        /// The user there.
        pub user: Option<String>,
    }
}

part! {
    /// What an operator reports about a service.
    Status {
        /// Ready, and what that is made of, such as DatabaseReady.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// Where the service answers.
        pub endpoint: Option<String>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
    }
}
