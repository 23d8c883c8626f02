//! Those who have the credential: their pod templates and their pods.

use k8s_openapi::api::core::v1::Pod;

use super::access::{Access, resource, stamp};
use super::material;
use super::names;
use super::outcome::Trouble;
use crate::api;
use crate::core::Digest;
use crate::core::generations::Consumer;

#[derive(Debug, Default)]
pub struct Consumers {
    /// Those whose templates are ours to stamp, with their place in the spec.
    pub ours: Vec<(usize, Consumer)>,
    /// Those pods that have not ended.
    pub pods: Vec<Pod>,
}

impl Consumers {
    /// None if one of them could not be read: then nothing is known about all.
    pub async fn look(
        access: &Access,
        wanted: &[api::Consumer],
        troubles: &mut Vec<Trouble>,
    ) -> Option<Self> {
        let mut found = Self::default();
        for (place, consumer) in wanted.iter().enumerate() {
            let kind = resource("apps/v1", kind(consumer));
            let object = match access.object(&kind, &consumer.name).await {
                Ok(Some(object)) => object,
                // It is not there yet, and has no pods.
                Ok(None) => continue,
                Err(trouble) => {
                    troubles.push(trouble);
                    return None;
                }
            };
            let spec = &object.data["spec"];
            let stamped = spec["template"]["metadata"]["annotations"][names::CONTENT].as_str();
            if !consumer.stamped {
                let template = stamped.and_then(material::from_hex);
                found.ours.push((place, Consumer { stamp: stamp(&object.metadata)?, template }));
            }
            let labels = spec["selector"]["matchLabels"].as_object()?;
            let selector: Vec<String> = labels
                .iter()
                .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
                .collect();
            match access.pods(&selector.join(",")).await {
                Ok(pods) => found.pods.extend(pods.into_iter().filter(|pod| !has_ended(pod))),
                Err(trouble) => {
                    troubles.push(trouble);
                    return None;
                }
            }
        }
        Some(found)
    }

    pub fn carried(&self) -> Vec<Option<Digest>> {
        let carried = |pod: &Pod| {
            super::access::annotation(&pod.metadata, names::CONTENT).and_then(material::from_hex)
        };
        self.pods.iter().map(carried).collect()
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
