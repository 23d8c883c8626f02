//! Everything that the tests of this program share: the servers, and the cloud applied to them.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use crate::cloud::Cloud;
use crate::real::state::lacks;
use crate::real::store::{MOUNT, ROLE, TOKEN};
use crate::real::{
    ApiServer, Authority, CrdSource, Guarded, Object, Store, Verdict, external_secrets, last_words,
    progress, wait_for,
};

pub const NAMESPACE: &str = "identity";
/// Where the spec says that everything is in the store.
pub const PREFIX: &str = "clouds/identity/walked";
/// The store that the spec names.
const STORE: &str = "test-store";
const CA_SECRET: &str = "openstack-ca";

/// Seconds on an idle machine. External Secrets waits longer after each failed try, and the first
/// tries come before there is anything to read.
pub const SETTLED_WITHIN: Duration = Duration::from_secs(300);

pub static STAGE: LazyLock<Stage> = LazyLock::new(Stage::set);

#[derive(Debug)]
pub struct Stage {
    pub server: ApiServer,
    pub store: Store,
    pub authority: Authority,
    pub cloud: Cloud,
    external_secrets: Mutex<Guarded>,
}

impl Stage {
    fn set() -> Self {
        let cloud = Cloud::render();
        let authority = Authority::make();
        let store = Store::start();
        progress("starting kube-apiserver");
        let server = ApiServer::start(&[
            CrdSource::Project("external-secrets"),
            CrdSource::Project("k-orc"),
        ]);
        for object in cloud.namespaces.iter().chain(&own_objects(&store, &authority)) {
            apply(&server, object);
        }
        cloud.served().for_each(|object| apply(&server, object));
        let external_secrets = Mutex::new(external_secrets::start(server.kubectl()));
        Self { server, store, authority, cloud, external_secrets }
    }

    /// Ends External Secrets as a crash would, and starts it anew.
    pub fn restart_external_secrets(&self) {
        let mut running = self.external_secrets.lock().unwrap_or_else(PoisonError::into_inner);
        *running = external_secrets::start(self.server.kubectl());
    }

    pub fn last_words(&self) -> String {
        let running = self.external_secrets.lock().unwrap_or_else(PoisonError::into_inner);
        last_words("External Secrets", &running)
    }

    /// Waits until External Secrets calls all of these ready.
    pub fn wait_until_ready(&self, what: &str, objects: &[Object]) {
        wait_for(
            what,
            SETTLED_WITHIN,
            || self.last_words(),
            || {
                let missing = objects.iter().filter_map(|object| {
                    let why = lacks(&self.server.state(object), "Ready", "True")?;
                    Some(format!("{}: {why}", object.label()))
                });
                missing.collect()
            },
        );
    }
}

pub fn apply(server: &ApiServer, object: &Object) {
    let verdict = server.apply(object);
    assert!(matches!(verdict, Verdict::Accepted(_)), "{}: {verdict:?}", object.label());
}

/// What is there before the cloud: the store that its spec names, and what cert-manager would have
/// made, which does not run here.
fn own_objects(store: &Store, authority: &Authority) -> Vec<Object> {
    let secret = |name: &str, data| {
        json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": name, "namespace": NAMESPACE}, "stringData": data})
    };
    let objects = [
        secret("store-token", json!({"token": TOKEN})),
        secret(
            CA_SECRET,
            json!({"tls.crt": authority.certificate, "tls.key": authority.key, "ca.crt": authority.certificate}),
        ),
        vault(
            store,
            ("ClusterSecretStore", STORE),
            json!({"tokenSecretRef": {"name": "store-token", "namespace": NAMESPACE, "key": "token"}}),
        ),
        json!({"apiVersion": "v1", "kind": "ServiceAccount",
            "metadata": {"name": ROLE, "namespace": NAMESPACE}}),
        service_account_store(store),
    ];
    objects.iter().flat_map(|object| Object::read_all(&object.to_string())).collect()
}

/// A store that is logged in to as in production, by a service account's token.
pub fn service_account_store(store: &Store) -> serde_json::Value {
    vault(
        store,
        ("SecretStore", "by-service-account"),
        json!({"kubernetes": {"mountPath": "kubernetes", "role": ROLE, "serviceAccountRef": {"name": ROLE}}}),
    )
}

fn vault(store: &Store, (kind, name): (&str, &str), auth: serde_json::Value) -> serde_json::Value {
    let mut metadata = json!({"name": name});
    if kind == "SecretStore" {
        metadata["namespace"] = NAMESPACE.into();
    }
    json!({"apiVersion": "external-secrets.io/v1", "kind": kind, "metadata": metadata,
    "spec": {"provider": {"vault": {
        "server": store.url(),
        "path": MOUNT,
        "version": "v2",
        // Two writers of one path must not overwrite each other unseen.
        "checkAndSet": {"required": true},
        "auth": auth,
    }}}})
}
