//! A service with an account in Keystone, and everything that stands between that and its pods.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cloud::{AUTHORITY, CLOUD, STORE, identity, secret};
use crate::plane::Plane;
use crate::pods::{Data, Deployment, Pods};

pub const ID: &str = "application_credential_id";
pub const SECRET: &str = "application_credential_secret";
/// As `[token] expiration` of Keystone.
const TOKEN_LIFE: i64 = 3_600;

#[derive(Debug)]
pub struct Service {
    pub plane: Arc<Plane>,
    pub user: &'static str,
    password: String,
}

/// Tokens that somebody may still have: those that have not expired by the operator's clock.
#[derive(Debug)]
pub struct Tokens {
    plane: Arc<Plane>,
    held: Mutex<Vec<(String, i64)>>,
}

impl Service {
    /// Its account, made by K-ORC, with a role in the project of the services.
    pub fn register(user: &'static str, namespace: &'static str) -> Self {
        let plane = Arc::new(Plane::start(namespace));
        CLOUD.identity_in(namespace);
        let service = Self { plane, user, password: format!("password-of-{user}") };
        let login = json!({"username": user, "password": service.password});
        CLOUD.apply(&[secret(namespace, &service.password_secret(), &login)]);
        let resource = json!({
            "name": user, "domainRef": "default", "defaultProjectRef": "service",
            "passwordRef": service.password_secret(),
        });
        let managed = json!({"managementPolicy": "managed", "resource": resource});
        CLOUD.wait_until_available(&[identity(namespace, "User", user, managed)]);
        service.grant("PUT");
        let login = (user, service.password.as_str());
        CLOUD.clouds_yaml(namespace, &service.cloud(), login, "service");
        service
    }

    pub fn rotation(&self) -> String {
        format!("{}-app-credential", self.user)
    }

    pub fn delivered(&self) -> String {
        format!("{}-keystone-credentials", self.user)
    }

    fn cloud(&self) -> String {
        format!("{}-clouds-yaml", self.user)
    }

    fn password_secret(&self) -> String {
        format!("{}-keystone-password", self.user)
    }

    pub fn id(&self) -> String {
        let user = identity(self.plane.namespace, "User", self.user, json!({}));
        CLOUD.state(&user)["status"]["id"].as_str().unwrap().to_owned()
    }

    pub fn secret(&self) -> Data {
        CLOUD.server.secret(self.plane.namespace, &self.delivered()).unwrap()
    }

    /// Gives (PUT) or takes (DELETE) its role.
    pub fn grant(&self, method: &str) {
        let project = identity(self.plane.namespace, "Project", "service", json!({}));
        let project = CLOUD.state(&project)["status"]["id"].as_str().unwrap().to_owned();
        let roles = CLOUD.as_admin("GET", "/v3/roles?name=service", &Value::Null);
        let role = roles["roles"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/v3/projects/{project}/users/{}/roles/{role}", self.id());
        CLOUD.as_admin(method, &path, &Value::Null);
    }

    pub fn enable(&self, yes: bool) {
        let path = format!("/v3/users/{}", self.id());
        CLOUD.as_admin("PATCH", &path, &json!({"user": {"enabled": yes}}));
    }

    /// Names and ids of the credentials that Keystone has of it.
    pub fn in_keystone(&self) -> Vec<(String, String)> {
        let path = format!("/v3/users/{}/application_credentials", self.id());
        let token = CLOUD.keystone.token(self.user, &self.password, "service").unwrap();
        let answer = CLOUD.keystone.request("GET", &path, &token.id, "");
        assert_eq!(answer.status, 200, "{}", answer.message());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let list = answer.json()["application_credentials"].as_array().unwrap().clone();
        list.iter().map(|entry| (text(&entry["name"]), text(&entry["id"]))).collect()
    }

    /// As an administrator can do.
    pub fn delete_in_keystone(&self) {
        for (_, id) in self.in_keystone() {
            let path = format!("/v3/users/{}/application_credentials/{id}", self.id());
            CLOUD.as_admin("DELETE", &path, &Value::Null);
        }
        assert!(self.in_keystone().is_empty(), "Keystone keeps what was deleted");
    }

    /// The rotation and the way through the store. Both halves go there in one write and come back in one
    /// read: property by property, an id could arrive beside the secret of another generation.
    pub fn objects(&self) -> Vec<Value> {
        let credential = json!({
            "userRef": self.user,
            "cloudCredentialsRef": {"secretName": self.cloud(), "cloudName": "openstack"},
            "keystone": {
                "authUrl": CLOUD.keystone.url(), "username": self.user, "projectName": "service",
                "passwordSecretRef": {"name": self.password_secret(), "key": "password"},
                "caSecretRef": {"name": AUTHORITY, "key": "ca.crt"},
            },
            "tokenExpirationSeconds": TOKEN_LIFE,
        });
        let spec = json!({
            "targetServiceUser": self.user, "rotationType": "applicationCredential",
            "gracePeriodDays": 0, "applicationCredential": credential,
            "consumers": [{"kind": "Deployment", "name": self.user}],
        });
        let namespace = self.plane.namespace;
        let mut objects = through_store(namespace, &self.rotation(), &self.delivered());
        objects.push(rotation(namespace, &self.rotation(), &self.delivered(), spec));
        objects
    }

    /// Pods that log in with the credential and keep their tokens.
    pub fn pods(&self, replicas: usize, every: Duration, tokens: &Arc<Tokens>) -> Pods {
        let tokens = Arc::clone(tokens);
        Deployment {
            namespace: self.plane.namespace,
            name: self.user.to_owned(),
            replicas,
            secret: self.delivered(),
            every,
            work: Arc::new(move |data| tokens.hold(log_in(data)?)),
        }
        .start()
    }
}

pub fn rotation(namespace: &str, name: &str, delivered: &str, mut spec: Value) -> Value {
    spec["delivery"] = json!({
        "pushSecretName": delivered, "externalSecretName": delivered, "secretName": delivered,
        // Pods here read the Secret itself.
        "cacheSeconds": 0,
    });
    json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "CredentialRotation",
        "metadata": {"name": name, "namespace": namespace}, "spec": spec,
    })
}

