//! Application credentials: all of them but the credential itself. Keystone lets only a user make its
//! own, and the secret in it must not be here, so the companion operator makes every generation; what
//! it needs for that, and the way from it to the service, is timeless and rendered.
//!
//! The operator publishes id and secret in one Secret. Two that were joined could pair the id of one
//! generation with the secret of another.

use strata_rotation_api::{
    ApplicationCredentialSource, CloudCredentials, Consumer, KeyOfSecret, Login, RotationType,
    SecretRef, Source, Target,
};

use crate::generate::{catalog, certificate, korc, rotation};
use crate::resolve::{ADMIN_CREDENTIAL, Cloud, Component, PROJECT};
use crate::spec::from_json;
use crate::value::Map;

/// The keys by which Keystone's clients know the two halves.
const ID: &str = "application_credential_id";
const SECRET: &str = "application_credential_secret";

/// Keystone's default of `[token] expiration`, which nothing here changes.
const TOKEN_LIFE: i64 = 3600;

/// Whose credential K-ORC has: Keystone's first administrator, imported under this name.
pub const ADMINISTRATOR: &str = "k-orc-admin";
/// Before the names of all that belongs to K-ORC's own credential.
const KORC: &str = "k-orc";
/// The project of the administrator, and its name in Keystone.
const ADMIN: &str = "admin";

/// The Secret with the password of a service's account, by whatever the service itself logs in: a cloud that runs
/// may be told to change from the one to the other and back, and what is in use works until its successor is there.
pub fn password_of(component: &Component) -> String {
    format!("{}-keystone-credentials", component.name())
}

/// The Secret that a service logs in with.
pub fn login(cloud: &Cloud, component: &Component) -> String {
    match cloud.application_credentials && catalog::is_registered(cloud, component) {
        true => named(component.name()),
        false => password_of(component),
    }
}

/// The rotation of a credential, and the Secret in which it is delivered.
fn named(prefix: &str) -> String {
    format!("{prefix}-app-credential")
}

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let identity = component.identity();
    let (Some(identity), Some(keystone)) = (identity, catalog::keystone(cloud)) else {
        return Vec::new();
    };
    if !cloud.application_credentials || !catalog::is_registered(cloud, component) {
        return Vec::new();
    }
    let password = password_of(component);
    let clouds = format!("{}-clouds-yaml", component.name());
    let mut objects = vec![
        // With its own password the user makes its own credential.
        korc::clouds_yaml(cloud, keystone, &clouds, &password, PROJECT),
    ];
    objects.extend(
        Owner {
            prefix: component.name(),
            user: &identity.user,
            user_object: &identity.user,
            project: PROJECT,
            password: &password,
            clouds: &clouds,
        }
        .credential(
            cloud,
            keystone,
            &named(component.name()),
            rotation::consumers(component),
        ),
    );
    objects
}

/// The credential of K-ORC itself, and the `clouds.yaml` of it. It is made with the administrator's
/// password: a credential that makes its own successor is lost for good once it is refused.
pub fn of_korc(cloud: &Cloud, keystone: &Component) -> Vec<Map> {
    let owner = Owner {
        prefix: KORC,
        user: ADMIN,
        user_object: ADMINISTRATOR,
        project: ADMIN,
        password: ADMIN_CREDENTIAL,
        clouds: korc::CLOUDS_YAML,
    };
    // K-ORC reads the Secret anew for every object; no pod carries it.
    let read = korc::CREDENTIAL_CLOUDS_YAML;
    let mut objects = owner.credential(cloud, keystone, read, Vec::new()).to_vec();
    objects.push(aggregate(cloud, keystone));
    objects
}

/// A user of Keystone that makes credentials for itself.
struct Owner<'a> {
    prefix: &'a str,
    /// In Keystone.
    user: &'a str,
    /// K-ORC's object for it.
    user_object: &'a str,
    project: &'a str,
    /// The Secret with its password.
    password: &'a str,
    /// The Secret with its `clouds.yaml`.
    clouds: &'a str,
}

impl Owner<'_> {
    /// `read` is the Secret that is looked at to know whether a new generation has arrived.
    fn credential(
        &self,
        cloud: &Cloud,
        keystone: &Component,
        read: &str,
        consumers: Vec<Consumer>,
    ) -> [Map; 3] {
        let name = named(self.prefix);
        let rhythm = cloud.rotation.credentials;
        let mut spec =
            rotation::spec(RotationType::ApplicationCredential, rhythm, &name, consumers);
        spec.delivery.secret_name = read.to_owned();
        spec.no_consumers = self.prefix == KORC;
        spec.target_service_user = Some(self.user.to_owned());
        spec.application_credential = Some(ApplicationCredentialSource {
            user_ref: self.user_object.to_owned(),
            cloud_credentials_ref: CloudCredentials {
                secret_name: self.clouds.to_owned(),
                cloud_name: korc::CLOUD.to_owned(),
            },
            keystone: Login {
                auth_url: cloud.internal_url(keystone).unwrap_or_default(),
                username: self.user.to_owned(),
                user_domain_name: korc::DOMAIN_NAME.to_owned(),
                project_name: self.project.to_owned(),
                project_domain_name: korc::DOMAIN_NAME.to_owned(),
                password_secret_ref: KeyOfSecret {
                    name: self.password.to_owned(),
                    key: "password".to_owned(),
                },
                ca_secret_ref: rotation::authority(cloud),
            },
            token_expiration_seconds: TOKEN_LIFE,
        });
        [
            rotation::object(&name, &spec),
            rotation::push(cloud, &name, &name),
            rotation::deliver(cloud, &name, &[ID, SECRET], &[]),
        ]
    }
}

/// The `clouds.yaml` of K-ORC's own credential, within minutes of a new generation. The companion
/// operator tells the ExternalSecret that delivers the credential; another one would look hourly.
fn aggregate(cloud: &Cloud, keystone: &Component) -> Map {
    let source = |secret: &str, keys: &[&str]| Source {
        secret_ref: Some(SecretRef { name: secret.to_owned() }),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        status_ref: None,
    };
    let mut sources = vec![source(&named(KORC), &[ID, SECRET])];
    let auth_url = cloud.internal_url(keystone).unwrap_or_default();
    let text = korc::clouds_of_credential(&auth_url, ID, SECRET);
    let mut template = vec![("clouds.yaml".to_owned(), text)];
    if cloud.tls {
        let (bundle, key) = (certificate::BUNDLE, certificate::BUNDLE_KEY);
        sources.push(source(bundle, &[key]));
        template.push((korc::CACERT.to_owned(), format!("{{{{ {key} }}}}")));
    }
    let name = korc::CREDENTIAL_CLOUDS_YAML.to_owned();
    let target = Target { name, template: template.into_iter().collect() };
    let spec = strata_rotation_api::SecretAggregateSpec { sources, target };
    let spec = from_json(&serde_json::json!(spec));
    rotation::companion("SecretAggregate", korc::CREDENTIAL_CLOUDS_YAML, spec)
}
