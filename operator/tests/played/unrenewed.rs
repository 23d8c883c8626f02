//! Who may not renew the Lease stops working and says so, and goes on when the right is there.

use std::time::{Duration, Instant};

use serde_json::json;
use strata_operator::rbac;

use crate::leaders::{STAGE, prepare};
use crate::play;
use crate::play::ask::{ask, free_address};
use crate::play::crowd::Crowd;
use crate::stage::real::wait_for;
use crate::stage::{self, OWN_NAMESPACE};

const PLANE: &str = "unrenewed";
const WITHIN: Duration = Duration::from_secs(120);
/// As long as a Lease lasts that nobody renews, and some seconds.
const LOST: Duration = Duration::from_secs(20);

#[test]
fn a_lease_that_may_not_be_renewed_is_waited_for() {
    let lease = prepare(PLANE);
    let (server, play) = &*STAGE;
    let grant = |verbs: &[&str]| {
        let [mut role, _] = rbac::role(&lease, OWN_NAMESPACE, rbac::OWN);
        role["rules"] = json!([
            {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": verbs},
        ]);
        stage::apply(server, &role);
    };
    grant(&["get", "create"]);
    let administrator = server.kubectl().kubeconfig();
    let (_way, kubeconfig) = play::another_way(administrator, stage::ACCOUNT);
    let (own, address) = (format!("--own-namespace={lease}"), free_address());
    let served = format!("--address={address}");
    let operator =
        stage::operator_over(&kubeconfig, "info", &[PLANE], &[&served, "--look-again=0.3", &own]);
    let told = format!("not allowed: update the Lease in {lease}");
    wait_for(
        "a word of it",
        WITHIN,
        || operator.last_words(),
        || match ask(&address, "/readyz") {
            Some((503, body)) if body.contains(&told) => Vec::new(),
            other => vec![format!("{other:?}")],
        },
    );
    let since = Instant::now();
    while since.elapsed() < LOST {
        assert!(!operator.has_ended(), "it ended: {}", operator.last_words());
        std::thread::sleep(Duration::from_millis(200));
    }
    let crowd = Crowd {
        play,
        administrator: administrator.to_owned(),
        of: vec![(PLANE.to_owned(), "nova".to_owned())],
    };
    crowd.create();
    std::thread::sleep(Duration::from_secs(3));
    assert!(!crowd.missing(1).is_empty(), "it works, and may not lead");
    grant(&["get", "create", "update"]);
    wait_for("a rotation at rest", WITHIN, || operator.last_words(), || crowd.missing(1));
}
