//! A Deployment's pods, as its controller and kubelet would have them: they follow the pod template, come
//! and go at random moments, and read the Secret once, when they start. Each begins its work at its pace,
//! whether or not it has been answered; in a sample, when it has been.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance;
use crate::cloud::CLOUD;
use crate::stage::times;

pub type Data = BTreeMap<String, String>;
/// What a pod does with the Secret that it was started with; else why it could not.
pub type Work = dyn Fn(&Data) -> Result<(), String> + Send + Sync;

pub const EVERY: Duration = Duration::from_millis(100);
/// A machine that answers more slowly than it is asked is not asked without end, and one with a lot else to do
/// not faster than it answers.
const AT_ONCE: (usize, usize) = (32, 1);

/// For pods of which it matters only what they have: where a sample is taken, others need the machine.
pub fn unhurried() -> Duration {
    times(EVERY, 3 * EVERY)
}

#[derive(Debug, Default)]
pub struct Tally {
    pub done: AtomicUsize,
    pub started: AtomicUsize,
    pub failures: Mutex<Vec<String>>,
    begun_again: AtomicU64,
    /// In microseconds: for how long pods were at work, all of them together, and the longest from when one
    /// began to when it began again.
    worked: AtomicU64,
    longest: AtomicU64,
}

impl Tally {
    /// From when a pod began its work to when it began again, on average and at worst.
    pub fn pace(&self) -> [Duration; 2] {
        let [begun, worked, longest] = [&self.begun_again, &self.worked, &self.longest]
            .map(|count| count.load(Ordering::Relaxed));
        [worked / begun.max(1), longest].map(Duration::from_micros)
    }

