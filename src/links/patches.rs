//! What the patches of a Flux Kustomization name. Each is the text of an object, or of a part of one, whose namespace
//! is that of an object in a source that is not at hand: only what a patch says of it is known.

use crate::links::find::{Reference, Step, references};
use crate::links::table::FIELDS;
use crate::object::Object;
use crate::value::Value;
use crate::yaml::read::read;

const FLUX: &str = "kustomize.toolkit.fluxcd.io";

/// Calls `found` for each reference in a patch, at the place of the patch's text.
pub fn in_patches<'a>(object: &'a Object, found: &mut dyn FnMut(Reference<'a, '_>)) {
    if object.kind() != "Kustomization" || object.group() != FLUX {
        return;
    }
    let patches = object.body().at(&["spec", "patches"]).and_then(Value::as_list);
    for (index, patch) in patches.unwrap_or_default().iter().enumerate() {
        let Some(text) = patch.at(&["patch"]).and_then(Value::as_str) else { continue };
        let path = [Step::Key("spec"), Step::Key("patches"), Step::Item(index), Step::Key("patch")];
        for document in read(text).documents {
            let Some(part) = Object::any(document.root.to_map()) else { continue };
            references(&part, &mut |Reference {
                                        group, kind, namespace, name, generated, ..
                                    }| {
                let namespace = match namespace {
                    "" => Some(""),
                    namespace => part_of(text, namespace),
                };
                let is_known = !part.namespace().is_empty();
                if let (true, Some(kind), Some(namespace), Some(name)) =
                    (is_known, kind_of(text, kind), namespace, part_of(text, name))
                {
                    found(Reference { group, kind, namespace, name, path: &path, generated });
                }
            });
        }
    }
}

/// What was read from a text, as it stands in there: that lives as long as the object does.
fn part_of<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let start = text.find(part)?;
    text.get(start..start + part.len())
}

/// A kind stands in the table, unless the text says it.
fn kind_of<'a>(text: &'a str, kind: &str) -> Option<&'a str> {
    let of_table = FIELDS.iter().map(|row| row.kind).find(|known| *known == kind);
    of_table.or_else(|| part_of(text, kind))
}
