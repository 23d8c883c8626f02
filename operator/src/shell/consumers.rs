//! Those who have the credential: their pod templates and their pods.

use k8s_openapi::api::core::v1::Pod;
use kube::api::DynamicObject;

use super::access::{Access, annotation, resource, stamp};
use super::outcome::Trouble;
use super::{material, names, reads};
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
    /// Those among ours whose pods do not mention the Secret.
    unread: Vec<String>,
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
        unread: Vec::new(),
        missing: false,
        unknown: true,
    };

    /// `secret` is what they read, and after it the annotation is called that says what a pod has.
    pub async fn look(
        access: &Access,
        wanted: &[api::Consumer],
        secret: &str,
        troubles: &mut Vec<Trouble>,
    ) -> Self {
        let mut found = Self::default();
        for (place, consumer) in wanted.iter().enumerate() {
            let kind = resource("apps/v1", kind(consumer));
            let added = match access.object(&kind, &consumer.name).await {
                Ok(Some(object)) => found.add(access, place, consumer, &object, secret).await,
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
        secret: &str,
    ) -> Result<(), Trouble> {
        let (spec, content) = (&object.data["spec"], &*names::content(secret));
        let labels = spec["selector"]["matchLabels"].as_object();
        let (Some(stamp), Some(labels)) = (stamp(&object.metadata), labels) else {
            let why = format!("{} {} selects no pods by label", kind(consumer), consumer.name);
            return Err(Trouble::Unfit(why));
        };
        if !consumer.stamped {
            let stamped = spec["template"]["metadata"]["annotations"][content].as_str();
            let template = stamped.and_then(material::from_hex);
            self.ours.push(Consumer { place, stamp, template });
            if !reads::mentions(&spec["template"]["spec"], secret) {
                self.unread.push(format!("{} {}", kind(consumer), consumer.name));
            }
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

    /// None unless all were read.
    pub fn unread(&self) -> Option<&[String]> {
        (!self.unknown && !self.missing).then_some(&self.unread)
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
