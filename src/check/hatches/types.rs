//! What is changed by hand may be misspelt or of another type, and without this only an API server would
//! say so. Kinds whose CRD is ours are held against it, all others against what the record rendered.

use super::{Changed, rendered};
use crate::crds;
use crate::finding::{Finding, Findings, Path, Place, Step};
use crate::object::Object;
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
            other = rendered::schema(changed.rendered);
            &other
        }
    };
    let mut own = Findings::default();
    let place = |path: &Path, _| Place { path: path.clone(), ..Place::nowhere() };
    walk(&Node::from(object.body()), schema, &Path::root(), &place, &mut own);
    for finding in own.iter() {
        let field = &finding.place.path;
        let origin = changed.origin(field).unwrap_or_else(|| changed.last());
        let place = cloud.written.place(&origin);
        // A slip in a patch for all objects is one mistake, not one for each of them.
        let is_beside_spec = field.steps().len() == 1;
        if is_beside_spec && findings.iter().any(|it| it.code == finding.code && it.place == place)
        {
            continue;
        }
        let (kind, name) = (object.kind(), object.name().escape_debug());
        findings.push(
            finding
                .code
                .at(place)
                .because(format!("{kind} {name}, {field}: {}", finding.because))
                .remedy(remedy(finding, object)),
        );
    }
}

/// A name below a kind is how people think of one object of it.
fn remedy(finding: &Finding, object: &Object) -> String {
    let (kind, name) = (object.kind(), object.name());
    match finding.place.path.steps() {
        [Step::Key(key)] if key == name => format!("write `{kind}/{name}: …` to mean that object"),
        _ => finding.remedy.clone(),
    }
}
