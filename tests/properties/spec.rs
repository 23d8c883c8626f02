//! Random specs that are valid, made from the very schema that specs are held against: a new option
//! of a record is tried here without anyone thinking of it.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use strata::catalogue::Catalogue;
use strata::map;
use strata::schema::{Format, Kind, Schema};
use strata::value::{Map, Value};
use strata::yaml::read::read_bytes;
use strata::yaml::unfit::unfit;

use crate::{changes, values};

/// Shows itself as the YAML that a person could try by hand.
#[derive(Clone)]
pub struct Document(pub Value);

impl std::fmt::Debug for Document {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&crate::written(&self.0))
    }
}

pub fn control_plane(namespace: &'static str) -> impl Strategy<Value = Document> {
    let catalogue = Catalogue::built_in();
    let schema = catalogue.control_plane_schema();
    let spec = object(schema.property("spec").unwrap(), "spec");
    (label(), spec, proptest::bool::ANY).prop_map(move |(name, mut spec, alias)| {
        // They are two names of one thing, and a spec has one of them.
        if let Value::Map(spec) = &mut spec {
            spec.remove(if alias { "services" } else { "openstack" });
            // OpenBao comes with a store for the whole cluster.
            let own_store = spec.get("platform").and_then(|platform| platform.at(&["openbao"]));
            if own_store.is_some() {
                spec.remove("secrets");
            }
            drop_changes_of_external(spec);
            name_the_authority(spec);
            // Of the clouds of one input, one installs the platform.
            if namespace == "second" {
                spec.remove("platform");
            }
        }
        Document(Value::Map(map! {
            "apiVersion" => "c5c3.io/v1alpha1",
            "kind" => "ControlPlane",
            "metadata" => map! { "name" => name, "namespace" => namespace },
            "spec" => spec,
        }))
    })
}

/// What runs elsewhere has other objects than those that are changed.
fn drop_changes_of_external(settings: &mut Map) {
    if settings.get("external").is_some() {
        settings.remove("overrides");
        settings.remove("patches");
    }
    for (_, value) in settings.pairs_mut() {
        if let Value::Map(below) = value {
            drop_changes_of_external(below);
        }
    }
}

/// A database elsewhere that encrypts has an authority, which must be named.
fn name_the_authority(spec: &mut Map) {
    if let Some(Value::Map(infrastructure)) = spec.get_mut("infrastructure")
        && let Some(Value::Map(database)) = infrastructure.get_mut("mariadb")
        && let Some(Value::Map(external)) = database.get_mut("external")
    {
        external.insert("caSecretName", "db-ca");
    }
}

/// Defaults with any of the same fields, for the clouds of a namespace or for all.
pub fn defaults(namespace: &'static str) -> impl Strategy<Value = Document> {
    // Not the first: of two clouds, one installs the platform.
    control_plane("second").prop_map(move |Document(mut defaults)| {
        if let Value::Map(fields) = &mut defaults {
            fields.insert("apiVersion", "strata.c5c3.io/v1alpha1");
            fields.insert("kind", "Defaults");
            fields.insert("metadata", map! { "name" => "defaults", "namespace" => namespace });
        }
        Document(defaults)
    })
}

/// A record among the input.
pub fn record() -> Document {
    Document(fixture("own-record/weather.yaml"))
}

pub fn fixture(file: &str) -> Value {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let text = std::fs::read(folder.join(file)).unwrap();
    read_bytes(&text).documents[0].root.to_value()
}

/// A map with any of the fields.
fn object(schema: &Schema, path: &str) -> BoxedStrategy<Value> {
    let mut fields = Just(Map::new()).boxed();
    for (name, property) in schema.properties.iter() {
        let path = format!("{path}.{name}");
        let value = meant(&path).unwrap_or_else(|| value(property, &path));
        let value: BoxedStrategy<Option<Value>> = if schema.required.contains(name) {
            value.prop_map(Some).boxed()
        } else {
            option::weighted(0.3, value).boxed()
        };
        let name = name.clone();
        fields = (fields, value)
            .prop_map(move |(mut fields, value)| {
                if let Some(value) = value {
                    fields.insert(name.clone(), value);
                }
                fields
            })
            .boxed();
    }
    fields.prop_map(Value::Map).boxed()
}

/// An even number of these is refused.
const DECIDE_BY_MAJORITY: &[&str] =
    &["mariadb", "rabbitmq", "valkey", "openbao", "northbound", "southbound"];

