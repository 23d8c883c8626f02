//! Our CRDs: from the types people write, from the records' settings, and from the reference
//! distribution's types.

use std::sync::LazyLock;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

use crate::catalogue::Catalogue;
use crate::record::{CONTAINERS, complete_object};
use crate::reference;
use crate::schema::{Schema, decode, encode};
use crate::spec::{
    ControlPlane, Defaults, HypervisorCluster, OpenStackCluster, StorageCluster, from_json,
};
use crate::value::{Map, Value};
use crate::yaml::tree::Node;
use crate::yaml::write;

/// A CRD as a file: its name and its text.
#[derive(Debug)]
pub struct Crd {
    pub file: String,
    pub yaml: String,
}

/// All of them, by file name.
pub fn crds(catalogue: &Catalogue) -> Vec<Crd> {
    let schema = catalogue.control_plane_schema();
    let (claim, defaults) = (catalogue.claim_schema(), catalogue.defaults_schema());
    let mut crds = vec![
        file(&ControlPlane::crd(), |crd| with_settings(crd, &schema, catalogue)),
        file(&Defaults::crd(), |crd| with_all_fields(crd, &defaults)),
        file(&OpenStackCluster::crd(), |crd| with_all_fields(crd, &claim)),
        file(&HypervisorCluster::crd(), |_| {}),
        file(&StorageCluster::crd(), |_| {}),
    ];
    crds.extend(of_clouds().map(|crd| file(&crd, |_| {})));
    crds.sort_by(|a, b| a.file.cmp(&b.file));
    crds
}

/// Those of the objects that clouds consist of, which people do not write.
fn of_clouds() -> impl Iterator<Item = CustomResourceDefinition> {
    reference::crds().into_iter().chain(strata_rotation_api::crds())
}

/// What an object of a cloud may hold, if its CRD is ours. Made when it is first asked for: a cloud in
/// which nobody changes an object by hand is right by its records, and never asks.
pub fn schema_of(api_version: &str, kind: &str) -> Option<&'static Schema> {
    static SCHEMAS: LazyLock<Vec<(String, String, Schema)>> =
        LazyLock::new(|| of_clouds().filter_map(|crd| schema(&crd)).collect());
    let is_it = |(own_version, own_kind, _): &&(String, String, Schema)| {
        own_version == api_version && own_kind == kind
    };
    SCHEMAS.iter().find(is_it).map(|(_, _, schema)| schema)
}

fn schema(crd: &CustomResourceDefinition) -> Option<(String, String, Schema)> {
    let version = crd.spec.versions.first()?;
    let body = body(crd);
    let versions = body.at(&["spec", "versions"])?.as_list()?;
    let own = versions.first()?.at(&["schema", "openAPIV3Schema"])?;
    let mut schema = decode(&Node::from(own), &mut Vec::new());
    complete_object(&mut schema);
    let api_version = format!("{}/{}", crd.spec.group, version.name);
    Some((api_version, crd.spec.names.kind.clone(), schema))
}

fn file(crd: &CustomResourceDefinition, complete: impl Fn(&mut Value)) -> Crd {
    let mut value = body(crd);
    complete(&mut value);
    let mut yaml = String::new();
    write::write(&value, &mut yaml);
    Crd { file: format!("{}_{}.yaml", crd.spec.group, crd.spec.names.plural), yaml }
}

/// A CRD as an object.
pub fn body(crd: &CustomResourceDefinition) -> Value {
    let mut value = from_json(&serde_json::to_value(crd).unwrap_or_default());
    drop_titles(&mut value);
    value
}

/// Rust's own names for types mean nothing to those who read a CRD.
fn drop_titles(value: &mut Value) {
    match value {
        Value::Map(map) => {
            if map.get("title").is_some_and(|title| title.as_str().is_some()) {
                map.remove("title");
            }
            map.pairs_mut().iter_mut().for_each(|(_, value)| drop_titles(value));
        }
        Value::List(items) => items.iter_mut().for_each(drop_titles),
        _ => {}
    }
}

/// The types know nothing of single services: their settings come from the records.
fn with_settings(crd: &mut Value, schema: &Schema, catalogue: &Catalogue) {
    let Some(spec) = spec_properties(crd) else { return };
    let alone = catalogue
        .records()
        .map(|record| record.settings.as_ref())
        .filter(|place| !place.contains('.'));
    for place in CONTAINERS.iter().copied().chain(alone).filter(|place| !place.is_empty()) {
        if let Some(settings) = schema.at(&["spec", place]) {
            spec.insert(place.to_owned(), encode(settings));
        }
    }
}

/// The fields of claims and Defaults come from those of a ControlPlane, all of them.
fn with_all_fields(crd: &mut Value, schema: &Schema) {
    let Some(spec) = spec_properties(crd) else { return };
    for (name, field) in schema.at(&["spec"]).iter().flat_map(|spec| spec.properties.iter()) {
        spec.insert(name.clone(), encode(field));
    }
}

fn spec_properties(crd: &mut Value) -> Option<&mut Map> {
    let Value::List(versions) =
        crd.as_map_mut()?.get_mut("spec")?.as_map_mut()?.get_mut("versions")?
    else {
        return None;
    };
    ["schema", "openAPIV3Schema", "properties", "spec", "properties"]
        .iter()
        .try_fold(versions.first_mut()?, |value, key| value.as_map_mut()?.get_mut(key))?
        .as_map_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an API server holds them against and the walk does not: lengths, moments, and one pattern.
    const NOT_WALKED: &[&str] = &["maxLength", "minLength", "maxItems", "date-time", "a pattern"];

    #[test]
    fn every_crd_of_a_cloud_can_be_held_against_objects() {
        for crd in of_clouds() {
            let mut faults = Vec::new();
            let body = body(&crd);
            let versions = body.at(&["spec", "versions"]).and_then(Value::as_list);
            let schema = versions.and_then(|all| all.first()?.at(&["schema", "openAPIV3Schema"]));
            let decoded = schema.map(|schema| decode(&Node::from(schema), &mut faults));
            faults.retain(|fault| !NOT_WALKED.iter().any(|what| fault.because.contains(what)));
            let kind = &crd.spec.names.kind;
            assert!(faults.is_empty(), "{kind}: {faults:#?}");
            assert!(decoded.is_some_and(|schema| schema.at(&["spec"]).is_some()), "{kind}");
        }
    }
}
