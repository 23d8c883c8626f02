//! Joins Secrets and fields of status into one Secret, and keeps it so.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kube::core::ObjectMeta;
use kube::runtime::controller::Action as Requeue;
use kube::{Client, Resource, ResourceExt};
use serde_json::json;

use super::access::{Access, resource, stamp};
use super::material::Data;
use super::names::MANAGER;
use super::outcome::{Outcome, Trouble};
use crate::api::{SecretAggregate, SecretAggregateSpec, Source, Target};
use crate::core::Precondition;

/// On a target: whose it is.
const AGGREGATE: &str = "c5c3.io/aggregate";
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// Sources are not watched: whoever may read a Secret by name need not be able to watch all.
const LOOK_LATER: Duration = Duration::from_secs(300);

/// Why there is no target: a reason and a message, neither with a value in it.
type Refusal = (&'static str, String);

pub async fn reconcile(
    object: Arc<SecretAggregate>,
    client: Arc<Client>,
) -> Result<Requeue, Trouble> {
    let namespace = object.namespace().unwrap_or_default();
    let access = Access { client: Client::clone(&client), namespace };
    let outcome = match read(&access, &object.spec).await? {
        Ok(values) => match fill(&object.spec.target, &values) {
            Ok(data) => write(&access, &object, data).await?,
            Err(refusal) => Err(refusal),
        },
        Err(refusal) => Err(refusal),
    };
    let again = if outcome.is_ok() { LOOK_LATER } else { LOOK_AGAIN };
    say(&access, &object, outcome).await?;
    Ok(Requeue::requeue(again))
}

pub fn retry(_: Arc<SecretAggregate>, _: &Trouble, _: Arc<Client>) -> Requeue {
    Requeue::requeue(LOOK_AGAIN)
}

async fn read(
    access: &Access,
    spec: &SecretAggregateSpec,
) -> Result<Result<Data, Refusal>, Trouble> {
    let mut values = Data::new();
    for source in &spec.sources {
        let found = match one(access, source).await? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        for (key, value) in found {
            if values.insert(key.clone(), value).is_some() {
                return Ok(Err(("KeyTwice", format!("two sources have the key {key}"))));
            }
        }
    }
    Ok(Ok(values))
}

async fn one(access: &Access, source: &Source) -> Result<Result<Data, Refusal>, Trouble> {
    if let Some(name) = &source.secret_ref {
        let Some(data) = access.secret(name).await?.and_then(|secret| secret.data) else {
            return Ok(Err(("SourceMissing", format!("there is no Secret {name} with contents"))));
        };
        return Ok(chosen(name, data, &source.keys));
    }
    let Some(status) = &source.status else { return Ok(Ok(Data::new())) };
    let kind = resource(&status.api_version, &status.kind);
    let object = access.object(&kind, &status.name).await?;
    let mut found = Data::new();
    for field in &status.fields {
        let value = object.as_ref().and_then(|object| object.data["status"][&field.field].as_str());
        let Some(value) = value else {
            let what = format!("{} {} has no status.{} yet", status.kind, status.name, field.field);
            return Ok(Err(("SourceMissing", what)));
        };
        found.insert(field.key.clone(), ByteString(value.as_bytes().to_vec()));
    }
    Ok(Ok(found))
}

fn chosen(name: &str, mut data: Data, keys: &[String]) -> Result<Data, Refusal> {
    if keys.is_empty() {
        return Ok(data);
    }
    let pick = |key: &String| match data.remove(key) {
        Some(value) => Ok((key.clone(), value)),
        None => Err(("SourceMissing", format!("Secret {name} has no key {key}"))),
    };
    keys.iter().map(pick).collect()
}

/// The values themselves, or the texts of the template with the values in them.
fn fill(target: &Target, values: &Data) -> Result<Data, Refusal> {
    if target.template.is_empty() {
        return Ok(values.clone());
    }
    let filled = target.template.iter().map(|(key, text)| {
        let text = substitute(text, values)?;
        Ok((key.clone(), ByteString(text.into_bytes())))
    });
    filled.collect()
}

fn substitute(text: &str, values: &Data) -> Result<String, Refusal> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else {
            return Err(("BadTemplate", "a {{ has no }}".to_owned()));
        };
        let name = name.trim();
        let value = values.get(name).and_then(|value| std::str::from_utf8(&value.0).ok());
        let Some(value) = value else {
            return Err(("BadTemplate", format!("no source has the text {name}")));
        };
        out.push_str(before);
        out.push_str(value);
        rest = after;
    }
    Ok(out + rest)
}

