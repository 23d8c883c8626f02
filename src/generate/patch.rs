//! What a person changes in the objects of a component: `extraConfig` in the spec of its main
//! object, `overrides` and `patches` in any of them, in this order.

use std::collections::BTreeSet;

use crate::finding::{Code, Finding, Place};
use crate::generate::missed::missed;
use crate::generate::{Batch, belong, refused};
use crate::map;
use crate::object::{Object, merge};
use crate::resolve::{Cloud, Component, Patch};
use crate::value::Value;

/// Gives back what is changed, as it was before, with its number in the batch.
pub(super) fn apply(batch: &mut Batch) -> Vec<(usize, Object)> {
    let (cloud, component) = (batch.cloud, batch.component);
    let before = changed(batch);
    if let Some(main) = batch.objects.first_mut()
        && let Some(extra) = extra_config(component)
    {
        let place = || cloud.written.place(&component.path.key("extraConfig"));
        match merged(main, &extra) {
            Ok(object) => *main = object,
            Err(refusal) => batch.findings.push(refused(component.name(), &refusal, place())),
        }
    }
    for patch in component.hatches.overrides.iter().chain(&component.hatches.patches) {
        if let Some(finding) = ambiguous(patch, &batch.objects, cloud) {
            batch.findings.push(finding);
            continue;
        }
        let mut matched = false;
        for object in &mut batch.objects {
            if !patch.matches(object) {
                continue;
            }
            matched = true;
            match patched(object, patch, cloud, component) {
                Ok(changed) => *object = changed,
                Err(finding) => {
                    // The same change fails in most objects alike, and one finding says it.
                    batch.findings.push(*finding);
                    break;
                }
            }
        }
        if !matched {
            batch.findings.push(missed(patch, &batch.objects, cloud));
        }
    }
    before
}

fn changed(batch: &Batch) -> Vec<(usize, Object)> {
    let hatches = &batch.component.hatches;
    let is_changed = |(number, object): &(usize, &Object)| {
        let mut patches = hatches.overrides.iter().chain(&hatches.patches);
        (*number == 0 && hatches.extra_config.is_some()) || patches.any(|it| it.matches(object))
    };
    let objects = batch.objects.iter().enumerate().filter(is_changed);
    objects.map(|(number, object)| (number, object.clone())).collect()
}

/// `extraConfig` as a change to the whole object.
pub fn extra_config(component: &Component) -> Option<Value> {
    let extra = component.hatches.extra_config.clone()?;
    Some(Value::Map(map! { "spec" => extra }))
}

/// The object with fields merged in as a JSON merge patch does: maps are merged, null removes,
/// anything else replaces.
pub fn merged(object: &Object, patch: &Value) -> Result<Object, crate::object::Refusal> {
    let mut body = object.body().clone();
    if let (Value::Map(body), Value::Map(patch)) = (&mut body, patch) {
        merge(body, patch);
    }
    object.changed(body)
}

fn patched(
    object: &Object,
    patch: &Patch,
    cloud: &Cloud,
    component: &Component,
) -> Result<Object, Box<Finding>> {
    let refuse = |refusal, at: Place| Box::new(refused(component.name(), &refusal, at));
    let mut object = merged(object, &patch.merge)
        .map_err(|refusal| refuse(refusal, cloud.written.place(&patch.at)))?;
    for operation in &patch.operations {
        let place = || cloud.written.place(&operation.at);
        let mut body = object.body().clone();
        operation.does.apply(&mut body).map_err(|because| {
            Box::new(
                Code::BadOperation
                    .at(place())
                    .because(format!("{} {}: {because}", object.kind(), object.name()))
                    .remedy("compare the path with the object as it is rendered without the patch"),
            )
        })?;
        object = object.changed(body).map_err(|refusal| refuse(refusal, place()))?;
    }
    // A change may take the place of all labels, but never take an object from its cloud.
    belong(&mut object, cloud, component, &format!("{}/{}", cloud.namespace, cloud.name));
    Ok(object)
}

/// A kind of one name in two API groups is two kinds, and a change is hardly ever meant for both.
fn ambiguous(patch: &Patch, objects: &[Object], cloud: &Cloud) -> Option<Finding> {
    let kind = patch.kind.as_ref()?;
    let groups: BTreeSet<&str> =
        objects.iter().filter(|object| patch.matches(object)).map(Object::group).collect();
    let choices: Vec<String> = groups
        .iter()
        .map(|group| match &patch.name {
            Some(name) if patch.is_override() => format!("{kind}.{group}/{name}"),
            _ => format!("{kind}.{group}"),
        })
        .collect();
    (groups.len() > 1).then(|| {
        Code::AmbiguousPatch
            .at(cloud.written.place(&patch.at))
            .because(format!(
                "`{}` is a kind of {}",
                kind.escape_debug(),
                Vec::from_iter(groups).join(" and of ")
            ))
            .remedy(format!("write {}", choices.join(" or ").escape_debug()))
    })
}
