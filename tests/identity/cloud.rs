//! The cloud that is walked, as the program renders it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::real::Object;

const KORC: &str = "openstack.k-orc.cloud";

/// The objects of the cloud that a controller of this test serves. The others are judged by the API
/// server in a test of its own.
#[derive(Debug)]
pub struct Cloud {
    pub namespaces: Vec<Object>,
    pub generators: Vec<Object>,
    pub pushed: Vec<Object>,
    pub delivered: Vec<Object>,
    /// K-ORC's, but for the role assignments.
    pub identity: Vec<Object>,
    pub role_assignments: Vec<Object>,
}

impl Cloud {
    pub fn render() -> Self {
        let output = Command::new(env!("CARGO_BIN_EXE_strata"))
            .args(["render", "tests/identity/controlplane.yaml"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("strata starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "strata render: {complaint}");
        let stream = String::from_utf8(output.stdout).expect("strata writes UTF-8");
        let all = Object::read_all(&stream);
        let of = |kinds: &[&str]| -> Vec<Object> {
            let wanted = |object: &&Object| kinds.contains(&object.qualified_kind().as_str());
            all.iter().filter(wanted).cloned().collect()
        };
        let assigns = |object: &Object| object.kind == "RoleAssignment";
        let is_identity =
            |object: &&Object| object.api_version.starts_with(KORC) && !assigns(object);
        let cloud = Self {
            namespaces: of(&["Namespace"]),
            generators: of(&["Password.generators.external-secrets.io"]),
            pushed: of(&["PushSecret.external-secrets.io"]),
            delivered: of(&["ExternalSecret.external-secrets.io"]),
            identity: all.iter().filter(is_identity).cloned().collect(),
            role_assignments: of(&["RoleAssignment.openstack.k-orc.cloud"]),
        };
        let served: Vec<&Object> = cloud.served().collect();
        let known = served.len() + cloud.role_assignments.len();
        let theirs = |object: &&Object| {
            object.api_version.contains("external-secrets.io")
                || object.api_version.starts_with(KORC)
                || object.kind == "Namespace"
        };
        assert_eq!(known, all.iter().filter(theirs).count(), "a kind is not walked");
        cloud
    }

    /// In the order in which they are applied.
    pub fn served(&self) -> impl Iterator<Item = &Object> {
        let credentials = self.generators.iter().chain(&self.pushed).chain(&self.delivered);
        self.namespaces.iter().chain(credentials).chain(&self.identity)
    }

    pub fn delivered(&self, name: &str) -> &Object {
        let found = self.delivered.iter().find(|object| object.name == name);
        found.unwrap_or_else(|| panic!("no ExternalSecret {name} is rendered"))
    }

    pub fn identity(&self, kind: &str, name: &str) -> &Object {
        let mut objects = self.identity.iter();
        let found = objects.find(|object| object.kind == kind && object.name == name);
        found.unwrap_or_else(|| panic!("no {kind} {name} is rendered"))
    }

    /// What K-ORC is to make, by kind: `spec.resource` of each.
    pub fn managed(&self, kind: &str) -> Vec<Value> {
        let objects = self.identity.iter().filter(|object| object.kind == kind);
        let resources = objects.map(|object| object.value()["spec"]["resource"].clone());
        resources.filter(|resource| !resource.is_null()).collect()
    }
}

/// The keys that a delivered Secret must have.
pub fn keys(delivered: &Value) -> BTreeSet<String> {
    let spec = &delivered["spec"];
    match spec["target"]["template"]["data"].as_object() {
        Some(template) => template.keys().cloned().collect(),
        None => entries(spec).iter().map(|entry| text(&entry["secretKey"])).collect(),
    }
}

pub fn entries(spec: &Value) -> Vec<Value> {
    spec["data"].as_array().cloned().unwrap_or_default()
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
