//! A cloud as small as keys allow: two replicas of Keystone, whose keys come out of the Secrets that the
//! operator writes.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use strata_operator::core::simulate::random::Random;
use strata_operator::shell::{material, names};

use crate::delivery;
use crate::migration::{self, AUTHORITY, IMAGE};
use crate::node::{self, Node};
use crate::operator::Operator;
use crate::plane::{CREDENTIAL, FERNET, Keys, POD, Plane, ROTATION, SECRET};
use crate::stage::real::keystone::Replica;
use crate::stage::real::{Keystone, folder, progress};

pub const PASSWORD: &str = "administrator";
/// How long tokens live in seconds, by replica. The CRD's least is the first of them.
pub const TOKEN_LIVES: [u64; 2] = [60, 20];
/// Above the longest lag of a node, by as much as a busy machine may add.
const PROPAGATION: u64 = 3;
const CONFIGURATION: &str = "keystone-config";

static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| Keystone::database(PASSWORD));

/// The seed of this run, which `STRATA_SEED` sets.
pub static SEED: LazyLock<u64> = LazyLock::new(|| {
    let given = std::env::var("STRATA_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
    let seed = given.unwrap_or_else(now);
    progress(&format!("STRATA_SEED={seed}"));
    seed
});

/// External Secrets, as the test has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Played,
    Real,
}

#[derive(Debug)]
pub struct Cloud {
    pub plane: Plane,
    pub replicas: Arc<Vec<Keystone>>,
    pub operator: Operator,
    rings: Vec<Keys>,
    /// By replica: whether its pod says which keys it has.
    speaks: Vec<Arc<AtomicBool>>,
    slowest: Vec<Arc<AtomicU64>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Cloud {
    pub fn start(
        plane: Plane,
        rings: &[Keys],
        delivery: Delivery,
        operator: impl FnOnce() -> Operator,
    ) -> Self {
        let random = |part: u64| Random::new(Random::new(*SEED).draw() ^ part);
        let over = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::new();
        let folders: Vec<_> = TOKEN_LIVES.iter().map(|_| folder("keystone")).collect();
        let database = folders[0].join("keystone.db");
        fs::write(&database, &*DATABASE).unwrap();
        let configuration = migration::configuration(&database);
        for (name, key, text) in
            [(CONFIGURATION, "keystone.conf", configuration.as_str()), (AUTHORITY, "bundle", "PEM")]
        {
            plane.create(
                SECRET,
                &json!({"apiVersion": "v1", "kind": "Secret",
                    "metadata": {"name": name, "namespace": plane.namespace},
                    "stringData": {key: text}}),
            );
        }
        node::create_deployment(plane);
        for keys in rings {
            delivery::create_objects(plane, *keys);
            plane.create(ROTATION, &keys.object(plane, &settings(*keys)));
        }
        if delivery == Delivery::Played {
            threads.push(delivery::play(plane, rings.to_vec(), random(1), Arc::clone(&over)));
        }
        let operator = operator();
        for keys in rings {
            eventually(&format!("the first {}", keys.kind), &operator, || {
                plane.standing(keys.rotation).0.contains(&"KeysAvailable".to_owned()).then_some(())
            });
        }
        let mut nodes = Vec::new();
        let mut replicas = Vec::new();
        for (number, (folder, token_life)) in folders.into_iter().zip(TOKEN_LIVES).enumerate() {
            let replica = Replica { folder, database: database.clone(), token_life };
            let path = |keys: &Keys| match *keys {
                FERNET => replica.fernet_keys(),
                _ => replica.credential_keys(),
            };
            let mounts: Vec<_> = rings.iter().map(|keys| (*keys, path(keys))).collect();
            let pod = format!("keystone-{number}");
            nodes.push(Node::with_pod(plane, &pod, &mounts, random(10 + number as u64), true));
            replicas.push(Keystone::start_replica(&replica));
        }
        let replicas: Vec<_> = replicas.into_iter().map(Keystone::ready).collect();
        let speaks = nodes.iter().map(|node| Arc::clone(&node.speaks)).collect();
        let slowest = nodes.iter().map(|node| Arc::clone(&node.slowest)).collect();
        for node in nodes {
            node.call_ready();
            threads.push(node.run(Arc::clone(&over)));
        }
        if rings.contains(&CREDENTIAL) {
            threads.push(migration::play(plane, random(2), Arc::clone(&over)));
        }
        let (rings, replicas) = (rings.to_vec(), Arc::new(replicas));
        Self { plane, replicas, operator, rings, speaks, slowest, over, threads }
    }

    /// Whether pods say which keys they have. While they do, a node may be later than the operator waits
    /// when they do not; so they fall silent only when all have everything.
    pub fn report(&self, speak: bool) {
        let spoke = self.speaks.iter().any(|speaks| speaks.load(Ordering::Relaxed));
        if spoke && !speak {
            eventually("replica has all keys", &self.operator, || self.arrived().then_some(()));
        }
        self.speaks.iter().for_each(|speaks| speaks.store(speak, Ordering::Relaxed));
    }

    fn arrived(&self) -> bool {
        self.rings.iter().all(|keys| {
            let live = self.plane.secret(keys.secret).map(|data| material::digest(&data));
            let has = |number: usize| {
                let pod = format!("keystone-{number}");
                self.plane.annotation(POD, &pod, &names::content(keys.secret))
            };
            let live = live.map(material::hex);
            (0..self.replicas.len()).all(|number| has(number) == live)
        })
    }

    /// Asks for a rotation as `strata-operator rotate-now` does, and waits for its end: a new primary, and
    /// a new staged key behind it. Gives up when `enough` says so.
    pub fn rotate(&self, keys: Keys, number: usize, enough: impl Fn() -> bool) {
        let plane = self.plane;
        let primary =
            || plane.ring(keys.secret).map(|ring| (ring.primary().index, ring.is_promoted()));
        let before = primary().expect("the keys are there").0;
        let request =
            json!({"metadata": {"annotations": {names::ROTATE_NOW: format!("{number}")}}});
        plane.merge(ROTATION, keys.rotation, &request);
        eventually(&format!("rotation {number} of the {}", keys.kind), &self.operator, || {
            let done = primary().is_some_and(|(index, promoted)| index > before && !promoted);
            (done || enough()).then_some(())
        });
    }

    /// Whether the machine was so slow that a node took longer than the operator was told it would.
    pub fn was_too_slow(&self) -> bool {
        let bound = PROPAGATION * 1_000;
        self.slowest.iter().any(|slowest| slowest.load(Ordering::Relaxed) > bound)
    }

    pub fn end(mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            thread.join().expect("nothing that was played has failed");
        }
    }
}

fn settings(keys: Keys) -> BTreeMap<&'static str, Value> {
    let mut settings = BTreeMap::from([
        ("tokenExpirationSeconds", json!(TOKEN_LIVES[0])),
        ("allowExpiredWindowSeconds", json!(0)),
        ("propagationSeconds", json!(PROPAGATION)),
    ]);
    if keys == CREDENTIAL {
        let migration = json!({
            "image": IMAGE, "configSecretName": CONFIGURATION,
            "caSecretRef": {"name": AUTHORITY, "key": "bundle"},
        });
        settings.insert("migration", migration);
    }
    settings
}

/// A second or two on an idle machine.
const WITHIN: Duration = Duration::from_secs(180);

pub fn eventually<T>(what: &str, operator: &Operator, look: impl Fn() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < WITHIN, "no {what} in time:\n{}", operator.last_words());
        thread::sleep(Duration::from_millis(150));
    }
}
