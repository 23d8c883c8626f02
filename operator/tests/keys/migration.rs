//! The Job that re-encrypts credentials, run as a node would run it: with what its pod mounts, and with
//! nothing else.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use strata_operator::core::simulate::random::Random;
use strata_operator::shell::{material, names};

use crate::plane::{CREDENTIAL, JOB, Plane};
use crate::stage::real::keystone::manage_with;

pub const IMAGE: &str = "ghcr.io/c5c3/keystone:30.0.0";
/// Where the files of the container are; on this machine they are below another folder.
const ETC: &str = "/etc/keystone";

/// Where addresses of databases say that the server's authority is, and the Secret that has it.
pub const AUTHORITY: &str = "database-authority";
const AUTHORITY_FILE: &str = "/etc/mysql/certs/ca.crt";

/// The folder of token keys is not in the Job's pod, and that of credential keys is called otherwise there.
pub fn configuration(database: &Path) -> String {
    format!(
        "[database]\nconnection = sqlite:///{}?timeout=30\n\
         [fernet_tokens]\nkey_repository = {ETC}/fernet-keys\n\
         [fernet_receipts]\nkey_repository = {ETC}/fernet-keys\n\
         [credential]\nkey_repository = {ETC}/keys-of-credentials\n",
        database.display()
    )
}

/// Runs what there is to run, until it is over. Some pods are lost before they begin, some after they
/// have ended.
pub fn play(plane: Plane, mut random: Random, over: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    let name = format!("{}-migrate", CREDENTIAL.rotation);
    thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
            let Some(job) = plane.get(JOB, &name) else { continue };
            if job["status"]["conditions"].as_array().is_some_and(|all| !all.is_empty()) {
                continue;
            }
            let (lost_before, lost_after) = (random.one_in(10), random.one_in(10));
            let ran = !lost_before && run(plane, &job);
            let status = if ran && !lost_after { succeeded() } else { failed() };
            plane.merge(JOB, &format!("{name}/status"), &json!({"status": status}));
        }
    })
}

const WHEN: &str = "2026-01-01T00:00:00Z";

fn condition(kind: &str) -> Value {
    json!({"type": kind, "status": "True", "lastTransitionTime": WHEN, "lastProbeTime": WHEN,
        "reason": "Played", "message": ""})
}

fn succeeded() -> Value {
    json!({"startTime": WHEN, "completionTime": WHEN, "succeeded": 1,
        "conditions": [condition("SuccessCriteriaMet"), condition("Complete")]})
}

fn failed() -> Value {
    json!({"startTime": WHEN, "failed": 1,
        "conditions": [condition("FailureTarget"), condition("Failed")]})
}

/// False if it failed: two who write at the same moment are too many for the database of the tests.
fn run(plane: Plane, job: &Value) -> bool {
    let pod = &job["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    let config = format!("{ETC}/keystone.conf");
    let command = json!(["keystone-manage", "--config-file", config, "credential_migrate"]);
    assert_eq!(container["command"], command);
    assert_eq!(container["image"], IMAGE);
    assert_eq!(pod["restartPolicy"], "Never");
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let here = |path: &str| root.path().join(path.trim_start_matches('/'));
    let etc = here(ETC).display().to_string();
    for mount in container["volumeMounts"].as_array().unwrap() {
        assert_eq!(mount["readOnly"], true, "{mount}");
        let volumes = pod["volumes"].as_array().unwrap();
        let volume = volumes.iter().find(|volume| volume["name"] == mount["name"]).unwrap();
        let name = volume["secret"]["secretName"].as_str().unwrap();
        let data = plane.secret(name).expect("a pod starts only with its volumes");
        if name == CREDENTIAL.secret {
            let ring = &job["metadata"]["annotations"][names::RING];
            assert_eq!(*ring, material::hex(material::digest(&data)), "other keys than it is for");
        }
        let path = here(mount["mountPath"].as_str().unwrap());
        let items = volume["secret"]["items"].as_array();
        let files = match (mount["subPath"].as_str(), items) {
            (Some(file), _) => vec![(path, &data[file])],
            (None, Some(items)) => {
                let text = |item: &Value, field: &str| item[field].as_str().unwrap().to_owned();
                let file = |item| (path.join(text(item, "path")), &data[&text(item, "key")]);
                items.iter().map(file).collect()
            }
            (None, None) => data.iter().map(|(name, bytes)| (path.join(name), bytes)).collect(),
        };
        for (path, bytes) in files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, String::from_utf8(bytes.0.clone()).unwrap().replace(ETC, &etc))
                .unwrap();
        }
    }
    assert!(here(AUTHORITY_FILE).is_file(), "nobody knows the database's server");
    let environment = container["env"].as_array().into_iter().flatten().map(|variable| {
        let value = variable["value"].as_str().unwrap().replace(ETC, &etc);
        (variable["name"].as_str().unwrap().to_owned(), value)
    });
    let environment: Vec<_> = environment.collect();
    let ran = manage_with(&environment, &here(&config), &["credential_migrate"]);
    if let Err(complaint) = &ran {
        let locked = complaint.contains("database is locked");
        assert!(locked, "the migration fails:\n{complaint}");
    }
    ran.is_ok()
}
