//! Does what the core decided about a credential in generations.

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};

use super::access::{self, Access, resource, stamp};
use super::consumers;
use super::generation_view::{GenerationView, ID, PASSWORD, SECRET, USERNAME, VALUE};
use super::key_moves::{mark, metadata};
use super::keystone::Keystone;
use super::material::{self, Data};
use super::outcome::{Outcome, Trouble};
use super::rotation::Rotation;
use super::{names, store, time};
use crate::core::{Action, Move, Object, Phase, Precondition, Reason, Stamp, Time};

pub async fn make(
    access: &Access,
    rotation: &Rotation,
    view: &GenerationView,
    action: &Action,
) -> Result<Outcome, Trouble> {
    let outcome = act(access, rotation, view, action).await?;
    if let (Outcome::Done, Some(phase)) = (outcome, reached(&action.make)) {
        let status = standing(phase);
        // Where it stands is said again at the next look.
        let _ = mark(access, rotation, Precondition::At(rotation.stamp), status).await;
    }
    Ok(outcome)
}

/// Phases in which others may be so quick that nobody is seen to wait in them.
fn reached(make: &Move) -> Option<Phase> {
    match make {
        Move::PublishGeneration(..) => Some(Phase::Published),
        Move::Stamp(_) => Some(Phase::Delivered),
        Move::Revoke | Move::Scramble => Some(Phase::Revoked),
        _ => None,
    }
}

fn standing(phase: Phase) -> Value {
    json!({"phase": phase.name(), "reason": Reason::Working.name()})
}

async fn act(
    access: &Access,
    rotation: &Rotation,
    view: &GenerationView,
    action: &Action,
) -> Result<Outcome, Trouble> {
    let delivery = &rotation.spec.delivery;
    let at = action.precondition;
    match (action.object, &action.make) {
        (Object::Rotation, change) => {
            let (phase, marks) = match change {
                Move::Commit(number) => (Phase::Staged, json!({"committed": number})),
                Move::Intend(number) => {
                    let marks = json!({"intended": number, "acknowledged": rotation.request()});
                    (Phase::Minted, marks)
                }
                Move::Recover(number) => {
                    let number = i64::from(*number);
                    let committed = rotation.status.committed.max(number);
                    (Phase::Staged, json!({"committed": committed, "intended": number}))
                }
                Move::GiveUp(number) => (Phase::Staged, json!({"givenUp": number})),
                Move::RolledOut { generation, drained } => {
                    let marks = json!({"rolledOut": generation, "drained": drained.0});
                    (Phase::RolledOut, marks)
                }
                _ => return Ok(Outcome::Outdated),
            };
            let mut status = standing(phase);
            if let (Some(status), Value::Object(marks)) = (status.as_object_mut(), marks) {
                status.extend(marks);
            }
            mark(access, rotation, at, status).await
        }
        (Object::Secret(number), Move::Stage(_)) => stage(access, rotation, number, at).await,
        (Object::Secret(number), Move::Scramble) => {
            write_place(access, rotation, number, None, at).await
        }
        (Object::Secret(number), _) => {
            let name = names::generation(&rotation.name, number);
            delete(access, &resource("v1", "Secret"), &name, at).await
        }
        (Object::Credential(number), Move::Mint { expires, .. }) => {
            mint(access, rotation, number, *expires).await
        }
        (Object::Credential(number), _) => {
            let name = names::generation(&rotation.name, number);
            // While that is there, K-ORC would mint for an object that somebody makes late.
            if access.secret(&name).await?.is_some() {
                return Ok(Outcome::Outdated);
            }
            delete(access, &access::credential(), &name, at).await
        }
        (Object::InKeystone(number), _) => revoke(access, rotation, view, number).await,
        (Object::Published, Move::PublishGeneration(number, proven)) => {
            publish(access, rotation, (*number, *proven), at).await
        }
        (Object::PushSecret, Move::Nudge(sync)) => {
            store::push(access, &delivery.push_secret_name, at, *sync).await
        }
        (Object::ExternalSecret, Move::Nudge(sync)) => {
            store::pull(access, &delivery.external_secret_name, at, *sync).await
        }
        (Object::Consumer(place), Move::Stamp(digest)) => {
            let consumer = rotation.spec.consumers.get(place);
            let (Some(consumer), Precondition::At(stamp)) = (consumer, at) else {
                return Ok(Outcome::Outdated);
            };
            let content = names::content(&delivery.secret_name);
            let annotations = json!({content: material::hex(*digest)});
            let patch = json!({"spec": {"template": {"metadata": {"annotations": annotations}}}});
            let kind = resource("apps/v1", consumers::kind(consumer));
            access.patch(&kind, &consumer.name, stamp, patch).await
        }
        _ => Ok(Outcome::Outdated),
    }
}

async fn delete(
    access: &Access,
    kind: &kube::api::ApiResource,
    name: &str,
    at: Precondition,
) -> Result<Outcome, Trouble> {
    match at {
        Precondition::At(stamp) => access.delete(kind, name, stamp).await,
        _ => Ok(Outcome::Outdated),
    }
}

fn password() -> Result<ByteString, Trouble> {
    let password = material::new_password()
        .map_err(|_| Trouble::Unfit("the system gives no random bytes".to_owned()))?;
    Ok(ByteString(password.as_bytes().to_vec()))
}

