//! What a store of secrets with versions holds, and its rules: those of the KV v2 engine, as far as
//! External Secrets relies on them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// One path: its versions, from 1 on, and what is said about it beside them.
#[derive(Debug, Default)]
struct Entry {
    versions: Vec<Map<String, Value>>,
    custom_metadata: Value,
}

/// A write that was done: the path, the version that it made, and what it said.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    pub path: String,
    pub version: usize,
    pub data: Map<String, Value>,
}

#[derive(Debug, Default)]
pub struct Kv {
    entries: BTreeMap<String, Entry>,
    writes: Vec<Write>,
}

/// The status and the body of an answer.
pub type Reply = (u16, Value);

const NO_CONTENT: Reply = (204, Value::Null);
/// Nobody here reads times.
const TIME: &str = "2026-01-01T00:00:00Z";

impl Kv {
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    /// The newest version of a path.
    pub fn newest(&self, path: &str) -> Option<&Map<String, Value>> {
        self.entries.get(path)?.versions.last()
    }

    /// A version of a path, or the newest.
    pub fn read(&self, path: &str, version: Option<usize>) -> Reply {
        let Some(entry) = self.entries.get(path) else { return not_found() };
        let number = version.unwrap_or(entry.versions.len());
        let Some(data) = number.checked_sub(1).and_then(|index| entry.versions.get(index)) else {
            return not_found();
        };
        let mut metadata = version_metadata(number);
        metadata["custom_metadata"] = entry.custom_metadata.clone();
        (200, json!({"data": {"data": data, "metadata": metadata}}))
    }

    /// A new version. Every write must say which version it saw last, 0 for none: with a store that
    /// lets two writers pass unseen, a password could be replaced after it was read.
    pub fn write(&mut self, path: &str, body: &Value) -> Reply {
        let Some(data) = body["data"].as_object() else { return bad_request("no data provided") };
        let entry = self.entries.entry(path.to_owned()).or_default();
        match body["options"]["cas"].as_u64() {
            None => return bad_request("check-and-set parameter required for this call"),
            Some(seen) if seen != entry.versions.len() as u64 => {
                return bad_request("check-and-set parameter did not match the current version");
            }
            Some(_) => entry.versions.push(data.clone()),
        }
        let version = entry.versions.len();
        self.writes.push(Write { path: path.to_owned(), version, data: data.clone() });
        (200, json!({"data": version_metadata(version)}))
    }

    pub fn read_metadata(&self, path: &str) -> Reply {
        let Some(entry) = self.entries.get(path) else { return not_found() };
        let versions: Map<String, Value> = (1..=entry.versions.len())
            .map(|number| (number.to_string(), version_metadata(number)))
            .collect();
        let data = json!({
            "cas_required": true,
            "created_time": TIME,
            "current_version": entry.versions.len(),
            "custom_metadata": entry.custom_metadata,
            "versions": versions,
        });
        (200, json!({"data": data}))
    }

    pub fn write_metadata(&mut self, path: &str, body: &Value) -> Reply {
        let entry = self.entries.entry(path.to_owned()).or_default();
        entry.custom_metadata = body["custom_metadata"].clone();
        NO_CONTENT
    }

    /// The names right below a path; those of folders end with a slash.
    pub fn list(&self, path: &str) -> Reply {
        let folder = match path.trim_end_matches('/') {
            "" => String::new(),
            path => format!("{path}/"),
        };
        let below = self.entries.keys().filter_map(|path| path.strip_prefix(&folder));
        let mut names: Vec<String> = below
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => format!("{name}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.dedup();
        if names.is_empty() { not_found() } else { (200, json!({"data": {"keys": names}})) }
    }

    pub fn delete(&mut self, path: &str) -> Reply {
        self.entries.remove(path);
        NO_CONTENT
    }
}

fn version_metadata(version: usize) -> Value {
    json!({"version": version, "created_time": TIME, "deletion_time": "", "destroyed": false})
}

fn not_found() -> Reply {
    (404, json!({"errors": []}))
}

fn bad_request(why: &str) -> Reply {
    (400, json!({"errors": [why]}))
}
