//! Where the credentials of a cloud lie in the store. External Secrets makes what is not there: were a
//! path to change, servers would know the old password and their clients a new one.

use std::fmt;

use crate::object::Object;
use crate::value::Value;

/// A store and the folder in it that holds a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Folder<'a> {
    pub store: &'a str,
    pub path: &'a str,
}

impl fmt::Display for Folder<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {}", self.path, self.store)
    }
}

/// The folders that a credential leaves and goes to; none if it stays.
pub(super) fn moved<'a>(before: &'a Object, after: &'a Object) -> Option<(Folder<'a>, Folder<'a>)> {
    let (old, new) = (places(before), places(after));
    old.into_iter().find_map(|(credential, from)| {
        let (_, to) = new.iter().find(|(other, _)| *other == credential)?;
        (from != *to).then_some((from, *to))
    })
}

/// Each credential that is written to the store, by its own name, with its folder.
fn places(object: &Object) -> Vec<(&str, Folder<'_>)> {
    let is_push = object.api_version().starts_with("external-secrets.io/");
    if !is_push || object.kind() != "PushSecret" {
        return Vec::new();
    }
    let list = |key| object.body().at(&["spec", key]).and_then(Value::as_list).unwrap_or_default();
    let store = list("secretStoreRefs").first().and_then(|store| store.at(&["name"])?.as_str());
    let keys = list("data").iter().filter_map(|item| {
        item.at(&["match", "remoteRef", "remoteKey"])?.as_str()?.rsplit_once('/')
    });
    let folder = |path| Folder { store: store.unwrap_or_default(), path };
    keys.map(|(path, credential)| (credential, folder(path))).collect()
}
