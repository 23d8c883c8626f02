//! Every name leads to something: an object of the cloud, what an operator makes of one, or what
//! is declared to lie outside. And nothing is made twice.

use crate::check::place;
use crate::finding::{Code, Finding, Findings};
use crate::generate::{Contents, Made};
use crate::links::{self, Makers, Reference, STORE_PATH, excuse, is_always_there, shown_path};
use crate::resolve::Cloud;
use crate::schema::nearest;

pub fn check(contents: &Contents, makers: &Makers, cloud: &Cloud, findings: &mut Findings) {
    let objects = &contents.objects;
    for (id, first, second) in &makers.twice {
        let (first, second) = (&objects[*first], &objects[*second]);
        findings.push(
            Code::MadeTwice
                .at(place(cloud, second.component))
                .because(format!(
                    "{} {} is made by {} and by {}",
                    called(id.kind),
                    id.name,
                    shown(first),
                    shown(second)
                ))
                .remedy("let one of them make it, and the other read it"),
        );
    }
    for made in objects {
        links::references(&made.object, &mut |reference| {
            let known = reference.generated
                || makers.of_reference(&reference).is_some()
                || excuse(&reference, &contents.external, cloud.component(made.component))
                    .is_some()
                || is_always_there(&reference);
            if !known {
                findings.push(dangling(made, &reference, makers, cloud));
            }
        });
    }
}

fn dangling<'a>(
    made: &'a Made<'a>,
    reference: &Reference<'a, '_>,
    makers: &Makers,
    cloud: &Cloud,
) -> Finding {
    let Reference { kind, name, path, .. } = *reference;
    let known: Vec<&str> = makers.of_kind(kind).map(|(id, _)| id.name.as_ref()).collect();
    let remedy = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "make it, or declare it in the record: external: [{{kind: {kind}, name: {name}, why: …}}]"
        ),
    };
    Code::Dangling
        .at(place(cloud, made.component))
        .because(format!(
            "{}, {}: nothing in the cloud makes {} {}",
            shown(made),
            shown_path(path),
            called(kind),
            name.escape_debug()
        ))
        .remedy(remedy)
}

fn shown(made: &Made) -> String {
    format!("{} {}", made.object.kind(), made.object.name().escape_debug())
}

/// A path in the store is no kind.
fn called(kind: &str) -> &str {
    if kind == STORE_PATH { "the store path" } else { kind }
}
