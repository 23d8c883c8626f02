//! Looks at everything that a credential in generations consists of.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::ResourceExt;
use kube::api::DynamicObject;
use serde::Deserialize;

use super::access::{self, Access, annotation, resource, stamp};
use super::consumers::Consumers;
use super::keystone::Keystone;
use super::korc;
use super::material::{self, Data};
use super::memory::{Memory, Thing};
use super::names;
use super::outcome::{Trouble, kept};
use super::rotation::{Rotation, bounded};
use super::store::Told;
use super::time;
use crate::api::{AlternatingUsers, RotationType};
use crate::core::generations::{
    Credential, Delivered, Generation, GenerationsSeen, Marks, Means, Pods, Policy, Proof,
    Published,
};
use crate::core::schedule::DAY;
use crate::core::{Precondition, Seen, Stamp, Sync, Time};

#[derive(Debug)]
pub struct GenerationView {
    policy: Policy,
    marks: Marks,
    pub generations: Vec<Generation>,
    complete: bool,
    listed: bool,
    /// The ids in Keystone of what `Object::InKeystone` names.
    pub ids: BTreeMap<u32, String>,
    pub published: Seen<Published>,
    delivered: Seen<Delivered>,
    push: Seen<Option<Sync>>,
    pull: Seen<Option<Sync>>,
    consumers: Consumers,
    published_watched: i64,
    delivered_watched: i64,
    free: [Option<Precondition>; 2],
    /// What K-ORC says of the newest that it has not made.
    pub said: Option<String>,
    /// That the user whose password is published is gone, or not ready.
    pub unready: Option<String>,
}

/// When what is published was made, when it ends by itself, and when it has to be replaced.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    pub made: Time,
    pub expires: Option<Time>,
    pub due: Option<Time>,
}

/// Keys of what is published.
pub const ID: &str = "application_credential_id";
pub const SECRET: &str = "application_credential_secret";
pub const USERNAME: &str = "username";
pub const PASSWORD: &str = "password";
/// The key of the Secret that K-ORC reads.
pub const VALUE: &str = "value";

impl GenerationView {
    pub async fn look(
        access: &Access,
        rotation: &Rotation,
        memory: &Memory,
        troubles: &mut Vec<Trouble>,
    ) -> Self {
        let spec = &rotation.spec;
        let delivery = &spec.delivery;
        let published_secret =
            kept(access.secret(&names::published(&rotation.name)).await, troubles);
        let published = seen_published(&published_secret);
        if matches!(published, Seen::Damaged(_)) {
            troubles.push(Trouble::Unfit(format!(
                "Secret {} does not say which generation it is of, or is empty: delete it, and it is made anew",
                names::published(&rotation.name)
            )));
        }
        let data = published_secret.ok().flatten().and_then(|secret| secret.data);
        let delivered =
            delivered(access, &delivery.secret_name, data.as_ref(), &published, troubles).await;
        let current = published.value().map(|published| published.generation);
        let arrived =
            current.is_some() && delivered.value().map(|delivered| delivered.generation) == current;
        let (mut push, mut pull) = (Told::UNASKED, Told::UNASKED);
        let mut consumers = Consumers::UNASKED;
        // Before it has arrived nothing is decided by who has it, and afterwards nothing by the way that it
        // took.
        if arrived {
            let secret = &delivery.secret_name;
            consumers = Consumers::look(access, &spec.consumers, secret, troubles).await;
        } else if current.is_some() {
            let name = &delivery.push_secret_name;
            push = Told::look(access, &access::push_secret(), name, troubles).await;
            let name = &delivery.external_secret_name;
            pull = match push.has_pushed(memory, &rotation.key()) {
                true => Told::look(access, &access::external_secret(), name, troubles).await,
                false => Told::NOTHING,
            };
        }
        let watch = |thing, state: Option<Stamp>| {
            memory.watch(&rotation.key(), thing, &format!("{state:?}"))
        };
        let mut view = Self {
            policy: policy(rotation),
            marks: marks(rotation),
            generations: Vec::new(),
            complete: true,
            listed: false,
            ids: BTreeMap::new(),
            published,
            delivered,
            push: push.sync,
            pull: pull.sync,
            consumers,
            published_watched: watch(Thing::Published, published.stamp()),
            delivered_watched: watch(Thing::Delivered, delivered.stamp()),
            free: [None; 2],
            said: None,
            unready: None,
        };
        let looked = match &spec.alternating_users {
            Some(users) => view.look_at_places(access, rotation, users, memory).await,
            None => {
                let published = data.as_ref();
                view.look_at_credentials(access, rotation, published, memory, troubles).await
            }
        };
        if let Err(trouble) = looked {
            troubles.push(trouble);
            view.complete = false;
        }
        view.generations.sort_by_key(|generation| generation.number);
        view
    }