/// What the schema cannot say: only these values make a cloud that no rule refuses.
fn meant(path: &str) -> Option<BoxedStrategy<Value>> {
    let component = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    Some(match path.rsplit('.').next().unwrap_or_default() {
        "release" => {
            select(&["2024.2", "2025.1", "2025.2", "2026.1"][..]).prop_map(Value::from).boxed()
        }
        "distribution" => Just(Value::from("reference")).boxed(),
        "replicas" if DECIDE_BY_MAJORITY.iter().any(|name| component.ends_with(name)) => {
            (0i64..10).prop_map(|half| Value::Int(2 * half + 1)).boxed()
        }
        // Volume types name backends, and the default is one of the types.
        "defaultVolumeType" => Just(Value::from("ceph-rbd")).boxed(),
        "backends" => Just(Value::List(vec![Value::Map(map! {
            "name" => "ceph-rbd",
            "rbd" => map! {
                "pool" => "fast",
                "cephSecretRef" => map! { "name" => "fast" },
                "cephClientRef" => map! { "name" => "fast" },
            },
        })]))
        .boxed(),
        "volumeTypes" => Just(Value::List(vec![Value::Map(
            map! { "name" => "ceph-rbd", "backend" => "ceph-rbd" },
        )]))
        .boxed(),
        "storageSize" => (1i64..1000).prop_map(|size| Value::from(format!("{size}Gi"))).boxed(),
        // Each leads into another network.
        "bridgeMappings" => btree_map("[a-z]{1,9}", "br-[a-z]{1,9}", 0..3)
            .prop_map(|pairs| {
                let mapping = |(network, bridge): (String, String)| {
                    Value::Map(map! { "physicalNetwork" => network, "bridge" => bridge })
                };
                Value::List(pairs.into_iter().map(mapping).collect())
            })
            .boxed(),
        // Routes need a name to listen for.
        "endpoints" => (label(), proptest::option::of(label()))
            .prop_map(|(domain, gateway)| {
                let gateway =
                    gateway.map(|name| ("gateway".into(), map! { "name" => name }.into()));
                let domain = ("domain".into(), domain.into());
                Value::Map(Map::from_pairs(std::iter::once(domain).chain(gateway).collect()))
            })
            .boxed(),
        // Names that lead to each other.
        "identity" if path == "spec.identity" => {
            let people = fixture("identity/controlplane.yaml");
            Just(people.at(&["spec", "identity"]).unwrap().clone()).boxed()
        }
        // They would have to be there.
        "hypervisorClusters" | "storageClusters" => Just(Value::List(Vec::new())).boxed(),
        // Each kind of source has an address of its own form.
        "kind" if component.ends_with("delivery.sourceRef") => {
            Just(Value::from("GitRepository")).boxed()
        }
        "source" if component.ends_with("delivery") => (label(), label())
            .prop_map(|(name, branch)| {
                let url = format!("https://git.example.com/{name}");
                map! { "url" => url, "branch" => branch }.into()
            })
            .boxed(),
        "memory" => (64i64..100_000).prop_map(|size| Value::from(format!("{size}Mi"))).boxed(),
        "digest" => "sha256:[0-9a-f]{64}".prop_map(Value::from).boxed(),
        // Others need these.
        "enabled" if is_needed(component) => Just(Value::Bool(true)).boxed(),
        // An interval is longer than what comes before its end.
        "rotation" if path == "spec.rotation" => {
            const PARTS: &[&str] =
                &["fernetKeys", "credentialKeys", "databasePasswords", "messagingPasswords"];
            let whole = fixture("rotation/controlplane.yaml");
            let whole = whole.at(&["spec", "rotation"]).and_then(Value::as_map).unwrap().clone();
            vec(proptest::bool::ANY, PARTS.len())
                .prop_map(move |are_on| {
                    let mut rotation = whole.clone();
                    for (part, is_on) in PARTS.iter().zip(are_on) {
                        if let Some(Value::Map(part)) = rotation.get_mut(part) {
                            part.insert("enabled", is_on);
                        }
                    }
                    Value::Map(rotation)
                })
                .boxed()
        }
        "extraConfig" => changes::extra_config(component),
        // Keys that Kubernetes takes; of values the schema says it.
        "labels" | "annotations" | "nodeSelector" => btree_map("[a-z]{1,9}", label(), 0..3)
            .prop_map(|pairs| {
                let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value.into()));
                Value::Map(Map::from_pairs(pairs.collect()))
            })
            .boxed(),
        "overrides" => changes::overrides(component),
        "patches" => changes::patches(component),
        _ => return None,
    })
}

fn is_needed(component: &str) -> bool {
    let name = component.rsplit('.').next().unwrap_or_default();
    let catalogue = Catalogue::built_in();
    let record = catalogue.records().find(|record| record.settings.ends_with(name));
    let Some(record) = record else { return false };
    // What is off unless asked for may be asked for; it must not be needed by what stays.
    record.enabled || catalogue.records().any(|other| other.needs.contains(&record.component))
}

