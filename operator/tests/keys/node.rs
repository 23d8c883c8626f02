//! The nodes that the replicas run on, as far as keys see them: kubelet brings a Secret to a folder some
//! time after it has changed, and pods say which contents they have.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use strata_operator::core::simulate::random::Random;
use strata_operator::shell::material::{self, Data};
use strata_operator::shell::names;

use crate::plane::{DEPLOYMENT, Keys, POD, Plane};

/// A Secret in the folder of a replica.
#[derive(Debug)]
struct Mount {
    keys: Keys,
    folder: PathBuf,
    has: Data,
    /// When kubelet looks, once something has changed.
    due: Option<Instant>,
    swaps: u64,
}

#[derive(Debug)]
pub struct Node {
    plane: Plane,
    pod: String,
    mounts: Vec<Mount>,
    random: Random,
    /// Whether the pod says what it has. Without a word of it the operator goes by time.
    pub speaks: Arc<AtomicBool>,
    said: BTreeMap<&'static str, Option<String>>,
    /// The longest that a change took to arrive, in milliseconds, from when it was seen.
    pub slowest: Arc<AtomicU64>,
}

/// What all pods of Keystone carry.
const LABELS: (&str, &str) = ("app", "keystone");
const LOOK_EVERY: Duration = Duration::from_millis(80);
/// The operator's `propagationSeconds` is well above.
const LONGEST_SILENT_LAG: i64 = 1_200;

/// The Deployment whose pods the replicas are; no controller runs that would make them.
pub fn deployment(plane: Plane) -> Value {
    let labels = json!({LABELS.0: LABELS.1});
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "keystone", "namespace": plane.namespace},
        "spec": {"selector": {"matchLabels": labels}, "template": {
            "metadata": {"labels": labels},
            "spec": {"containers": [{"name": "keystone", "image": "keystone"}]},
        }},
    })
}

pub fn create_deployment(plane: Plane) {
    plane.create(DEPLOYMENT, &deployment(plane));
}

impl Node {
    /// A pod does not start before its volumes are there.
    pub fn with_pod(
        plane: Plane,
        pod: &str,
        folders: &[(Keys, PathBuf)],
        random: Random,
        speaks: bool,
    ) -> Self {
        let mounts = folders.iter().map(|(keys, folder)| {
            let has = plane.secret(keys.secret).expect("the keys are there");
            swap(folder, &has, 0);
            Mount { keys: *keys, folder: folder.clone(), has, due: None, swaps: 0 }
        });
        let mounts = mounts.collect();
        let secrets = folders.iter().map(|(keys, _)| keys.secret);
        let volumes: Vec<Value> = secrets
            .clone()
            .map(|secret| json!({"name": secret, "secret": {"secretName": secret}}))
            .collect();
        let mounted: Vec<Value> = secrets
            .map(|secret| json!({"name": secret, "mountPath": format!("/etc/keystone/{secret}")}))
            .collect();
        plane.create(
            POD,
            &json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": pod, "namespace": plane.namespace,
                    "labels": {LABELS.0: LABELS.1}},
                "spec": {
                    "containers": [
                        {"name": "keystone", "image": "keystone", "volumeMounts": mounted},
                    ],
                    "volumes": volumes,
                },
            }),
        );
        let mut node = Self {
            plane,
            pod: pod.to_owned(),
            mounts,
            random,
            speaks: Arc::new(AtomicBool::new(speaks)),
            said: BTreeMap::new(),
            slowest: Arc::default(),
        };
        node.say();
        node
    }

    pub fn call_ready(&self) {
        let condition = json!({"type": "Ready", "status": "True",
            "lastTransitionTime": "2026-01-01T00:00:00Z"});
        let status = json!({"status": {"phase": "Running", "conditions": [condition]}});
        self.plane.merge(POD, &format!("{}/status", self.pod), &status);
    }

    /// Until it is over.
    pub fn run(mut self, over: Arc<AtomicBool>) -> thread::JoinHandle<()> {
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                self.look();
                self.say();
                thread::sleep(LOOK_EVERY);
            }
        })
    }

    fn look(&mut self) {
        for mount in &mut self.mounts {
            let Some(now) = self.plane.secret(mount.keys.secret) else { continue };
            if now == mount.has {
                continue;
            }
            let started = Instant::now();
            let due = *mount.due.get_or_insert_with(|| {
                // Mostly soon, and sometimes late: what happens while one is behind is what matters.
                // Where the operator goes by time, late is less than it was told.
                let late = match self.speaks.load(Ordering::Relaxed) {
                    true => (1_500, 2_500),
                    false => (700, LONGEST_SILENT_LAG),
                };
                let (low, high) = if self.random.one_in(6) { late } else { (0, 100) };
                let lag = self.random.between(low, high);
                started + Duration::from_millis(lag.unsigned_abs())
            });
            if started < due {
                continue;
            }
            mount.swaps += 1;
            swap(&mount.folder, &now, mount.swaps);
            (mount.has, mount.due) = (now, None);
            let late = due.elapsed().as_millis() + u128::from(LONGEST_SILENT_LAG.unsigned_abs());
            self.slowest.fetch_max(u64::try_from(late).unwrap(), Ordering::Relaxed);
        }
    }

    fn say(&mut self) {
        for mount in &self.mounts {
            let speaks = self.speaks.load(Ordering::Relaxed);
            let says = speaks.then(|| material::hex(material::digest(&mount.has)));
            if self.said.get(mount.keys.secret) == Some(&says) {
                continue;
            }
            let annotation = names::content(mount.keys.secret);
            let patch = json!({"metadata": {"annotations": {annotation: says}}});
            self.plane.merge(POD, &self.pod, &patch);
            self.said.insert(mount.keys.secret, says);
        }
    }
}

/// As kubelet does it: a new folder, a link to it put in place of the old one in one step, then the names
/// that have come and gone.
fn swap(mount: &Path, data: &Data, number: u64) {
    fs::create_dir_all(mount).unwrap();
    let current = mount.join("..data");
    let old = fs::read_link(&current).ok();
    let new = format!("..{number}");
    fs::create_dir(mount.join(&new)).unwrap();
    for (name, bytes) in data {
        fs::write(mount.join(&new).join(name), &bytes.0).unwrap();
    }
    let next = mount.join("..data_tmp");
    symlink(&new, &next).unwrap();
    fs::rename(&next, &current).unwrap();
    for name in data.keys().filter(|name| mount.join(name).symlink_metadata().is_err()) {
        symlink(Path::new("..data").join(name), mount.join(name)).unwrap();
    }
    for entry in fs::read_dir(mount).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.starts_with("..") && !data.contains_key(&name) {
            fs::remove_file(mount.join(name)).unwrap();
        }
    }
    if let Some(old) = old {
        fs::remove_dir_all(mount.join(old)).unwrap();
    }
}