    async fn look_at_places(
        &mut self,
        access: &Access,
        rotation: &Rotation,
        users: &AlternatingUsers,
        memory: &Memory,
    ) -> Result<(), Trouble> {
        for place in 0..2_u32 {
            let name = names::place(&rotation.name, place);
            let Some(secret) = access.secret(&name).await? else {
                self.free[place as usize] = Some(Precondition::Absent);
                continue;
            };
            let Some(stamp) = stamp(&secret.metadata) else { continue };
            if !is_of(&secret, rotation) {
                return Err(Trouble::Unfit(format!(
                    "Secret {name} is in the way, and not of this rotation: delete it, or give it the label {}: {} \
                     if it may be written over",
                    names::ROTATION_LABEL,
                    rotation.name
                )));
            }
            let number = annotation(&secret.metadata, names::GENERATION).and_then(names::counted);
            let Some(number) = number else {
                self.free[place as usize] = Some(Precondition::At(stamp));
                continue;
            };
            // The first user has the odd numbers.
            let user = &users.names[usize::from(place == 0)];
            let object = access.object(&resource(&users.api_version, "User"), user).await?;
            let there = object.is_some();
            let ready = object.is_some_and(|object| has_condition(&object, "Ready"));
            if !ready && self.published.value().is_some_and(|current| current.generation == number)
            {
                let what = if there { "is not ready" } else { "does not exist" };
                self.unready = Some(format!(
                    "User {user} ({}), whose password is in use, {what}: its server may refuse it. Look at the \
                     object and at the operator that serves it",
                    users.api_version
                ));
            }
            let state = format!("{stamp:?} {ready}");
            let settled = memory.watch(&rotation.key(), Thing::Place(place), &state);
            let applied = ready && settled >= bounded(users.settle_seconds);
            self.generations.push(Generation {
                number,
                secret: Some(stamp),
                made: made(&secret),
                expires: None,
                credential: Some(Credential { stamp, available: applied, deleting: false }),
                in_keystone: false,
                proof: if applied { Proof::Works } else { Proof::Unknown },
            });
        }
        Ok(())
    }

