//! What a person changes in the objects of a component: `extraConfig` in the spec of its main
//! object, `patches` in any of them.

use crate::finding::{Code, Place};
use crate::generate::{Batch, refused};
use crate::map;
use crate::object::Object;
use crate::resolve::Patch;
use crate::value::Map;

pub(super) fn apply(batch: &mut Batch) {
    let component = batch.component;
    if let Some(extra) = &component.extra_config
        && let Some(main) = batch.objects.first().cloned()
    {
        let at = batch.cloud.document.place(&component.path.key("extraConfig"));
        replace(batch, 0, main, &map! { "spec" => extra.clone() }, at);
    }
    for (number, patch) in component.patches.iter().enumerate() {
        let place = batch.cloud.document.place(&component.path.key("patches").index(number));
        let matched: Vec<usize> = (0..batch.objects.len())
            .filter(|&index| matches(patch, &batch.objects[index]))
            .collect();
        if matched.is_empty() {
            let kinds: Vec<String> = batch
                .objects
                .iter()
                .map(|object| format!("{}/{}", object.kind(), object.name()))
                .collect();
            batch.findings.push(
                Code::PatchMissed
                    .at(place.clone())
                    .because("no object of this component has that kind and name")
                    .remedy(format!("patch one of: {}", kinds.join(", "))),
            );
        }
        for index in matched {
            let object = batch.objects[index].clone();
            replace(batch, index, object, &patch.merge, place.clone());
        }
    }
}

fn matches(patch: &Patch, object: &Object) -> bool {
    patch.kind.as_deref().is_none_or(|kind| kind == object.kind())
        && patch.name.as_deref().is_none_or(|name| name == object.name())
}

fn replace(batch: &mut Batch, index: usize, object: Object, patch: &Map, at: Place) {
    match object.merged(patch) {
        Ok(object) => batch.objects[index] = object,
        Err(refusal) => batch.findings.push(refused(batch.component.name(), &refusal, at)),
    }
}
