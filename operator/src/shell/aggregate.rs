//! Joins Secrets and fields of status into one Secret, and keeps it so.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt, Stream, StreamExt, stream};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kube::api::ListParams;
use kube::core::{ObjectMeta, PartialObjectMeta};
use kube::runtime::WatchStreamExt;
use kube::runtime::controller::{Action as Requeue, Controller};
use kube::runtime::events::{Event, EventType};
use kube::runtime::reflector::Store;
use kube::runtime::watcher::{self, Event as Change, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::access::{self, Access, PAGE, resource, stamp};
use super::events::Events;
use super::material::Data;
use super::missed::{Missed, Teller};
use super::names::MANAGER;
use super::outcome::{self, Outcome, Trouble};
use super::template::{LONGEST, Scope};
use crate::api::{API, SecretAggregate, SecretAggregateSpec, Source, StatusRef, Target};
use crate::core::{Precondition, Stamp};

const AT_ONCE: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// Secrets are watched; for what is in the status of others it looks.
const LOOK_LATER: Duration = Duration::from_secs(300);
/// Where none is known.
const SEEK_AGAIN: Duration = Duration::from_secs(10);

/// Why there is no target: a reason and a message, neither with a value in it.
type Refusal = (&'static str, String);

pub struct Context {
    pub client: Client,
    pub events: Arc<Events>,
    pub missed: Arc<Missed>,
    /// Of all namespaces together: each holds its sources twice until they are joined.
    pub at_once: Semaphore,
}

/// As many as are looked at at once.
pub const TOGETHER: usize = 4;

/// Ends when there is an aggregate, and tells why it does not know. A watch is a connection with its buffers, for as
/// long as the process lives, and most namespaces have no aggregate: it is cheaper to ask now and then, one namespace
/// after the other.
pub fn sought(
    aggregates: Api<SecretAggregate>,
    turn: Arc<Semaphore>,
) -> impl Stream<Item = watcher::Error> {
    stream::unfold(Duration::ZERO, move |mut pause| {
        let (aggregates, turn) = (aggregates.clone(), Arc::clone(&turn));
        async move {
            loop {
                tokio::time::sleep(pause).await;
                pause = SEEK_AGAIN;
                let _turn = turn.acquire().await;
                match aggregates.list_metadata(&ListParams::default().match_any()).await {
                    Ok(found) if found.items.is_empty() => {}
                    Ok(_) => return None,
                    Err(error) => return Some((watcher::Error::InitialListFailed(error), pause)),
                }
            }
        }
    })
}

/// Looks at aggregates when a Secret changes that one of them reads or makes.
pub fn watching(
    aggregates: Api<SecretAggregate>,
    secrets: Api<PartialObjectMeta<Secret>>,
    failed: impl Fn(&watcher::Error) + Send + 'static,
) -> Controller<SecretAggregate> {
    let controller = Controller::new(aggregates, watcher::Config::default().page_size(PAGE));
    let known = controller.store();
    controller.reconcile_all_on(changes(known, secrets, failed))
}

/// Watches Secrets only where there is an aggregate: every watch is a connection with its buffers, and many
/// namespaces have none. One that comes later is looked at when it comes.
fn changes(
    known: Store<SecretAggregate>,
    secrets: Api<PartialObjectMeta<Secret>>,
    failed: impl Fn(&watcher::Error) + Send + 'static,
) -> impl Stream<Item = ()> + Send {
    let needed = known.clone();
    let begun = async move {
        while needed.is_empty() {
            tokio::time::sleep(AT_ONCE).await;
        }
        watcher(secrets, watcher::Config::default().page_size(PAGE)).default_backoff()
    };
    begun.flatten_stream().filter_map(move |event| {
        let concerned = match event {
            Ok(Change::Apply(secret) | Change::InitApply(secret) | Change::Delete(secret)) => {
                let name = secret.name_any();
                known.state().iter().any(|object| concerns(&object.spec, &name))
            }
            Ok(Change::Init | Change::InitDone) => false,
            Err(error) => {
                failed(&error);
                false
            }
        };
        ready(concerned.then_some(()))
    })
}

fn concerns(spec: &SecretAggregateSpec, secret: &str) -> bool {
    let mut sources = spec.sources.iter().filter_map(|source| source.secret_ref.as_ref());
    spec.target.name == secret || sources.any(|source| source.name == secret)
}

pub async fn reconcile(
    object: Arc<SecretAggregate>,
    context: Arc<Context>,
) -> Result<Requeue, Trouble> {
    let _turn = context.at_once.acquire().await;
    let namespace = object.namespace().unwrap_or_default();
    let aggregates: Api<SecretAggregate> = Api::namespaced(context.client.clone(), &namespace);
    let access = Access { client: context.client.clone(), namespace };
    let (read, denied) = access::own(&aggregates, &object.name_any()).await?;
    // What it made goes with it, and is not made again meanwhile.
    let Some(object) = read.filter(|object| object.metadata.deletion_timestamp.is_none()) else {
        return Ok(Requeue::await_change());
    };
    let joined = match denied {
        Some(denied) => Err(denied),
        None => join(&access, &object).await,
    };
    let about = object.object_ref(&());
    let mut denied = context.missed.of(&access.namespace, Teller::Aggregates);
    denied.extend(context.events.settle(&about).await);
    let joined = match joined {
        // A person has to grant the right, or to mend the template, and reads conditions.
        Err(trouble @ Trouble::Rejected(_)) => Err(("Refused", trouble.to_string())),
        Err(trouble @ Trouble::Denied(_)) => {
            denied.push(trouble);
            Ok(())
        }
        joined => joined?,
    };
    // Also where it is joined: what is missing beside that has to be told as well.
    let outcome = match (joined, outcome::told(&denied)) {
        (Ok(()), Some(text)) => Err(("Denied", text)),
        (joined, _) => joined,
    };
    let again = match &outcome {
        Ok(()) => LOOK_LATER,
        Err((BUSY, _)) => AT_ONCE,
        Err(_) => LOOK_AGAIN,
    };
    if let Some(event) = say(&access, &object, outcome).await?.and_then(|said| news(&object, said))
    {
        context.events.publish(&about, event).await;
    }
    Ok(Requeue::requeue(if context.events.owes(&about) { LOOK_AGAIN } else { again }))
}

pub fn retry(_: Arc<SecretAggregate>, _: &Trouble, _: Arc<Context>) -> Requeue {
    Requeue::requeue(LOOK_AGAIN)
}

const BUSY: &str = "Busy";

async fn join(access: &Access, object: &SecretAggregate) -> Result<Result<(), Refusal>, Trouble> {
    let values = read(access, &object.spec).await?;
    match values.and_then(|values| fill(&object.spec.target, &values)) {
        Ok(data) => write(access, object, data).await,
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// All sources as they stood at one moment: each is read twice, and if none has another version the
/// second time, all of them stood so when the first round ended. Else a target could have one half of
/// what was there before and one of what came after.
async fn read(
    access: &Access,
    spec: &SecretAggregateSpec,
) -> Result<Result<Data, Refusal>, Trouble> {
    let (first, found) = round(access, spec).await?;
    let (second, _) = round(access, spec).await?;
    if first != second {
        return Ok(Err((BUSY, "a source changed while it was read".to_owned())));
    }
    let mut values = Data::new();
    for part in found {
        let part = match part {
            Ok(part) => part,
            Err(refusal) => return Ok(Err(refusal)),
        };
        for (key, value) in part {
            if values.insert(key.clone(), value).is_some() {
                return Ok(Err(("KeyTwice", format!("two sources have the key {key}"))));
            }
        }
    }
    Ok(Ok(values))
}

type Round = (Vec<Option<Stamp>>, Vec<Result<Data, Refusal>>);

async fn round(access: &Access, spec: &SecretAggregateSpec) -> Result<Round, Trouble> {
    let (mut stamps, mut found, mut held) = (Vec::new(), Vec::new(), 0);
    for source in &spec.sources {
        let (stamp, part) = one(access, source).await?;
        stamps.push(stamp);
        held += part.as_ref().map_or(0, size);
        if held > LONGEST {
            found = vec![Err(too_large("the sources have"))];
            break;
        }
        found.push(part);
    }
    Ok((stamps, found))
}

fn size(data: &Data) -> usize {
    data.values().map(|value| value.0.len()).sum()
}

/// No Secret holds more, and the process that joins it serves all clouds.
fn too_large(what: &str) -> Refusal {
    ("TooLarge", format!("{what} more than {LONGEST} bytes together"))
}

/// One source: its version, and what it gives or why it does not.
async fn one(
    access: &Access,
    source: &Source,
) -> Result<(Option<Stamp>, Result<Data, Refusal>), Trouble> {
    if let Some(from) = &source.secret_ref {
        let secret = access.secret(&from.name).await?;
        let version = secret.as_ref().and_then(|secret| stamp(&secret.metadata));
        let part = match secret.and_then(|secret| secret.data) {
            Some(data) => chosen(&from.name, data, &source.keys),
            None => Err(missing(format!("there is no Secret {} with contents", from.name))),
        };
        return Ok((version, part));
    }
    // The server lets no source be neither.
    let Some(from) = &source.status_ref else { return Ok((None, Ok(Data::new()))) };
    let object = access.object(&resource(&from.api_version, &from.kind), &from.name).await?;
    let version = object.as_ref().and_then(|object| stamp(&object.metadata));
    let part = match object.as_ref().and_then(|object| field(&object.data["status"], from)) {
        Some(text) => Ok([(from.key.clone(), ByteString(text.into_bytes()))].into()),
        None => {
            let StatusRef { kind, name, field, .. } = from;
            Err(missing(format!("{kind} {name} has no status.{field} yet")))
        }
    };
    Ok((version, part))
}

fn missing(what: String) -> Refusal {
    ("SourceMissing", what)
}

fn field(status: &Value, from: &StatusRef) -> Option<String> {
    let found = from.field.split('.').try_fold(status, |inner, name| inner.get(name))?;
    match found {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn chosen(name: &str, mut data: Data, keys: &[String]) -> Result<Data, Refusal> {
    if keys.is_empty() {
        return Ok(data);
    }
    let pick = |key: &String| match data.remove(key) {
        Some(value) => Ok((key.clone(), value)),
        None => Err(missing(format!("Secret {name} has no key {key}"))),
    };
    keys.iter().map(pick).collect()
}

/// The values themselves, or the texts of the template with the values in them.
fn fill(target: &Target, values: &Data) -> Result<Data, Refusal> {
    if target.template.is_empty() {
        return Ok(values.clone());
    }
    let scope = Scope::of(values);
    let mut filled = Data::new();
    for (key, text) in &target.template {
        let bad = |why| ("BadTemplate", format!("target.template.{key}: {why}"));
        let text = scope.fill(text).map_err(bad)?;
        filled.insert(key.clone(), ByteString(text.into_bytes()));
        if size(&filled) > LONGEST {
            return Err(too_large("the texts of the template have"));
        }
    }
    Ok(filled)
}

async fn write(
    access: &Access,
    object: &SecretAggregate,
    data: Data,
) -> Result<Result<(), Refusal>, Trouble> {
    let name = &object.spec.target.name;
    let found = access.secret(name).await?;
    let owner = object.controller_owner_ref(&());
    let (precondition, mut metadata) = match found {
        Some(secret) if !belongs(&secret, object) => {
            return Ok(Err(("NotOurs", format!("Secret {name} belongs to somebody else"))));
        }
        Some(Secret { metadata, data: held, .. }) => {
            let owned =
                metadata.owner_references.iter().flatten().any(|held| Some(held) == owner.as_ref());
            if owned && held.unwrap_or_default() == data {
                return Ok(Ok(()));
            }
            match stamp(&metadata) {
                Some(stamp) => (Precondition::At(stamp), metadata),
                None => return Ok(Err((BUSY, "the server gave no version".to_owned()))),
            }
        }
        None => (Precondition::Absent, ObjectMeta::default()),
    };
    metadata.managed_fields = None;
    metadata.name = Some(name.clone());
    metadata.namespace = Some(access.namespace.clone());
    let managed = ("app.kubernetes.io/managed-by".to_owned(), MANAGER.to_owned());
    metadata.labels.get_or_insert_default().extend([managed]);
    // With the aggregate its target goes, too.
    metadata.owner_references = owner.map(|owner| vec![owner]);
    let secret = Secret { metadata, data: Some(data), ..Secret::default() };
    Ok(match access.write_secret(secret, precondition).await? {
        Outcome::Done => Ok(()),
        Outcome::Outdated => Err((BUSY, "somebody else wrote it at the same time".to_owned())),
    })
}

/// By name, so that one made anew takes over what the one before has left.
fn belongs(secret: &Secret, object: &SecretAggregate) -> bool {
    secret.owner_references().iter().any(|owner| {
        owner.api_version == API
            && owner.kind == "SecretAggregate"
            && owner.name == object.name_any()
    })
}

/// What was said now and not before.
async fn say(
    access: &Access,
    object: &SecretAggregate,
    outcome: Result<(), Refusal>,
) -> Result<Option<Condition>, Trouble> {
    let (status, reason, message) = match &outcome {
        Ok(()) => ("True", "Joined", String::new()),
        Err((reason, message)) => ("False", *reason, message.clone()),
    };
    let before = object.status.as_ref().and_then(|status| status.conditions.first());
    let generation = object.metadata.generation;
    let same = before.filter(|before| before.status == status);
    let said = same.is_some_and(|before| {
        before.reason == reason
            && before.message == message
            && before.observed_generation == generation
    });
    let Some(stamp) = stamp(&object.metadata).filter(|_| !said) else { return Ok(None) };
    let since = same.map(|before| before.last_transition_time.clone());
    let condition = Condition {
        type_: "Ready".to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message,
        last_transition_time: since.unwrap_or_else(|| Time(Timestamp::now())),
        observed_generation: generation,
    };
    let status = json!({"status": {"observedGeneration": generation, "conditions": [condition]}});
    let kind = resource(API, "SecretAggregate");
    let heard = access.patch_status(&kind, &object.name_any(), stamp, status).await?;
    Ok(Some(condition).filter(|_| heard == Outcome::Done))
}

/// People are told when it stands otherwise than before, and not of what is over in a moment.
fn is_news(before: Option<&Condition>, said: &Condition) -> bool {
    said.reason != BUSY && before.is_none_or(|before| before.reason != said.reason)
}

fn news(object: &SecretAggregate, said: Condition) -> Option<Event> {
    let before = object.status.as_ref().and_then(|status| status.conditions.first());
    if !is_news(before, &said) {
        return None;
    }
    let type_ = if said.status == "True" { EventType::Normal } else { EventType::Warning };
    let note = Some(said.message).filter(|message| !message.is_empty());
    Some(Event { type_, reason: said.reason, note, action: "Join".to_owned(), secondary: None })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Data {
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), ByteString(value.as_bytes().to_vec())))
            .collect()
    }

    #[test]
    fn without_a_template_the_values_are_the_target() {
        let found = values(&[("id", "7f")]);
        let target = Target { name: "x".to_owned(), template: BTreeMap::new() };
        assert_eq!(fill(&target, &found).unwrap(), found);
    }

    #[test]
    fn people_are_told_when_it_stands_otherwise() {
        let said = |reason: &str| Condition {
            type_: "Ready".to_owned(),
            status: if reason == "Joined" { "True" } else { "False" }.to_owned(),
            reason: reason.to_owned(),
            message: String::new(),
            last_transition_time: Time(Timestamp::now()),
            observed_generation: None,
        };
        assert!(is_news(None, &said("Joined")));
        assert!(is_news(Some(&said("Joined")), &said("SourceMissing")));
        assert!(is_news(Some(&said("SourceMissing")), &said("KeyTwice")));
        assert!(!is_news(Some(&said("Joined")), &said("Joined")));
        assert!(!is_news(Some(&said("Joined")), &said(BUSY)));
    }

    #[test]
    fn a_refusal_names_keys_and_no_values() {
        let found = values(&[("password", "canary")]);
        let (_, message) = chosen("source", found.clone(), &["other".to_owned()]).unwrap_err();
        assert!(message.contains("other") && !message.contains("canary"));
        let template = [("config".to_owned(), "{{ nothing }}".to_owned())].into();
        let (_, message) = fill(&Target { name: "x".to_owned(), template }, &found).unwrap_err();
        assert!(message.contains("config") && !message.contains("canary"));
    }

    #[test]
    fn what_no_secret_holds_is_not_put_together() {
        let found = values(&[("password", &"canary".repeat(1000))]);
        let text = "{{ password }}".repeat(100);
        let template = ["a", "b"].map(|key| (key.to_owned(), text.clone())).into();
        let (reason, message) =
            fill(&Target { name: "x".to_owned(), template }, &found).unwrap_err();
        assert_eq!(reason, "TooLarge");
        assert!(!message.contains("canary"), "{message}");
    }

    #[test]
    fn a_field_of_a_status_may_lie_deeper() {
        let from = |field: &str| StatusRef {
            api_version: String::new(),
            kind: String::new(),
            name: String::new(),
            field: field.to_owned(),
            key: String::new(),
        };
        let status = json!({"id": "7f", "resource": {"name": "nova", "enabled": true}});
        assert_eq!(field(&status, &from("id")).as_deref(), Some("7f"));
        assert_eq!(field(&status, &from("resource.name")).as_deref(), Some("nova"));
        assert_eq!(field(&status, &from("resource.enabled")).as_deref(), Some("true"));
        assert_eq!(field(&status, &from("resource")), None);
        assert_eq!(field(&status, &from("other.name")), None);
    }
}
