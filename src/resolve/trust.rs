//! A service that has no setting for an authority cannot speak to one that the cloud's own authority
//! certifies: it trusts the public ones alone, and every connection ends before it began.

use crate::finding::{Code, Findings};
use crate::resolve::{Cloud, Component};

pub(super) fn check(cloud: &Cloud, findings: &mut Findings) {
    for server in cloud.components.iter().filter(|it| has_api(it) && cloud.is_encrypted(it)) {
        let asks = |it: &&Component| it.needs().any(|need| need == server.name());
        // Operators of cobaltcore take an address of a service, and nothing to know it by.
        let deaf: Vec<&Component> =
            cloud.components.iter().filter(|it| it.is_cobaltcore()).filter(asks).collect();
        let Some(first) = deaf.first() else { continue };
        // Whichever of the two departs from the cloud's own distribution says so itself.
        let odd = if server.distribution == cloud.distribution { first } else { &server };
        let names: Vec<&str> = deaf.iter().map(|it| it.name()).collect();
        findings.push(
            Code::UnheardConsumers
                .at(cloud.written.place(&odd.says_distribution(cloud)))
                .because(format!(
                    "{0} of {1} encrypts with a certificate of the cloud's own authority, and services of {2} have no setting to trust it: {3}",
                    server.name(),
                    server.distribution.name(),
                    first.distribution.name(),
                    names.join(", ")
                ))
                .remedy(format!(
                    "take {} and these from one distribution, or write `global: {{tls: {{enabled: false}}}}`",
                    server.name()
                )),
        );
    }
}

fn has_api(component: &Component) -> bool {
    component.identity().is_some_and(|identity| !identity.service_type.is_empty())
}
