//! `flux/operator/` is what Strata renders for a cloud in which something rotates. `UPDATE=1` writes it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use strata::finding::Findings;
use strata::load::{self, Source};
use strata::{Options, render};
use strata_operator::rbac;
use strata_operator::shell::metrics::Metrics;

const OWN_NAMESPACE: &str = "strata-system";
/// The namespace that the example looks after; a cloud has its own.
const PLANE_NAMESPACE: &str = "openstack";

/// All objects of a component of a cloud with everything that the operator looks after.
fn rendered(component: &str, monitoring: bool) -> Vec<Value> {
    // Whoever installs it so has rotations that nobody knows here.
    let further = [PLANE_NAMESPACE];
    let spec = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
        "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
        "spec": {
            "korc": {"credentials": "applicationCredential"},
            "global": {"monitoring": {"enabled": monitoring}},
            "platform": {"strata-operator": {"enabled": true, "namespaces": further}},
        },
    });
    objects(&spec, component)
}

fn objects(spec: &Value, component: &str) -> Vec<Value> {
    let sources = [Source { name: "cloud.yaml".to_owned(), bytes: spec.to_string().into_bytes() }];
    let mut findings = Findings::default();
    let documents = load::read(&sources, &mut findings);
    let outcome = render(&documents, findings, &Options::default());
    let own = outcome
        .objects
        .iter()
        .filter(|object| component.is_empty() || *object.component == *component);
    own.map(|object| serde_yaml::from_str(&object.yaml).unwrap()).collect()
}

/// Without the marks of the cloud that it was rendered for.
fn unmarked(mut object: Value) -> Value {
    let metadata = object["metadata"].as_object_mut().unwrap();
    let marks =
        ["app.kubernetes.io/managed-by", "app.kubernetes.io/part-of", "strata.c5c3.io/component"];
    for field in ["labels", "annotations"] {
        let Some(Value::Object(own)) = metadata.get_mut(field) else { continue };
        marks.iter().chain(&["strata.c5c3.io/owner"]).for_each(|mark| drop(own.remove(*mark)));
        if own.is_empty() {
            metadata.remove(field);
        }
    }
    object
}

fn files() -> Vec<(&'static str, Vec<Value>)> {
    let objects: Vec<Value> =
        rendered("strata-operator", false).into_iter().map(unmarked).collect();
    let file = |object: &Value| match object["kind"].as_str() {
        Some("CustomResourceDefinition") => "crds.yaml",
        _ if object["metadata"]["namespace"] == PLANE_NAMESPACE => "plane.yaml",
        _ => "operator.yaml",
    };
    let names = ["crds.yaml", "operator.yaml", "plane.yaml"];
    let mut files: Vec<_> = names
        .iter()
        .map(|name| {
            let own = objects.iter().filter(|object| file(object) == *name);
            (*name, own.cloned().collect())
        })
        .collect();
    files.push(("monitoring.yaml", monitoring()));
    files.push((
        "kustomization.yaml",
        vec![json!({
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": names,
        })],
    ));
    files
}

/// What monitoring adds, for the rotations of all clouds. It stands alone: its kinds are another operator's.
fn monitoring() -> Vec<Value> {
    let without = rendered("strata-operator", false);
    let own = rendered("strata-operator", true);
    let own = own.into_iter().filter(|object| !without.contains(object));
    let of_one_cloud = format!("{{namespace=\"{PLANE_NAMESPACE}\"}}");
    let rules = rendered("monitoring", true);
    let rules =
        rules.into_iter().filter(|object| object["metadata"]["name"] == "openstack-rotation");
    let rules = rules.map(|mut rules| {
        rules["metadata"] = json!({"name": "strata-operator", "namespace": OWN_NAMESPACE});
        for rule in rules["spec"]["groups"][0]["rules"].as_array_mut().unwrap() {
            rule["expr"] = rule["expr"].as_str().unwrap().replace(&of_one_cloud, "").into();
        }
        rules
    });
    own.chain(rules).map(unmarked).collect()
}

#[test]
fn the_manifests_are_what_strata_renders() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flux/operator");
    for (name, objects) in files() {
        assert!(!objects.is_empty(), "{name}");
        let documents = objects.iter().map(|object| serde_yaml::to_string(object).unwrap());
        let text = documents.collect::<Vec<_>>().join("---\n");
        let path = folder.join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{name} is out of date: run with UPDATE=1");
    }
}

