//! How the operator says which right it misses: in a condition of what it was missed for, and where no object can say
//! it, by not being ready, which is a condition of its Pod.

use std::collections::{BTreeMap, BTreeSet};

use crate::play::ask::ask;
use crate::play::way::Use;
use crate::stage::real::{ApiServer, Guarded};

/// What a right is missed for.
type Missed = BTreeMap<Use, BTreeSet<String>>;

/// A right whose lack no status can tell, by resource and verbs; the words that tell it after the verb; why.
type Unready = (&'static str, &'static [&'static str], &'static str, &'static str);

#[rustfmt::skip]
const BY_READINESS: &[Unready] = &[
    ("credentialrotations", &["list"], "credentialrotations in", "whose status, is not known without it"),
    ("secretaggregates", &["list"], "secretaggregates in", "whose status, is not known without it"),
    ("credentialrotations/status", &["patch"], "the status of credentialrotation", "it is the right to say something"),
    ("secretaggregates/status", &["patch"], "the status of secretaggregate", "it is the right to say something"),
    ("leases", &["get", "create", "update"], "the lease in", "who does not lead writes nothing"),
];

pub struct Telling<'a> {
    pub server: &'a ApiServer,
    pub operator: &'a Guarded,
    pub namespace: &'a str,
    /// Where the operator says whether it is ready.
    pub address: &'a str,
}

impl Telling<'_> {
    /// Those of the rights missed that the operator has told of.
    pub fn told(&self, missed: &Missed) -> Vec<Use> {
        let (conditions, unready) = (self.conditions(), self.unready());
        let is_told = |(right, names): &(&Use, &BTreeSet<String>)| {
            let said = if by_readiness(right).is_some() { &unready } else { &conditions };
            words(right, names).iter().any(|words| said.iter().any(|text| text.contains(words)))
        };
        missed.iter().filter(is_told).map(|(right, _)| right.clone()).collect()
    }

    /// Why it is not ready, in small letters; nothing if it is.
    fn unready(&self) -> Vec<String> {
        match ask(self.address, "/readyz") {
            Some((503, body)) => body.lines().map(str::to_lowercase).collect(),
            _ => Vec::new(),
        }
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
}

fn by_readiness((_, resource, verb): &Use) -> Option<&'static Unready> {
    BY_READINESS.iter().find(|(of, verbs, ..)| of == resource && verbs.contains(&verb.as_str()))
}

/// Any of these tells of the right: its verb and kind, and of which object if it has a name.
fn words(right: &Use, names: &BTreeSet<String>) -> Vec<String> {
    let (_, resource, verb) = right;
    let kind = resource.trim_end_matches('s');
    if let Some((_, _, words, _)) = by_readiness(right) {
        return vec![format!("not allowed: {verb} {words}")];
    }
    match verb.as_str() {
        "list" | "watch" => vec![format!("not allowed: {verb} {resource}")],
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
    assert_eq!(words(&right("secrets", "watch"), &names), ["not allowed: watch secrets"]);
    assert_eq!(words(&right("leases", "update"), &names), ["not allowed: update the lease in"]);
    assert!(by_readiness(&right("leases", "get")).is_some());
    assert!(by_readiness(&right("credentialrotations", "get")).is_none());
}