    async fn look_at_credentials(
        &mut self,
        access: &Access,
        rotation: &Rotation,
        published: Option<&Data>,
        memory: &Memory,
        troubles: &mut Vec<Trouble>,
    ) -> Result<(), Trouble> {
        let Some(source) = &rotation.spec.application_credential else { return Ok(()) };
        let mut found: BTreeMap<u32, Generation> = BTreeMap::new();
        let empty = |number| Generation {
            number,
            secret: None,
            made: Time(0),
            expires: None,
            credential: None,
            in_keystone: false,
            proof: Proof::Unknown,
        };
        // A list that has to be up to date takes a server many times as long as an object by its name.
        let (secret, credential) = (resource("v1", "Secret"), access::credential());
        let (secrets, credentials) = futures::try_join!(
            access.labelled(&secret, names::ROTATION_LABEL, &rotation.name),
            access.labelled(&credential, names::ROTATION_LABEL, &rotation.name),
        )?;
        let mut values = BTreeMap::new();
        for secret in secrets {
            if let Some(number) = names::number(&rotation.name, &secret.name_any()) {
                let generation = found.entry(number).or_insert(empty(number));
                generation.secret = stamp(&secret.metadata);
                let value = ByteString::deserialize(&secret.data["data"][VALUE]);
                values.extend(value.ok().map(|value| (number, value)));
                let made = annotation(&secret.metadata, names::MADE);
                generation.made = Time(made.and_then(|text| text.parse().ok()).unwrap_or(0));
            }
        }
        let mut ids = BTreeMap::new();
        for object in credentials {
            let number = names::number(&rotation.name, &object.name_any());
            if let (Some(number), Some(stamp)) = (number, stamp(&object.metadata)) {
                let id = object.data["status"]["id"].as_str().map(str::to_owned);
                let available = has_condition(&object, "Available") && id.is_some();
                let deleting = object.metadata.deletion_timestamp.is_some();
                let generation = found.entry(number).or_insert(empty(number));
                generation.credential = Some(Credential { stamp, available, deleting });
                let expires = object.data["spec"]["resource"]["expiresAt"].as_str();
                generation.expires = expires.and_then(time::parse);
                ids.extend(id.map(|id| (number, id)));
                if !available && found.keys().next_back() == Some(&number) {
                    let value = values.get(&number).map(|value| value.0.as_slice());
                    self.said = korc::says(&object, value.unwrap_or_default());
                }
            }
        }
        if self.spares_keystone(rotation, &found, memory) {
            self.generations = found.into_values().collect();
            return Ok(());
        }
        // That Keystone does not answer is no reason not to know the rest.
        if let Ok(keystone) = kept(Keystone::of(access, &source.keystone).await, troubles) {
            if let Ok(listed) = kept(keystone.credentials().await, troubles) {
                self.listed = true;
                for (name, id) in listed {
                    if let Some(number) = names::number(&rotation.name, &name) {
                        found.entry(number).or_insert(empty(number)).in_keystone = true;
                        self.ids.insert(number, id);
                    }
                }
            }
            let current = self.published.value().map(|published| published.generation);
            for generation in found.values_mut() {
                let number = generation.number;
                if Some(number) == current {
                    generation.proof = prove(&keystone, published, (ID, SECRET), None).await;
                } else if Some(number) > current && generation.secret.is_some() {
                    let name = names::generation(&rotation.name, number);
                    let data = access.secret(&name).await?.and_then(|secret| secret.data);
                    let id = ids.get(&number).map(String::as_str);
                    generation.proof = match id {
                        Some(_) => prove(&keystone, data.as_ref(), ("", VALUE), id).await,
                        None => Proof::Unknown,
                    };
                }
            }
        }
        self.generations = found.into_values().collect();
        self.was_asked(rotation, memory);
        Ok(())
    }

    /// Whether Keystone is left alone at this look: it was asked a short while ago, and nothing that waits now is
    /// decided by what it says. But what is published may be refused meanwhile, whatever it waits for.
    fn spares_keystone(
        &self,
        rotation: &Rotation,
        found: &BTreeMap<u32, Generation>,
        memory: &Memory,
    ) -> bool {
        self.lull(found, time::now()).is_some_and(|(generation, seconds)| {
            let since = format!("{generation} {seconds}");
            memory.watch(&rotation.key(), Thing::Asked, &since) < seconds
        })
    }

    /// What is published, and for how many seconds Keystone need not be asked about it: while it is on its way, or
    /// an older generation waits for its end. Services need Keystone more than we do.
    fn lull(&self, found: &BTreeMap<u32, Generation>, now: Time) -> Option<(u32, i64)> {
        const ON_ITS_WAY: i64 = 120;
        // As often as at rest.
        const DRAINING: i64 = 300;
        let (published, delivered) = (self.published.value()?, self.delivered.value()?);
        let current = published.generation;
        // Its successor is under way.
        if found.keys().any(|number| *number > current) {
            return None;
        }
        let carried = match self.consumers.carry() {
            Pods::Carry(pods) => pods.iter().all(|pod| *pod == Some(delivered.digest)),
            Pods::Unknown => false,
            // There may be nothing to wait for.
            Pods::Unnamed => return None,
        };
        let older = found.keys().any(|number| *number < current);
        let draining = self.marks.rolled_out == current && older && now < self.marks.drained;
        match (delivered.generation == current && carried, draining) {
            (false, _) => Some((current, ON_ITS_WAY)),
            (true, true) => Some((current, DRAINING)),
            (true, false) => None,
        }
    }

    /// What is not refused is not asked about for a while; what is, until it is replaced.
    fn was_asked(&self, rotation: &Rotation, memory: &Memory) {
        let current = self.published.value().map(|published| published.generation);
        let known = self.generations.iter().any(|found| Some(found.number) == current);
        if known && !self.is_refused() {
            memory.restart(&rotation.key(), &Thing::Asked);
        }
    }

