//! The operator: as a process that is killed at any moment, or inside the test with a mistake.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use strata_operator::core::Mistake;
use strata_operator::core::simulate::random::Random;
use strata_operator::core::slips::Only;
use strata_operator::shell::controller::{self, Settings};

use crate::plane::Plane;
use crate::stage;
use crate::stage::real::Guarded;

#[derive(Debug)]
pub struct Operator {
    running: Arc<Mutex<Option<Guarded>>>,
    killed: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    killer: Option<JoinHandle<()>>,
    mistaken: Option<(tokio::sync::oneshot::Sender<()>, JoinHandle<()>)>,
}

fn start(plane: Plane) -> Guarded {
    let lease = format!("--own-namespace={}-lease", plane.namespace);
    let more = ["--address=127.0.0.1:0", "--look-again=0.2", &lease];
    stage::operator(plane.server(), &[plane.namespace], &more)
}

impl Operator {
    /// As it is shipped, left alone until `harass`.
    pub fn shipped(plane: Plane) -> Self {
        Self {
            running: Arc::new(Mutex::new(Some(start(plane)))),
            killed: Arc::default(),
            over: Arc::default(),
            killer: None,
            mistaken: None,
        }
    }

    /// Kills it from time to time, and starts it anew.
    pub fn harass(&mut self, plane: Plane, mut random: Random) {
        let (running, killed) = (Arc::clone(&self.running), Arc::clone(&self.killed));
        let over = Arc::clone(&self.over);
        self.killer = Some(thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                // Mostly longer than it takes to start and then to watch a Secret for as long as it is told:
                // that begins anew with each process.
                let pause = random.between(1_500, 16_000).unsigned_abs();
                wait(Duration::from_millis(pause), &over);
                let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
                // The old one is dead before the new one starts: that is how a node's death looks.
                drop(running.take());
                *running = Some(start(plane));
                killed.fetch_add(1, Ordering::Relaxed);
            }
        }));
    }

    /// The same program but for one mistake, in a thread of the test: the binary cannot make any.
    pub fn mistaken(plane: Plane, mistake: Mistake) -> Self {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let kubeconfig =
            stage::impersonating(Path::new(plane.server().kubectl().kubeconfig()), stage::ACCOUNT);
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let ran = runtime.unwrap().block_on(async {
                let kubeconfig = Kubeconfig::from_yaml(&kubeconfig).unwrap();
                let options = KubeConfigOptions::default();
                let config = Config::from_custom_kubeconfig(kubeconfig, &options).await.unwrap();
                let settings = Settings {
                    namespaces: vec![plane.namespace.to_owned()],
                    own_namespace: format!("{}-lease", plane.namespace),
                    identity: "mistaken".to_owned(),
                    address: ([127, 0, 0, 1], 0).into(),
                    look_again: Duration::from_millis(200),
                };
                let client = Client::try_from(config).unwrap();
                let end = async { drop(stopped.await) };
                controller::run_until(end, client, settings, Only(mistake)).await
            });
            ran.unwrap();
        });
        Self {
            running: Arc::default(),
            killed: Arc::default(),
            over: Arc::default(),
            killer: None,
            mistaken: Some((stop, thread)),
        }
    }

    pub fn killed(&self) -> usize {
        self.killed.load(Ordering::Relaxed)
    }

    pub fn last_words(&self) -> String {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().map(Guarded::last_words).unwrap_or_default()
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(killer) = self.killer.take() {
            let _ = killer.join();
        }
        if let Some((stop, thread)) = self.mistaken.take() {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

/// Sleeps, but not much beyond the end.
pub fn wait(time: Duration, over: &AtomicBool) {
    let started = std::time::Instant::now();
    while started.elapsed() < time && !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20).min(time));
    }
}
