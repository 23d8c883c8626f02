//! The API server that all tests share, and the objects of one control plane in it.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use strata_operator::core::Ring;
use strata_operator::rbac;
use strata_operator::shell::material::{self, Data, Key};

use crate::stage::real::{ApiServer, CrdSource};
use crate::stage::{self, OWN_NAMESPACE};

/// One for each test that wants its own; the Lease of its operator is in `<name>-lease`.
const NAMESPACES: &[&str] = &["rotated", "mistaken", "delivered", "foreign"];

static SERVER: LazyLock<ApiServer> = LazyLock::new(|| {
    let server = ApiServer::start(&[CrdSource::Project("external-secrets")]);
    stage::install(&server, NAMESPACES);
    for namespace in NAMESPACES.iter().map(|name| format!("{name}-lease")) {
        let object =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        stage::apply(&server, &object);
        let role = rbac::role(&namespace, OWN_NAMESPACE, rbac::OWN);
        role.iter().for_each(|object| stage::apply(&server, object));
    }
    server
});

/// Where objects of a kind are.
#[derive(Debug, Clone, Copy)]
pub struct Kind(&'static str, &'static str);

pub const SECRET: Kind = Kind("api/v1", "secrets");
pub const POD: Kind = Kind("api/v1", "pods");
pub const DEPLOYMENT: Kind = Kind("apis/apps/v1", "deployments");
pub const JOB: Kind = Kind("apis/batch/v1", "jobs");
pub const PUSH: Kind = Kind("apis/external-secrets.io/v1alpha1", "pushsecrets");
pub const PULL: Kind = Kind("apis/external-secrets.io/v1", "externalsecrets");
pub const STORE: Kind = Kind("apis/external-secrets.io/v1", "secretstores");
pub const ROTATION: Kind = Kind("apis/c5c3.io/v1alpha1", "credentialrotations");

#[derive(Debug, Clone, Copy)]
pub struct Plane {
    pub namespace: &'static str,
}

impl Plane {
    pub fn server(self) -> &'static ApiServer {
        &SERVER
    }

    fn path(self, kind: Kind, name: &str) -> String {
        let end = if name.is_empty() { String::new() } else { format!("/{name}") };
        format!("/{}/namespaces/{}/{}{end}", kind.0, self.namespace, kind.1)
    }

    /// None if there is no such object.
    pub fn get(self, kind: Kind, name: &str) -> Option<Value> {
        let answer = SERVER.get(&self.path(kind, name));
        match answer.status {
            200 => Some(answer.json()),
            404 => None,
            status => panic!("get {} {name}: {status} {}", kind.1, answer.message()),
        }
    }

    /// A kind that has just been installed is not served for a moment.
    pub fn create(self, kind: Kind, object: &Value) {
        let started = Instant::now();
        let path = self.path(kind, "") + "?fieldValidation=Strict";
        loop {
            let answer = SERVER.request("POST", &path, "application/json", &object.to_string());
            match answer.status {
                201 => return,
                404 if started.elapsed() < Duration::from_secs(20) => {
                    std::thread::sleep(Duration::from_millis(200));
                }
                status => panic!("create {object}: {status} {}", answer.message()),
            }
        }
    }

    pub fn merge(self, kind: Kind, name: &str, patch: &Value) {
        let (path, patch) = (self.path(kind, name), patch.to_string());
        let answer = SERVER.request("PATCH", &path, "application/merge-patch+json", &patch);
        assert!(answer.status == 200, "patch {} {name}: {}", kind.1, answer.message());
    }

    /// False if it is no longer the version that the object names.
    pub fn replace(self, kind: Kind, name: &str, object: &Value) -> bool {
        let path = self.path(kind, name);
        let answer = SERVER.request("PUT", &path, "application/json", &object.to_string());
        match answer.status {
            200 => true,
            409 => false,
            status => panic!("replace {} {name}: {status} {}", kind.1, answer.message()),
        }
    }

    pub fn secret(self, name: &str) -> Option<Data> {
        Some(data(&self.get(SECRET, name)?))
    }

    pub fn ring(self, name: &str) -> Option<Ring<Key>> {
        material::ring(&self.secret(name)?)
    }

    /// Writes a Secret whatever it was before.
    pub fn put_secret(self, name: &str, data: &Data) {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": name, "namespace": self.namespace}, "data": data,
        });
        match self.get(SECRET, name) {
            None => self.create(SECRET, &secret),
            Some(_) => assert!(self.replace(SECRET, name, &secret)),
        }
    }

    pub fn annotation(self, kind: Kind, name: &str, annotation: &str) -> Option<String> {
        let object = self.get(kind, name)?;
        object["metadata"]["annotations"][annotation].as_str().map(str::to_owned)
    }

    /// The conditions of a rotation that are true, and its reason.
    pub fn standing(self, rotation: &str) -> (Vec<String>, String) {
        let status = self.get(ROTATION, rotation).unwrap_or_default()["status"].clone();
        let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
        let holds = conditions.iter().filter(|condition| condition["status"] == "True");
        let holds = holds.filter_map(|condition| condition["type"].as_str().map(str::to_owned));
        (holds.collect(), status["reason"].as_str().unwrap_or_default().to_owned())
    }
}

pub fn data(secret: &Value) -> Data {
    let secret: Secret = serde_json::from_value(secret.clone()).unwrap();
    secret.data.unwrap_or_default()
}

/// The objects that a ring of keys consists of, all named after the Secret that Keystone mounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    pub rotation: &'static str,
    pub secret: &'static str,
    pub kind: &'static str,
}

pub const FERNET: Keys =
    Keys { rotation: "fernet", secret: "keystone-fernet-keys", kind: "fernetKeys" };
pub const CREDENTIAL: Keys =
    Keys { rotation: "credential", secret: "keystone-credential-keys", kind: "credentialKeys" };

impl Keys {
    pub fn named(self, end: &str) -> String {
        format!("{}-{end}", self.secret)
    }

    /// The CredentialRotation. Nothing rotates by the calendar within a test.
    pub fn object(self, plane: Plane, more: &BTreeMap<&str, Value>) -> Value {
        let mut keys = json!({"secretName": self.secret});
        for (name, value) in more {
            keys[*name] = value.clone();
        }
        json!({
            "apiVersion": "c5c3.io/v1alpha1", "kind": "CredentialRotation",
            "metadata": {"name": self.rotation, "namespace": plane.namespace},
            "spec": {
                "rotationType": self.kind,
                "keys": keys,
                "delivery": {
                    "pushSecretName": self.named("push"),
                    "firstPushSecretName": self.named("first-push"),
                    "externalSecretName": self.named("pull"),
                    "secretName": self.named("backup"),
                },
                "consumers": [{"kind": "Deployment", "name": "keystone"}],
            },
        })
    }
}