    pub fn seen(&self, rotation: &Rotation) -> GenerationsSeen<'_> {
        GenerationsSeen {
            policy: &self.policy,
            rotation: rotation.stamp,
            suspended: rotation.spec.suspend,
            requested: rotation.requested(),
            marks: self.marks,
            generations: &self.generations,
            complete: self.complete,
            listed: self.listed,
            published: self.published,
            delivered: self.delivered,
            push: self.push,
            pull: self.pull,
            consumers: &self.consumers.ours,
            pods: self.consumers.carry(),
            published_watched: self.published_watched,
            delivered_watched: self.delivered_watched,
            free: self.free,
        }
    }

    /// Whether Keystone was asked, and does not take what is published.
    pub fn is_refused(&self) -> bool {
        let current = self.published.value().map(|published| published.generation);
        let refused = |found: &Generation| found.proof == Proof::Refused;
        self.generations.iter().any(|found| Some(found.number) == current && refused(found))
    }

    /// The consumers that do not mention the Secret; None if they were not looked at.
    pub fn unread(&self) -> Option<Vec<String>> {
        self.consumers.unread().map(<[String]>::to_vec)
    }

    pub fn times(&self) -> Option<Times> {
        let current = self.published.value()?.generation;
        let found = self.generations.iter().find(|generation| generation.number == current)?;
        let (made, expires) = (found.made, found.expires);
        Some(Times { made, expires, due: self.policy.due(made, expires) })
    }
}

async fn prove(
    keystone: &Keystone,
    data: Option<&Data>,
    (id_key, secret_key): (&str, &str),
    id: Option<&str>,
) -> Proof {
    let text = |key: &str| {
        let value = data?.get(key)?;
        std::str::from_utf8(&value.0).ok()
    };
    match (id.or_else(|| text(id_key)), text(secret_key)) {
        (Some(id), Some(secret)) => keystone.prove(id, secret).await,
        _ => Proof::Unknown,
    }
}

fn policy(rotation: &Rotation) -> Policy {
    let spec = &rotation.spec;
    let overtime = spec.schedule.pre_rotation_days + spec.grace_period_days;
    let source = spec.application_credential.as_ref();
    Policy {
        means: match spec.rotation_type {
            RotationType::ApplicationCredential => Means::Minted,
            _ => Means::Alternating,
        },
        schedule: rotation.schedule.clone(),
        overtime: i64::from(overtime) * DAY,
        token_life: source.map_or(0, |source| bounded(source.token_expiration_seconds)),
        grace: i64::from(spec.grace_period_days) * DAY,
        cache: spec.delivery.cache_seconds,
    }
}

fn marks(rotation: &Rotation) -> Marks {
    let status = &rotation.status;
    let number = |value: i64| u32::try_from(value).unwrap_or(0);
    Marks {
        committed: number(status.committed),
        intended: number(status.intended),
        given_up: number(status.given_up),
        rolled_out: number(status.rolled_out),
        drained: Time(status.drained),
    }
}

pub fn has_condition(object: &DynamicObject, kind: &str) -> bool {
    let conditions = object.data["status"]["conditions"].as_array().into_iter().flatten();
    conditions.into_iter().any(|found| found["type"] == kind && found["status"] == "True")
}

/// Whether the rotation made it, or somebody gave it to it.
fn is_of(secret: &Secret, rotation: &Rotation) -> bool {
    secret.labels().get(names::ROTATION_LABEL) == Some(&rotation.name)
}

fn made(secret: &Secret) -> Time {
    let made = annotation(&secret.metadata, names::MADE).and_then(|text| text.parse().ok());
    Time(made.unwrap_or(0))
}

fn seen_published(answer: &Result<Option<Secret>, Trouble>) -> Seen<Published> {
    let secret = match answer {
        Err(_) => return Seen::Unknown,
        Ok(None) => return Seen::Absent,
        Ok(Some(secret)) => secret,
    };
    let Some(stamp) = stamp(&secret.metadata) else { return Seen::Unknown };
    let number = annotation(&secret.metadata, names::GENERATION).and_then(names::counted);
    match (number, &secret.data) {
        (Some(generation), Some(data)) => {
            Seen::Present(stamp, Published { generation, digest: material::digest(data) })
        }
        _ => Seen::Damaged(stamp),
    }
}

