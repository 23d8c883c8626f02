//! The Job that re-encrypts Keystone's credentials under the primary key.

use serde_json::json;

use super::access::{Access, resource};
use super::outcome::{Outcome, Trouble};
use super::rotation::Rotation;
use super::{material, names};
use crate::api::Keys;
use crate::core::{Digest, Precondition};

pub async fn create(
    access: &Access,
    rotation: &Rotation,
    keys: &Keys,
    ring: Digest,
) -> Result<Outcome, Trouble> {
    let Some(migration) = &keys.migration else {
        return Err(Trouble::Unfit("spec.keys.migration is needed".to_owned()));
    };
    let labels = json!({
        names::ROTATION_LABEL: rotation.name,
        "app.kubernetes.io/managed-by": names::MANAGER,
    });
    let restricted = json!({
        "allowPrivilegeEscalation": false,
        "readOnlyRootFilesystem": true,
        "capabilities": {"drop": ["ALL"]},
    });
    let container = json!({
        "name": "migrate",
        "image": migration.image,
        "command": ["keystone-manage", "--config-file", "/etc/keystone/keystone.conf", "credential_migrate"],
        // Keystone's commands do not start without folders of keys for tokens and receipts that have
        // something in them, though this one reads neither. The Job is given no such keys.
        "env": [
            {"name": "OS_FERNET_TOKENS__KEY_REPOSITORY", "value": migration.key_repository},
            {"name": "OS_FERNET_RECEIPTS__KEY_REPOSITORY", "value": migration.key_repository},
        ],
        "securityContext": restricted,
        "volumeMounts": [
            {"name": "config", "mountPath": "/etc/keystone/keystone.conf", "subPath": "keystone.conf", "readOnly": true},
            {"name": "keys", "mountPath": migration.key_repository, "readOnly": true},
        ],
    });
    let mut pod = json!({
        "restartPolicy": "Never",
        "automountServiceAccountToken": false,
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
        "volumes": [
            {"name": "config", "secret": {"secretName": migration.config_secret_name}},
            {"name": "keys", "secret": {"secretName": keys.secret_name}},
        ],
    });
    if let Some(account) = &migration.service_account_name {
        pod["serviceAccountName"] = json!(account);
    }
    let job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": names::migration(&rotation.name),
            "namespace": access.namespace,
            "labels": labels,
            "annotations": {names::RING: material::hex(ring)},
        },
        // It is tried again by us, with a look at everything before.
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": 900,
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    });
    access.create(&resource("batch/v1", "Job"), job).await
}

pub async fn remove(
    access: &Access,
    rotation: &Rotation,
    precondition: Precondition,
) -> Result<Outcome, Trouble> {
    let Precondition::At(stamp) = precondition else { return Ok(Outcome::Outdated) };
    access.delete(&resource("batch/v1", "Job"), &names::migration(&rotation.name), stamp).await
}
