//! K-ORC's own credential, as Strata renders it: K-ORC logs in with what the operator had it make.

use serde_json::{Value, json};
use strata::finding::Findings;
use strata::load::{self, Source};
use strata::{Options, render};

use crate::cloud::{ADMIN_CLOUD, ADMIN_PASSWORD, CLOUD, STORE, identity, secret};
use crate::plane::Plane;
use crate::real::report;
use crate::rotation::Rotation;
use crate::service::{ID, log_in};

const KORC: &str = "korc";
const DELIVERED: &str = "k-orc-app-credential";
/// What K-ORC logs in with.
const CREDENTIAL_CLOUD: &str = "k-orc-credential-clouds-yaml";
/// With this everything begins; the `clouds.yaml` of the administrator comes out of it in a cluster.
const PASSWORD: &str = "keystone-admin-credentials";
const AUTHORITY: &str = "openstack-ca-bundle";
/// Of all that is rendered, what K-ORC's credential consists of.
const OURS: [&str; 6] = [
    "Domain default",
    "User k-orc-admin",
    "CredentialRotation k-orc-app-credential",
    "PushSecret k-orc-app-credential",
    "ExternalSecret k-orc-app-credential",
    "SecretAggregate k-orc-credential-clouds-yaml",
];

/// What of it Flux takes away when K-ORC is to log in with the password again.
const PRUNED: [(&str, &str); 4] = [
    ("c5c3.io/v1alpha1", "secretaggregates/k-orc-credential-clouds-yaml"),
    ("c5c3.io/v1alpha1", "credentialrotations/k-orc-app-credential"),
    ("external-secrets.io/v1alpha1", "pushsecrets/k-orc-app-credential"),
    ("external-secrets.io/v1", "externalsecrets/k-orc-app-credential"),
];
/// One of all that K-ORC looks after, however it logs in.
const LOOKED_AFTER: &str = "Project service";

/// But for the names of two servers, which only a cluster knows.
fn rendered(credentials: &str, wanted: &[&str]) -> Vec<Value> {
    let spec = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
        "metadata": {"name": "production", "namespace": KORC},
        "spec": {"korc": {"credentials": credentials}},
    });
    let sources = [Source { name: "cloud.yaml".to_owned(), bytes: spec.to_string().into_bytes() }];
    let mut findings = Findings::default();
    let documents = load::read(&sources, &mut findings);
    let outcome = render(&documents, findings, &Options::default());
    let inside = format!("https://keystone.{KORC}.svc.cluster.local:5000/v3");
    let here = |yaml: &str| {
        let yaml =
            yaml.replace(&inside, &CLOUD.keystone.url()).replace("openbao-cluster-store", STORE);
        serde_yaml::from_str::<Value>(&yaml).unwrap()
    };
    let all: Vec<Value> = outcome.objects.iter().map(|object| here(&object.yaml)).collect();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let label =
        |object: &Value| format!("{} {}", text(&object["kind"]), text(&object["metadata"]["name"]));
    let find = |wanted: &str| all.iter().find(|object| label(object) == wanted).cloned();
    let found = |wanted: &&str| find(wanted).unwrap_or_else(|| panic!("no {wanted} is rendered"));
    wanted.iter().map(found).collect()
}

/// K-ORC looks after a project with what it logs in with now: what is changed of it comes to Keystone.
fn looks_after(credentials: &str, description: &str) {
    let mut project = rendered(credentials, &[LOOKED_AFTER]).remove(0);
    // Another test has the project of that name.
    project["spec"]["resource"]["name"] = json!("looked-after");
    project["spec"]["resource"]["description"] = json!(description);
    CLOUD.apply(&[project.clone()]);
    CLOUD.wait(&format!("a project {description}"), || {
        let state = CLOUD.state(&project);
        let of_now = state["metadata"]["generation"].clone();
        let conditions = state["status"]["conditions"].as_array().cloned().unwrap_or_default();
        let available = conditions.iter().any(|found| {
            found["type"] == "Available"
                && found["status"] == "True"
                && found["observedGeneration"] == of_now
        });
        let found = CLOUD.as_admin("GET", "/v3/projects?name=looked-after", &Value::Null);
        match &found["projects"][0]["description"] {
            text if available && text == description => Vec::new(),
            text => vec![format!("{text} {}", state["status"])],
        }
    });
}

