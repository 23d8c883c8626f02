//! What all tests of this program share: the servers.

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::real::state::lacks;
use crate::real::store::{MOUNT, TOKEN};
use crate::real::{
    ApiServer, Authority, CrdSource, Guarded, Keystone, Object, Store, external_secrets, korc,
    last_words, wait_for,
};
use crate::stage::{self, OWN_NAMESPACE, apply};

pub const STORE: &str = "store";
pub const ADMIN_CLOUD: &str = "k-orc-clouds-yaml";
pub const AUTHORITY: &str = "openstack-ca";
/// Seconds on an idle machine.
pub const WITHIN: Duration = Duration::from_secs(300);

pub const ADMIN_PASSWORD: &str = "admin-of-the-test";
const REGION: &str = "Loopback";

pub static CLOUD: LazyLock<Cloud> = LazyLock::new(Cloud::set);

#[derive(Debug)]
pub struct Cloud {
    pub server: ApiServer,
    pub store: Store,
    pub keystone: Keystone,
    authority: Authority,
    external_secrets: Guarded,
    korc: Guarded,
}

impl Cloud {
    fn set() -> Self {
        let (store, authority) = (Store::start(), Authority::make());
        let (keystone, server) = thread::scope(|scope| {
            let keystone = scope.spawn(|| Keystone::start(ADMIN_PASSWORD, REGION, &authority));
            let server = server(&store);
            (keystone.join().unwrap(), server)
        });
        let external_secrets = external_secrets::start(server.kubectl());
        let korc = korc::start(server.kubectl());
        let cloud = Self { server, store, keystone, authority, external_secrets, korc };
        let project = json!({"project": {"name": "service", "domain_id": "default"}});
        cloud.as_admin("POST", "/v3/projects", &project);
        cloud
    }

    pub fn last_words(&self) -> String {
        [
            last_words("External Secrets", &self.external_secrets),
            last_words("K-ORC", &self.korc),
            self.keystone.last_words(),
        ]
        .join("\n")
    }

    pub fn wait(&self, what: &str, missing: impl Fn() -> Vec<String>) {
        wait_for(what, WITHIN, || self.last_words(), missing);
    }

    pub fn apply(&self, objects: &[Value]) {
        objects.iter().for_each(|object| apply(&self.server, object));
    }

    /// The object as the server has it; null if it has not.
    pub fn state(&self, object: &Value) -> Value {
        self.server.state(&Object::read_all(&object.to_string())[0])
    }

    pub fn wait_until_available(&self, objects: &[Value]) {
        self.apply(objects);
        self.wait("K-ORC", || {
            let lacking = objects.iter().filter_map(|object| {
                let why = lacks(&self.state(object), "Available", "True")?;
                Some(format!("{} {}: {why}", object["kind"], object["metadata"]["name"]))
            });
            lacking.collect()
        });
    }

    /// A question of the administrator's.
    pub fn as_admin(&self, method: &str, path: &str, body: &Value) -> Value {
        let admin = self.keystone.token("admin", ADMIN_PASSWORD, "admin").unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.keystone.request(method, path, &admin.id, &body);
        assert!(answer.status < 300, "{method} {path}: {}", answer.message());
        answer.json()
    }
}

fn server(store: &Store) -> ApiServer {
    let server = ApiServer::start(&[
        CrdSource::Project("external-secrets"),
        CrdSource::Project("k-orc"),
        CrdSource::Project("mariadb-operator"),
        CrdSource::Project("rabbitmq-topology-operator"),
    ]);
    stage::install(&server, &[]);
    apply(&server, &secret(OWN_NAMESPACE, "store-token", &json!({"token": TOKEN})));
    let token = json!({"name": "store-token", "namespace": OWN_NAMESPACE, "key": "token"});
    apply(
        &server,
        &json!({
            "apiVersion": "external-secrets.io/v1", "kind": "ClusterSecretStore",
            "metadata": {"name": STORE},
            "spec": {"provider": {"vault": {
                "server": store.url(), "path": MOUNT, "version": "v2",
                "checkAndSet": {"required": true}, "auth": {"tokenSecretRef": token},
            }}},
        }),
    );
    server
}

pub fn secret(namespace: &str, name: &str, data: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace}, "stringData": data,
    })
}

impl Cloud {
    /// The authority that signed for Keystone, as cert-manager would put it there.
    pub fn authority_in(&self, namespace: &str, name: &str) {
        let authority = json!({"ca.crt": self.authority.certificate});
        self.apply(&[secret(namespace, name, &authority)]);
    }

    /// What K-ORC needs in a namespace, and the project of the services.
    pub fn identity_in(&self, namespace: &'static str) {
        self.authority_in(namespace, AUTHORITY);
        self.clouds_yaml(namespace, ADMIN_CLOUD, ("admin", ADMIN_PASSWORD), "admin");
        let import = |name: &str| json!({"managementPolicy": "unmanaged", "import": {"filter": {"name": name}}});
        self.wait_until_available(&[
            identity(namespace, "Domain", "default", import("Default")),
            identity(namespace, "Project", "service", import("service")),
        ]);
    }

    /// As the rendered ExternalSecrets deliver it.
    pub fn clouds_yaml(
        &self,
        namespace: &str,
        name: &str,
        (user, password): (&str, &str),
        project: &str,
    ) {
        let cloud = json!({
            "auth_type": "password",
            "auth": {
                "auth_url": self.keystone.url(), "username": user, "password": password,
                "project_name": project, "user_domain_name": "Default",
                "project_domain_name": "Default",
            },
            "identity_api_version": 3,
            "endpoint_type": "internal",
        });
        let clouds = json!({"clouds": {"openstack": cloud}}).to_string();
        let data = json!({"clouds.yaml": clouds, "cacert": self.authority.certificate});
        self.apply(&[secret(namespace, name, &data)]);
    }
}

pub fn identity(namespace: &str, kind: &str, name: &str, mut spec: Value) -> Value {
    spec["cloudCredentialsRef"] = json!({"cloudName": "openstack", "secretName": ADMIN_CLOUD});
    json!({
        "apiVersion": "openstack.k-orc.cloud/v1alpha1", "kind": kind,
        "metadata": {"name": name, "namespace": namespace}, "spec": spec,
    })
}