    /// Notes that a pod begins again after so long.
    fn begin_again(&self, after: Duration) {
        let after = after.as_micros() as u64;
        self.begun_again.fetch_add(1, Ordering::Relaxed);
        self.worked.fetch_add(after, Ordering::Relaxed);
        self.longest.fetch_max(after, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub struct Pods {
    stop: Arc<AtomicBool>,
    controller: Option<JoinHandle<()>>,
    pub tally: Arc<Tally>,
}

pub struct Deployment {
    pub namespace: &'static str,
    pub name: String,
    pub replicas: usize,
    /// What its pods mount.
    pub secret: String,
    /// How often each of them begins its work.
    pub every: Duration,
    pub work: Arc<Work>,
}

struct Pod {
    name: String,
    template: String,
    ended: Arc<AtomicBool>,
    working: JoinHandle<()>,
    ends: Option<Instant>,
}

impl Deployment {
    fn path(&self) -> String {
        format!("/apis/apps/v1/namespaces/{}/deployments/{}", self.namespace, self.name)
    }

    fn pod_path(&self, name: &str) -> String {
        format!("/api/v1/namespaces/{}/pods{name}", self.namespace)
    }

    pub fn object(&self) -> Value {
        let labels = json!({"app": self.name});
        let container = json!({"name": "api", "image": "example.org/api:1"});
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": self.name, "namespace": self.namespace},
            "spec": {
                "replicas": self.replicas,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        })
    }

    pub fn start(self) -> Pods {
        CLOUD.apply(&[self.object()]);
        let (stop, tally) = (Arc::new(AtomicBool::new(false)), Arc::new(Tally::default()));
        let (stopped, told) = (Arc::clone(&stop), Arc::clone(&tally));
        let controller = thread::spawn(move || control(&self, &stopped, &told));
        Pods { stop, controller: Some(controller), tally }
    }
}

impl Pods {
    /// Ends them all; what they counted is left.
    pub fn stop(mut self) -> Arc<Tally> {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(controller) = self.controller.take() {
            controller.join().expect("the controller of pods does not panic");
        }
        Arc::clone(&self.tally)
    }
}

impl Drop for Pods {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn control(deployment: &Deployment, stop: &AtomicBool, tally: &Arc<Tally>) {
    let mut pods: Vec<Pod> = Vec::new();
    let mut restless = Instant::now() + chance::milliseconds(500, 2500);
    while !stop.load(Ordering::Relaxed) {
        let template =
            CLOUD.server.get(&deployment.path()).json()["spec"]["template"]["metadata"].clone();
        let current = template["annotations"].to_string();
        let (fresh, old): (Vec<&mut Pod>, Vec<&mut Pod>) = pods
            .iter_mut()
            .filter(|pod| pod.ends.is_none())
            .partition(|pod| pod.template == current);
        let missing = deployment.replicas.saturating_sub(fresh.len());
        // Nodes come and go: a pod starts at any moment, and reads what is there then.
        if restless <= Instant::now() && missing == 0 {
            restless = Instant::now() + chance::milliseconds(500, 2500);
            let leaving = fresh.into_iter().next();
            leaving.into_iter().for_each(|pod| delete(deployment, pod));
        }
        old.into_iter().for_each(|pod| delete(deployment, pod));
        for _ in 0..missing {
            pods.push(create(deployment, &template, &current, tally));
        }
        pods = pods.into_iter().filter_map(|pod| bury(deployment, pod)).collect();
        thread::sleep(EVERY);
    }
    for pod in pods {
        pod.ended.store(true, Ordering::Relaxed);
        pod.working.join().expect("a pod does not panic");
    }
}

fn create(deployment: &Deployment, template: &Value, current: &str, tally: &Arc<Tally>) -> Pod {
    let number = tally.started.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{number}", deployment.name);
    let mut metadata = template.clone();
    metadata["name"] = json!(name);
    let container = json!({"name": "api", "image": "example.org/api:1"});
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": metadata,
        "spec": {"nodeName": "node", "containers": [container]},
    });
    let answer = CLOUD.server.request(
        "POST",
        &deployment.pod_path(""),
        "application/json",
        &pod.to_string(),
    );
    assert_eq!(answer.status, 201, "{}", answer.message());
    let ended = Arc::new(AtomicBool::new(false));
    let (over, told, work) = (Arc::clone(&ended), Arc::clone(tally), Arc::clone(&deployment.work));
    let (namespace, secret, who) = (deployment.namespace, deployment.secret.clone(), name.clone());
    let every = deployment.every;
    let working = thread::spawn(move || {
        // Without its Secret kubelet does not start it.
        let data = loop {
            match CLOUD.server.secret(namespace, &secret) {
                _ if over.load(Ordering::Relaxed) => return,
                Some(data) => break data,
                None => thread::sleep(EVERY),
            }
        };
        let mut under_way: Vec<JoinHandle<()>> = Vec::new();
        let (mut begun, mut due) = (None, Instant::now());
        while !over.load(Ordering::Relaxed) {
            under_way.retain(|one| !one.is_finished());
            let now = Instant::now();
            if under_way.len() < times(AT_ONCE.0, AT_ONCE.1) {
                // What a pod begins first comes after nothing, and says nothing about its pace.
                if let Some(before) = begun.replace(now) {
                    told.begin_again(now - before);
                }
                // By the clock, so that waking up late does not add up; what was missed is not made up for.
                due += every;
                if due < now {
                    due = now + every;
                }
                let (data, told, work) = (data.clone(), Arc::clone(&told), Arc::clone(&work));
                let who = who.clone();
                under_way.push(thread::spawn(move || match work(&data) {
                    Ok(()) => drop(told.done.fetch_add(1, Ordering::Relaxed)),
                    Err(why) => told.failures.lock().unwrap().push(format!("{who}: {why}")),
                }));
            }
            let left = due.saturating_duration_since(Instant::now());
            thread::sleep(left.max(Duration::from_millis(1)));
        }
        under_way.into_iter().for_each(|one| one.join().expect("work does not panic"));
    });
    Pod { name, template: current.to_owned(), ended, working, ends: None }
}

/// It goes on working for a while, as one that finishes what it has begun.
fn delete(deployment: &Deployment, pod: &mut Pod) {
    let path = deployment.pod_path(&format!("/{}", pod.name));
    CLOUD.server.request("DELETE", &path, "application/json", "");
    pod.ends = Some(Instant::now() + chance::milliseconds(100, 1500));
}

/// Kubelet says that it has ended only when it has.
fn bury(deployment: &Deployment, pod: Pod) -> Option<Pod> {
    if pod.ends.is_none_or(|ends| Instant::now() < ends) {
        return Some(pod);
    }
    pod.ended.store(true, Ordering::Relaxed);
    pod.working.join().expect("a pod does not panic");
    let path = deployment.pod_path(&format!("/{}?gracePeriodSeconds=0", pod.name));
    CLOUD.server.request("DELETE", &path, "application/json", "");
    None
}
