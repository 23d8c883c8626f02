//! Those who have the credential: their pod templates and their pods.

use k8s_openapi::api::core::v1::Pod;
use kube::api::DynamicObject;

use super::access::{Access, annotation, resource, stamp};
use super::material;
use super::outcome::Trouble;
use crate::api;
use crate::core::Digest;
use crate::core::generations::{Consumer, Pods};

#[derive(Debug, Default)]
pub struct Consumers {
    /// Those whose templates are ours to stamp.
    pub ours: Vec<Consumer>,
    /// Those that have not ended, and what each of them carries.
    pods: Vec<Pod>,
    carried: Vec<Option<Digest>>,
    /// One that the spec names is not there.
    missing: bool,
    /// One could not be read: then nothing is known about all.
    unknown: bool,
}

impl Consumers {
    pub const UNASKED: Self = Self {
        ours: Vec::new(),
        pods: Vec::new(),
        carried: Vec::new(),
        missing: false,
        unknown: true,
    };

    /// `content` is the annotation that says what a pod has.
    pub async fn look(
        access: &Access,
        wanted: &[api::Consumer],
        content: &str,
        troubles: &mut Vec<Trouble>,
    ) -> Self {
        let mut found = Self::default();
        for (place, consumer) in wanted.iter().enumerate() {
            let kind = resource("apps/v1", kind(consumer));
            let added = match access.object(&kind, &consumer.name).await {
                Ok(Some(object)) => found.add(access, place, consumer, &object, content).await,
                Ok(None) => {
                    found.missing = true;
                    Ok(())
                }
                Err(trouble) => Err(trouble),
            };
            if let Err(trouble) = added {
                troubles.push(trouble);
                found.unknown = true;
            }
        }
        found
    }

    async fn add(
        &mut self,
        access: &Access,
        place: usize,
        consumer: &api::Consumer,
        object: &DynamicObject,
        content: &str,
    ) -> Result<(), Trouble> {
        let spec = &object.data["spec"];
        let labels = spec["selector"]["matchLabels"].as_object();
        let (Some(stamp), Some(labels)) = (stamp(&object.metadata), labels) else {
            let why = format!("{} {} selects no pods by label", kind(consumer), consumer.name);
            return Err(Trouble::Unfit(why));
        };
        if !consumer.stamped {
            let stamped = spec["template"]["metadata"]["annotations"][content].as_str();
            let template = stamped.and_then(material::from_hex);
            self.ours.push(Consumer { place, stamp, template });
        }
        let selector: Vec<String> = labels
            .iter()
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
            .collect();
        for pod in access.pods(&selector.join(",")).await? {
            if !has_ended(&pod) {
                let carries = annotation(&pod.metadata, content).and_then(material::from_hex);
                self.carried.push(carries);
                self.pods.push(pod);
            }
        }
        Ok(())
    }

    /// What is known of who has a credential.
    pub fn carry(&self) -> Pods<'_> {
        match (self.unknown, self.missing) {
            (true, _) => Pods::Unknown,
            (_, true) => Pods::Unnamed,
            _ => Pods::Carry(&self.carried),
        }
    }

    /// The replicas that mount keys, and what each of them says it has; none while one is missing, and
    /// None if they could not be listed.
    pub fn replicas(&self) -> Option<impl Iterator<Item = (&Pod, Option<Digest>)>> {
        let there = if self.missing { 0 } else { self.pods.len() };
        let pods = self.pods.iter().zip(self.carried.iter().copied()).take(there);
        (!self.unknown).then_some(pods)
    }
}

pub fn kind(consumer: &api::Consumer) -> &'static str {
    match consumer.kind {
        api::ConsumerKind::Deployment => "Deployment",
        api::ConsumerKind::StatefulSet => "StatefulSet",
        api::ConsumerKind::DaemonSet => "DaemonSet",
    }
}

fn has_ended(pod: &Pod) -> bool {
    let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
    matches!(phase, Some("Succeeded" | "Failed"))
}

/// When it became ready, if it is.
pub fn ready_since(pod: &Pod) -> Option<String> {
    let conditions = pod.status.as_ref()?.conditions.as_ref()?;
    let ready = conditions.iter().find(|condition| condition.type_ == "Ready")?;
    (ready.status == "True").then(|| format!("{:?}", ready.last_transition_time))
}

/// Whether a change of the Secret reaches the pod while it runs: it is mounted as a folder. A `subPath` is
/// never brought up to date, nor is what somebody copied out of the Secret.
pub fn follows(pod: &Pod, secret: &str) -> bool {
    let Some(spec) = &pod.spec else { return false };
    let volumes = spec.volumes.iter().flatten().filter(|volume| {
        let direct = volume.secret.as_ref().and_then(|source| source.secret_name.as_deref());
        let projected = volume.projected.iter().flat_map(|source| source.sources.iter().flatten());
        let mut projected = projected.filter_map(|source| source.secret.as_ref());
        direct == Some(secret) || projected.any(|source| source.name == secret)
    });
    let volumes: Vec<&str> = volumes.map(|volume| volume.name.as_str()).collect();
    let mounts =
        spec.containers.iter().flat_map(|container| container.volume_mounts.iter().flatten());
    let mut mounts = mounts.filter(|mount| volumes.contains(&mount.name.as_str())).peekable();
    mounts.peek().is_some()
        && mounts.all(|mount| mount.sub_path.is_none() && mount.sub_path_expr.is_none())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn follows_with(mount: Value) -> bool {
        let mut mounted = json!({"name": "keys", "mountPath": "/etc/keystone/fernet-keys"});
        mounted.as_object_mut().unwrap().extend(mount.as_object().unwrap().clone());
        let pod = json!({"spec": {
            "containers": [{"name": "keystone", "volumeMounts": [mounted]}],
            "volumes": [
                {"name": "keys", "secret": {"secretName": "keystone-fernet-keys"}},
                {"name": "config", "secret": {"secretName": "keystone"}},
            ],
        }});
        follows(&serde_json::from_value(pod).unwrap(), "keystone-fernet-keys")
    }

    #[test]
    fn keys_reach_a_pod_that_mounts_the_whole_secret() {
        assert!(follows_with(json!({})));
        assert!(!follows_with(json!({"subPath": "0"})), "never updated");
        assert!(!follows_with(json!({"name": "config"})), "only an init container has them");
    }
}
