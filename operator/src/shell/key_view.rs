//! Looks at everything that a ring of keys consists of.

use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::ResourceExt;
use kube::api::DynamicObject;
use kube::core::ObjectMeta;

use super::access::{self, Access, annotation, seen};
use super::consumers::{self, Consumers};
use super::material;
use super::memory::{Memory, Thing};
use super::names;
use super::outcome::{Trouble, kept};
use super::reads;
use super::rotation::{Rotation, bounded};
use super::store::Told;
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
    migration_watched: i64,
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
        let live = mounted(access, &keys.secret_name, troubles).await;
        let backup = secret(access, &delivery.secret_name, troubles).await;
        let first_push = match &delivery.first_push_secret_name {
            Some(name) => Some(Told::look(access, &access::push_secret(), name, troubles).await),
            None => None,
        };
        let name = &delivery.push_secret_name;
        let push = Told::look(access, &access::push_secret(), name, troubles).await;
        let (wanted, pushing) = match (next.value(), &first_push) {
            (None, Some(first_push)) => (first.value(), first_push),
            (wanted, _) => (wanted, &push),
        };
        let digest = |ring: Option<&Marked>| ring.map(|ring| ring.digest);
        let arrived = backup.value().is_some() && digest(backup.value()) == digest(wanted);
        let name = &delivery.external_secret_name;
        let pull = match arrived || pushing.has_pushed(memory, &rotation.key()) {
            true => Told::look(access, &access::external_secret(), name, troubles).await,
            false => Told::NOTHING,
        };
        let (wanted, mounted) = (&rotation.spec.consumers, &keys.secret_name);
        let consumers = Consumers::look(access, wanted, mounted, troubles).await;
        let replicas = consumers.replicas().map(|pods| {
            pods.map(|(pod, reported)| replica(rotation, keys, pod, reported, memory)).collect()
        });
        if let Some(pods) = consumers.replicas() {
            let there: Vec<Thing> = pods.map(|(pod, _)| remembered(pod)).collect();
            memory.keep_pods(&rotation.key(), &there);
        }
        let migration = match rotation.spec.rotation_type {
            RotationType::CredentialKeys => job(access, &rotation.name, troubles).await,
            _ => Seen::Absent,
        };
        let job = format!("{:?}", migration.stamp());
        let migration_watched = memory.watch(&rotation.key(), Thing::Job, &job);
        let watch = |thing, seen: &Seen<Marked>| {
            memory.watch(&rotation.key(), thing, &format!("{:?}", seen.stamp()))
        };
        let (live_watched, next_watched) = (
            watch(Thing::Live, &live),
            match next.stamp() {
                Some(_) => watch(Thing::Next, &next),
                None => watch(Thing::Next, &first),
            },
        );
        let policy = Policy {
            kind: match rotation.spec.rotation_type {
                RotationType::CredentialKeys => Kind::Credential,
                _ => Kind::Fernet,
            },
            schedule: rotation.schedule.clone(),
            token_life: bounded(keys.token_expiration_seconds)
                + bounded(keys.allow_expired_window_seconds),
            propagation: bounded(keys.propagation_seconds),
        };
        Self {
            policy,
            first,
            next,
            live,
            backup,
            first_push: first_push.map_or(Seen::Absent, |told| told.sync),
            push: push.sync,
            pull: pull.sync,
            replicas,
            migration,
            live_watched,
            next_watched,
            migration_watched,
        }
    }

    pub fn seen<'a>(&'a self, rotation: &Rotation) -> KeysSeen<'a> {
        KeysSeen {
            policy: &self.policy,
            rotation: rotation.stamp,
            initialised: rotation.status.initialised,
            suspended: rotation.spec.suspend,
            requested: rotation.requested(),
            replaces: u32::try_from(rotation.status.replaces).unwrap_or(0),
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
            migration_watched: self.migration_watched,
        }
    }

    /// The Secrets among them that are no ring of keys.
    pub fn damaged(&self, rotation: &Rotation, keys: &Keys) -> Vec<String> {
        let rings = [
            (keys.secret_name.clone(), &self.live),
            (names::next(&keys.secret_name), &self.next),
            (names::first(&keys.secret_name), &self.first),
            (rotation.spec.delivery.secret_name.clone(), &self.backup),
        ];
        let damaged = |(name, ring): (String, &Seen<Marked>)| {
            matches!(ring, Seen::Damaged(_)).then_some(name)
        };
        rings.into_iter().filter_map(damaged).collect()
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
    ring(kept(access.secret(name).await, troubles))
}

/// As `secret`, but nothing is known of one that somebody else looks after, so that it is left alone.
async fn mounted(access: &Access, name: &str, troubles: &mut Vec<Trouble>) -> Seen<Marked> {
    let answer = match access.secret(name).await {
        Ok(Some(secret)) => match other_rotator(&secret.metadata) {
            Some(owner) => Err(Trouble::Foreign(format!(
                "Secret {name} is looked after by {owner}, which rotates keys by itself; delete this \
                 CredentialRotation, or give it the Secret of another Keystone"
            ))),
            None => Ok(Some(secret)),
        },
        answer => answer,
    };
    ring(kept(answer, troubles))
}

/// Whoever controls the Secret. cobaltcore's operator owns its keys by a reference, and those in other
/// clusters by labels.
fn other_rotator(metadata: &ObjectMeta) -> Option<String> {
    let owners = metadata.owner_references.as_deref().unwrap_or_default();
    if let Some(owner) = owners.iter().find(|owner| owner.controller == Some(true)) {
        return Some(format!("{} {} ({})", owner.kind, owner.name, owner.api_version));
    }
    let label = |name: &str| metadata.labels.as_ref()?.get(name).map(String::as_str);
    let kind = label("openstack.c5c3.io/owner-kind")?;
    Some(format!("{kind} {}", label("openstack.c5c3.io/owner-name").unwrap_or_default()))
}

fn ring(answer: Result<Option<Secret>, Trouble>) -> Seen<Marked> {
    seen(
        answer,
        |secret: &Secret| &secret.metadata,
        |secret| material::marked(secret.data.as_ref()?),
    )
}

/// What the memory calls a pod.
fn remembered(pod: &Pod) -> Thing {
    Thing::Pod(pod.uid().unwrap_or_default().into())
}

fn replica(
    rotation: &Rotation,
    keys: &Keys,
    pod: &Pod,
    reported: Option<Digest>,
    memory: &Memory,
) -> Replica {
    // The moment of the last change is part of the state: an absence between two looks shows in it.
    let ready = consumers::ready_since(pod);
    let watched = memory.watch(&rotation.key(), remembered(pod), &format!("{ready:?}"));
    // However long it is ready: keys that were copied when it started stay as they were then.
    let follows = ready.is_some() && reads::follows(pod, &keys.secret_name);
    Replica { reported, steady: if follows { watched } else { 0 } }
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
