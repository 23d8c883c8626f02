//! The store that holds every secret of a cloud.

use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::spec::{StoreKind, Vault as VaultSpec};

#[derive(Debug)]
pub struct Store {
    pub name: String,
    pub kind: StoreKind,
    pub prefix: String,
    /// What a store of the cloud's own speaks to; none for one that exists.
    pub vault: Option<Vault>,
}

/// An OpenBao or Vault, and who logs in there.
#[derive(Debug)]
pub struct Vault {
    pub server: String,
    pub mount: String,
    pub role: String,
    pub auth_mount: String,
    pub service_account: String,
    pub ca_secret: Option<String>,
}

pub fn resolve(written: &Written, findings: &mut Findings) -> Store {
    let secrets = written.spec.secrets.clone().unwrap_or_default();
    let store = secrets.store.unwrap_or_default();
    let is_own = store.vault.is_some();
    if is_own && store.kind == Some(StoreKind::ClusterSecretStore) {
        findings.push(
            Code::StoreKind
                .at(written.place(&Path::from("spec.secrets.store.kind")))
                .because("`vault` makes a store in the namespace of the cloud")
                .remedy("leave `kind` out, or name a store that exists and leave `vault` out"),
        );
    }
    let usual = if is_own {
        ("openstack-store", StoreKind::SecretStore)
    } else {
        ("openbao-cluster-store", StoreKind::ClusterSecretStore)
    };
    Store {
        name: store.name.unwrap_or_else(|| usual.0.to_owned()),
        kind: store.kind.unwrap_or(usual.1),
        prefix: store.prefix.unwrap_or_else(|| "openstack".to_owned()),
        vault: store.vault.map(vault),
    }
}

fn vault(vault: VaultSpec) -> Vault {
    let or = |written: Option<String>, usual: &str| written.unwrap_or_else(|| usual.to_owned());
    Vault {
        server: vault.server,
        mount: or(vault.mount, "kv-v2"),
        role: vault.role,
        auth_mount: or(vault.auth_mount, "kubernetes"),
        service_account: or(vault.service_account, "openstack-secrets"),
        ca_secret: vault.ca_secret_name,
    }
}
