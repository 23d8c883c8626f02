//! The servers, the controller, and the cloud that it brings up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use strata::deliver::artifact::archive;
use strata::deliver::tree::hash;

use crate::cloud::{Cloud, Tree};
use crate::operators::make_ready;
use crate::real::state::lacks;
use crate::real::{
    ApiServer, CrdSource, Guarded, Object, Verdict, kustomize_controller, last_words, progress,
};
use crate::serving::Archives;

/// A chain of ten components, each waited for every few seconds, takes two minutes on an idle machine.
const SETTLED_WITHIN: Duration = Duration::from_secs(900);
const POLL: Duration = Duration::from_millis(500);
/// What stands for what a person applies by hand once.
const ENTRY: &str = "entry";

/// Of what operators' own manifests make, the namespaces that others are put into.
const NAMESPACES: &[(&str, &str)] = &[("rabbitmq-cluster-operator", "rabbitmq-system")];

/// One for all tests of this program: installing the CRDs takes longer than most of them.
pub static SERVER: LazyLock<ApiServer> = LazyLock::new(|| {
    progress("starting kube-apiserver");
    ApiServer::start(CrdSource::ALL)
});

pub struct World {
    pub server: &'static ApiServer,
    controller: Guarded,
    archives: Archives,
    /// The generation of each object that was last called ready.
    played: Mutex<BTreeMap<String, Value>>,
}

impl World {
    pub fn start() -> Self {
        let server = &*SERVER;
        progress("starting kustomize-controller");
        let controller = kustomize_controller::start(server.kubectl());
        World { server, controller, archives: Archives::serve(), played: Mutex::default() }
    }

    pub fn last_words(&self) -> String {
        last_words("kustomize-controller", &self.controller)
    }

    fn apply(&self, object: &Value) {
        for object in Object::read_all(&object.to_string()) {
            let verdict = self.server.apply(&object);
            assert!(matches!(verdict, Verdict::Accepted(_)), "{}: {verdict:?}", object.label());
        }
    }

