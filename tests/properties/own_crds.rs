//! Every object whose CRD is ours, held against it as an API server would: fields and their types, and the
//! keys by which items of a list are told apart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use strata::catalogue::Catalogue;
use strata::crds;
use strata::finding::{Findings, Path, Place};
use strata::generate::{Contents, Made};
use strata::resolve::Cloud;
use strata::schema::walk;
use strata::value::Value;
use strata::yaml::read::read_bytes;
use strata::yaml::tree::Node;

/// What a server would refuse of a cloud.
pub fn faults(cloud: &Cloud, contents: &Contents) -> Vec<String> {
    contents.objects.iter().flat_map(|made| of_object(cloud, made)).collect()
}

fn of_object(cloud: &Cloud, Made { component, object }: &Made) -> Vec<String> {
    // The living operators of that distribution have other CRDs for kinds of the same names.
    let is_other = cloud.component(component).is_some_and(|component| component.is_cobaltcore());
    let Some(schema) = crds::schema_of(object.api_version(), object.kind()).filter(|_| !is_other)
    else {
        return Vec::new();
    };
    let mut findings = Findings::default();
    let place = |path: &Path, _| Place { path: path.clone(), ..Place::nowhere() };
    walk(&Node::from(object.body()), schema, &Path::root(), &place, &mut findings);
    let mut faults: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {}", finding.place.path, finding.because))
        .collect();
    if let Some(schema) = SCHEMAS.get(object.kind()) {
        same_keys(object.body(), schema, "", &mut faults);
    }
    faults.iter().map(|fault| format!("{} {}, {fault}", object.kind(), object.name())).collect()
}

/// The schemas as a server reads them, by kind; the walk knows no keys of lists but `name`.
static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let crds = crds::crds(&Catalogue::built_in());
    let schema = |crd: &crds::Crd| {
        let body = read_bytes(crd.yaml.as_bytes()).documents[0].root.to_value();
        let kind = body.at(&["spec", "names", "kind"])?.as_str()?.to_owned();
        let version = body.at(&["spec", "versions"])?.as_list()?.first()?;
        Some((kind, version.at(&["schema", "openAPIV3Schema"])?.clone()))
    };
    crds.iter().filter_map(schema).collect()
});

fn same_keys(value: &Value, schema: &Value, path: &str, faults: &mut Vec<String>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let known = schema.at(&["properties", key]);
                if let Some(schema) = known.or_else(|| schema.at(&["additionalProperties"])) {
                    same_keys(value, schema, &format!("{path}.{key}"), faults);
                }
            }
        }
        Value::List(items) => {
            let keys = schema.at(&["x-kubernetes-list-map-keys"]).and_then(Value::as_list);
            let mut seen = BTreeSet::new();
            for item in items {
                let key = |keys: &[Value]| {
                    let key = |key: &Value| format!("{:?}", item.at(&[key.as_str().unwrap()]));
                    keys.iter().map(key).collect::<Vec<_>>()
                };
                if keys.is_some_and(|keys| !seen.insert(key(keys))) {
                    faults.push(format!("{path}: two items of one key: {:?}", item));
                }
                if let Some(schema) = schema.at(&["items"]) {
                    same_keys(item, schema, path, faults);
                }
            }
        }
        _ => {}
    }
}
