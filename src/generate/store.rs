//! The cloud's own way into OpenBao or Vault: a SecretStore in its namespace, and the ServiceAccount
//! that logs in there. Neither holds a secret.

use crate::map;
use crate::resolve::{Cloud, Vault};
use crate::value::Map;

pub fn objects(cloud: &Cloud) -> Vec<Map> {
    let Some(vault) = &cloud.store.vault else { return Vec::new() };
    vec![
        map! {
            "apiVersion" => "v1",
            "kind" => "ServiceAccount",
            "metadata" => map! { "name" => vault.service_account.clone() },
            // External Secrets asks for a token that lives for minutes; no pod has one.
            "automountServiceAccountToken" => false,
        },
        map! {
            "apiVersion" => "external-secrets.io/v1",
            "kind" => "SecretStore",
            "metadata" => map! { "name" => cloud.store.name.clone() },
            "spec" => map! { "provider" => map! { "vault" => provider(vault) } },
        },
    ]
}

/// OpenBao speaks Vault's protocol. The provider that bears its own name cannot write.
fn provider(vault: &Vault) -> Map {
    let mut provider = map! {
        "server" => vault.server.clone(),
        "path" => vault.mount.clone(),
        "version" => "v2",
        "auth" => map! {
            "kubernetes" => map! {
                "mountPath" => vault.auth_mount.clone(),
                "role" => vault.role.clone(),
                "serviceAccountRef" => map! { "name" => vault.service_account.clone() },
            },
        },
    };
    if let Some(secret) = &vault.ca_secret {
        provider.insert(
            "caProvider",
            map! { "type" => "Secret", "name" => secret.clone(), "key" => "ca.crt" },
        );
    }
    provider
}
