//! Everybody around the operator, fast and in one process: a way to the API server that fails now and
//! then and keeps count, Keystone, and those who answer to what the operator writes.
#![allow(dead_code, reason = "each test file uses the part that it needs")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failing test may panic")]

pub mod ask;
pub mod blind;
pub mod crowd;
pub mod gate;
pub mod keystone;
pub mod objects;
pub mod player;
pub mod secrets;
pub mod way;
pub mod whose;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use kube::Client;
use kube::config::{KubeConfigOptions, Kubeconfig};

use self::keystone::Keystone;
use self::player::Player;
use self::way::Way;

pub struct Play {
    pub way: Arc<Way>,
    pub keystone: Arc<Keystone>,
    pub player: Arc<Player>,
    /// The kubeconfig with which the operator goes that way.
    pub kubeconfig: String,
}

/// Starts all of them on a thread of their own, which ends with the test.
pub fn start(administrator: &Path, account: &str, one_in: u32) -> Play {
    let (administrator, account) = (administrator.to_owned(), account.to_owned());
    let (give, take) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let way = Arc::new(Way::new(client(&administrator, Some(account)).await, one_in));
            let keystone = Arc::new(Keystone::new(one_in));
            let player = Player::new(client(&administrator, None).await, Arc::clone(&keystone));
            let player = Arc::new(player);
            let kubeconfig = kubeconfig(&way::serve(Arc::clone(&way)).await);
            *keystone.url.lock().unwrap() = keystone::serve(Arc::clone(&keystone)).await;
            give.send(Play { way, keystone, player: Arc::clone(&player), kubeconfig }).unwrap();
            player::play(player).await;
        });
    });
    take.recv().unwrap()
}

/// A way without faults for one more operator, and the kubeconfig with which it goes there.
pub fn another_way(administrator: &Path, account: &str) -> (Arc<Way>, String) {
    let (administrator, account) = (administrator.to_owned(), account.to_owned());
    let (give, take) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let way = Arc::new(Way::new(client(&administrator, Some(account)).await, 0));
            let kubeconfig = kubeconfig(&way::serve(Arc::clone(&way)).await);
            give.send((way, kubeconfig)).unwrap();
            std::future::pending::<()>().await;
        });
    });
    take.recv().unwrap()
}

pub fn kubeconfig(url: &str) -> String {
    serde_json::json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "way",
        "clusters": [{"name": "way", "cluster": {"server": url}}],
        "users": [{"name": "way", "user": {}}],
        "contexts": [{"name": "way", "context": {"cluster": "way", "user": "way"}}],
    })
    .to_string()
}

/// For what is short and has to be over before the test goes on.
pub fn on_runtime<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

pub async fn client(kubeconfig: &Path, account: Option<String>) -> Client {
    let mut read = Kubeconfig::read_from(kubeconfig).unwrap();
    for user in &mut read.auth_infos {
        user.auth_info.get_or_insert_default().impersonate.clone_from(&account);
    }
    let options = KubeConfigOptions::default();
    let mut config = kube::Config::from_custom_kubeconfig(read, &options).await.unwrap();
    config.default_retry = false;
    Client::try_from(config).unwrap()
}

/// The same numbers from the same seed.
pub struct Draws(u64);

impl Draws {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of so many (xorshift64*).
    pub fn below(&mut self, many: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as u32 % many
    }
}
