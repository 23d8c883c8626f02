//! A patch that matches nothing: what of it is in vain, and what was perhaps meant.

use crate::finding::{Code, Finding};
use crate::object::Object;
use crate::resolve::{Cloud, Patch};
use crate::schema::nearest;

pub(super) fn missed(patch: &Patch, objects: &[Object], cloud: &Cloud) -> Finding {
    let is_kind_right = objects.iter().any(|object| patch.is_of_kind(object));
    let field = if is_kind_right && patch.name.is_some() { "name" } else { "kind" };
    let at = if patch.is_override() { patch.at.clone() } else { patch.at.key(field) };
    let kind = patch.kind.as_deref().map(str::escape_debug);
    let name = patch.name.as_deref().map(str::escape_debug);
    let because = match (kind, name) {
        (Some(kind), Some(name)) if is_kind_right => {
            format!("no {kind} of this component is called `{name}`")
        }
        (Some(kind), _) => format!("no object of this component is of kind `{kind}`"),
        (None, Some(name)) => format!("no object of this component is called `{name}`"),
        (None, None) => "this component has no object".to_owned(),
    };

    let near = near(patch, objects);
    let is_near = |object: &Object| near.is_some_and(|near| std::ptr::eq(near, object));
    let others = objects.iter().filter(|object| !is_near(object));
    let others: Vec<String> = others.map(|object| told_apart(object, objects)).collect();
    let others = others.join(", ");
    let remedy = match near.map(|near| told_apart(near, objects)) {
        Some(near) if others.is_empty() => format!("did you mean {near}?"),
        Some(near) => format!("did you mean {near}? There are also: {others}"),
        None => format!("patch one of: {others}"),
    };
    Code::PatchMissed.at(cloud.written.place(&at)).because(because).remedy(remedy)
}

/// `Nova/nova`, and `User.rabbitmq.com/nova` where `User` is a kind of two groups.
fn told_apart(object: &Object, objects: &[Object]) -> String {
    let is_other = |it: &Object| it.kind() == object.kind() && it.group() != object.group();
    let kind = kind(object, objects.iter().any(is_other));
    format!("{kind}/{}", object.name())
}

fn kind(object: &Object, with_group: bool) -> String {
    match object.group() {
        group if with_group && !group.is_empty() => format!("{}.{group}", object.kind()),
        _ => object.kind().to_owned(),
    }
}

/// The object that was meant: the only one of the kind, or the one whose kind and name, as far as
/// the patch says them, are the fewest edits away.
fn near<'a>(patch: &Patch, objects: &'a [Object]) -> Option<&'a Object> {
    let with_group = patch.kind.as_ref().is_some_and(|kind| kind.contains('.'));
    let as_written = |object: &Object| match (&patch.kind, &patch.name) {
        (Some(_), Some(_)) => format!("{}/{}", kind(object, with_group), object.name()),
        (Some(_), None) => kind(object, with_group),
        (None, _) => object.name().to_owned(),
    };
    let written = [patch.kind.as_deref(), patch.name.as_deref()];
    let written = written.into_iter().flatten().collect::<Vec<_>>().join("/");
    let (own, others): (Vec<&Object>, Vec<&Object>) =
        objects.iter().partition(|object| patch.is_of_kind(object));
    if let ([only], Some(_)) = (own.as_slice(), &patch.kind) {
        return Some(only);
    }
    // Those of the kind first: it is the name that slipped, if one of them is near at all.
    [own, others].into_iter().find_map(|objects| {
        let names: Vec<String> = objects.iter().map(|object| as_written(object)).collect();
        let near = nearest(&written, names.iter().map(String::as_str))?;
        let position = names.iter().position(|name| name == near)?;
        objects.get(position).copied()
    })
}
