//! Requests and limits that a change by hand brought apart, wherever in an object they stand.

use super::{Changed, maps};
use crate::check::requests::beyond;
use crate::finding::{Findings, Path};
use crate::resolve::Cloud;

pub fn check(changed: &Changed, cloud: &Cloud, findings: &mut Findings) {
    maps::each(changed.object.body(), &Path::root(), &mut |resources, path| {
        for beyond in beyond(resources) {
            let field = |amounts: &str| path.key(amounts).key(beyond.resource);
            let origin =
                ["requests", "limits"].into_iter().find_map(|it| changed.origin(&field(it)));
            // What settings made of it was looked at as such.
            let Some(origin) = origin else { continue };
            let object = changed.object;
            let whose = format!("{} {}, {path}:", object.kind(), object.name().escape_debug());
            findings.push(beyond.finding(&whose, cloud.written.place(&origin)));
        }
    });
}
