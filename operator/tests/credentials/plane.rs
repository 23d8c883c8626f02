//! A namespace with an operator of its own, and the clock of that one: what one test does to them, no other
//! test notices.

use std::sync::Mutex;

use strata_operator::rbac;

use crate::clock::Clock;
use crate::cloud::CLOUD;
use crate::real::{Guarded, last_words};
use crate::stage::{self, OWN_NAMESPACE};

#[derive(Debug)]
pub struct Plane {
    pub namespace: &'static str,
    pub clock: Clock,
    operator: Mutex<Guarded>,
}

impl Plane {
    pub fn start(namespace: &'static str) -> Self {
        stage::install(&CLOUD.server, &[namespace]);
        let lease = lease(namespace);
        stage::apply(
            &CLOUD.server,
            &serde_json::json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": lease}}),
        );
        let role = rbac::role(&lease, OWN_NAMESPACE, rbac::OWN);
        role.iter().for_each(|object| stage::apply(&CLOUD.server, object));
        let clock = Clock::new();
        let operator = Mutex::new(operator(namespace, &clock));
        Self { namespace, clock, operator }
    }

    /// Ends the operator as the death of its node would, and starts it anew.
    pub fn kill_operator(&self) {
        *self.operator.lock().unwrap() = operator(self.namespace, &self.clock);
    }

    pub fn last_words(&self) -> String {
        let operator = self.operator.lock().unwrap();
        format!("{}\n{}", last_words("the operator", &operator), CLOUD.last_words())
    }
}

/// Where its Lease is.
fn lease(namespace: &str) -> String {
    format!("lease-{namespace}")
}

fn operator(namespace: &str, clock: &Clock) -> Guarded {
    let (lease, clock) = (lease(namespace), clock.file());
    let (lease, clock) = (format!("--own-namespace={lease}"), format!("--clock-ahead={clock}"));
    let more = ["--address=127.0.0.1:0", "--look-again=0.3", &lease, &clock];
    stage::operator(&CLOUD.server, &[namespace], &more)
}