/// Whatever form a template gave it, what is delivered contains the values that were published.
async fn delivered(
    access: &Access,
    name: &str,
    published: Option<&Data>,
    about: &Seen<Published>,
    troubles: &mut Vec<Trouble>,
) -> Seen<Delivered> {
    let secret = match kept(access.secret(name).await, troubles) {
        Err(_) => return Seen::Unknown,
        Ok(None) => return Seen::Absent,
        Ok(Some(secret)) => secret,
    };
    let (Some(stamp), Some(data)) = (stamp(&secret.metadata), &secret.data) else {
        return Seen::Unknown;
    };
    let holds = |value: &[u8]| data.values().any(|found| contains(&found.0, value));
    let wanted = |published: &Data| {
        let keys = [ID, SECRET, USERNAME, PASSWORD];
        let mut values = keys.iter().filter_map(|key| published.get(*key)).peekable();
        values.peek().is_some() && values.all(|value| holds(&value.0))
    };
    let current = about.value().map(|published| published.generation);
    let generation = match (published.is_some_and(wanted), current) {
        (true, Some(current)) => current,
        _ => 0,
    };
    Seen::Present(stamp, Delivered { generation, digest: material::digest(data) })
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::Digest;

    fn rotation(status: &serde_json::Value) -> Rotation {
        let spec = json!({
            "rotationType": "applicationCredential",
            "delivery": {"pushSecretName": "push", "externalSecretName": "pull", "secretName": "nova"},
        });
        Rotation::example("nova", &spec, status)
    }

    /// Generation 5 is published, has arrived and is carried by all.
    fn view(status: &serde_json::Value) -> GenerationView {
        let rotation = rotation(status);
        let (stamp, generation, digest) = (Stamp { uid: 1, version: 1 }, 5, Digest(7));
        GenerationView {
            policy: policy(&rotation),
            marks: marks(&rotation),
            generations: Vec::new(),
            complete: true,
            listed: false,
            ids: BTreeMap::new(),
            published: Seen::Present(stamp, Published { generation, digest }),
            delivered: Seen::Present(stamp, Delivered { generation, digest }),
            push: Seen::Absent,
            pull: Seen::Absent,
            consumers: Consumers::default(),
            published_watched: 0,
            delivered_watched: 0,
            free: [None; 2],
            said: None,
            unready: None,
        }
    }

    fn found(numbers: &[u32], proof: Proof) -> BTreeMap<u32, Generation> {
        let generation = |number: &u32| Generation {
            number: *number,
            secret: None,
            made: Time(0),
            expires: None,
            credential: None,
            in_keystone: false,
            proof,
        };
        numbers.iter().map(|number| (*number, generation(number))).collect()
    }

    #[test]
    fn keystone_is_asked_now_and_then_while_an_old_generation_waits_for_its_end() {
        let view = view(&json!({"intended": 5, "rolledOut": 5, "drained": 100}));
        let lull = |numbers: &[u32], now| view.lull(&found(numbers, Proof::Unknown), Time(now));
        assert_eq!(lull(&[4, 5], 99), Some((5, 300)));
        assert_eq!(
            lull(&[4, 5], 100),
            None,
            "the old one goes, and Keystone says when it has gone"
        );
        assert_eq!(lull(&[5], 99), None, "at rest");
        assert_eq!(lull(&[4, 5, 6], 99), None, "another is made in its place");
    }

    #[test]
    fn keystone_is_asked_now_and_then_while_a_credential_is_on_its_way() {
        let mut view = view(&json!({"intended": 5, "rolledOut": 4}));
        view.consumers = Consumers::UNASKED;
        assert_eq!(view.lull(&found(&[4, 5], Proof::Unknown), Time(0)), Some((5, 120)));
    }

    #[test]
    fn what_is_refused_is_asked_about_until_it_is_replaced() {
        let (memory, rotation) = (Memory::default(), rotation(&json!({})));
        let since = |proof| {
            let view = GenerationView {
                generations: found(&[5], proof).into_values().collect(),
                ..view(&json!({}))
            };
            let before = memory.since(&rotation.key(), Thing::Asked, "5 300");
            view.was_asked(&rotation, &memory);
            memory.since(&rotation.key(), Thing::Asked, "5 300") == before
        };
        assert!(since(Proof::Refused), "it is asked at the next look, too");
        assert!(!since(Proof::Works) && !since(Proof::Unknown), "it is left alone again");
    }
}
