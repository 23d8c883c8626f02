//! To which rotation a request belongs, by the names that tests give: `<rotation>` or `<rotation>-<part>`.

use serde_json::Value;
use strata_operator::shell::names;

/// A namespace and the name of a rotation in it.
pub type Whose = (String, String);

pub fn whose(path: &str, body: &Value) -> Option<Whose> {
    let (_, rest) = path.split_once("/namespaces/")?;
    let mut parts = rest.split('/');
    let (namespace, _, named) = (parts.next()?, parts.next()?, parts.next());
    // A workload has the credentials of several rotations; which one a stamp is for, is in its name.
    let stamps = body.pointer("/spec/template/metadata/annotations").and_then(Value::as_object);
    let prefix = names::content("");
    let stamped = stamps.and_then(|stamps| stamps.keys().find_map(|key| key.strip_prefix(&prefix)));
    let text = |place: &str| body.pointer(place).and_then(Value::as_str);
    let name =
        stamped.or(named).or_else(|| text("/regarding/name")).or_else(|| text("/metadata/name"))?;
    let rotation = name.split('-').next().unwrap_or(name);
    Some((namespace.to_owned(), rotation.to_owned()))
}

#[test]
fn a_request_belongs_to_the_rotation_that_it_is_for() {
    use serde_json::json;
    let stamp = json!({"spec": {"template": {"metadata": {"annotations":
        {"content-hash.c5c3.io/c2-delivered": "x"}}}}});
    for (path, body, expected) in [
        ("/api/v1/namespaces/plane/secrets/c1-g2", json!({}), "c1"),
        ("/api/v1/namespaces/plane/secrets", json!({"metadata": {"name": "c1-current"}}), "c1"),
        ("/apis/c5c3.io/v1alpha1/namespaces/plane/credentialrotations/c1/status", json!({}), "c1"),
        ("/apis/apps/v1/namespaces/plane/deployments/c1", stamp, "c2"),
        (
            "/apis/events.k8s.io/v1/namespaces/plane/events",
            json!({"regarding": {"name": "c3"}}),
            "c3",
        ),
    ] {
        assert_eq!(whose(path, &body), Some(("plane".to_owned(), expected.to_owned())), "{path}");
    }
}
