//! A real API server with the operator's kinds, and the operator as a process under its own account.
#![allow(dead_code, reason = "each test file uses the part that it needs")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failing test may panic")]

#[path = "../../../tests/real/mod.rs"]
pub mod real;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use strata_operator::{api, rbac};

use self::real::{ApiServer, Guarded, Object, Verdict};

/// How often a test does something: as often as the operator's promises say where `cargo xtask test --full`
/// asks for it, else a sample that has met everything once.
pub fn times<T>(promised: T, sample: T) -> T {
    if std::env::var_os("STRATA_FULL").is_some() { promised } else { sample }
}

pub const OWN_NAMESPACE: &str = "strata-system";
/// The account that the shipped Roles are bound to.
pub const ACCOUNT: &str = "system:serviceaccount:strata-system:strata-operator";

/// What an administrator installs before the operator starts: its kinds, and its Roles for these
/// namespaces.
pub fn install(server: &ApiServer, namespaces: &[&str]) {
    for name in namespaces.iter().chain(&[OWN_NAMESPACE]) {
        apply(
            server,
            &json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}),
        );
    }
    api::crds().iter().for_each(|crd| apply(server, &json!(crd)));
    rbac::role(OWN_NAMESPACE, OWN_NAMESPACE, rbac::OWN)
        .iter()
        .for_each(|object| apply(server, object));
    for namespace in namespaces {
        let role = rbac::role(namespace, OWN_NAMESPACE, rbac::PLANE);
        role.iter().for_each(|object| apply(server, object));
    }
}

pub fn apply(server: &ApiServer, object: &Value) {
    for object in Object::read_all(&object.to_string()) {
        let verdict = server.apply(&object);
        assert!(matches!(verdict, Verdict::Accepted(_)), "{}: {verdict:?}", object.label());
    }
}

/// Starts the operator as its own account; dropping what is returned kills it, as a node's death would.
pub fn operator(server: &ApiServer, namespaces: &[&str], more: &[&str]) -> Guarded {
    let folder = real::folder("strata-operator");
    let kubeconfig = folder.join("kubeconfig");
    fs::write(&kubeconfig, impersonating(server.kubectl().kubeconfig(), ACCOUNT)).unwrap();
    let kubeconfig = kubeconfig.display().to_string();
    let mut arguments = vec!["run".to_owned(), format!("--watch={}", namespaces.join(","))];
    arguments.extend(more.iter().map(|&argument| argument.to_owned()));
    let program = Path::new(env!("CARGO_BIN_EXE_strata-operator"));
    Guarded::start_with(&[("KUBECONFIG", &kubeconfig)], program, &arguments, folder)
}

/// Starts the operator with a way of its own to the server; no account is put on but by that way.
pub fn operator_over(kubeconfig: &str, level: &str, namespaces: &[&str], more: &[&str]) -> Guarded {
    let folder = real::folder("strata-operator");
    let path = folder.join("kubeconfig");
    fs::write(&path, kubeconfig).unwrap();
    let path = path.display().to_string();
    let mut arguments = vec!["run".to_owned(), format!("--watch={}", namespaces.join(","))];
    arguments.extend(more.iter().map(|&argument| argument.to_owned()));
    let program = Path::new(env!("CARGO_BIN_EXE_strata-operator"));
    let environment = [("KUBECONFIG", path.as_str()), ("RUST_LOG", level)];
    Guarded::start_with(&environment, program, &arguments, folder)
}

pub fn impersonating(administrator: &Path, account: &str) -> String {
    let text = fs::read_to_string(administrator).unwrap();
    let mut kubeconfig: Value = serde_json::from_str(&text).unwrap();
    kubeconfig["users"][0]["user"]["as"] = account.into();
    kubeconfig.to_string()
}
