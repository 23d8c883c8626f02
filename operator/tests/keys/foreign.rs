//! Keys that another operator rotates are left alone.

use serde_json::{Value, json};
use strata_operator::core::{Ring, Time};
use strata_operator::shell::material;

use crate::cloud::eventually;
use crate::operator::Operator;
use crate::plane::{FERNET, Plane, ROTATION, SECRET};
use crate::{delivery, node};
use std::collections::BTreeMap;

#[test]
fn keys_of_another_rotator_are_refused() {
    let plane = Plane { namespace: "foreign" };
    let key = || material::new_key().expect("the system gives random bytes");
    let ring = Ring::fresh(key(), key(), Time(0));
    let mut data = material::data(&ring);
    // Others know nothing of our notes.
    data.remove("notes.json");
    // As cobaltcore's operator of Keystone makes it.
    let owner = json!([{"apiVersion": "keystone.openstack.c5c3.io/v1alpha1", "kind": "Keystone",
        "name": "keystone", "uid": "0f0e1d2c-3b4a-5968-7786-95a4b3c2d1e0",
        "controller": true, "blockOwnerDeletion": true}]);
    plane.create(
        SECRET,
        &json!({"apiVersion": "v1", "kind": "Secret", "data": data,
            "metadata": {"name": FERNET.secret, "namespace": plane.namespace,
                "ownerReferences": owner}}),
    );
    node::create_deployment(plane);
    delivery::create_objects(plane, FERNET);
    plane.create(ROTATION, &FERNET.object(plane, &BTreeMap::new()));
    let operator = Operator::shipped(plane);
    let refused = |by: &str| {
        eventually(&format!("refusal because of {by}"), &operator, || {
            let status = plane.get(ROTATION, FERNET.rotation)?["status"].clone();
            let ready =
                status["conditions"].as_array()?.iter().find(|one| one["type"] == "Ready")?;
            let message = ready["message"].as_str()?.contains(by);
            let refused = status["reason"] == "RotatedElsewhere" && ready["status"] == "False";
            (refused && message).then_some(())
        });
    };
    let version =
        || plane.get(SECRET, FERNET.secret).unwrap()["metadata"]["resourceVersion"].clone();
    let untouched = |before: &Value| {
        assert_eq!(version(), *before, "the Secret was written");
        for end in ["first", "next", "backup"] {
            assert!(plane.secret(&FERNET.named(end)).is_none(), "{end} was made");
        }
    };

    let before = version();
    refused("keystone.openstack.c5c3.io/v1alpha1");
    untouched(&before);

    // In a cluster that is not its own it cannot be an owner, and says so by labels.
    let labels = json!({"openstack.c5c3.io/owner-kind": "Keystone",
        "openstack.c5c3.io/owner-name": "remote"});
    let patch = json!({"metadata": {"ownerReferences": null, "labels": labels}});
    plane.merge(SECRET, FERNET.secret, &patch);
    let before = version();
    refused("Keystone remote");
    untouched(&before);

    // Given up by the other, they are taken over as they are.
    let none = json!({"openstack.c5c3.io/owner-kind": null});
    plane.merge(SECRET, FERNET.secret, &json!({"metadata": {"labels": none}}));
    let first = eventually("adoption", &operator, || plane.secret(&FERNET.named("first")));
    assert_eq!(first, data, "other keys were adopted than Keystone has");
}
