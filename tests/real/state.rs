//! What the server holds of an object, and what controllers say of it there.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::objects::Object;
use super::server::ApiServer;

impl ApiServer {
    /// The object as it is stored; null if it is not.
    pub fn state(&self, object: &Object) -> Value {
        let answer = self.path(object).map(|path| self.get(&path));
        answer.filter(|answer| answer.status == 200).map_or(Value::Null, |answer| answer.json())
    }

    pub fn annotate(&self, object: &Object, name: &str, value: &str) {
        let patch = json!({"metadata": {"annotations": {name: value}}}).to_string();
        let path = self.path(object).expect("the server knows the kind");
        let answer = self.request("PATCH", &path, "application/merge-patch+json", &patch);
        assert!(answer.status == 200, "{}: {}", object.label(), answer.message());
    }

    /// What a Secret holds; None if there is no such Secret.
    pub fn secret(&self, namespace: &str, name: &str) -> Option<BTreeMap<String, String>> {
        let answer = self.get(&format!("/api/v1/namespaces/{namespace}/secrets/{name}"));
        if answer.status != 200 {
            return None;
        }
        let secret = answer.json();
        let data = secret["data"].as_object().into_iter().flatten();
        Some(data.map(|(key, value)| (key.clone(), decoded(value))).collect())
    }
}

/// A condition that does not stand as it should: why, in the controller's words.
pub fn lacks(state: &Value, condition: &str, wanted: &str) -> Option<String> {
    let conditions = state["status"]["conditions"].as_array().into_iter().flatten();
    let found = conditions.into_iter().find(|found| found["type"] == condition);
    let Some(found) = found else { return Some(format!("has no condition {condition}")) };
    // Those that do not say which generation they are about are about the newest.
    let seen = &found["observedGeneration"];
    let current = seen.is_null() || *seen == state["metadata"]["generation"];
    (found["status"] != wanted || !current).then(|| {
        let message = found["message"].as_str().unwrap_or_default();
        format!("{condition} is {}: {message}", found["status"])
    })
}

/// RFC 4648, as Kubernetes writes it.
fn decoded(value: &Value) -> String {
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for byte in value.as_str().unwrap_or_default().bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        (bits, count) = (bits << 6 | u32::from(digit), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    String::from_utf8(bytes).expect("the Secrets of the tests are text")
}
