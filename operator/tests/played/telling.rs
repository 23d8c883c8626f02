//! How the operator says which right it misses: in a condition, and where that cannot be, in its log.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::thread;
use std::time::Duration;

use crate::play::way::Use;
use crate::stage::real::{ApiServer, Guarded};

/// What a right is missed for.
type Missed = BTreeMap<Use, BTreeSet<String>>;

/// A right whose lack no status can tell, by resource and verbs; the words of the line that tells it; why.
type Logged = (&'static str, &'static [&'static str], &'static str, &'static str);

#[rustfmt::skip]
const IN_THE_LOG: &[Logged] = &[
    ("credentialrotations", &["list", "watch"], WATCHING, "whose status, is not known without it"),
    ("secretaggregates", &["list", "watch"], WATCHING, "whose status, is not known without it"),
    ("secrets", &["watch"], WATCHING, "it is for all objects together, and only makes them look sooner"),
    ("credentialrotations", &["get"], "not allowed: get the CredentialRotation", "a status is written for a version that was read"),
    ("secretaggregates", &["get"], "not allowed: get SecretAggregate", "a status is written for a version that was read"),
    ("credentialrotations/status", &["patch"], "not allowed: patch the status of CredentialRotation", "it is the right to say something"),
    ("secretaggregates/status", &["patch"], "not allowed: patch the status of SecretAggregate", "it is the right to say something"),
    ("events", &["create"], "not allowed: create an Event", "what it would have said is in the status"),
    ("leases", &["get", "create", "update"], "not allowed: hold the Lease", "who does not lead writes nothing"),
];

/// Such a line names the verb alone, so that it has to be a new one.
const WATCHING: &str = "a watch failed";

pub struct Telling<'a> {
    pub server: &'a ApiServer,
    pub operator: &'a Guarded,
    pub namespace: &'a str,
    /// As far as the log was read when a right was last granted.
    read: u64,
}

impl<'a> Telling<'a> {
    pub fn of(server: &'a ApiServer, operator: &'a Guarded, namespace: &'a str) -> Self {
        Self { server, operator, namespace, read: 0 }
    }

    /// Those of the rights missed that the operator has told of.
    pub fn told(&self, missed: &Missed) -> Vec<Use> {
        let said = self.conditions();
        let mut told: Vec<Use> = Vec::new();
        // Who cannot renew the Lease ends soon, so that this is not left to the last.
        let (soon, later): (Vec<_>, Vec<_>) =
            missed.iter().partition(|((_, resource, _), _)| resource == "leases");
        for (right, names) in soon.into_iter().chain(later) {
            let told_now = match logged(right) {
                // One at a time, because it may be told by the same words as another.
                Some(_) if told.iter().any(|other| logged(other).is_some()) => false,
                Some((_, _, words, _)) => self.is_logged(right, words),
                None => words(right, names)
                    .iter()
                    .any(|words| said.iter().any(|text| text.contains(words))),
            };
            if told_now {
                told.push(right.clone());
            }
        }
        told
    }

    /// What is said of a right after this is not about those that were granted before.
    pub fn granted(&mut self) {
        thread::sleep(Duration::from_millis(200));
        self.read = self.log().metadata().unwrap().len();
    }

    /// The messages of all conditions that say that something is denied, in small letters.
    fn conditions(&self) -> Vec<String> {
        let kinds = ["credentialrotations", "secretaggregates"];
        let objects = kinds.map(|kind| {
            let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{}/{kind}", self.namespace);
            self.server.get(&path).json()["items"].as_array().cloned().unwrap_or_default()
        });
        let objects = objects.iter().flatten();
        let conditions = objects
            .flat_map(|object| object["status"]["conditions"].as_array().into_iter().flatten());
        let denied = conditions
            .filter(|condition| condition["reason"] == "Denied" && condition["type"] == "Ready");
        denied
            .filter_map(|condition| condition["message"].as_str().map(str::to_lowercase))
            .collect()
    }

    fn log(&self) -> File {
        File::open(self.operator.folder().join("log")).unwrap()
    }

    fn is_logged(&self, (_, _, verb): &Use, words: &str) -> bool {
        let mut log = self.log();
        log.seek(SeekFrom::Start(self.read)).unwrap();
        let mut text = Vec::new();
        log.read_to_end(&mut text).unwrap();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().filter(|line| line.contains(words));
        let denied = format!("not allowed: {verb}");
        lines.any(|line| words != WATCHING || line.contains(&denied))
    }
}

fn logged((_, resource, verb): &Use) -> Option<&'static Logged> {
    IN_THE_LOG.iter().find(|(of, verbs, ..)| of == resource && verbs.contains(&verb.as_str()))
}

/// Any of these in a condition tells of the right: its verb and kind, and of which object if it has a name.
fn words((_, resource, verb): &Use, names: &BTreeSet<String>) -> Vec<String> {
    let kind = resource.trim_end_matches('s');
    match verb.as_str() {
        "list" => vec![format!("not allowed: list {resource}")],
        "create" => vec![format!("not allowed: create {kind}")],
        _ => names.iter().map(|name| format!("not allowed: {verb} {kind} {name}")).collect(),
    }
}

#[test]
fn each_right_is_told_by_its_own_words() {
    let right = |resource: &str, verb: &str| (String::new(), resource.to_owned(), verb.to_owned());
    let names = BTreeSet::from(["nova-a".to_owned()]);
    assert_eq!(words(&right("pods", "list"), &names), ["not allowed: list pods"]);
    assert!(
        words(&right("users", "get"), &names).contains(&"not allowed: get user nova-a".to_owned())
    );
    assert!(
        words(&right("secrets", "update"), &names)
            .contains(&"not allowed: update secret nova-a".to_owned())
    );
    assert!(
        logged(&right("secrets", "get")).is_none() && logged(&right("secrets", "watch")).is_some()
    );
}
