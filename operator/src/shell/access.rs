//! The API server, as far as the operator needs it: objects by name, and writes with a precondition.

use std::fmt::Debug;

use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{
    ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams,
    Preconditions,
};
use kube::core::{GroupVersionKind, ObjectMeta};
use kube::{Api, Client, Resource};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::names::MANAGER;
use super::outcome::{Outcome, Trouble};
use crate::core::{Precondition, Seen, Stamp};

/// The objects in a page of a list that begins a watch. When the process starts, all namespaces are listed at once.
pub const PAGE: u32 = 10;

#[derive(Clone)]
pub struct Access {
    pub client: Client,
    pub namespace: String,
}

impl Debug for Access {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Access({})", self.namespace)
    }
}

/// UIDs are UUIDs and versions are numbers; what is neither is no version that a write could name.
pub fn stamp(metadata: &ObjectMeta) -> Option<Stamp> {
    let uid = metadata.uid.as_deref()?.replace('-', "");
    let version = metadata.resource_version.as_deref()?;
    Some(Stamp { uid: u128::from_str_radix(&uid, 16).ok()?, version: version.parse().ok()? })
}

pub fn annotation<'a>(metadata: &'a ObjectMeta, name: &str) -> Option<&'a str> {
    metadata.annotations.as_ref()?.get(name).map(String::as_str)
}

/// The plural of every kind the operator touches.
pub fn resource(api_version: &str, kind: &str) -> ApiResource {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let plural = format!("{}s", kind.to_lowercase());
    ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), &plural)
}

pub fn push_secret() -> ApiResource {
    resource("external-secrets.io/v1alpha1", "PushSecret")
}

pub fn external_secret() -> ApiResource {
    resource("external-secrets.io/v1", "ExternalSecret")
}

pub fn credential() -> ApiResource {
    resource("openstack.k-orc.cloud/v1alpha1", "ApplicationCredential")
}

impl Access {
    pub fn secrets(&self) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    pub fn objects(&self, kind: &ApiResource) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), &self.namespace, kind)
    }

    pub async fn secret(&self, name: &str) -> Result<Option<Secret>, Trouble> {
        let doing = format!("get Secret {name}");
        let secrets = self.secrets();
        let read = read(|| secrets.get_opt(name)).await;
        read.map_err(|error| Trouble::of(&doing, &error))
    }

    pub async fn object(
        &self,
        kind: &ApiResource,
        name: &str,
    ) -> Result<Option<DynamicObject>, Trouble> {
        let doing = format!("get {} {name}", kind.kind);
        let objects = self.objects(kind);
        let read = read(|| objects.get_opt(name)).await;
        read.map_err(|error| Trouble::of(&doing, &error))
    }

    pub async fn labelled(
        &self,
        kind: &ApiResource,
        label: &str,
        value: &str,
    ) -> Result<Vec<DynamicObject>, Trouble> {
        let chosen = ListParams::default().labels(&format!("{label}={value}"));
        let objects = self.objects(kind);
        let listed = read(|| objects.list(&chosen)).await;
        listed
            .map(|list| list.items)
            .map_err(|error| Trouble::of(&format!("list {}", kind.plural), &error))
    }

    pub async fn pods(&self, selector: &str) -> Result<Vec<Pod>, Trouble> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let chosen = ListParams::default().labels(selector);
        let listed = read(|| pods.list(&chosen)).await;
        listed.map(|list| list.items).map_err(|error| Trouble::of("list pods", &error))
    }

    /// Creates or replaces a Secret, as the precondition says.
    pub async fn write_secret(
        &self,
        mut secret: Secret,
        precondition: Precondition,
    ) -> Result<Outcome, Trouble> {
        let name = secret.metadata.name.clone().unwrap_or_default();
        let parameters =
            PostParams { field_manager: Some(MANAGER.to_owned()), ..PostParams::default() };
        let (verb, answer) = match precondition {
            Precondition::At(stamp) => {
                name_version(&mut secret.metadata, stamp);
                ("update", self.secrets().replace(&name, &parameters, &secret).await)
            }
            _ => ("create", self.secrets().create(&parameters, &secret).await),
        };
        outcome(&format!("{verb} Secret {name}"), answer.map(drop))
    }

    pub async fn create(&self, kind: &ApiResource, object: Value) -> Result<Outcome, Trouble> {
        let doing = format!("create {}", kind.kind);
        let object: DynamicObject = serde_json::from_value(object)
            .map_err(|_| Trouble::Unfit(format!("{doing}: it is no object")))?;
        let parameters =
            PostParams { field_manager: Some(MANAGER.to_owned()), ..PostParams::default() };
        outcome(&doing, self.objects(kind).create(&parameters, &object).await.map(drop))
    }

    /// A merge patch that lands only on the version named.
    pub async fn patch(
        &self,
        kind: &ApiResource,
        name: &str,
        stamp: Stamp,
        mut patch: Value,
    ) -> Result<Outcome, Trouble> {
        patch["metadata"]["resourceVersion"] = json!(stamp.version.to_string());
        patch["metadata"]["uid"] = json!(uid(stamp));
        let parameters =
            PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let answer = self.objects(kind).patch(name, &parameters, &Patch::Merge(&patch)).await;
        outcome(&format!("patch {} {name}", kind.kind), answer.map(drop))
    }

    pub async fn patch_status(
        &self,
        kind: &ApiResource,
        name: &str,
        stamp: Stamp,
        mut patch: Value,
    ) -> Result<Outcome, Trouble> {
        patch["metadata"]["resourceVersion"] = json!(stamp.version.to_string());
        let parameters =
            PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let answer =
            self.objects(kind).patch_status(name, &parameters, &Patch::Merge(&patch)).await;
        outcome(&format!("patch the status of {} {name}", kind.kind), answer.map(drop))
    }

    pub async fn delete(
        &self,
        kind: &ApiResource,
        name: &str,
        stamp: Stamp,
    ) -> Result<Outcome, Trouble> {
        let preconditions = Preconditions {
            resource_version: Some(stamp.version.to_string()),
            uid: Some(uid(stamp)),
        };
        let parameters =
            DeleteParams { preconditions: Some(preconditions), ..DeleteParams::background() };
        let answer = self.objects(kind).delete(name, &parameters).await;
        outcome(&format!("delete {} {name}", kind.kind), answer.map(drop))
    }
}

