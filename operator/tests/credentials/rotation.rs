//! Drives a rotation as a person and the passing of time would.

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance;
use crate::cloud::{CLOUD, WITHIN};
use crate::plane::Plane;
use crate::real::progress;

#[derive(Debug)]
pub struct Rotation<'a> {
    pub plane: &'a Plane,
    pub name: String,
}

const POLL: Duration = Duration::from_millis(100);

impl Rotation<'_> {
    fn path(&self) -> String {
        let (namespace, name) = (self.plane.namespace, &self.name);
        format!("/apis/c5c3.io/v1alpha1/namespaces/{namespace}/credentialrotations/{name}")
    }

    pub fn status(&self) -> Value {
        CLOUD.server.get(&self.path()).json()["status"].clone()
    }

    /// As a person does it.
    pub fn rotate_now(&self) {
        let output = Command::new(env!("CARGO_BIN_EXE_strata-operator"))
            .args(["rotate-now", "--namespace", self.plane.namespace, &self.name])
            .env("KUBECONFIG", CLOUD.server.kubectl().kubeconfig())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// At rest it looks by itself only after minutes.
    pub fn make_it_look(&self) {
        let look = format!(
            r#"{{"metadata":{{"annotations":{{"test/look":"{}"}}}}}}"#,
            chance::number(u64::MAX)
        );
        CLOUD.server.request("PATCH", &self.path(), "application/merge-patch+json", &look);
    }

    /// Changes a part of its spec.
    pub fn change(&self, spec: &Value) {
        let patch = json!({"spec": spec}).to_string();
        let content = "application/merge-patch+json";
        let answer = CLOUD.server.request("PATCH", &self.path(), content, &patch);
        assert_eq!(answer.status, 200, "{}", answer.message());
    }

    /// Waits until a newer generation than this is in use and alone, and time has passed for that.
    /// `grown_old` is asked while tokens of the old one may still be in use.
    pub fn complete(&self, before: i64, grown_old: impl Fn()) -> i64 {
        let started = Instant::now();
        let mut waited = false;
        loop {
            let status = self.status();
            let generation = status["generation"].as_i64().unwrap_or(0);
            if generation > before && status["phase"] == "Idle" && status["reason"] == "UpToDate" {
                progress(&format!(
                    "{} is at {generation} after {:.1?}",
                    self.name,
                    started.elapsed()
                ));
                return generation;
            }
            if status["reason"] == "WaitingForTokens" {
                if generation > before && !waited {
                    grown_old();
                    waited = true;
                }
                let clock = &self.plane.clock;
                clock.forward(status["drained"].as_i64().unwrap_or(0) - clock.now());
            }
            assert!(
                started.elapsed() < WITHIN,
                "{} stands: {status:#}\n{}",
                self.name,
                self.plane.last_words()
            );
            thread::sleep(POLL);
        }
    }
}

/// While `work` is done, the operator is killed at random moments; how often it was.
pub fn while_the_operator_dies(plane: &Plane, work: impl FnOnce()) -> usize {
    let (over, kills) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                thread::sleep(chance::milliseconds(300, 5000));
                plane.kill_operator();
                kills.fetch_add(1, Ordering::Relaxed);
            }
        });
        // Also when it fails, or the scope would wait for ever.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        over.store(true, Ordering::Relaxed);
        if let Err(panic) = result {
            std::panic::resume_unwind(panic);
        }
    });
    kills.into_inner()
}
