//! What is changed by hand may be misspelt or of another type, and without this only an API server would
//! say so. Kinds whose CRD is ours are held against it, all others against what the record rendered.

use super::{Changed, rendered};
use crate::crds;
use crate::finding::{Findings, Path, Place};
use crate::resolve::Cloud;
use crate::schema::walk;
use crate::yaml::tree::Node;

pub fn check(changed: &Changed, cloud: &Cloud, findings: &mut Findings) {
    let object = changed.object;
    // The living operators of that distribution have other CRDs for kinds of the same names.
    let own = crds::schema_of(object.api_version(), object.kind())
        .filter(|_| !changed.component.is_cobaltcore());
    let other;
    let schema = match own {
        Some(own) => own,
        None => {
            other = rendered::schema(changed.rendered.body());
            &other
        }
    };
    let mut own = Findings::default();
    let place = |path: &Path, _| Place { path: path.clone(), ..Place::nowhere() };
    walk(&Node::from(object.body()), schema, &Path::root(), &place, &mut own);
    for finding in own.iter() {
        let field = &finding.place.path;
        let origin = changed.origin(field).unwrap_or_else(|| changed.last());
        let (kind, name) = (object.kind(), object.name().escape_debug());
        findings.push(
            finding
                .code
                .at(cloud.written.place(&origin))
                .because(format!("{kind} {name}, {field}: {}", finding.because))
                .remedy(finding.remedy.clone()),
        );
    }
}
