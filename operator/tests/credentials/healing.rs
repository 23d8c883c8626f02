//! Keystone refuses a user's application credentials while the user is disabled or lacks its role, and may
//! delete them then. What is gone is made again when it can be.

use crate::cloud::CLOUD;
use crate::pods::unhurried;
use crate::real::report;
use crate::rotation::Rotation;
use crate::service::{Service, Tokens, log_in};

/// The operator pauses for ten minutes after a credential that came to nothing.
const PAUSE: i64 = 700;

#[test]
fn a_credential_that_keystone_took_away_is_made_again() {
    let service = Service::register("cinder", "healing");
    let rotation = Rotation { plane: &service.plane, name: service.rotation() };
    let pods = service.pods(1, unhurried(), &Tokens::of(&service));
    CLOUD.apply(&service.objects());
    let mut generation = rotation.complete(0, || {});
    for (what, take, give) in [
        ("the user is disabled", disable as fn(&Service), enable as fn(&Service)),
        ("the role is taken away", take_role, give_role),
    ] {
        let before = service.secret();
        assert!(log_in(&before).is_ok());
        take(&service);
        assert!(log_in(&before).is_err(), "{what}, and its credential works");
        service.plane.clock.forward(PAUSE);
        rotation.make_it_look();
        CLOUD.wait(what, || match rotation.status()["reason"].as_str() {
            // Nothing can be made yet.
            Some("CannotAskKeystone") => Vec::new(),
            other => vec![format!("{other:?}")],
        });
        give(&service);
        // Whether the credential is gone for good depends on the version of Keystone.
        let is_gone = service.in_keystone().is_empty();
        rotation.make_it_look();
        generation = rotation.complete(generation - i64::from(!is_gone), || {});
        works(&service, generation);
        report(&format!("rotation: {what}, and given back: generation {generation} works"));
    }
    service.delete_in_keystone();
    service.plane.clock.forward(PAUSE);
    rotation.make_it_look();
    generation = rotation.complete(generation, || {});
    works(&service, generation);
    report(&format!("rotation: deleted in Keystone, and generation {generation} made instead"));
    pods.stop();
}

/// What is delivered logs in, and is the only one that Keystone has.
fn works(service: &Service, generation: i64) {
    assert!(log_in(&service.secret()).is_ok(), "generation {generation} does not work");
    let name = format!("{}-g{generation}", service.rotation());
    let listed = service.in_keystone();
    assert!(listed.len() == 1 && listed[0].0 == name, "not {name} alone: {listed:?}");
}

fn disable(service: &Service) {
    service.enable(false);
}

fn enable(service: &Service) {
    service.enable(true);
}

fn take_role(service: &Service) {
    service.grant("DELETE");
}

fn give_role(service: &Service) {
    service.grant("PUT");
}
