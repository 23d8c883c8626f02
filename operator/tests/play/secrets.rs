//! Every secret value that was ever in a namespace, to be looked for where none may be.

use std::collections::BTreeSet;

use super::player::text;
use crate::stage::real::ApiServer;

/// Names and ids are no secrets, and neither is what the operator notes beside keys.
const PUBLIC: [&str; 3] = ["username", "application_credential_id", "notes.json"];

pub fn gather(server: &ApiServer, namespace: &str, into: &mut BTreeSet<String>) {
    let list = server.get(&format!("/api/v1/namespaces/{namespace}/secrets")).json();
    for secret in list["items"].as_array().into_iter().flatten() {
        for (key, value) in secret["data"].as_object().into_iter().flatten() {
            let encoded = value.as_str().unwrap_or_default().to_owned();
            let plain = text(value);
            if !PUBLIC.contains(&key.as_str()) && plain.len() >= 8 {
                into.extend([plain, encoded]);
            }
        }
    }
}

/// Which of them, shortened, are in a text.
pub fn found<'a>(secrets: &'a BTreeSet<String>, text: &str) -> Vec<&'a str> {
    let found = secrets.iter().filter(|secret| text.contains(secret.as_str()));
    found.map(|secret| &secret[..4]).collect()
}