/// One of the operator's own kinds. Who may not read it by name finds it in a list, and with it the right that is
/// missing: it can still be told.
pub async fn own<K>(objects: &Api<K>, name: &str) -> Result<(Option<K>, Option<Trouble>), Trouble>
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + Debug,
{
    let error = match objects.get_opt(name).await {
        Ok(found) => return Ok((found, None)),
        Err(error) => error,
    };
    let trouble = Trouble::of(&format!("get {} {name}", K::kind(&())), &error);
    if !matches!(trouble, Trouble::Denied(_)) {
        return Err(trouble);
    }
    let this = ListParams::default().fields(&format!("metadata.name={name}"));
    match objects.list(&this).await {
        Ok(listed) => Ok((listed.items.into_iter().next(), Some(trouble))),
        Err(_) => Err(trouble),
    }
}

/// What did not answer is asked once more at once. Where connections are kept one of them is now and then found closed,
/// and without this answer the others of a look would have been read for nothing.
async fn read<T, F>(ask: impl Fn() -> F) -> kube::Result<T>
where
    F: Future<Output = kube::Result<T>>,
{
    let mut is_first = true;
    loop {
        let answer = ask().await;
        let refused =
            matches!(&answer, Err(kube::Error::Api(status)) if (400..500).contains(&status.code));
        if answer.is_ok() || refused || !is_first {
            return answer;
        }
        is_first = false;
    }
}

fn name_version(metadata: &mut ObjectMeta, stamp: Stamp) {
    metadata.resource_version = Some(stamp.version.to_string());
    metadata.uid = Some(uid(stamp));
}

fn uid(stamp: Stamp) -> String {
    let hex = format!("{:032x}", stamp.uid);
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    parts.join("-")
}

fn outcome(doing: &str, answer: Result<(), kube::Error>) -> Result<Outcome, Trouble> {
    match answer {
        Ok(()) => Ok(Outcome::Done),
        Err(kube::Error::Api(status)) if [404, 409].contains(&status.code) => Ok(Outcome::Outdated),
        Err(error) => Err(Trouble::of_write(doing, &error)),
    }
}

/// What is known of an object that was asked for.
pub fn seen<T, U>(
    answer: Result<Option<T>, Trouble>,
    metadata: impl Fn(&T) -> &ObjectMeta,
    read: impl FnOnce(&T) -> Option<U>,
) -> Seen<U> {
    match answer {
        Err(_) => Seen::Unknown,
        Ok(None) => Seen::Absent,
        Ok(Some(object)) => match (stamp(metadata(&object)), read(&object)) {
            (None, _) => Seen::Unknown,
            (Some(stamp), None) => Seen::Damaged(stamp),
            (Some(stamp), Some(value)) => Seen::Present(stamp, value),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use kube::core::Status;

    use super::*;

    #[tokio::test]
    async fn what_did_not_answer_is_asked_once_more() {
        async fn asked(answers: &[Result<u32, u16>]) -> (Option<u32>, usize) {
            let next = Cell::new(0);
            let answer = read(|| {
                let answer = answers[next.replace(next.get() + 1)];
                std::future::ready(answer.map_err(|code| {
                    kube::Error::Api(Box::new(Status::failure("", "").with_code(code)))
                }))
            });
            (answer.await.ok(), next.get())
        }
        assert_eq!(asked(&[Ok(7)]).await, (Some(7), 1));
        assert_eq!(asked(&[Err(503), Ok(7)]).await, (Some(7), 2));
        assert_eq!(asked(&[Err(503), Err(500), Ok(7)]).await, (None, 2));
        assert_eq!(asked(&[Err(403), Ok(7)]).await, (None, 1), "that is an answer");
    }

    #[test]
    fn a_uid_comes_back_as_it_was() {
        let uid = "0f0e1d2c-3b4a-5968-7786-95a4b3c2d1e0";
        let metadata = ObjectMeta {
            uid: Some(uid.to_owned()),
            resource_version: Some("17".to_owned()),
            ..ObjectMeta::default()
        };
        let stamp = stamp(&metadata);
        assert_eq!(stamp.map(super::uid).as_deref(), Some(uid));
        assert_eq!(stamp.map(|stamp| stamp.version), Some(17));
    }
}
