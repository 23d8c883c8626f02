//! Looks at everything that a ring of keys consists of.

use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::ResourceExt;
use kube::api::DynamicObject;

use super::access::{self, Access, annotation, seen};
use super::consumers::{self, Consumers};
use super::material;
use super::memory::Memory;
use super::names;
use super::outcome::Trouble;
use super::rotation::Rotation;
use crate::api::{Keys, RotationType};
use crate::core::keys::{JobState, KeysSeen, Kind, Migration, Policy, Replica};
use crate::core::ring::Marked;
use crate::core::{Digest, Seen, Sync};

/// All that was read, for one decision.
#[derive(Debug)]
pub struct KeyView {
    pub policy: Policy,
    pub first: Seen<Marked>,
    pub next: Seen<Marked>,
    pub live: Seen<Marked>,
    pub backup: Seen<Marked>,
    first_push: Seen<Option<Sync>>,
    push: Seen<Option<Sync>>,
    pull: Seen<Option<Sync>>,
    replicas: Option<Vec<Replica>>,
    migration: Seen<Migration>,
    live_watched: i64,
    next_watched: i64,
}

impl KeyView {
    pub async fn look(
        access: &Access,
        rotation: &Rotation,
        keys: &Keys,
        memory: &Memory,
        troubles: &mut Vec<Trouble>,
    ) -> Self {
        let delivery = &rotation.spec.delivery;
        let first = secret(access, &names::first(&keys.secret_name), troubles).await;
        let next = secret(access, &names::next(&keys.secret_name), troubles).await;
        let live = secret(access, &keys.secret_name, troubles).await;
        let backup = secret(access, &delivery.secret_name, troubles).await;
        let first_push = match &delivery.first_push_secret_name {
            Some(name) => told(access, &access::push_secret(), name, troubles).await,
            None => Seen::Absent,
        };
        let push = told(access, &access::push_secret(), &delivery.push_secret_name, troubles).await;
        let name = &delivery.external_secret_name;
        let pull = told(access, &access::external_secret(), name, troubles).await;
        let consumers = Consumers::look(access, &rotation.spec.consumers, troubles).await;
        let replicas = consumers.map(|consumers| {
            consumers.pods.iter().map(|pod| replica(rotation, pod, memory)).collect()
        });
        let migration = match rotation.spec.rotation_type {
            RotationType::CredentialKeys => job(access, &rotation.name, troubles).await,
            _ => Seen::Absent,
        };
        let watch = |thing: &str, seen: &Seen<Marked>| {
            let state = format!("{:?}", seen.stamp());
            memory.watch(&format!("{}{thing}", rotation.key()), &state)
        };
        let (live_watched, next_watched) = (
            watch("live", &live),
            match next.stamp() {
                Some(_) => watch("next", &next),
                None => watch("next", &first),
            },
        );
        let policy = Policy {
            kind: match rotation.spec.rotation_type {
                RotationType::CredentialKeys => Kind::Credential,
                _ => Kind::Fernet,
            },
            schedule: rotation.schedule.clone(),
            token_life: keys.token_expiration_seconds + keys.allow_expired_window_seconds,
            propagation: keys.propagation_seconds,
        };
        Self {
            policy,
            first,
            next,
            live,
            backup,
            first_push,
            push,
            pull,
            replicas,
            migration,
            live_watched,
            next_watched,
        }
    }

    pub fn seen<'a>(&'a self, rotation: &Rotation) -> KeysSeen<'a> {
        KeysSeen {
            policy: &self.policy,
            rotation: rotation.stamp,
            initialised: rotation.status.initialised,
            suspended: rotation.spec.suspend,
            requested: rotation.requested(),
            first: borrowed(&self.first),
            next: borrowed(&self.next),
            live: borrowed(&self.live),
            backup: borrowed(&self.backup),
            first_push: self.first_push,
            push: self.push,
            pull: self.pull,
            replicas: self.replicas.as_deref(),
            migration: self.migration,
            live_watched: self.live_watched,
            next_watched: self.next_watched,
        }
    }
}

fn borrowed(seen: &Seen<Marked>) -> Seen<&Marked> {
    match seen {
        Seen::Unknown => Seen::Unknown,
        Seen::Absent => Seen::Absent,
        Seen::Damaged(stamp) => Seen::Damaged(*stamp),
        Seen::Present(stamp, ring) => Seen::Present(*stamp, ring),
    }
}

async fn secret(access: &Access, name: &str, troubles: &mut Vec<Trouble>) -> Seen<Marked> {
    let answer = kept(access.secret(name).await, troubles);
    seen(
        answer,
        |secret: &Secret| &secret.metadata,
        |secret| material::marked(secret.data.as_ref()?),
    )
}

pub fn kept<T>(answer: Result<T, Trouble>, troubles: &mut Vec<Trouble>) -> Result<T, Trouble> {
    answer.map_err(|trouble| {
        troubles.push(trouble);
        Trouble::Unfit(String::new())
    })
}

/// What External Secrets was told last, on one of its objects.
pub async fn told(
    access: &Access,
    kind: &kube::api::ApiResource,
    name: &str,
    troubles: &mut Vec<Trouble>,
) -> Seen<Option<Sync>> {
    let answer = kept(access.object(kind, name).await, troubles);
    seen(
        answer,
        |object: &DynamicObject| &object.metadata,
        |object| Some(annotation(&object.metadata, names::SYNC).and_then(parse)),
    )
}

fn parse(text: &str) -> Option<Sync> {
    let (content, attempt) = text.split_once('.')?;
    Some(Sync { content: material::from_hex(content)?, attempt: attempt.parse().ok()? })
}

fn replica(rotation: &Rotation, pod: &Pod, memory: &Memory) -> Replica {
    let thing = format!("{}pod/{}", rotation.key(), pod.uid().unwrap_or_default());
    // The moment of the last change is part of the state: an absence between two looks shows in it.
    let ready = consumers::ready_since(pod);
    let watched = memory.watch(&thing, &format!("{ready:?}"));
    let reported = annotation(&pod.metadata, names::CONTENT).and_then(material::from_hex);
    Replica { reported, steady: if ready.is_some() { watched } else { 0 } }
}

async fn job(access: &Access, rotation: &str, troubles: &mut Vec<Trouble>) -> Seen<Migration> {
    let kind = access::resource("batch/v1", "Job");
    let answer = kept(access.object(&kind, &names::migration(rotation)).await, troubles);
    seen(
        answer,
        |job: &DynamicObject| &job.metadata,
        |job| {
            let ring = annotation(&job.metadata, names::RING).and_then(material::from_hex);
            let conditions = job.data["status"]["conditions"].as_array();
            let has = |kind: &str| {
                conditions.is_some_and(|conditions| {
                    conditions
                        .iter()
                        .any(|found| found["type"] == kind && found["status"] == "True")
                })
            };
            let state = match (has("Complete"), has("Failed")) {
                (true, _) => JobState::Succeeded,
                (_, true) => JobState::Failed,
                _ => JobState::Running,
            };
            Some(Migration { ring: ring.unwrap_or(Digest(0)), state })
        },
    )
}
