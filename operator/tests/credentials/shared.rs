//! A workload that has the credentials of two rotations.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use strata_operator::shell::names;

use crate::cloud::CLOUD;
use crate::passwords::call_ready;
use crate::pods::unhurried;
use crate::real::report;
use crate::rotation::Rotation;
use crate::service::{Service, Tokens, rotation, through_store};

const SHARED: &str = "shared";
const MARIADB: &str = "k8s.mariadb.com/v1alpha1";
const DATABASE: &str = "nova-db-password";
const DELIVERED: &str = "nova-db-credentials";

/// Its users are always ready, and nobody logs in with them here.
fn database() -> Vec<Value> {
    let users = ["nova-a", "nova-b"];
    let of = |(name, place): (&str, &str)| {
        json!({
            "apiVersion": MARIADB, "kind": "User", "metadata": {"name": name, "namespace": SHARED},
            "spec": {
                "mariaDbRef": {"name": "openstack-db"}, "maxUserConnections": 1000,
                "passwordSecretKeyRef": {"name": format!("{DATABASE}-{place}"), "key": "password"},
            },
        })
    };
    let mut objects: Vec<Value> = users.into_iter().zip(["a", "b"]).map(of).collect();
    let spec = json!({
        "rotationType": "databasePassword", "gracePeriodDays": 0,
        "alternatingUsers": {"apiVersion": MARIADB, "names": users, "settleSeconds": 1},
        "consumers": [{"kind": "Deployment", "name": "nova"}],
    });
    objects.extend(through_store(SHARED, DATABASE, DELIVERED));
    objects.push(rotation(SHARED, DATABASE, DELIVERED, spec));
    objects
}

/// Everything that a rotation writes, as far as others leave it alone: by path and name, what would change.
fn written() -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (group, kind, field) in [
        ("api/v1", "secrets", "/metadata/resourceVersion"),
        ("apis/apps/v1", "deployments", "/metadata/resourceVersion"),
        ("apis/c5c3.io/v1alpha1", "credentialrotations", "/status"),
        ("apis/external-secrets.io/v1alpha1", "pushsecrets", "/metadata/annotations"),
        ("apis/external-secrets.io/v1", "externalsecrets", "/metadata/annotations"),
    ] {
        let list = CLOUD.server.get(&format!("/{group}/namespaces/{SHARED}/{kind}")).json();
        for object in list["items"].as_array().unwrap() {
            let name = format!("{kind} {}", object["metadata"]["name"]);
            found.insert(name, object.pointer(field).cloned().unwrap_or_default());
        }
    }
    found
}

#[test]
fn two_rotations_of_one_workload_come_to_rest() {
    let service = Service::register("nova", SHARED);
    let plane = &*service.plane;
    let pods = service.pods(2, unhurried(), &Tokens::of(&service));
    let database = database();
    CLOUD.apply(&database);
    ["nova-a", "nova-b"].iter().for_each(|user| call_ready(SHARED, MARIADB, user));
    CLOUD.apply(&service.objects());
    let both = [service.rotation(), DATABASE.to_owned()].map(|name| Rotation { plane, name });
    let first = both.each_ref().map(|rotation| rotation.complete(0, || {}));
    both.iter().for_each(Rotation::rotate_now);
    for (rotation, before) in both.iter().zip(first) {
        rotation.complete(before, || {});
    }
    // The one that was there first may have been set in motion again by the other.
    for (rotation, before) in both.iter().zip(first) {
        assert_eq!(
            rotation.complete(before, || {}),
            before + 1,
            "{} was made again",
            rotation.name
        );
    }
    let before = written();
    for _ in 0..5 {
        both.iter().for_each(Rotation::make_it_look);
        thread::sleep(Duration::from_secs(1));
        assert_eq!(written(), before, "something is written at rest");
    }
    let path = format!("/apis/apps/v1/namespaces/{SHARED}/deployments/nova");
    let template = &CLOUD.server.get(&path).json()["spec"]["template"]["metadata"]["annotations"];
    for secret in [service.delivered(), DELIVERED.to_owned()] {
        assert!(
            template[names::content(&secret)].is_string(),
            "{secret} is not stamped: {template}"
        );
    }
    let tally = pods.stop();
    let failures = tally.failures.lock().unwrap().clone();
    assert!(failures.is_empty(), "{} failures, first {}", failures.len(), failures[0]);
    report("rotation: two rotations of one workload came to rest, and five looks wrote nothing");
}
