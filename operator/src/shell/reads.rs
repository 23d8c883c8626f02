//! What a pod reads of a Secret, from its spec.

use k8s_openapi::api::core::v1::{Container, Pod, PodSpec, Volume};
use serde::Deserialize;
use serde_json::Value;

/// Whether a change of the Secret reaches the pod while it runs: it is mounted as a folder, and all of it. A
/// `subPath` is never brought up to date, nor is what somebody copied out of the Secret; `items` leave out keys
/// whose names nobody knows before.
pub fn follows(pod: &Pod, secret: &str) -> bool {
    let Some(spec) = &pod.spec else { return false };
    let volumes: Vec<(&str, bool)> = spec
        .volumes
        .iter()
        .flatten()
        .filter_map(|volume| Some((volume.name.as_str(), is_whole(volume, secret)?)))
        .collect();
    let mounts =
        spec.containers.iter().flat_map(|container| container.volume_mounts.iter().flatten());
    let mounts = mounts.filter_map(|mount| {
        let (_, whole) = volumes.iter().find(|(name, _)| *name == mount.name)?;
        Some(*whole && mount.sub_path.is_none() && mount.sub_path_expr.is_none())
    });
    let mut mounts = mounts.peekable();
    mounts.peek().is_some() && mounts.all(|follows| follows)
}

/// Whether a volume of the Secret has all of it; None of another Secret.
fn is_whole(volume: &Volume, secret: &str) -> Option<bool> {
    let direct =
        volume.secret.iter().filter(|source| source.secret_name.as_deref() == Some(secret));
    let direct = direct.map(|source| &source.items);
    let projected = volume.projected.iter().flat_map(|source| source.sources.iter().flatten());
    let projected = projected.filter_map(|source| source.secret.as_ref());
    let projected = projected.filter(|source| source.name == secret).map(|source| &source.items);
    let mut found = direct.chain(projected).peekable();
    found.peek()?;
    Some(found.all(|items| items.as_ref().is_none_or(Vec::is_empty)))
}

/// Whether the pods of a template have the Secret in any way: as files or in their environment.
pub fn mentions(template: &Value, secret: &str) -> bool {
    // Of one that cannot be read nothing is said.
    let Ok(spec) = PodSpec::deserialize(template) else { return true };
    let in_volume = |volume: &Volume| is_whole(volume, secret).is_some();
    let in_environment = |container: &Container| {
        let mut all =
            container.env_from.iter().flatten().filter_map(|from| from.secret_ref.as_ref());
        let one = container.env.iter().flatten().filter_map(|variable| {
            variable.value_from.as_ref()?.secret_key_ref.as_ref().map(|key| key.name.as_str())
        });
        all.any(|from| from.name == secret) || one.into_iter().any(|name| name == secret)
    };
    spec.volumes.iter().flatten().any(in_volume)
        || spec.containers.iter().any(in_environment)
        || spec.init_containers.iter().flatten().any(in_environment)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEYS: &str = "keystone-fernet-keys";

    fn follows_with(mount: Value, volume: Value) -> bool {
        let mut mounted = json!({"name": "keys", "mountPath": "/etc/keystone/fernet-keys"});
        mounted.as_object_mut().unwrap().extend(mount.as_object().unwrap().clone());
        let mut keys = json!({"name": "keys"});
        keys.as_object_mut().unwrap().extend(volume.as_object().unwrap().clone());
        let pod = json!({"spec": {
            "containers": [{"name": "keystone", "volumeMounts": [mounted]}],
            "volumes": [keys, {"name": "config", "secret": {"secretName": "keystone"}}],
        }});
        follows(&serde_json::from_value(pod).unwrap(), KEYS)
    }

    #[test]
    fn keys_reach_a_pod_that_mounts_the_whole_secret() {
        let whole = || json!({"secret": {"secretName": KEYS}});
        assert!(follows_with(json!({}), whole()));
        assert!(!follows_with(json!({"subPath": "0"}), whole()), "never updated");
        assert!(
            !follows_with(json!({"name": "config"}), whole()),
            "only an init container has them"
        );
        let projected = |source: Value| json!({"projected": {"sources": [{"secret": source}]}});
        assert!(follows_with(json!({}), projected(json!({"name": KEYS}))));
        let items = json!([{"key": "0", "path": "0"}]);
        let some = json!({"secret": {"secretName": KEYS, "items": items}});
        assert!(!follows_with(json!({}), some), "a key that is new is not among them");
        assert!(!follows_with(json!({}), projected(json!({"name": KEYS, "items": items}))));
    }

    #[test]
    fn a_template_mentions_a_secret_as_files_or_in_its_environment() {
        let mentions_in = |part: Value| {
            let mut spec = json!({"containers": [{"name": "api"}]});
            spec.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
            mentions(&spec, "nova-db")
        };
        let container =
            |part: Value| json!([{"name": "api", "env": part["env"], "envFrom": part["envFrom"]}]);
        let one = json!({"env": [{"name": "P", "valueFrom": {"secretKeyRef": {"name": "nova-db", "key": "p"}}}]});
        let all = json!({"envFrom": [{"secretRef": {"name": "nova-db"}}]});
        assert!(mentions_in(json!({"containers": container(one)})));
        assert!(mentions_in(json!({"initContainers": container(all)})));
        assert!(mentions_in(
            json!({"volumes": [{"name": "v", "secret": {"secretName": "nova-db"}}]})
        ));
        assert!(!mentions_in(
            json!({"volumes": [{"name": "v", "secret": {"secretName": "nova"}}]})
        ));
        assert!(!mentions_in(json!({"imagePullSecrets": [{"name": "nova-db"}]})));
    }
}
