//! The way through the store: what External Secrets is told, and whether it has pushed.
//!
//! Told to pull before it has pushed, it would bring what is there already, and look again only after a
//! while. So the PushSecret carries what it had pushed when it was told; a restarted operator knows, too.

use kube::api::{ApiResource, DynamicObject};
use serde_json::json;

use super::access::{self, Access, annotation, seen, stamp};
use super::memory::{Memory, Thing};
use super::outcome::{Outcome, Trouble, kept};
use super::{material, names};
use crate::core::{Precondition, Seen, Sync};

/// Seconds after which it is told to pull in any case.
const PUSHED_WITHIN: i64 = 30;

/// What External Secrets was told last, on one of its objects.
#[derive(Debug)]
pub struct Told {
    pub sync: Seen<Option<Sync>>,
    as_written: String,
    /// Of a PushSecret: something was pushed since it was told. Where there is none, nobody need wait for it.
    pushed: bool,
}

impl Told {
    pub const UNASKED: Self = Self::of(Seen::Unknown);
    pub const NOTHING: Self = Self::of(Seen::Absent);

    const fn of(sync: Seen<Option<Sync>>) -> Self {
        Self { sync, as_written: String::new(), pushed: true }
    }

    pub async fn look(
        access: &Access,
        kind: &ApiResource,
        name: &str,
        troubles: &mut Vec<Trouble>,
    ) -> Self {
        let answer = kept(access.object(kind, name).await, troubles);
        let (as_written, pushed) = match &answer {
            Ok(Some(object)) => {
                let told = annotation(&object.metadata, names::SYNC).unwrap_or_default();
                let before = annotation(&object.metadata, names::PUSHED_BEFORE);
                (told.to_owned(), before.is_none_or(|before| before != synced(object)))
            }
            _ => (String::new(), true),
        };
        let sync = seen(
            answer,
            |object: &DynamicObject| &object.metadata,
            |object| Some(annotation(&object.metadata, names::SYNC).and_then(parse)),
        );
        Self { sync, as_written, pushed }
    }

    /// Whether External Secrets has pushed what it was last told to push.
    pub fn has_pushed(&self, memory: &Memory, rotation: &str) -> bool {
        self.pushed || memory.watch(rotation, Thing::Pushed, &self.as_written) >= PUSHED_WITHIN
    }
}

fn parse(text: &str) -> Option<Sync> {
    let (content, attempt) = text.split_once('.')?;
    Some(Sync { content: material::from_hex(content)?, attempt: attempt.parse().ok()? })
}

fn written(sync: Sync) -> String {
    format!("{}.{}", material::hex(sync.content), sync.attempt)
}

/// It changes with every push that a change of the object has caused.
fn synced(push_secret: &DynamicObject) -> &str {
    push_secret.data["status"]["syncedResourceVersion"].as_str().unwrap_or_default()
}

pub async fn push(
    access: &Access,
    name: &str,
    at: Precondition,
    sync: Sync,
) -> Result<Outcome, Trouble> {
    let kind = access::push_secret();
    let object = access.object(&kind, name).await?;
    let same = object.filter(|object| stamp(&object.metadata).map(Precondition::At) == Some(at));
    let (Some(object), Precondition::At(stamp)) = (same, at) else { return Ok(Outcome::Outdated) };
    let annotations = json!({names::SYNC: written(sync), names::PUSHED_BEFORE: synced(&object)});
    access.patch(&kind, name, stamp, json!({"metadata": {"annotations": annotations}})).await
}

pub async fn pull(
    access: &Access,
    name: &str,
    at: Precondition,
    sync: Sync,
) -> Result<Outcome, Trouble> {
    let Precondition::At(stamp) = at else { return Ok(Outcome::Outdated) };
    let patch = json!({"metadata": {"annotations": {names::SYNC: written(sync)}}});
    access.patch(&access::external_secret(), name, stamp, patch).await
}