fn delete(path: &str) {
    let answer = CLOUD.server.request("DELETE", path, "application/json", "");
    assert!(answer.status < 300, "{path}: {}", answer.message());
}

/// As Flux prunes, and then as docs/rotation.md has it.
fn take_credentials_away() {
    for (group, path) in PRUNED {
        delete(&format!("/apis/{group}/namespaces/{KORC}/{path}"));
    }
    let korc = "/apis/openstack.k-orc.cloud/v1alpha1";
    let left = format!("{korc}/namespaces/{KORC}/applicationcredentials");
    delete(&format!("{left}?labelSelector=c5c3.io%2Frotation"));
    CLOUD.wait("an end of K-ORC's credentials", in_keystone);
}

/// The administrator's application credentials in Keystone.
fn in_keystone() -> Vec<String> {
    let users = CLOUD.as_admin("GET", "/v3/users?name=admin", &Value::Null);
    let path =
        format!("/v3/users/{}/application_credentials", users["users"][0]["id"].as_str().unwrap());
    let list = CLOUD.as_admin("GET", &path, &Value::Null)["application_credentials"].clone();
    let names =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned());
    names.collect()
}

/// K-ORC makes a project with the credential that it has now.
fn works(name: &str) {
    let managed = json!({"managementPolicy": "managed", "resource": {"name": name}});
    let mut project = identity(KORC, "Project", name, managed);
    project["spec"]["cloudCredentialsRef"]["secretName"] = json!(CREDENTIAL_CLOUD);
    CLOUD.wait_until_available(&[project]);
}

fn forget(projects: &[&str]) {
    let path =
        |name| format!("/apis/openstack.k-orc.cloud/v1alpha1/namespaces/{KORC}/projects/{name}");
    projects.iter().for_each(|name| delete(&path(name)));
    CLOUD.wait("an end of projects", || {
        let left = projects.iter().filter(|name| CLOUD.server.get(&path(name)).status == 200);
        left.map(|name| (*name).to_owned()).collect()
    });
}

#[test]
fn k_orc_goes_on_with_its_next_credential() {
    let plane = &Plane::start(KORC);
    CLOUD.authority_in(KORC, AUTHORITY);
    let login = json!({"username": "admin", "password": ADMIN_PASSWORD});
    CLOUD.apply(&[secret(KORC, PASSWORD, &login)]);
    CLOUD.clouds_yaml(KORC, ADMIN_CLOUD, ("admin", ADMIN_PASSWORD), "admin");
    CLOUD.apply(&rendered("password", &["Domain default"]));
    looks_after("password", "made by password");
    CLOUD.apply(&rendered("applicationCredential", &OURS));
    let rotation = Rotation { plane, name: "k-orc-app-credential".to_owned() };
    let first = rotation.complete(0, || {});
    looks_after("applicationCredential", "changed by credential");
    works("with-the-first");
    let before = CLOUD.server.secret(KORC, DELIVERED).unwrap();
    rotation.rotate_now();
    let second = rotation.complete(first, || {
        assert!(log_in(&before).is_ok(), "revoked while tokens of it may be in use");
    });
    assert!(log_in(&before).is_err(), "the old credential works");
    assert_eq!(in_keystone(), [format!("{}-g{second}", rotation.name)]);
    let clouds = CLOUD.server.secret(KORC, CREDENTIAL_CLOUD).unwrap()["clouds.yaml"].clone();
    let after = CLOUD.server.secret(KORC, DELIVERED).unwrap();
    assert!(
        clouds.contains(&after[ID]) && !clouds.contains(&before[ID]),
        "what K-ORC reads is old"
    );
    works("with-the-second");
    report("rotation: K-ORC's own credential rotated, and K-ORC made a project with each");
    // Else they would hold the Secret that goes.
    forget(&["with-the-first", "with-the-second"]);
    looks_after("password", "changed by password");
    take_credentials_away();
    looks_after("password", "changed without any credential");
    report(
        "rotation: K-ORC went from password to credential and back, and looked after a project all the time",
    );
}