    /// What a person does once: Flux's namespace, the source, and a Kustomization on the entry point.
    pub fn bootstrap(&self, cloud: &Cloud, tree: &Tree) {
        let delivery = &tree.staging.delivery;
        self.apply(&json!({"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": delivery.namespace}}));
        if delivery.namespace != "flux-system" {
            self.apply(&json!({"apiVersion": "v1", "kind": "Namespace",
                "metadata": {"name": "flux-system"}}));
        }
        let source = source_of(tree);
        self.apply(&source);
        let mut path = cloud.tree_path().replacen("source", ".", 1);
        path.push_str("/flux");
        self.apply(
            &json!({"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": {"name": ENTRY, "namespace": delivery.namespace},
            "spec": {"interval": "1m", "retryInterval": "5s", "prune": true, "path": path,
                "sourceRef": source_ref(&source)}}),
        );
    }

    /// Lets the source have a revision, as source-controller does.
    pub fn publish(&self, cloud: &Cloud, tree: &Tree, revision: &str) {
        let (bytes, digest) = cloud.pack();
        self.offer(&source_of(tree), bytes, &digest, revision);
    }

    fn offer(&self, source: &Value, bytes: Vec<u8>, digest: &str, revision: &str) {
        let object = Object::read_all(&source.to_string()).remove(0);
        let state = self.server.state(&object);
        let path = format!("{}-{}.tar.gz", object.name, hash(&bytes));
        let size = bytes.len();
        let url = self.archives.put(&path, bytes);
        let generation = &state["metadata"]["generation"];
        let status = json!({"status": {
            "observedGeneration": generation,
            "artifact": {"path": path, "url": url, "revision": revision, "digest": digest,
                "lastUpdateTime": "2026-01-01T00:00:00Z", "size": size},
            "conditions": [{"type": "Ready", "status": "True", "reason": "Succeeded",
                "message": "stored", "lastTransitionTime": "2026-01-01T00:00:00Z",
                "observedGeneration": generation}]}});
        let path = format!("{}/status", self.server.path(&object).unwrap());
        let answer = self.server.request(
            "PATCH",
            &path,
            "application/merge-patch+json",
            &status.to_string(),
        );
        assert!(answer.status == 200, "{}: {}", object.label(), answer.message());
    }

    /// Plays the operators until everything but what waits for `withheld` is ready at the revision.
    pub fn settle(&self, tree: &Tree, revision: &str, withheld: Option<&str>) {
        let blocked: BTreeSet<String> = match withheld {
            Some(name) => tree.dependents(name).into_iter().chain([name.to_owned()]).collect(),
            None => BTreeSet::new(),
        };
        let (started, mut said) = (Instant::now(), Instant::now());
        loop {
            for (component, objects) in &tree.components {
                if withheld != Some(component) {
                    self.play(tree, component, objects);
                }
            }
            let missing = self.not_ready(tree, revision, &blocked);
            if missing.is_empty() {
                return;
            }
            let in_time = started.elapsed() < SETTLED_WITHIN && !self.controller.has_ended();
            assert!(in_time, "not ready:\n  {}\n{}", missing.join("\n  "), self.last_words());
            if said.elapsed() > Duration::from_secs(20) {
                said = Instant::now();
                progress(&format!("waiting for {}, first {}", missing.len(), missing[0]));
            }
            std::thread::sleep(POLL);
        }
    }

    /// Gives a component its readiness when all its objects are there. Until this moment Flux cannot
    /// have taken it for ready, so nothing that depends on it may be there.
    fn play(&self, tree: &Tree, component: &str, objects: &[Object]) {
        let states: Vec<Value> = objects.iter().map(|object| self.server.state(object)).collect();
        if states.iter().any(Value::is_null) {
            return;
        }
        let key = |object: &Object| object.label();
        let fresh: Vec<(&Object, &Value)> = {
            let played = self.played.lock().unwrap();
            let is_new = |(object, state): &(&Object, &Value)| {
                played.get(&key(object)) != Some(&state["metadata"]["generation"])
            };
            objects.iter().zip(&states).filter(is_new).collect()
        };
        let first = fresh.len() == objects.len();
        if first && objects.iter().any(is_waited_for) {
            for dependent in tree.dependents(component) {
                for object in &tree.components[&dependent] {
                    assert!(
                        self.server.state(object).is_null(),
                        "{} of {dependent} is there before {component} was ready",
                        object.label()
                    );
                }
            }
        }
        for (object, state) in fresh {
            match object.qualified_kind().as_str() {
                // The controller itself says when these are ready.
                "Kustomization.kustomize.toolkit.fluxcd.io" => {}
                "GitRepository.source.toolkit.fluxcd.io" => self.stand_in(tree, object),
                _ => make_ready(self.server, object, state),
            }
            let generation = state["metadata"]["generation"].clone();
            self.played.lock().unwrap().insert(key(object), generation);
        }
    }

    /// Answers a source of an operator with one object in each folder that a Kustomization wants of it.
    fn stand_in(&self, tree: &Tree, source: &Object) {
        let kustomizations = tree.components.values().flatten();
        let paths: Vec<String> = kustomizations
            .filter(|object| object.kind == "Kustomization")
            .map(Object::value)
            .filter(|value| value["spec"]["sourceRef"]["name"] == source.name.as_str())
            .map(|value| value["spec"]["path"].as_str().unwrap_or(".").to_owned())
            .collect();
        let mut files = Vec::new();
        for path in &paths {
            let path = path.trim_start_matches("./").trim_end_matches('/');
            let object = json!({"apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {"name": format!("stand-in-{}", source.name), "namespace": "flux-system"}});
            files.push((format!("{path}/stand-in.yaml"), object.to_string()));
            for (_, namespace) in NAMESPACES.iter().filter(|(of, _)| *of == source.name) {
                let object = json!({"apiVersion": "v1", "kind": "Namespace",
                    "metadata": {"name": namespace}});
                files.push((format!("{path}/namespace.yaml"), object.to_string()));
            }
        }
        let entries: Vec<(&str, &[u8])> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
        let bytes = archive(&entries).unwrap();
        let digest = format!("sha256:{}", hash(&bytes));
        let revision = format!("main@sha1:{}", &hash(source.name.as_bytes())[..40]);
        self.offer(&source.value(), bytes, &digest, &revision);
    }

    /// The Kustomizations that should be ready at a revision and are not, with the reason.
    pub fn not_ready(
        &self,
        tree: &Tree,
        revision: &str,
        blocked: &BTreeSet<String>,
    ) -> Vec<String> {
        let staging = &tree.staging;
        let is_blocked = |object: &&Object| {
            let waits = |component: &String| staging.stage_name(component) == object.name;
            // The last one waits for all.
            blocked.iter().any(waits)
                || (!blocked.is_empty() && object.name == staging.control_plane)
        };
        let wanted = tree.kustomizations().filter(|object| !is_blocked(object));
        let missing = wanted.filter_map(|object| {
            let state = self.server.state(object);
            let why = lacks(&state, "Ready", "True").or_else(|| {
                let applied = &state["status"]["lastAppliedRevision"];
                (applied != revision).then(|| format!("is at {applied}"))
            });
            Some(format!("{}: {}", object.name, why?))
        });
        missing.collect()
    }
}

/// Whether Flux cannot take it for ready without a status.
fn is_waited_for(object: &Object) -> bool {
    object.api_version.contains('.')
        && object.api_version.split('/').next().is_some_and(|group| {
            !["monitoring.coreos.com", "generators.external-secrets.io"].contains(&group)
                && !group.ends_with(".k8s.io")
        })
}

/// The source that the tree brings, or the one that it says must exist.
fn source_of(tree: &Tree) -> Value {
    let brought = tree.flux.iter().find(|object| object.api_version.starts_with("source."));
    if let Some(object) = brought {
        return object.value();
    }
    let delivery = &tree.staging.delivery;
    let text = |key: &str| {
        delivery.source_ref.get(key).and_then(|value| value.as_str()).map(str::to_owned)
    };
    let namespace = text("namespace").unwrap_or_else(|| delivery.namespace.clone());
    json!({"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": text("kind"),
        "metadata": {"name": text("name"), "namespace": namespace},
        "spec": {"interval": "1h", "url": "https://git.example.com/clouds"}})
}

fn source_ref(source: &Value) -> Value {
    json!({"kind": source["kind"], "name": source["metadata"]["name"],
        "namespace": source["metadata"]["namespace"]})
}
