//! Application credentials in any number, and what has become of them.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use futures::StreamExt;
use kube::api::{Api, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::{Client, ResourceExt};
use serde_json::{Value, json};
use strata_operator::shell::access::{credential, resource};
use strata_operator::shell::names;

use super::player::text;
use super::{Play, objects, on_runtime};

pub struct Crowd<'a> {
    pub play: &'a Play,
    pub administrator: PathBuf,
    /// A namespace and the name of a rotation in it, for each.
    pub of: Vec<(String, String)>,
}

impl Crowd<'_> {
    async fn client(&self) -> Client {
        super::client(&self.administrator, None).await
    }

    fn planes(&self) -> BTreeSet<&str> {
        self.of.iter().map(|(plane, _)| plane.as_str()).collect()
    }

    pub fn create(&self) {
        let url = self.play.keystone.url.lock().unwrap().clone();
        let logins = self.planes().into_iter().map(objects::password);
        let mut neighbour = None;
        let credentials = self.of.iter().flat_map(|(plane, name)| {
            let mut objects = objects::credential(plane, name, &url);
            // Every second one is in the pods of the one before, too: a workload has several credentials.
            neighbour = match neighbour.take() {
                Some((of, other)) if of == plane => {
                    let also = json!({"kind": "Deployment", "name": other});
                    let rotation = objects.last_mut().unwrap();
                    rotation["spec"]["consumers"].as_array_mut().unwrap().push(also);
                    None
                }
                _ => Some((plane, name)),
            };
            objects
        });
        let objects: Vec<Value> = logins.chain(credentials).collect();
        on_runtime(async {
            let client = self.client().await;
            let created = futures::stream::iter(objects).for_each_concurrent(16, |object| {
                let client = client.clone();
                async move {
                    let (version, kind) = (object["apiVersion"].as_str(), object["kind"].as_str());
                    let kind = resource(version.unwrap(), kind.unwrap());
                    let namespace = object["metadata"]["namespace"].as_str().unwrap().to_owned();
                    let api: Api<DynamicObject> = Api::namespaced_with(client, &namespace, &kind);
                    let object = serde_json::from_value(object).unwrap();
                    api.create(&PostParams::default(), &object).await.unwrap();
                }
            });
            created.await;
        });
    }

    pub fn rotate_all(&self, request: &str) {
        self.annotate_all(names::ROTATE_NOW, request);
    }

    /// At rest each is looked at only after minutes, and when it changes.
    pub fn make_all_look(&self) {
        self.annotate_all("test/look", "now");
    }

    fn annotate_all(&self, annotation: &str, value: &str) {
        on_runtime(async {
            let client = self.client().await;
            let kind = resource("c5c3.io/v1alpha1", "CredentialRotation");
            let asked = futures::stream::iter(&self.of).for_each_concurrent(16, |(plane, name)| {
                let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), plane, &kind);
                async move {
                    let patch = json!({"metadata": {"annotations": {annotation: value}}});
                    api.patch(name, &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap();
                }
            });
            asked.await;
        });
    }

    /// Rotations that do not rest with this generation.
    pub fn missing(&self, generation: u32) -> Vec<String> {
        let rotations = self.play.player.rotations.lock().unwrap();
        let rests = |status: &Value| {
            status["generation"] == generation
                && status["rolledOut"] == generation
                && status["reason"] == "UpToDate"
        };
        let left = self.of.iter().filter_map(|key| {
            let status = rotations.get(key);
            let rests = status.is_some_and(rests);
            (!rests).then(|| {
                let at = status.map(|status| {
                    format!("{} {} {}", status["generation"], status["phase"], status["reason"])
                });
                format!("{}/{} at {}", key.0, key.1, at.unwrap_or_default())
            })
        });
        left.collect()
    }

    /// Each credential was made once; of each rotation there is this generation, which works, and nothing
    /// else.
    pub fn judge(&self, generation: u32) {
        let planes = self.planes();
        let ours = |mint: &str| mint.split('/').next().is_some_and(|plane| planes.contains(plane));
        let twice: Vec<String> = {
            let mints = self.play.player.mints.lock().unwrap();
            let twice = mints.iter().filter(|(name, count)| ours(name) && **count != 1);
            twice.map(|(name, _)| name.clone()).collect()
        };
        assert!(twice.is_empty(), "made more than once: {twice:?}");
        let mut found = BTreeSet::new();
        let mut delivered = HashMap::new();
        for (plane, kind, object) in self.objects(&[credential(), resource("v1", "Secret")]) {
            let name = object.name_any();
            if let Some(rotation) = name.strip_suffix("-delivered") {
                let data = &object.data["data"];
                let id = text(&data["application_credential_id"]);
                let secret = text(&data["application_credential_secret"]);
                delivered.insert(format!("{plane}.{rotation}"), (id, secret));
            }
            found.insert(format!("{kind} {plane}/{name}"));
        }
        let expected = self.at_rest(generation);
        let missing: Vec<_> = expected.difference(&found).collect();
        let left_over: Vec<_> = found.difference(&expected).collect();
        assert!(
            missing.is_empty() && left_over.is_empty(),
            "{missing:?} are missing, {left_over:?} are left over"
        );
        for (plane, name) in &self.of {
            let user = format!("{plane}.{name}");
            let (id, secret) = &delivered[&user];
            assert!(self.play.keystone.works(&user, id, secret), "{user} is refused");
            assert_eq!(*id, format!("{user}:{name}-g{generation}"));
            let live = self.play.keystone.credentials.lock().unwrap()[&user].len();
            assert_eq!(live, 1, "{user} has {live} credentials in Keystone");
        }
    }

    /// All credentials and Secrets that are in the planes then: nobody but the crowd is there.
    fn at_rest(&self, generation: u32) -> BTreeSet<String> {
        let logins = self.planes().into_iter().map(|plane| format!("Secret {plane}/login"));
        let of_each = self.of.iter().flat_map(|(plane, name)| {
            let newest = names::generation(name, generation);
            [
                format!("ApplicationCredential {plane}/{newest}"),
                format!("Secret {plane}/{newest}"),
                format!("Secret {plane}/{}", names::published(name)),
                format!("Secret {plane}/{name}-delivered"),
            ]
        });
        logins.chain(of_each).collect()
    }

    /// All objects of these kinds, with their planes and kinds.
    pub fn objects(
        &self,
        kinds: &[kube::api::ApiResource],
    ) -> Vec<(String, String, DynamicObject)> {
        on_runtime(async {
            let client = self.client().await;
            let mut found = Vec::new();
            for plane in self.planes() {
                for kind in kinds {
                    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), plane, kind);
                    let list = api.list(&ListParams::default()).await.unwrap();
                    let of = |object| (plane.to_owned(), kind.kind.clone(), object);
                    found.extend(list.items.into_iter().map(of));
                }
            }
            found
        })
    }
}