fn value(schema: &Schema, path: &str) -> BoxedStrategy<Value> {
    match schema.kind {
        Kind::Object if schema.properties.is_empty() => {
            let values = schema.values.first().cloned().unwrap_or_else(|| Schema::of(Kind::String));
            btree_map("[a-z]{1,9}", value(&values, path), 0..3)
                .prop_map(|pairs| {
                    let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
                    Value::Map(Map::from_pairs(pairs.collect()))
                })
                .boxed()
        }
        Kind::Object => object(schema, path),
        Kind::Array => {
            let items = schema.values.first().cloned().unwrap_or_else(|| Schema::of(Kind::String));
            let least = usize::from(schema.min_items.is_some());
            vec(value(&items, path), least..4).prop_map(Value::List).boxed()
        }
        Kind::Integer | Kind::Number => {
            let (least, most) = (schema.minimum.unwrap_or(0), schema.maximum.unwrap_or(1000));
            (least..=most).prop_map(Value::Int).boxed()
        }
        Kind::Boolean => proptest::bool::ANY.prop_map(Value::Bool).boxed(),
        Kind::Any => fit().boxed(),
        Kind::String | Kind::IntOrString => text(schema),
    }
}

fn text(schema: &Schema) -> BoxedStrategy<Value> {
    if !schema.allowed.is_empty() {
        let allowed: Vec<String> = schema.allowed.iter().map(ToString::to_string).collect();
        return select(allowed).prop_map(Value::from).boxed();
    }
    let text: BoxedStrategy<String> = match schema.format {
        None => fit_text().boxed(),
        Some(Format::Quantity) => "[1-9][0-9]{0,3}(Mi|Gi|Ti)".boxed(),
        Some(Format::DnsLabel) => label().boxed(),
        Some(Format::DnsName) => vec(label(), 1..4).prop_map(|labels| labels.join(".")).boxed(),
        Some(Format::Cron) => "[0-5]?[0-9] (1?[0-9]|\\*/[1-9]) \\* \\* [0-7]".boxed(),
        Some(Format::Release) => "202[0-9]\\.[12]".boxed(),
        Some(Format::Duration) => "[1-9][0-9]?(ms|s|m|h)".boxed(),
        Some(Format::Moment) => {
            "20[0-9]{2}-0[1-9]-[0-2][1-8]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z".boxed()
        }
        Some(Format::Interface) => "[a-z][a-z0-9_.-]{0,14}".boxed(),
        Some(Format::Region | Format::PhysicalNetwork) => "[A-Za-z0-9][A-Za-z0-9_.-]{0,9}".boxed(),
        Some(Format::LabelValue) => "([A-Za-z0-9]([A-Za-z0-9_.-]{0,9}[A-Za-z0-9])?)?".boxed(),
        Some(Format::Digest) => "sha256:[0-9a-f]{64}".boxed(),
        Some(Format::Tag) => "[A-Za-z0-9_][A-Za-z0-9_.-]{0,9}".boxed(),
        Some(Format::Repository) => {
            "([a-z]{1,5}\\.example(:[1-9][0-9]{1,3})?/)?[a-z][a-z0-9]{0,9}(/[a-z0-9]{1,5})?".boxed()
        }
        Some(Format::VaultRole) => "[A-Za-z0-9_]([A-Za-z0-9_.-]{0,9}[A-Za-z0-9_])?".boxed(),
        Some(Format::CephPool) => "[A-Za-z0-9_.-]{1,9}".boxed(),
        Some(Format::Class) => {
            "[A-Za-z_][A-Za-z0-9_]{0,9}(\\.[A-Za-z_][A-Za-z0-9_]{0,9}){0,3}".boxed()
        }
        Some(Format::Uuid) => {
            "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".boxed()
        }
        Some(Format::ProjectId) => "[0-9a-f]{32}".boxed(),
        Some(Format::Kind) => "[A-Z][a-zA-Z]{0,9}".boxed(),
        Some(Format::Url) => "https://[a-z]{1,9}\\.example\\.com(:[1-9][0-9]{0,3})?".boxed(),
        Some(Format::HostPort) => "[a-z]{1,9}\\.example\\.com:[1-9][0-9]{0,3}".boxed(),
        Some(Format::StorePath | Format::TreePath) => {
            vec(label(), 1..4).prop_map(|parts| parts.join("/")).boxed()
        }
    };
    text.prop_map(Value::from).boxed()
}

/// Names up to the longest that becomes a label.
pub fn label() -> impl Strategy<Value = String> + Clone {
    prop_oneof!["[a-z]", "[a-z][a-z0-9-]{0,18}[a-z0-9]", "[a-z0-9]{63}"].boxed()
}

/// What kustomize can keep.
pub fn fit() -> impl Strategy<Value = Value> + Clone {
    values::any().prop_filter("kustomize cannot keep it", |value| unfit(value).is_empty()).boxed()
}

pub fn fit_text() -> impl Strategy<Value = String> + Clone {
    let keeps = |text: &String| unfit(&Value::from(text.clone())).is_empty();
    values::text().prop_filter("kustomize cannot keep it", keeps).boxed()
}
