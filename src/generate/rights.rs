//! What the companion operator may touch in the namespace of the cloud: by name, once all rotations are
//! made and people have changed them.

use strata_rotation_api::{CredentialRotation, names, rbac};

use crate::generate::Made;
use crate::object::Object;
use crate::resolve::Cloud;
use crate::spec::{from_json, plain_json};
use crate::value::Value;

/// Limits the rights of the operator, where it is rendered with the cloud.
pub fn limit(cloud: &Cloud, made: &mut [Made]) {
    if cloud.component(names::MANAGER).is_none() {
        return;
    }
    let rotations: Vec<_> = made.iter().filter_map(|made| rotation(&made.object)).collect();
    for made in made {
        if let Some(limited) = by_name(cloud, &made.object, &rotations) {
            made.object = limited;
        }
    }
}

/// The rotation that an object is, if it is one that a server would take.
pub fn rotation(object: &Object) -> Option<CredentialRotation> {
    let body = Some(object.body()).filter(|_| object.kind() == "CredentialRotation")?;
    serde_json::from_value(plain_json(body)).ok()
}

/// The operator's Role in the cloud's namespace with names in it; nothing for any other object. Rules that a person
/// has changed stay as they are, and all do where the namespace is named as that of a further cloud, whose rotations
/// are not known here.
pub fn by_name(cloud: &Cloud, object: &Object, rotations: &[CredentialRotation]) -> Option<Object> {
    // Keystone's roles are objects of a kind with that name, too.
    let is_its_role = object.api_version().starts_with("rbac.authorization.k8s.io/")
        && object.kind() == "Role"
        && object.name() == names::MANAGER
        && object.namespace() == cloud.namespace;
    if !is_its_role || is_further(cloud) {
        return None;
    }
    let wide = rbac::PLANE.iter().filter_map(|right| rbac::rule(right, None));
    let narrow = rbac::PLANE.iter().map(|right| rbac::rule(right, Some(rotations)));
    let table: Vec<(Value, Option<Value>)> = wide
        .zip(narrow)
        .map(|(wide, narrow)| (from_json(&wide), narrow.as_ref().map(from_json)))
        .collect();
    let mut body = object.body().clone();
    let rules = body.as_map_mut()?.get_mut("rules")?;
    let narrowed = rules.as_list()?.iter().filter_map(|rule| {
        let known = table.iter().find(|(wide, _)| wide == rule);
        known.map_or(Some(rule), |(_, narrow)| narrow.as_ref()).cloned()
    });
    *rules = Value::List(narrowed.collect());
    object.changed(body).ok()
}

fn is_further(cloud: &Cloud) -> bool {
    let options = cloud.component(names::MANAGER).map(|operator| &operator.options);
    let further = options.and_then(|options| options.get("namespaces")?.as_list());
    further.into_iter().flatten().any(|name| name.as_str() == Some(&cloud.namespace))
}
