//! K-ORC, External Secrets, kubelet, the Job controller, and time: each answers when the operator wrote.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::select_all;
use kube::api::{ApiResource, DynamicObject, Patch, PatchParams};
use kube::runtime::watcher::{self, Event};
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};
use strata_operator::shell::access::{self, resource};
use strata_operator::shell::names;

use super::keystone::Keystone;

pub struct Player {
    client: Client,
    keystone: Arc<Keystone>,
    /// How often each credential was made.
    pub mints: Mutex<BTreeMap<String, u32>>,
    /// The status of each rotation as it was seen last, by namespace and name.
    pub rotations: Mutex<HashMap<(String, String), Value>>,
}

impl Player {
    pub fn new(client: Client, keystone: Arc<Keystone>) -> Self {
        Self { client, keystone, mints: Mutex::default(), rotations: Mutex::default() }
    }

    fn api(&self, kind: &ApiResource, namespace: &str) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), namespace, kind)
    }

    async fn patch(&self, kind: &ApiResource, object: &DynamicObject, patch: Value, status: bool) {
        let api = self.api(kind, &object.namespace().unwrap_or_default());
        let (name, parameters) = (object.name_any(), PatchParams::default());
        let patch = Patch::Merge(&patch);
        // What fails is asked for again by the operator.
        let _ = match status {
            true => api.patch_status(&name, &parameters, &patch).await,
            false => api.patch(&name, &parameters, &patch).await,
        };
    }

    async fn secret(&self, namespace: &str, name: &str) -> Option<Value> {
        let found = self.api(&resource("v1", "Secret"), namespace).get_opt(name).await.ok()??;
        found.data.get("data").cloned()
    }

    async fn answer(&self, kind: &ApiResource, object: DynamicObject) {
        match kind.kind.as_str() {
            "ApplicationCredential" => self.mint(kind, &object).await,
            "PushSecret" => self.push(kind, &object).await,
            "ExternalSecret" => self.deliver(&object).await,
            "CredentialRotation" => self.pass_time(kind, &object).await,
            "Job" => self.run(kind, &object).await,
            _ => self.roll(&object).await,
        }
    }

    async fn mint(&self, kind: &ApiResource, object: &DynamicObject) {
        if object.data["status"]["id"].is_string() {
            return;
        }
        let (namespace, name) = (object.namespace().unwrap_or_default(), object.name_any());
        let Some(data) = self.secret(&namespace, &name).await else { return };
        let user = user(&namespace, &name);
        let id = format!("{user}:{name}");
        let entry = (name.clone(), text(&data["value"]));
        let mut patch = json!({"id": id});
        patch["conditions"] = json!([{"type": "Available", "status": "True"}]);
        let made = {
            let mut credentials = self.keystone.credentials.lock().unwrap();
            credentials.entry(user).or_default().insert(id, entry).is_none()
        };
        if made {
            *self.mints.lock().unwrap().entry(format!("{namespace}/{name}")).or_default() += 1;
        }
        self.patch(kind, object, json!({"status": patch}), true).await;
    }

    fn revoke(&self, object: &DynamicObject) {
        let (namespace, name) = (object.namespace().unwrap_or_default(), object.name_any());
        let user = user(&namespace, &name);
        let mut credentials = self.keystone.credentials.lock().unwrap();
        if let Some(own) = credentials.get_mut(&user) {
            own.remove(&format!("{user}:{name}"));
        }
    }

    /// Says that it has pushed what it was told to; `deliver` takes it from where it lies.
    async fn push(&self, kind: &ApiResource, object: &DynamicObject) {
        let Some(told) = object.annotations().get(names::SYNC) else { return };
        if object.data["status"]["syncedResourceVersion"] != told.as_str() {
            let status = json!({"status": {"syncedResourceVersion": told}});
            self.patch(kind, object, status, true).await;
        }
    }

    /// Push and pull in one: the first source that is there becomes the target.
    async fn deliver(&self, object: &DynamicObject) {
        if !object.annotations().contains_key(names::SYNC) {
            return;
        }
        let namespace = object.namespace().unwrap_or_default();
        for source in object.data["spec"]["sources"].as_str().unwrap_or_default().split(',') {
            let Some(data) = self.secret(&namespace, source).await else { continue };
            let target = object.data["spec"]["target"].as_str().unwrap_or_default();
            let secret = json!({
                "apiVersion": "v1", "kind": "Secret",
                "metadata": {"name": target, "namespace": namespace}, "data": data,
            });
            let api = self.api(&resource("v1", "Secret"), &namespace);
            let parameters = PatchParams::apply("store").force();
            let _ = api.patch(target, &parameters, &Patch::Apply(&secret)).await;
            return;
        }
    }

    /// Nobody waits an hour here: when tokens have to be waited for, they are over.
    async fn pass_time(&self, kind: &ApiResource, object: &DynamicObject) {
        let status = &object.data["status"];
        let key = (object.namespace().unwrap_or_default(), object.name_any());
        self.rotations.lock().unwrap().insert(key, status.clone());
        if status["drained"].as_i64().is_some_and(|drained| drained > 1) {
            self.patch(kind, object, json!({"status": {"drained": 1}}), true).await;
        }
    }

    async fn run(&self, kind: &ApiResource, object: &DynamicObject) {
        if object.data["status"]["succeeded"].is_number() {
            return;
        }
        let now = "2026-01-01T00:00:00Z";
        let holds = |kind: &str| json!({"type": kind, "status": "True", "lastTransitionTime": now, "lastProbeTime": now});
        let status = json!({
            "succeeded": 1, "startTime": now, "completionTime": now,
            "conditions": [holds("SuccessCriteriaMet"), holds("Complete")],
        });
        self.patch(kind, object, json!({"status": status}), true).await;
    }

    /// The pod is ready, and what the template carries the pod does.
    async fn roll(&self, object: &DynamicObject) {
        let annotations = &object.data["spec"]["template"]["metadata"]["annotations"];
        let api = self.api(&resource("v1", "Pod"), &object.namespace().unwrap_or_default());
        let (name, parameters) = (format!("{}-0", object.name_any()), PatchParams::default());
        let patch = json!({"metadata": {"annotations": annotations}});
        let _ = api.patch(&name, &parameters, &Patch::Merge(&patch)).await;
    }
}

