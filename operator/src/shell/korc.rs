//! What K-ORC says of a credential that it has not made.

use kube::api::DynamicObject;

/// So much of a message that passes on an answer of Keystone.
const LONGEST: usize = 300;

/// Its reason and its message, unless it is merely not done yet. A message in which the secret of the credential
/// is quoted is left out.
pub fn says(object: &DynamicObject, secret: &[u8]) -> Option<String> {
    let conditions = object.data["status"]["conditions"].as_array()?;
    let about = |kind: &str| conditions.iter().find(|found| found["type"] == kind);
    let found = about("Available").or_else(|| about("Progressing"))?;
    let text = |field: &str| found[field].as_str().unwrap_or_default();
    let reason = text("reason");
    if found["type"] == "Available" && found["status"] == "True"
        || ["", "Progressing", "Success"].contains(&reason)
    {
        return None;
    }
    let message = text("message").split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = std::str::from_utf8(secret).is_ok_and(|secret| {
        !secret.is_empty() && (text("message").contains(secret) || message.contains(secret))
    });
    match quoted || message.is_empty() {
        true => Some(reason.to_owned()),
        false => Some(format!("{reason}: {}", message.chars().take(LONGEST).collect::<String>())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn says_with(conditions: Value) -> Option<String> {
        let object = serde_json::from_value(json!({
            "metadata": {"name": "nova-g1"}, "status": {"conditions": conditions},
        }));
        says(&object.unwrap(), b"canary")
    }

    #[test]
    fn a_refusal_is_passed_on_without_the_secret() {
        let refused = |message: &str| {
            let reason = "InvalidConfiguration";
            says_with(json!([
                {"type": "Progressing", "status": "False", "reason": reason, "message": message},
                {"type": "Available", "status": "False", "reason": reason, "message": message},
            ]))
        };
        assert_eq!(refused("no such\n role").unwrap(), "InvalidConfiguration: no such role");
        assert_eq!(refused("'canary' is too short").unwrap(), "InvalidConfiguration");
        assert!(refused(&"x".repeat(5_000)).unwrap().len() < 400);
    }

    #[test]
    fn what_is_merely_under_way_is_not_told() {
        let available = |status: &str, reason: &str| {
            says_with(json!([
                {"type": "Available", "status": status, "reason": reason, "message": "m"},
            ]))
        };
        assert_eq!(available("False", "Progressing"), None);
        assert_eq!(available("True", "Success"), None);
        assert_eq!(available("False", "TransientError").as_deref(), Some("TransientError: m"));
        assert_eq!(says_with(json!(null)), None);
    }
}
