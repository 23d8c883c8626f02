//! What could not be written into the status is written at the next look, and that comes soon.

use std::time::Duration;

use crate::leaders::{STAGE, prepare};
use crate::play;
use crate::play::crowd::Crowd;
use crate::stage;
use crate::stage::real::wait_for;

const PLANE: &str = "unheard";
/// At rest a rotation is looked at every five minutes.
const SOON: Duration = Duration::from_secs(120);

#[test]
fn a_status_that_came_too_late_is_said_again() {
    let lease = prepare(PLANE);
    let (server, play) = &*STAGE;
    let administrator = server.kubectl().kubeconfig();
    let (way, kubeconfig) = play::another_way(administrator, stage::ACCOUNT);
    // More than there are changes of its own that would make the operator look once more.
    *way.too_late.lock().unwrap() = (4, "UpToDate");
    let crowd = Crowd {
        play,
        administrator: administrator.to_owned(),
        of: vec![(PLANE.to_owned(), "nova".to_owned())],
    };
    crowd.create();
    let own = format!("--own-namespace={lease}");
    let more = ["--address=127.0.0.1:0", "--look-again=0.3", &own];
    let operator = stage::operator_over(&kubeconfig, "info", &[PLANE], &more);
    wait_for("a rotation at rest", SOON, || operator.last_words(), || crowd.missing(1));
    assert_eq!(way.too_late.lock().unwrap().0, 0, "nothing was too late");
}
