//! A panic says where it was, and not what was at hand.

use std::process::Command;
use std::time::Duration;

use strata_operator::core::{Mistake, Slips};
use strata_operator::shell::controller::{self, Settings};
use strata_operator::shell::panics;

use crate::leaders::{STAGE, prepare};
use crate::play::keystone::CANARY;
use crate::play::{self, objects};
use crate::stage;

const PLANE: &str = "panicked";
const KUBECONFIG: &str = "STRATA_TEST_KUBECONFIG";

/// Where the core decides, all that was read for it is in memory.
struct Panics(String);

impl Slips for Panics {
    fn makes(&self, _: Mistake) -> bool {
        panic!("at hand was {}", self.0)
    }
}

/// The hook is the whole process's, so it is put in where nobody else panics: this test starts itself once more.
/// The program cannot be made to panic here, but begins its log by the same call. That it does is seen in `rights.rs`,
/// where it has one.
#[test]
fn a_panic_prints_no_secret() {
    match std::env::var(KUBECONFIG) {
        Ok(kubeconfig) => panic_with_a_secret(&kubeconfig),
        Err(_) => expect_no_secret(),
    }
}

fn expect_no_secret() {
    prepare(PLANE);
    let (server, play) = &*STAGE;
    let url = play.keystone.url.lock().unwrap().clone();
    let mut all = vec![objects::password(PLANE)];
    all.extend(objects::credential(PLANE, "nova", &url));
    all.iter().for_each(|object| stage::apply(server, object));
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "panics::a_panic_prints_no_secret", "--nocapture"])
        .env(KUBECONFIG, server.kubectl().kubeconfig())
        .env("RUST_LOG", "trace")
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    assert!(!output.status.success(), "it did not panic: {printed}");
    assert!(printed.contains("a fault in the operator itself"), "{printed}");
    assert!(printed.contains("panics.rs:"), "where is not said: {printed}");
    let line = printed.lines().find(|line| line.contains(CANARY));
    assert_eq!(line, None, "the secret is printed");
}

fn panic_with_a_secret(kubeconfig: &str) {
    panics::begin_log();
    let ran = play::on_runtime(async {
        let client = play::client(kubeconfig.as_ref(), Some(stage::ACCOUNT.to_owned())).await;
        let settings = Settings {
            namespaces: vec![PLANE.to_owned()],
            own_namespace: format!("{PLANE}-lease"),
            identity: PLANE.to_owned(),
            address: ([127, 0, 0, 1], 0).into(),
            look_again: Duration::from_millis(200),
        };
        let end = tokio::time::sleep(Duration::from_secs(60));
        controller::run_until(end, client, settings, Panics(format!("{CANARY}-password"))).await
    });
    assert!(ran.is_err(), "it ended without a panic");
}
