//! What is changed by hand may be misspelt or of another type, and without this only an API server would
//! say so. Kinds whose CRD is ours are held against it, all others against what the record rendered.

use super::{Changed, rendered};
use crate::crds;
use crate::finding::{Code, Finding, Findings, Path, Place, Step};
use crate::object::Object;
use crate::resolve::Cloud;
use crate::schema::{Schema, walk};
use crate::yaml::tree::Node;

/// The field of OpenStack's kinds for options of the service's own file, by section.
const OPTIONS: &str = "extraConfig";

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
                .remedy(remedy(finding, object, schema)),
        );
    }
}

/// A name below a kind is how people think of one object of it, and a section below `extraConfig` how they think of
/// the service's own file: kinds that take such options have a field of the same name for them.
fn remedy(finding: &Finding, object: &Object, schema: &Schema) -> String {
    let (kind, name) = (object.kind(), object.name());
    let takes_options = || schema.property("spec")?.property(OPTIONS);
    let is_section =
        |key: &str| object.body().at(&["spec", key]).is_some_and(|value| value.as_map().is_some());
    match finding.place.path.steps() {
        [Step::Key(key)] if key == name => format!("write `{kind}/{name}: …` to mean that object"),
        [Step::Key(spec), Step::Key(key)]
            if finding.code == Code::UnknownField
                && spec == "spec"
                && is_section(key)
                && takes_options().is_some() =>
        {
            format!(
                "if it is a section of the service's own file, write `{OPTIONS}: {{{OPTIONS}: {{{key}: …}}}}`; else {}",
                finding.remedy
            )
        }
        _ => finding.remedy.clone(),
    }
}