async fn write(
    access: &Access,
    object: &SecretAggregate,
    data: Data,
) -> Result<Result<(), Refusal>, Trouble> {
    let name = &object.spec.target.secret_name;
    let found = access.secret(name).await?;
    let ours = |secret: &Secret| secret.labels().get(AGGREGATE) == Some(&object.name_any());
    let precondition = match &found {
        Some(secret) if !ours(secret) => {
            return Ok(Err(("NotOurs", format!("Secret {name} belongs to somebody else"))));
        }
        Some(secret) if secret.data.as_ref() == Some(&data) => return Ok(Ok(())),
        Some(secret) => match stamp(&secret.metadata) {
            Some(stamp) => Precondition::At(stamp),
            None => return Ok(Err(("Busy", "the server gave no version".to_owned()))),
        },
        None => Precondition::Absent,
    };
    let labels =
        [(AGGREGATE, object.name_any()), ("app.kubernetes.io/managed-by", MANAGER.to_owned())];
    let metadata = ObjectMeta {
        name: Some(name.clone()),
        namespace: Some(access.namespace.clone()),
        labels: Some(labels.map(|(name, value)| (name.to_owned(), value)).into()),
        // With the aggregate its target goes, too.
        owner_references: object.controller_owner_ref(&()).map(|owner| vec![owner]),
        ..ObjectMeta::default()
    };
    let secret = Secret { metadata, data: Some(data), ..Secret::default() };
    Ok(match access.write_secret(secret, precondition).await? {
        Outcome::Done => Ok(()),
        Outcome::Outdated => Err(("Busy", "somebody else wrote it at the same time".to_owned())),
    })
}

async fn say(
    access: &Access,
    object: &SecretAggregate,
    outcome: Result<(), Refusal>,
) -> Result<(), Trouble> {
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
    let Some(stamp) = stamp(&object.metadata).filter(|_| !said) else { return Ok(()) };
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
    let kind = resource("c5c3.io/v1alpha1", "SecretAggregate");
    access.patch_status(&kind, &object.name_any(), stamp, status).await.map(drop)
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
    fn a_template_takes_values_as_they_are() {
        let values = values(&[("id", "7f"), ("secret", "{{ id }}")]);
        assert_eq!(substitute("a {{ id }} b {{secret}}", &values).unwrap(), "a 7f b {{ id }}");
        assert_eq!(substitute("plain", &values).unwrap(), "plain");
        assert!(substitute("{{ other }}", &values).is_err());
        assert!(substitute("{{ id", &values).is_err());
    }

    #[test]
    fn without_a_template_the_values_are_the_target() {
        let found = values(&[("id", "7f")]);
        let target = Target { secret_name: "x".to_owned(), template: BTreeMap::new() };
        assert_eq!(fill(&target, &found).unwrap(), found);
    }

    #[test]
    fn a_refusal_names_keys_and_no_values() {
        let found = values(&[("password", "canary")]);
        let (_, message) = chosen("source", found.clone(), &["other".to_owned()]).unwrap_err();
        assert!(message.contains("other") && !message.contains("canary"));
        let (_, message) = substitute("{{ nothing }}", &found).unwrap_err();
        assert!(!message.contains("canary"));
    }
}