async fn stage(
    access: &Access,
    rotation: &Rotation,
    number: u32,
    at: Precondition,
) -> Result<Outcome, Trouble> {
    if rotation.spec.alternating_users.is_some() {
        return write_place(access, rotation, number, Some(number), at).await;
    }
    let mut metadata = metadata(access, rotation, &names::generation(&rotation.name, number));
    let made = (names::MADE.to_owned(), time::now().0.to_string());
    metadata.annotations.get_or_insert_default().extend([made]);
    let data: Data = [(VALUE.to_owned(), password()?)].into();
    let secret = Secret { metadata, data: Some(data), immutable: Some(true), ..Secret::default() };
    access.write_secret(secret, at).await
}

/// A new password for one of two users; of a generation, or of nobody.
async fn write_place(
    access: &Access,
    rotation: &Rotation,
    number: u32,
    generation: Option<u32>,
    at: Precondition,
) -> Result<Outcome, Trouble> {
    let Some(users) = &rotation.spec.alternating_users else { return Ok(Outcome::Outdated) };
    let mut metadata = metadata(access, rotation, &names::place(&rotation.name, number));
    let annotations = metadata.annotations.get_or_insert_default();
    annotations.insert(names::MADE.to_owned(), time::now().0.to_string());
    if let Some(generation) = generation {
        annotations.insert(names::GENERATION.to_owned(), generation.to_string());
    }
    metadata.labels.get_or_insert_default().extend(noticed());
    let name = &users.names[usize::from(number.is_multiple_of(2))];
    let object = access.object(&resource(&users.api_version, "User"), name).await?;
    // MariaDB's may be called otherwise on the server: names of objects have no underscores.
    let called = object.and_then(|user| user.data["spec"]["name"].as_str().map(str::to_owned));
    let user = ByteString(called.unwrap_or_else(|| name.clone()).into_bytes());
    let data: Data = [(USERNAME.to_owned(), user), (PASSWORD.to_owned(), password()?)].into();
    access.write_secret(Secret { metadata, data: Some(data), ..Secret::default() }, at).await
}

/// By these the operators of database and broker know the Secrets whose changes they look at.
fn noticed() -> [(String, String); 2] {
    [("k8s.mariadb.com/watch", ""), names::BROKER_READS]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
}

async fn mint(
    access: &Access,
    rotation: &Rotation,
    number: u32,
    expires: Time,
) -> Result<Outcome, Trouble> {
    let Some(source) = &rotation.spec.application_credential else { return Ok(Outcome::Outdated) };
    let name = names::generation(&rotation.name, number);
    // A removal that was decided before the rotation was made anew may have arrived meanwhile.
    if access.secret(&name).await?.is_none() {
        return Ok(Outcome::Outdated);
    }
    let object = json!({
        "apiVersion": "openstack.k-orc.cloud/v1alpha1",
        "kind": "ApplicationCredential",
        "metadata": {
            "name": name,
            "namespace": access.namespace,
            "labels": {
                names::ROTATION_LABEL: rotation.name,
                "app.kubernetes.io/managed-by": names::MANAGER,
            },
        },
        "spec": {
            "managementPolicy": "managed",
            "cloudCredentialsRef": {
                "cloudName": source.cloud_credentials_ref.cloud_name,
                "secretName": source.cloud_credentials_ref.secret_name,
            },
            // Never unrestricted: such a credential reaches other projects through EC2 credentials
            // (CVE-2026-43001).
            "resource": {
                "name": name,
                "userRef": source.user_ref,
                "secretRef": name,
                "expiresAt": time::text(expires),
            },
        },
    });
    access.create(&access::credential(), object).await
}

async fn revoke(
    access: &Access,
    rotation: &Rotation,
    view: &GenerationView,
    number: u32,
) -> Result<Outcome, Trouble> {
    let source = rotation.spec.application_credential.as_ref();
    let (Some(source), Some(id)) = (source, view.ids.get(&number)) else {
        return Ok(Outcome::Outdated);
    };
    // While one of them is there, K-ORC would make it again.
    let name = names::generation(&rotation.name, number);
    let object = access.object(&access::credential(), &name).await?;
    if object.is_some() || access.secret(&name).await?.is_some() {
        return Ok(Outcome::Outdated);
    }
    let keystone = Keystone::of(access, &source.keystone).await?;
    keystone.log_in().await?.revoke(id).await?;
    Ok(Outcome::Done)
}

/// What was proven is what is published: the secret must still have the version that it had then.
async fn publish(
    access: &Access,
    rotation: &Rotation,
    (number, proven): (u32, Stamp),
    at: Precondition,
) -> Result<Outcome, Trouble> {
    let same = |secret: &Secret| stamp(&secret.metadata) == Some(proven);
    let data = match &rotation.spec.alternating_users {
        Some(_) => {
            let secret = access.secret(&names::place(&rotation.name, number)).await?;
            secret.filter(same).and_then(|secret| secret.data)
        }
        None => {
            let name = names::generation(&rotation.name, number);
            let secret = access.secret(&name).await?.filter(same).and_then(|secret| secret.data);
            let object = access.object(&access::credential(), &name).await?;
            let id =
                object.and_then(|object| object.data["status"]["id"].as_str().map(str::to_owned));
            secret.and_then(|data| data.get(VALUE).cloned()).zip(id).map(|(value, id)| {
                [(ID.to_owned(), ByteString(id.into_bytes())), (SECRET.to_owned(), value)].into()
            })
        }
    };
    let Some(data) = data else { return Ok(Outcome::Outdated) };
    let mut metadata = metadata(access, rotation, &names::published(&rotation.name));
    let generation = (names::GENERATION.to_owned(), number.to_string());
    metadata.annotations.get_or_insert_default().extend([generation]);
    access.write_secret(Secret { metadata, data: Some(data), ..Secret::default() }, at).await
}