pub fn through_store(namespace: &str, rotation: &str, delivered: &str) -> Vec<Value> {
    let path = format!("{namespace}/{delivered}");
    let store = json!({"kind": "ClusterSecretStore", "name": STORE});
    let metadata = json!({"name": delivered, "namespace": namespace});
    vec![
        json!({
            "apiVersion": "external-secrets.io/v1alpha1", "kind": "PushSecret", "metadata": metadata,
            "spec": {
                "updatePolicy": "Replace", "deletionPolicy": "None", "refreshInterval": "1h",
                "secretStoreRefs": [store],
                "selector": {"secret": {"name": format!("{rotation}-current")}},
                "data": [{"match": {"remoteRef": {"remoteKey": path}}}],
            },
        }),
        json!({
            "apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "metadata": metadata,
            "spec": {
                "refreshInterval": "1h", "secretStoreRef": store,
                "target": {"name": delivered, "creationPolicy": "Owner", "deletionPolicy": "Retain"},
                "dataFrom": [{"extract": {"key": path}}],
            },
        }),
    ]
}

/// A token for what a pod was given; else what Keystone said.
pub fn log_in(data: &Data) -> Result<String, String> {
    let half = |key: &str| data.get(key).cloned().unwrap_or_default();
    let credential = json!({"id": half(ID), "secret": half(SECRET)});
    let body = json!({"auth": {"identity": {
        "methods": ["application_credential"], "application_credential": credential,
    }}});
    let answer = CLOUD.keystone.request("POST", "/v3/auth/tokens", "", &body.to_string());
    match answer.header("X-Subject-Token") {
        Some(token) => Ok(token.to_owned()),
        None => Err(format!("{} {}: {}", half(ID), answer.status, answer.message())),
    }
}

impl Tokens {
    pub fn of(service: &Service) -> Arc<Self> {
        Arc::new(Self { plane: Arc::clone(&service.plane), held: Mutex::default() })
    }

    fn hold(&self, token: String) -> Result<(), String> {
        self.held.lock().unwrap().push((token, self.plane.clock.now()));
        Ok(())
    }

    /// Uses some of those that have not expired, the oldest among them.
    pub fn try_some(&self, failures: &Mutex<Vec<String>>) -> usize {
        let mut held = self.held.lock().unwrap();
        held.retain(|(_, issued)| self.plane.clock.now() < issued + TOKEN_LIFE);
        let chosen = [0, held.len() / 2].map(|place| held.get(place).cloned());
        drop(held);
        let mut tried = 0;
        for (token, issued) in chosen.into_iter().flatten() {
            let answer = CLOUD.keystone.request("GET", "/v3/auth/projects", &token, "");
            tried += 1;
            // It may have expired while it was tried.
            if answer.status != 200 && self.plane.clock.now() < issued + TOKEN_LIFE {
                let age = self.plane.clock.now() - issued;
                let why = format!("a token of {age} s: {} {}", answer.status, answer.message());
                failures.lock().unwrap().push(why);
            }
        }
        tried
    }
}
