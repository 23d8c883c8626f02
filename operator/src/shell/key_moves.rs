//! Does what the core decided about a ring of keys.

use k8s_openapi::api::core::v1::Secret;
use kube::core::ObjectMeta;
use serde_json::json;

use super::access::{self, Access, stamp};
use super::material::{self, Data};
use super::names;
use super::outcome::{Outcome, Trouble};
use super::rotation::Rotation;
use super::{job, store, time};
use crate::api::Keys;
use crate::core::keys::moved;
use crate::core::{Action, Digest, Move, Object, Phase, Precondition, Reason, Ring, Slips, Stamp};

pub async fn make<S: Slips>(
    access: &Access,
    rotation: &Rotation,
    keys: &Keys,
    action: &Action,
    slips: &S,
) -> Result<Outcome, Trouble> {
    let live = keys.secret_name.clone();
    let (next, first) = (names::next(&live), names::first(&live));
    let delivery = &rotation.spec.delivery;
    match (action.object, &action.make) {
        (Object::Rotation, make) => {
            let status = match make {
                Move::MarkInitialised => json!({"initialised": true}),
                // Whoever sees that it is noted must not see it at rest as before.
                Move::Acknowledge { replaces } => json!({
                    "acknowledged": rotation.request(), "replaces": replaces,
                    "phase": Phase::Promoting.name(), "reason": Reason::Working.name(),
                }),
                _ => return Ok(Outcome::Outdated),
            };
            mark(access, rotation, action.precondition, status).await
        }
        (Object::First, Move::Generate) => {
            let ring = Ring::fresh(fresh()?, fresh()?, time::now());
            write(access, rotation, &first, material::data(&ring), action.precondition).await
        }
        (Object::First | Object::Next, Move::Adopt(digest)) => {
            let to = if action.object == Object::First { &first } else { &next };
            copy(access, rotation, (&live, *digest), to, action.precondition).await
        }
        (Object::Next, Move::Restore(digest)) => {
            let from = (delivery.secret_name.as_str(), *digest);
            copy(access, rotation, from, &next, action.precondition).await
        }
        (Object::Next, change) => {
            let Precondition::At(expected) = action.precondition else {
                return Ok(Outcome::Outdated);
            };
            let Some(ring) = ring_at(access, &next, expected).await? else {
                return Ok(Outcome::Outdated);
            };
            let new = fresh()?;
            let Some(ring) = moved(&ring, change, time::now(), || new.clone(), slips) else {
                return Ok(Outcome::Outdated);
            };
            write(access, rotation, &next, material::data(&ring), action.precondition).await
        }
        (Object::Live, Move::Publish(digest)) => {
            copy(access, rotation, (&next, *digest), &live, action.precondition).await
        }
        (Object::Migration, Move::Migrate(ring)) => {
            job::create(access, rotation, keys, *ring).await
        }
        (Object::Migration, _) => job::remove(access, rotation, action.precondition).await,
        (Object::FirstPushSecret, Move::Nudge(sync)) => {
            let name = delivery.first_push_secret_name.as_deref().unwrap_or_default();
            store::push(access, name, action.precondition, *sync).await
        }
        (Object::PushSecret, Move::Nudge(sync)) => {
            store::push(access, &delivery.push_secret_name, action.precondition, *sync).await
        }
        (Object::ExternalSecret, Move::Nudge(sync)) => {
            store::pull(access, &delivery.external_secret_name, action.precondition, *sync).await
        }
        _ => Ok(Outcome::Outdated),
    }
}

fn fresh() -> Result<material::Key, Trouble> {
    material::new_key().map_err(|_| Trouble::Unfit("the system gives no random bytes".to_owned()))
}

async fn ring_at(
    access: &Access,
    name: &str,
    expected: Stamp,
) -> Result<Option<Ring<material::Key>>, Trouble> {
    let secret = access.secret(name).await?;
    let secret = secret.filter(|secret| stamp(&secret.metadata) == Some(expected));
    Ok(secret.and_then(|secret| material::ring(secret.data.as_ref()?)))
}

/// Writes what another Secret has, if it still has it.
async fn copy(
    access: &Access,
    rotation: &Rotation,
    (from, digest): (&str, Digest),
    to: &str,
    precondition: Precondition,
) -> Result<Outcome, Trouble> {
    let data = access.secret(from).await?.and_then(|secret| secret.data);
    match data.filter(|data| material::digest(data) == digest) {
        Some(data) => write(access, rotation, to, data, precondition).await,
        None => Ok(Outcome::Outdated),
    }
}

async fn write(
    access: &Access,
    rotation: &Rotation,
    name: &str,
    data: Data,
    precondition: Precondition,
) -> Result<Outcome, Trouble> {
    let metadata = metadata(access, rotation, name);
    let secret = Secret { metadata, data: Some(data), ..Secret::default() };
    access.write_secret(secret, precondition).await
}

/// Of what the operator makes. Flux does not know it, and would not prune it if it did.
pub fn metadata(access: &Access, rotation: &Rotation, name: &str) -> ObjectMeta {
    let labels = [
        (names::ROTATION_LABEL, rotation.name.as_str()),
        ("app.kubernetes.io/managed-by", names::MANAGER),
    ];
    let prune = ("kustomize.toolkit.fluxcd.io/prune".to_owned(), "disabled".to_owned());
    ObjectMeta {
        name: Some(name.to_owned()),
        namespace: Some(access.namespace.clone()),
        labels: Some(labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into()),
        annotations: Some([prune].into()),
        ..ObjectMeta::default()
    }
}

/// Writes into the rotation's status.
pub async fn mark(
    access: &Access,
    rotation: &Rotation,
    precondition: Precondition,
    status: serde_json::Value,
) -> Result<Outcome, Trouble> {
    let Precondition::At(stamp) = precondition else { return Ok(Outcome::Outdated) };
    let kind = access::resource("c5c3.io/v1alpha1", "CredentialRotation");
    access.patch_status(&kind, &rotation.name, stamp, json!({"status": status})).await
}
