//! What a write has to carry so that it lands on nothing that its writer has not seen.

use http::Method;
use serde_json::Value;

use super::way::Use;

/// What the write lacks, if it lacks something.
pub fn lacks(method: &Method, (_, resource, _): &Use, body: &Value) -> Option<&'static str> {
    let says = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let needed: &[(&str, &'static str)] = match *method {
        Method::GET => return None,
        // Events are for people, and nobody decides by them; questions about one's rights keep nothing.
        _ if resource == "events" || resource.starts_with("selfsubject") => return None,
        // The name is the precondition: what is there already is not made again.
        Method::POST => &[("/metadata/name", "a name of its own")],
        Method::PUT | Method::PATCH => {
            &[("/metadata/resourceVersion", "the version it was made for")]
        }
        Method::DELETE => &[
            ("/preconditions/resourceVersion", "the version it was made for"),
            ("/preconditions/uid", "the object it was made for"),
        ],
        _ => return Some("a verb that is known"),
    };
    let missing = needed.iter().find(|(place, _)| !body.pointer(place).is_some_and(says));
    missing.map(|(_, what)| *what)
}

#[test]
fn a_write_without_a_precondition_is_seen() {
    use serde_json::json;
    let right = |resource: &str| (String::new(), resource.to_owned(), String::new());
    let version = json!({"metadata": {"resourceVersion": "7"}});
    let named = json!({"metadata": {"name": "nova"}});
    let whole = json!({"preconditions": {"resourceVersion": "7", "uid": "u"}});
    for (method, body) in [
        (Method::PUT, &version),
        (Method::PATCH, &version),
        (Method::POST, &named),
        (Method::DELETE, &whole),
    ] {
        assert_eq!(lacks(&method, &right("secrets"), body), None, "{method}");
        assert!(lacks(&method, &right("secrets"), &json!({})).is_some(), "{method}");
    }
    let half = json!({"preconditions": {"uid": "u"}});
    assert!(lacks(&Method::DELETE, &right("secrets"), &half).is_some());
    assert_eq!(lacks(&Method::POST, &right("events"), &json!({})), None);
}
