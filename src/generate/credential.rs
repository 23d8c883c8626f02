//! Credentials without secret material: a password is made once in the store, and read back from
//! there under the name its consumers know.

use strata_rotation_api::names::BROKER_READS;

use crate::generate::facts::{Account, Facts};
use crate::generate::scope::Scope;
use crate::generate::{database, messaging};
use crate::map;
use crate::resolve::Cloud;
use crate::value::{Map, Text, Value};

/// The generator of every password of a cloud. 32 letters and digits are 190 bits, and no consumer
/// has to quote them in a URL.
pub fn password_generator() -> Map {
    map! {
        "apiVersion" => GENERATORS,
        "kind" => "Password",
        "metadata" => map! { "name" => GENERATOR },
        "spec" => map! { "length" => 32i64, "digits" => 8i64, "symbols" => 0i64, "noUpper" => false, "allowRepeat" => true },
    }
}

const GENERATORS: &str = "generators.external-secrets.io/v1alpha1";
const GENERATOR: &str = "openstack-password";

/// One credential of a component.
struct Credential {
    name: String,
    username: String,
    /// Further keys of the Secret: what External Secrets makes of user name and password.
    keys: Vec<(Text, String)>,
    /// By which its reader knows the Secret, where it asks for one.
    label: Option<(&'static str, &'static str)>,
}

pub fn objects(cloud: &Cloud, facts: &Facts, scope: &Scope) -> Vec<Map> {
    credentials(facts, scope).iter().flat_map(|credential| pair(cloud, credential)).collect()
}

/// The way of one password of somebody in Keystone.
pub fn password(cloud: &Cloud, name: &str, username: &str) -> [Map; 2] {
    let (name, username) = (name.to_owned(), username.to_owned());
    pair(cloud, &Credential { name, username, keys: Vec::new(), label: None })
}

fn pair(cloud: &Cloud, credential: &Credential) -> [Map; 2] {
    [push(cloud, credential), deliver(cloud, credential)]
}

/// What the record names itself, and what follows from its databases and queues.
fn credentials(facts: &Facts, scope: &Scope) -> Vec<Credential> {
    let mut credentials: Vec<Credential> = facts
        .secrets
        .iter()
        .map(|secret| Credential {
            name: secret.name.to_string(),
            username: secret.username.to_string(),
            keys: secret.keys.iter().map(|(key, text)| (key.clone(), filled(text))).collect(),
            label: None,
        })
        .collect();
    let account = |account: &Account, keys, label| Credential {
        name: account.secret.clone(),
        username: account.user.clone(),
        keys,
        label,
    };
    let addresses = database::addresses(facts, scope);
    // The passwords of users that take turns are not made here.
    let alone = |users: &'_ [Account], turns: bool| if turns { Vec::new() } else { users.to_vec() };
    let users = alone(&facts.database_users, facts.database_turns.is_some());
    credentials.extend(users.iter().map(|user| account(user, addresses.clone(), None)));
    let addresses = messaging::addresses(facts, scope);
    let users = alone(&facts.queue_users, facts.queue_turns.is_some());
    let label = Some(BROKER_READS);
    credentials.extend(users.iter().map(|user| account(user, addresses.clone(), label)));
    credentials
}

/// A text of a record as a template of External Secrets.
fn filled(text: &str) -> String {
    text.replace("<username>", "{{ .username }}")
        .replace("<password>", "{{ .password }}")
        .replace("<password:base64>", "{{ .password | b64enc }}")
}

fn push(cloud: &Cloud, credential: &Credential) -> Map {
    map! {
        "apiVersion" => "external-secrets.io/v1alpha1",
        "kind" => "PushSecret",
        "metadata" => map! { "name" => credential.name.clone() },
        "spec" => map! {
            // Made once and never again: a second push finds it there and leaves it.
            "updatePolicy" => "IfNotExists",
            "deletionPolicy" => "None",
            "refreshInterval" => "1h",
            "secretStoreRefs" => vec![store_ref(cloud)],
            "selector" => map! {
                "generatorRef" => map! { "apiVersion" => GENERATORS, "kind" => "Password", "name" => GENERATOR },
            },
            "template" => map! { "data" => push_template(credential) },
            "data" => keys(credential)
                .iter()
                .map(|&key| {
                    Value::Map(map! {
                        "match" => map! {
                            "secretKey" => key,
                            "remoteRef" => map! { "remoteKey" => cloud.secret_path(&credential.name), "property" => key },
                        },
                    })
                })
                .collect::<Vec<Value>>(),
        },
    }
}

fn push_template(credential: &Credential) -> Map {
    let mut data = Map::new();
    if !credential.username.is_empty() {
        data.insert("username", credential.username.clone());
    }
    data.insert("password", "{{ .password }}");
    data
}

/// Reads keys back from the path of the same name in the store, and makes further ones of them.
fn deliver(cloud: &Cloud, credential: &Credential) -> Map {
    let (name, keys) = (&credential.name, keys(credential));
    let mut spec = delivery(cloud, name, keys, &credential.keys);
    if let (Some(label), Some(target)) = (credential.label, spec.get_mut("target")) {
        mark(target, label);
    }
    let data = keys.iter().map(|&key| remote(cloud, key, name, key));
    spec.insert("data", data.collect::<Vec<_>>());
    external_secret(name, spec)
}

/// Puts a label on the Secret itself: External Secrets takes labels from the template where there is one.
fn mark(target: &mut Value, (label, value): (&'static str, &'static str)) {
    let Some(target) = target.as_map_mut() else { return };
    let mut template = match target.remove("template") {
        Some(Value::Map(template)) => template,
        _ => map! { "engineVersion" => "v2" },
    };
    template.insert("metadata", map! { "labels" => map! { label => value } });
    target.insert("template", template);
}

pub fn external_secret(name: &str, spec: Map) -> Map {
    map! {
        "apiVersion" => "external-secrets.io/v1",
        "kind" => "ExternalSecret",
        "metadata" => map! { "name" => name.to_owned() },
        "spec" => spec,
    }
}

/// What an ExternalSecret says but for what it reads.
pub fn delivery(
    cloud: &Cloud,
    name: &str,
    keys: &[&'static str],
    further: &[(Text, String)],
) -> Map {
    let mut target = map! {
        "name" => name.to_owned(),
        "creationPolicy" => "Owner",
        "deletionPolicy" => "Retain",
    };
    if !further.is_empty() {
        // A template replaces what was read, so it repeats that.
        let mut data = Map::new();
        for key in keys {
            data.insert(*key, format!("{{{{ .{key} }}}}"));
        }
        for (key, text) in further {
            data.insert(key.clone(), text.clone());
        }
        target.insert("template", map! { "engineVersion" => "v2", "data" => data });
    }
    map! {
        "refreshInterval" => "1h",
        "secretStoreRef" => store_ref(cloud),
        "target" => target,
    }
}

/// A key of a delivered Secret, read from a property of a secret in the store.
pub fn remote(cloud: &Cloud, key: &'static str, secret: &str, property: &'static str) -> Map {
    map! {
        "secretKey" => key,
        "remoteRef" => map! { "key" => cloud.secret_path(secret), "property" => property },
    }
}

pub fn store_ref(cloud: &Cloud) -> Map {
    map! { "name" => cloud.store.name.clone(), "kind" => format!("{:?}", cloud.store.kind) }
}

fn keys(credential: &Credential) -> &'static [&'static str] {
    if credential.username.is_empty() { &["password"] } else { &["username", "password"] }
}
