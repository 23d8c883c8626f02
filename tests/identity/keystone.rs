//! Keystone and K-ORC, started when the credentials for them are there.

use std::sync::LazyLock;

use serde_json::Value;

use crate::cloud::text;
use crate::real::state::lacks;
use crate::real::{Guarded, Keystone, Object, korc, last_words, wait_for};
use crate::stage::{NAMESPACE, SETTLED_WITHIN, STAGE, Stage, apply};

const ADMIN: &str = "keystone-admin-credentials";
const CLOUDS_YAML: &str = "k-orc-clouds-yaml";
/// As in the spec.
pub const REGION: &str = "Loopback";
/// What the rendered cloud calls Keystone.
const IN_CLUSTER: &str = "https://keystone.identity.svc.cluster.local:5000/v3";

pub static IDENTITY: LazyLock<Identity> = LazyLock::new(Identity::set);

#[derive(Debug)]
pub struct Identity {
    pub keystone: Keystone,
    pub admin_password: String,
    korc: Guarded,
}

impl Identity {
    fn set() -> Self {
        let stage = &*STAGE;
        let wanted = [ADMIN, CLOUDS_YAML].map(|name| stage.cloud.delivered(name).clone());
        stage.wait_until_ready("K-ORC's and Keystone's credentials", &wanted);
        let secret = |name| stage.server.secret(NAMESPACE, name).expect("what is ready is there");
        let admin_password = secret(ADMIN)["password"].clone();
        let delivered = secret(CLOUDS_YAML);
        let clouds: Value =
            serde_yaml::from_str(&delivered["clouds.yaml"]).expect("clouds.yaml is YAML");
        assert_eq!(clouds["clouds"]["openstack"]["auth"]["password"], admin_password.as_str());
        assert_eq!(clouds["clouds"]["openstack"]["auth"]["auth_url"], IN_CLUSTER);
        assert_eq!(delivered["cacert"], stage.authority.certificate);
        let keystone = Keystone::start(&admin_password, REGION, &stage.authority);
        redirect(stage, &wanted[1], &keystone.url());
        let korc = korc::start(stage.server.kubectl());
        let identity = Self { keystone, admin_password, korc };
        wait_until_available(stage, &identity);
        identity
    }

    pub fn last_words(&self) -> String {
        let korc = last_words("K-ORC", &self.korc);
        format!("{korc}\n{}\n{}", self.keystone.last_words(), STAGE.last_words())
    }
}

/// Only a cluster's DNS knows the rendered name. All else in `clouds.yaml` stays as it is rendered.
fn redirect(stage: &Stage, clouds_yaml: &Object, url: &str) {
    let text = clouds_yaml.text.replace(IN_CLUSTER, url);
    assert_ne!(text, clouds_yaml.text, "{IN_CLUSTER} is not rendered");
    apply(&stage.server, &Object { text, ..clouds_yaml.clone() });
    wait_for(
        "the way to Keystone",
        SETTLED_WITHIN,
        || stage.last_words(),
        || {
            let secret = stage.server.secret(NAMESPACE, CLOUDS_YAML).unwrap_or_default();
            let there = secret.get("clouds.yaml").is_some_and(|text| text.contains(url));
            if there { Vec::new() } else { vec![CLOUDS_YAML.to_owned()] }
        },
    );
}

fn wait_until_available(stage: &Stage, identity: &Identity) {
    wait_for(
        "K-ORC",
        SETTLED_WITHIN,
        || identity.last_words(),
        || {
            let missing = stage.cloud.identity.iter().filter_map(|object| {
                let state = stage.server.state(object);
                let why = lacks(&state, "Available", "True")
                    .or_else(|| lacks(&state, "Progressing", "False"));
                Some(format!("{}: {}", object.label(), why?))
            });
            missing.collect()
        },
    );
}

/// The id that Keystone knows an object by.
pub fn id(stage: &Stage, kind: &str, name: &str) -> String {
    text(&stage.server.state(stage.cloud.identity(kind, name))["status"]["id"])
}
