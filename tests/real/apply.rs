//! Server-side apply with strict field validation, object by object: the request is the one that
//! `kubectl apply --server-side --validate=strict --force-conflicts` makes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::objects::{Object, UNKNOWN_FIELD};
use super::server::ApiServer;

#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Stored (or, in a dry run, it would be), as this.
    Accepted(Box<Value>),
    Refused(String),
    /// The server does not know the kind.
    NotJudged,
}

/// What the server says of each API version: kind → plural name and whether it is namespaced.
pub type Kinds = BTreeMap<String, BTreeMap<String, (String, bool)>>;

/// A server that has just established a CRD may not serve it for a moment.
const SERVED_WITHIN: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(200);

impl ApiServer {
    pub fn apply(&self, object: &Object) -> Verdict {
        self.patch(object, "")
    }

    /// As `apply`, but nothing is stored.
    pub fn would_apply(&self, object: &Object) -> Verdict {
        self.patch(object, "&dryRun=All")
    }

    /// Applies all, namespaces first; those that the objects live in and nobody renders are made.
    pub fn apply_all(&self, objects: &[Object]) -> Vec<Verdict> {
        let used: BTreeSet<&str> =
            objects.iter().filter_map(|object| object.namespace.as_deref()).collect();
        for name in used {
            let text = format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n");
            for namespace in Object::read_all(&text) {
                let verdict = self.apply(&namespace);
                assert!(matches!(verdict, Verdict::Accepted(_)), "namespace {name}: {verdict:?}");
            }
        }
        objects.iter().map(|object| self.apply(object)).collect()
    }

    /// The negative control: whether the object with an unknown field is refused, and for that field.
    /// The error is what the server said instead.
    pub fn refuses_unknown_field(&self, object: &Object) -> Result<(), String> {
        match self.would_apply(&object.with_unknown_field()) {
            Verdict::NotJudged => Ok(()),
            Verdict::Refused(message) if message.contains(UNKNOWN_FIELD) => Ok(()),
            other => Err(format!("{}: {other:?}", object.label())),
        }
    }

    /// Deletes objects, but neither namespaces, which would never end without a controller, nor kinds,
    /// which others are of.
    pub fn delete_all(&self, objects: &[Object]) {
        const STAY: &[&str] = &["Namespace", "CustomResourceDefinition"];
        for object in objects.iter().filter(|object| !STAY.contains(&object.kind.as_str())) {
            if let Some(path) = self.path(object) {
                let answer = self.request("DELETE", &path, "application/json", "");
                assert!(
                    matches!(answer.status, 200 | 202 | 404),
                    "{}: {}",
                    object.label(),
                    answer.message()
                );
            }
        }
    }

    fn patch(&self, object: &Object, more: &str) -> Verdict {
        let Some(path) = self.path(object) else { return Verdict::NotJudged };
        let path =
            format!("{path}?fieldManager=strata-test&force=true&fieldValidation=Strict{more}");
        let started = Instant::now();
        loop {
            let answer = self.request("PATCH", &path, "application/apply-patch+yaml", &object.text);
            match answer.status {
                200 | 201 => return Verdict::Accepted(Box::new(stored(answer.json()))),
                404 if started.elapsed() < SERVED_WITHIN => std::thread::sleep(POLL),
                _ => return Verdict::Refused(answer.message()),
            }
        }
    }

    /// Where the object is to be found, if the server knows its kind.
    pub fn path(&self, object: &Object) -> Option<String> {
        let root = match object.api_version.contains('/') {
            true => format!("/apis/{}", object.api_version),
            false => format!("/api/{}", object.api_version),
        };
        let (plural, namespaced) = self.kind(&root, &object.kind)?;
        let namespace = match (namespaced, &object.namespace) {
            (true, namespace) => {
                format!("/namespaces/{}", namespace.as_deref().unwrap_or("default"))
            }
            (false, _) => String::new(),
        };
        Some(format!("{root}{namespace}/{plural}/{}", object.name))
    }

    fn kind(&self, root: &str, kind: &str) -> Option<(String, bool)> {
        let mut kinds = self.kinds.lock().expect("no test has panicked here");
        kinds.entry(root.to_owned()).or_insert_with(|| self.discover(root)).get(kind).cloned()
    }

    fn discover(&self, root: &str) -> BTreeMap<String, (String, bool)> {
        let answer = self.get(root).json();
        let resources = answer["resources"].as_array().into_iter().flatten();
        let resources = resources.filter_map(|resource| {
            let plural = resource["name"].as_str().filter(|name| !name.contains('/'))?;
            let kind = resource["kind"].as_str()?;
            Some((kind.to_owned(), (plural.to_owned(), resource["namespaced"] == true)))
        });
        resources.collect()
    }
}

/// The object without the server's bookkeeping: kinds with defaults in their status get a new resource
/// version at every apply, though nothing else changes.
fn stored(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("resourceVersion");
        metadata.remove("managedFields");
    }
    object
}