#[test]
fn its_roles_are_those_that_the_program_prints() {
    let objects: Vec<Value> = files().into_iter().flat_map(|(_, objects)| objects).collect();
    let own = rbac::role(OWN_NAMESPACE, OWN_NAMESPACE, rbac::OWN);
    let plane = rbac::role(PLANE_NAMESPACE, OWN_NAMESPACE, rbac::PLANE);
    for printed in own.iter().chain(&plane) {
        assert!(objects.contains(printed), "{printed}");
    }
}

/// With the patch, people tell it what their workloads are called.
#[test]
fn a_cloud_gives_it_rights_to_what_its_rotations_name() {
    let consumers = json!([{"kind": "StatefulSet", "name": "glance-by-another-name"}]);
    let patch = json!({"kind": "CredentialRotation", "merge": {"spec": {"consumers": consumers}}});
    let spec = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
        "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
        "spec": {
            "korc": {"credentials": "applicationCredential"},
            "rotation": {"databasePasswords": {"enabled": true}, "fernetKeys": {"enabled": true}},
            "services": {"glance": {"patches": [patch]}},
            "platform": {"strata-operator": {"enabled": true, "namespaces": ["another"]}},
        },
    });
    let all = objects(&spec, "");
    let of = |kind: &'static str| all.iter().filter(move |object| object["kind"] == kind);
    let rotations: Vec<_> = of("CredentialRotation")
        .map(|rotation| serde_json::from_value(rotation.clone()).unwrap())
        .collect();
    assert!(rotations.len() > 10, "{}", rotations.len());
    let role = |namespace: &str| {
        // Keystone has roles, too.
        let own = of("Role")
            .find(|role| role["metadata"]["namespace"] == namespace && role.get("rules").is_some());
        own.unwrap()["rules"].as_array().unwrap().clone()
    };
    let expected: Vec<Value> =
        rbac::PLANE.iter().filter_map(|right| rbac::rule(right, Some(&rotations))).collect();
    let given = role(PLANE_NAMESPACE);
    assert_eq!(given, expected);
    assert_eq!(role("another"), rbac::rules(rbac::PLANE));
    let names = |resource: &str| {
        let rule = given.iter().find(|rule| rule["resources"][0] == resource);
        rule.map(|rule| rule["resourceNames"].clone())
    };
    assert_eq!(names("statefulsets"), Some(json!(["glance-by-another-name"])));
    assert_eq!(names("daemonsets"), None);
    let deployments = names("deployments").unwrap().to_string();
    assert!(deployments.contains("nova-api") && !deployments.contains("glance"), "{deployments}");
    // Of what no rotation of the cloud needs it has nothing.
    assert_eq!(names("jobs"), None);
    assert!(names("applicationcredentials").is_some());
}

#[test]
fn a_cloud_gives_it_no_rights_that_its_types_of_rotation_do_not_need() {
    let resources = |rotation: Value| {
        let spec = json!({
            "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
            "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
            "spec": {"rotation": rotation, "platform": {"strata-operator": {"enabled": true}}},
        });
        let all = objects(&spec, "strata-operator");
        let is_its = |role: &&Value| {
            role["kind"] == "Role" && role["metadata"]["namespace"] == PLANE_NAMESPACE
        };
        let rules = all.iter().find(is_its).unwrap()["rules"].as_array().unwrap().clone();
        let of = |rule: &Value| json!([rule["resources"][0], rule["resourceNames"], rule["verbs"]]);
        rules.iter().map(of).collect::<Vec<_>>()
    };
    let passwords = resources(json!({"databasePasswords": {"enabled": true}}));
    for resource in ["jobs", "applicationcredentials", "domains", "projects"] {
        assert!(!passwords.iter().any(|rule| rule[0] == resource), "{resource}: {passwords:?}");
    }
    let keys = resources(json!({"credentialKeys": {"enabled": true}}));
    let jobs: Vec<&Value> = keys.iter().filter(|rule| rule[0] == "jobs").collect();
    let by_name = json!(["jobs", ["keystone-credential-keys-migrate"], ["get", "delete"]]);
    assert_eq!(jobs, [&json!(["jobs", null, ["create"]]), &by_name]);
}

