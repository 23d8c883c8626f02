//! Changes by hand that are allowed: to the first object that a component always has, in fields that its
//! kind knows.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use strata::catalogue::Catalogue;
use strata::map;
use strata::record::Template;
use strata::value::{Map, Value};

use crate::spec::{fit, fit_text, label};

/// The object that is changed.
struct Target {
    kind: String,
    /// Whether its CRD is ours: then only fields that are there can be written.
    is_ours: bool,
}

impl Target {
    /// By the path of the component's settings; none where no object is certain.
    fn of(component: &str) -> Option<Self> {
        let settings = component.strip_prefix("spec.")?.replace("openstack.", "services.");
        let catalogue = Catalogue::built_in();
        let record = catalogue.records().find(|record| record.settings == settings)?;
        let first = record.objects.iter().find(|object| {
            !object.external && ["", "reference"].contains(&object.distribution.as_ref())
        })?;
        let certain = first.when.is_none() && first.each.is_none();
        let text = |key: &str| match &first.object {
            Template::Map(fields) => {
                fields.iter().find(|(name, _)| name == key).and_then(|(_, value)| match value {
                    Template::Str(text) => Some(text.to_string()),
                    _ => None,
                })
            }
            _ => None,
        };
        let version = text("apiVersion")?;
        let is_ours = strata::crds::schema_of(&version, &text("kind")?).is_some();
        Some(Target { kind: text("kind")?, is_ours }).filter(|_| certain)
    }
}

pub fn extra_config(component: &str) -> BoxedStrategy<Value> {
    match Target::of(component) {
        Some(Target { is_ours: true, .. }) => of_pods().prop_map(Value::Map).boxed(),
        // A key of one's own: another could replace what the invariants look at.
        _ => btree_map("x-[a-z]{1,9}", fit(), 0..3)
            .prop_map(|pairs| {
                let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
                Value::Map(Map::from_pairs(pairs.collect()))
            })
            .boxed(),
    }
}

/// Only what is rendered can be overridden.
pub fn overrides(component: &str) -> BoxedStrategy<Value> {
    let Some(Target { kind, is_ours }) = Target::of(component) else {
        return Just(Value::Map(Map::new())).boxed();
    };
    (annotations(), of_pods())
        .prop_map(move |(annotations, pods)| {
            let mut change = map! { "metadata" => map! { "annotations" => annotations } };
            if is_ours {
                change.insert("spec", pods);
            }
            Value::Map(Map::from_pairs(vec![(kind.clone().into(), change.into())]))
        })
        .boxed()
}

pub fn patches(component: &str) -> BoxedStrategy<Value> {
    let Some(Target { kind, is_ours }) = Target::of(component) else {
        return Just(Value::List(Vec::new())).boxed();
    };
    let patch = (annotations(), of_pods(), proptest::bool::ANY).prop_map(
        move |(annotations, pods, merge)| {
            let merged =
                map! { "merge" => map! { "metadata" => map! { "annotations" => annotations } } };
            if merge || !is_ours {
                return Value::Map(merged);
            }
            let pods = pods.into_iter().map(|(field, value)| {
                Value::Map(
                    map! { "op" => "add", "path" => format!("/spec/{field}"), "value" => value },
                )
            });
            Value::Map(map! { "kind" => kind.clone(), "json" => pods.collect::<Vec<_>>() })
        },
    );
    vec(patch, 0..3).prop_map(Value::List).boxed()
}

fn annotations() -> impl Strategy<Value = Map> + Clone {
    (label(), fit_text())
        .prop_map(|(key, text)| {
            Map::from_pairs(vec![(format!("example.com/{key}").into(), text.into())])
        })
        .boxed()
}

/// What every kind of ours takes.
fn of_pods() -> impl Strategy<Value = Map> + Clone {
    let marks = || btree_map("[a-z]{1,9}", label(), 0..3).boxed();
    let map = |pairs: std::collections::BTreeMap<String, String>| {
        let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value.into()));
        Map::from_pairs(pairs.collect())
    };
    (marks(), marks())
        .prop_map(move |(labels, annotations)| {
            map! { "podAnnotations" => map(annotations), "podLabels" => map(labels) }
        })
        .boxed()
}
