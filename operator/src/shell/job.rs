//! The Job that re-encrypts Keystone's credentials under the primary key.

use serde_json::{Value, json};

use super::access::{Access, resource};
use super::outcome::{Outcome, Trouble};
use super::rotation::Rotation;
use super::{material, names};
use crate::api::{Keys, Migration};
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
    let job = object(rotation, keys, migration, ring);
    access.create(&resource("batch/v1", "Job"), job).await
}

/// Where the addresses of databases say that the server's authority is.
const AUTHORITY: (&str, &str) = ("/etc/mysql/certs", "ca.crt");

fn object(rotation: &Rotation, keys: &Keys, migration: &Migration, ring: Digest) -> Value {
    let labels = json!({
        names::ROTATION_LABEL: rotation.name,
        "app.kubernetes.io/managed-by": names::MANAGER,
    });
    let (mounts, volumes) = files(keys, migration);
    let restricted = json!({
        "allowPrivilegeEscalation": false,
        "readOnlyRootFilesystem": true,
        "capabilities": {"drop": ["ALL"]},
    });
    let container = json!({
        "name": "migrate",
        "image": migration.image,
        "command": ["keystone-manage", "--config-file", "/etc/keystone/keystone.conf", "credential_migrate"],
        // Where the keys are not where the configuration says, Keystone takes a key that everybody knows and
        // re-encrypts with that. Nor do its commands start without folders of keys for tokens and receipts
        // that have something in them, though this one reads neither. The Job is given no such keys.
        "env": (["CREDENTIAL", "FERNET_TOKENS", "FERNET_RECEIPTS"]).map(|group| json!({
            "name": format!("OS_{group}__KEY_REPOSITORY"), "value": migration.key_repository,
        })),
        "securityContext": restricted,
        "volumeMounts": mounts,
    });
    let mut pod = json!({
        "restartPolicy": "Never",
        "automountServiceAccountToken": false,
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
        "volumes": volumes,
    });
    if let Some(account) = &migration.service_account_name {
        pod["serviceAccountName"] = json!(account);
    }
    if let Some(user) = migration.run_as_user {
        pod["securityContext"]["runAsUser"] = json!(user);
    }
    // It runs where Keystone can: with the same image, on the same nodes.
    if !migration.image_pull_secrets.is_empty() {
        pod["imagePullSecrets"] = json!(migration.image_pull_secrets);
    }
    if !migration.node_selector.is_empty() {
        pod["nodeSelector"] = json!(migration.node_selector);
    }
    if !migration.tolerations.is_empty() {
        pod["tolerations"] = json!(migration.tolerations);
    }
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": names::migration(&rotation.name),
            "namespace": rotation.namespace,
            "labels": labels,
            "annotations": {names::RING: material::hex(ring)},
        },
        // It is tried again by us, with a look at everything before.
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": 900,
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    })
}

/// What the pod mounts, and of which Secrets.
fn files(keys: &Keys, migration: &Migration) -> (Vec<Value>, Vec<Value>) {
    let mut mounts = vec![
        json!({"name": "config", "mountPath": "/etc/keystone/keystone.conf", "subPath": "keystone.conf", "readOnly": true}),
        json!({"name": "keys", "mountPath": migration.key_repository, "readOnly": true}),
    ];
    let mut volumes = vec![
        json!({"name": "config", "secret": {"secretName": migration.config_secret_name}}),
        json!({"name": "keys", "secret": {"secretName": keys.secret_name}}),
    ];
    if let Some(authority) = &migration.ca_secret_ref {
        let (folder, file) = AUTHORITY;
        let items = json!([{"key": authority.key, "path": file}]);
        mounts.push(json!({"name": "authority", "mountPath": folder, "readOnly": true}));
        volumes.push(json!({
            "name": "authority", "secret": {"secretName": authority.name, "items": items},
        }));
    }
    (mounts, volumes)
}

pub async fn remove(
    access: &Access,
    rotation: &Rotation,
    precondition: Precondition,
) -> Result<Outcome, Trouble> {
    let Precondition::At(stamp) = precondition else { return Ok(Outcome::Outdated) };
    access.delete(&resource("batch/v1", "Job"), &names::migration(&rotation.name), stamp).await
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn job(more: &[(&str, Value)]) -> Value {
        let mut migration =
            json!({"image": "keystone:1", "configSecretName": "config", "keyRepository": "/keys"});
        for (field, value) in more {
            migration[*field] = value.clone();
        }
        let spec = json!({
            "rotationType": "credentialKeys",
            "keys": {"secretName": "rows", "migration": migration},
            "delivery": {"pushSecretName": "push", "externalSecretName": "pull", "secretName": "backup"},
        });
        let rotation = Rotation::example("rows", &spec, &json!({}));
        let keys = rotation.spec.keys.clone().unwrap();
        super::object(&rotation, &keys, keys.migration.as_ref().unwrap(), Digest::default())
    }

    fn named<'a>(list: &'a Value, name: &str) -> Option<&'a Value> {
        list.as_array()?.iter().find(|item| item["name"] == name)
    }

    #[test]
    fn keystone_finds_the_keys_whatever_its_configuration_says() {
        let job = job(&[]);
        let env = &job["spec"]["template"]["spec"]["containers"][0]["env"];
        for group in ["CREDENTIAL", "FERNET_TOKENS", "FERNET_RECEIPTS"] {
            let variable = named(env, &format!("OS_{group}__KEY_REPOSITORY"));
            assert_eq!(variable.unwrap()["value"], "/keys", "{group}");
        }
    }

    #[test]
    fn it_runs_where_keystone_can() {
        let settings = [
            ("imagePullSecrets", json!([{"name": "registry"}])),
            ("nodeSelector", json!({"disk": "fast"})),
            ("tolerations", json!([{"key": "control", "operator": "Exists"}])),
        ];
        let (with, without) = (job(&settings), job(&[]));
        for (setting, value) in settings {
            assert_eq!(with["spec"]["template"]["spec"][setting], value, "{setting}");
            assert_eq!(without["spec"]["template"]["spec"].get(setting), None, "{setting}");
        }
        let user = job(&[("runAsUser", json!(42425))]);
        let context = &user["spec"]["template"]["spec"]["securityContext"];
        assert_eq!(
            (&context["runAsUser"], &context["runAsNonRoot"]),
            (&json!(42425), &json!(true))
        );
    }

    #[test]
    fn the_authority_of_the_database_is_where_addresses_say() {
        let with = job(&[("caSecretRef", json!({"name": "trusted", "key": "bundle.pem"}))]);
        let pod = &with["spec"]["template"]["spec"];
        let mount = named(&pod["containers"][0]["volumeMounts"], "authority").unwrap();
        assert_eq!(mount["mountPath"], "/etc/mysql/certs");
        let secret = &named(&pod["volumes"], "authority").unwrap()["secret"];
        let items = json!([{"key": "bundle.pem", "path": "ca.crt"}]);
        assert_eq!(*secret, json!({"secretName": "trusted", "items": items}));
        let without = job(&[]);
        assert_eq!(named(&without["spec"]["template"]["spec"]["volumes"], "authority"), None);
    }
}