/// A cloud that runs may be told to log in otherwise, and back. A Secret that another is to make would have to go first,
/// and K-ORC lets none go that its objects name.
#[test]
fn no_secret_changes_its_maker_with_the_way_to_log_in() {
    let makers = |credentials: &str| -> BTreeMap<String, Value> {
        let spec = json!({
            "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
            "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
            "spec": {"korc": {"credentials": credentials}},
        });
        let maker = |object: &Value| {
            let (kind, spec) = (object["kind"].as_str()?, &object["spec"]);
            let made = match kind {
                "ExternalSecret" | "SecretAggregate" => &spec["target"]["name"],
                "PushSecret" => &spec["data"][0]["match"]["remoteRef"]["remoteKey"],
                // The password that Keystone knows somebody by.
                "User" => &object["metadata"]["name"],
                _ => return None,
            };
            let spec = if kind == "User" { &spec["resource"] } else { spec };
            let sort = if kind == "SecretAggregate" { "ExternalSecret" } else { kind };
            let group = &object["apiVersion"].as_str()?[..4];
            Some((format!("{sort} {group} {made}"), json!([kind, spec])))
        };
        objects(&spec, "").iter().filter_map(maker).collect()
    };
    let (password, credential) = (makers("password"), makers("applicationCredential"));
    let shared: Vec<_> =
        password.iter().filter(|(made, _)| credential.contains_key(*made)).collect();
    assert!(shared.len() > 20 && shared.len() < credential.len(), "{shared:?}");
    for (made, maker) in shared {
        assert_eq!(maker, &credential[made], "{made}");
    }
}

#[test]
fn whoever_re_encrypts_credentials_is_told_the_authority_of_the_database() {
    let check = |global: Value, mariadb: Value, expected: Value| {
        let spec = json!({
            "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
            "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
            "spec": {
                "rotation": {"credentialKeys": {"enabled": true}},
                "global": global,
                "infrastructure": {"mariadb": mariadb},
            },
        });
        let all = objects(&spec, "keystone-keys");
        let rotation = all.iter().find(|object| object["kind"] == "CredentialRotation").unwrap();
        assert_eq!(rotation["spec"]["keys"]["migration"]["caSecretRef"], expected, "{mariadb}");
    };
    let elsewhere = |more: Value| {
        let mut external = json!({"host": "db.example.com", "secretName": "root"});
        for (key, value) in more.as_object().unwrap() {
            external[key] = value.clone();
        }
        json!({"external": external})
    };
    let key_of = |name: &str| json!({"name": name, "key": "ca.crt"});
    check(json!({}), json!({}), key_of("openstack-ca-bundle"));
    check(json!({"tls": {"enabled": false}}), json!({}), Value::Null);
    check(json!({}), elsewhere(json!({"caSecretName": "theirs"})), key_of("theirs"));
    check(json!({}), elsewhere(json!({"tls": false})), Value::Null);
}

#[test]
fn whoever_re_encrypts_credentials_runs_where_keystone_can() {
    let pods = json!({
        "imagePullSecrets": [{"name": "registry"}],
        "nodeSelector": {"disk": "fast"},
        "tolerations": [{"key": "control", "operator": "Exists"}],
    });
    let spec = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
        "metadata": {"name": "production", "namespace": PLANE_NAMESPACE},
        "spec": {
            "rotation": {"credentialKeys": {"enabled": true}},
            "services": {"keystone": pods},
        },
    });
    let all = objects(&spec, "");
    let of = |kind: &str| all.iter().find(|object| object["kind"] == kind).unwrap()["spec"].clone();
    let (keystone, rotation) = (of("Keystone"), of("CredentialRotation"));
    for (setting, value) in pods.as_object().unwrap() {
        assert_eq!(keystone[setting], *value);
        assert_eq!(rotation["keys"]["migration"][setting], *value);
    }
}

#[test]
fn only_the_namespace_of_the_plane_is_reached_into() {
    for (_, objects) in files() {
        for object in objects {
            let kind = object["kind"].as_str().unwrap();
            assert!(!kind.starts_with("ClusterRole"), "{object}");
        }
    }
}

#[test]
fn alerts_and_dashboards_read_metrics_that_there_are() {
    let metrics = Metrics::default();
    metrics.failed_at("look");
    let served = metrics.text();
    let known: Vec<String> = served
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .map(
            |(name, kind)| {
                if kind == "counter" { format!("{name}_total") } else { name.to_owned() }
            },
        )
        .collect();
    let rules = Value::Array(rendered("monitoring", true)).to_string();
    let read: Vec<&str> = rules
        .match_indices("strata_rotation_")
        .map(|(start, _)| {
            let rest = &rules[start..];
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect();
    assert!(read.len() >= 3, "{read:?}");
    for &name in &read {
        assert!(known.iter().any(|it| it == name), "{name} is none of {known:?}");
    }
    let troubles = "strata_rotation_operator_troubles_total";
    assert!(read.contains(&troubles), "what no rotation tells is heard by nobody: {read:?}");
}