/// The user whose credential this is a generation of.
fn user(namespace: &str, generation: &str) -> String {
    let rotation = generation.rsplit_once("-g").map_or(generation, |(rotation, _)| rotation);
    format!("{namespace}.{rotation}")
}

/// Of a value of a Secret.
pub fn text(value: &Value) -> String {
    let bytes: k8s_openapi::ByteString = serde_json::from_value(value.clone()).unwrap_or_default();
    String::from_utf8_lossy(&bytes.0).into_owned()
}

pub async fn play(player: Arc<Player>) {
    let kinds = [
        access::credential(),
        access::push_secret(),
        access::external_secret(),
        resource("c5c3.io/v1alpha1", "CredentialRotation"),
        resource("batch/v1", "Job"),
        resource("apps/v1", "Deployment"),
        resource("apps/v1", "StatefulSet"),
        resource("apps/v1", "DaemonSet"),
    ];
    let events = select_all(kinds.map(|kind| {
        let api: Api<DynamicObject> = Api::all_with(player.client.clone(), &kind);
        let events = watcher::watcher(api, watcher::Config::default());
        events.map(move |event| (kind.clone(), event)).boxed()
    }));
    let answers = events.for_each_concurrent(32, |(kind, event)| {
        let player = Arc::clone(&player);
        async move {
            match event {
                Ok(Event::Apply(object) | Event::InitApply(object)) => {
                    player.answer(&kind, object).await;
                }
                Ok(Event::Delete(object)) if kind.kind == "ApplicationCredential" => {
                    player.revoke(&object);
                }
                Ok(_) => {}
                Err(_) => tokio::time::sleep(Duration::from_millis(500)).await,
            }
        }
    });
    answers.await;
}
