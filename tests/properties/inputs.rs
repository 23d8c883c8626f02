//! Whole inputs of every sort that people write, made of random control planes.

use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use strata::catalogue::Catalogue;
use strata::map;
use strata::schema::Schema;
use strata::value::{Map, Value};

use crate::spec::{self, Document};
use crate::written;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Alone,
    WithDefaults,
    WithPools,
    Claim,
    Cobaltcore,
    /// Some services from the one distribution, and some from the other.
    Mixed,
}

/// In eleven inputs there are so many of each.
const SORTS: [Sort; 11] = [
    Sort::Alone,
    Sort::WithDefaults,
    Sort::Claim,
    Sort::Cobaltcore,
    Sort::Mixed,
    Sort::Alone,
    Sort::WithPools,
    Sort::Claim,
    Sort::Cobaltcore,
    Sort::Alone,
    Sort::WithDefaults,
];

pub struct Input {
    pub sort: Sort,
    pub documents: Vec<Document>,
}

impl Input {
    pub fn text(&self) -> String {
        self.documents.iter().map(|document| format!("---\n{}", written(&document.0))).collect()
    }

    /// The one document that is a cloud.
    pub fn cloud(&self) -> &Document {
        &self.documents[0]
    }
}

/// Seeded by themselves, so that a failure is the same everywhere.
pub fn inputs() -> impl Iterator<Item = Input> {
    let cloud = spec::control_plane("production");
    let claims = Catalogue::built_in().claim_schema();
    let (own, all) = (spec::defaults("production"), spec::defaults("strata-system"));
    let mut runner = TestRunner::deterministic();
    SORTS.iter().cycle().enumerate().map(move |(number, &sort)| {
        let document = cloud.new_tree(&mut runner).unwrap().current();
        let documents = match sort {
            Sort::Alone => vec![document],
            Sort::WithDefaults => {
                let below =
                    [&own, &all].map(|layer| layer.new_tree(&mut runner).unwrap().current());
                std::iter::once(document).chain(below).collect()
            }
            Sort::WithPools => with_pools(document),
            Sort::Claim => claim(document, &claims),
            Sort::Cobaltcore => vec![cobaltcore(document)],
            Sort::Mixed => vec![mixed(document, number / SORTS.len())],
        };
        Input { sort, documents }
    })
}

pub fn spec_of(document: &mut Document) -> &mut Map {
    let body = document.0.as_map_mut().unwrap();
    body.get_mut("spec").and_then(Value::as_map_mut).unwrap()
}

pub fn below<'a>(map: &'a mut Map, key: &'static str) -> &'a mut Map {
    if map.get(key).and_then(Value::as_map).is_none() {
        map.insert(key, Map::new());
    }
    map.get_mut(key).and_then(Value::as_map_mut).unwrap()
}

fn pool(kind: &'static str, name: &'static str, region: &str) -> Document {
    Document(Value::Map(map! {
        "apiVersion" => "crossplane.c5c3.io/v1alpha1",
        "kind" => kind,
        "metadata" => map! { "name" => name, "namespace" => "infrastructure" },
        "spec" => map! { "region" => region.to_owned() },
    }))
}

/// The pools become the backends, so that no other volume type is there.
fn with_pools(mut document: Document) -> Vec<Document> {
    let spec = spec_of(&mut document);
    without_volume_types(spec);
    let region = spec.get("global").and_then(|global| global.at(&["region"])?.as_str());
    let region = region.unwrap_or("RegionOne").to_owned();
    spec.insert("compute", map! { "hypervisorClusters" => vec!["hv-b", "hv-a"] });
    spec.insert("storage", map! { "storageClusters" => vec!["st-a"] });
    let pools =
        [("HypervisorCluster", "hv-a"), ("HypervisorCluster", "hv-b"), ("StorageCluster", "st-a")];
    let pools = pools.map(|(kind, name)| pool(kind, name, &region));
    std::iter::once(document).chain(pools).collect()
}

fn without_volume_types(spec: &mut Map) {
    for services in ["services", "openstack"] {
        if let Some(Value::Map(services)) = spec.get_mut(services)
            && let Some(Value::Map(cinder)) = services.get_mut("cinder")
        {
            for key in ["backends", "volumeTypes", "defaultVolumeType"] {
                cinder.remove(key);
            }
        }
    }
}

/// The same cloud as a claim of a tenant.
fn claim(document: Document, schema: &Schema) -> Vec<Document> {
    let mut documents = with_pools(document);
    let region = documents[1].0.at(&["spec", "region"]).cloned();
    let whole = spec_of(&mut documents[0]).clone();
    let known = |name: &str| schema.at(&["spec", name]).is_some();
    let mut spec = Map::from_pairs(whole.into_iter().filter(|(name, _)| known(name)).collect());
    spec.insert("region", region.unwrap());
    spec.insert("hypervisorClusters", vec!["hv-a"]);
    spec.insert("storageClusters", vec!["st-a"]);
    let name = documents[0].0.at(&["metadata", "name"]).and_then(Value::as_str).unwrap();
    // The namespace of its cloud is named by it.
    let name: String = name.chars().take(9).collect();
    let name = name.trim_end_matches('-').to_owned();
    documents[0] = Document(Value::Map(map! {
        "apiVersion" => "c5c3.io/v1alpha1",
        "kind" => "OpenStackCluster",
        "metadata" => map! { "name" => name, "namespace" => "tenant-a" },
        "spec" => spec,
    }));
    documents
}

/// What the living operators serve.
const SERVED: &[&str] = &["keystone", "glance", "placement", "horizon", "barbican"];

/// The whole cloud from the living operators.
pub fn cobaltcore(mut document: Document) -> Document {
    const OFF: &[&str] = &["nova", "neutron", "cinder"];
    let spec = spec_of(&mut document);
    without_rotation(spec);
    for field in ["platform", "cortex", "tempest", "identity"] {
        spec.remove(field);
    }
    spec.insert("distribution", "cobaltcore");
    below(spec, "network").insert("ovn", map! { "enabled" => false });
    let infrastructure = below(spec, "infrastructure");
    for name in ["rabbitmq", "valkey"] {
        infrastructure.insert(name, map! { "enabled" => false });
    }
    let services = services(spec);
    *services = Map::from_pairs(
        std::mem::take(services)
            .into_iter()
            .filter(|(name, _)| SERVED.contains(&&**name))
            .collect(),
    );
    for name in OFF {
        services.insert(*name, map! { "enabled" => false });
    }
    for service in SERVED {
        served(services, service);
    }
    document
}

/// Some services from the living operators; which, the bits of a number say.
fn mixed(mut document: Document, number: usize) -> Document {
    let spec = spec_of(&mut document);
    without_rotation(spec);
    let has_keystone = !number.is_multiple_of(4);
    if !has_keystone {
        // They cannot be told to trust the authority of another one.
        below(spec, "global").insert("tls", map! { "enabled" => false });
    }
    let services = services(spec);
    for (bit, service) in SERVED.iter().enumerate() {
        let is_chosen = match *service {
            "keystone" => has_keystone,
            _ => number >> bit & 1 == 1,
        };
        if is_chosen {
            served(services, service);
            below(services, service).insert("distribution", "cobaltcore");
        }
    }
    document
}

fn services(spec: &mut Map) -> &mut Map {
    let services = if spec.get("openstack").is_some() { "openstack" } else { "services" };
    below(spec, services)
}

/// Their services log in with passwords, and rotate their keys themselves; the first release they have is
/// not the first there is.
fn without_rotation(spec: &mut Map) {
    spec.remove("rotation");
    spec.insert("release", "2025.2");
    if let Some(Value::Map(korc)) = spec.get_mut("korc") {
        korc.remove("credentials");
    }
    let infrastructure = below(spec, "infrastructure");
    for (component, setting) in [
        ("memcached", "tls"),
        ("memcached", "sasl"),
        ("memcached", "external"),
        ("mariadb", "external"),
    ] {
        if let Some(Value::Map(settings)) = infrastructure.get_mut(component) {
            settings.remove(setting);
        }
    }
}

/// A service as the living operators take it.
fn served(services: &mut Map, service: &'static str) {
    const OF_PODS: &[&str] = &[
        "affinity",
        "nodeSelector",
        "tolerations",
        "topologySpreadConstraints",
        "priorityClassName",
        "imagePullSecrets",
        // Keystone's own, of the reference distribution alone.
        "federation",
    ];
    let settings = below(services, service);
    OF_PODS.iter().for_each(|field| drop(settings.remove(field)));
    match service {
        "glance" => settings.insert("s3", map! { "host" => "https://s3.example.com" }),
        "barbican" => {
            settings.insert("openBao", map! { "url" => "https://openbao.example.com:8200" });
        }
        _ => {}
    }
}

/// How many inputs there were of each sort, and with each way of changing objects by hand.
#[derive(Default)]
pub struct Tally {
    sorts: BTreeMap<Sort, usize>,
    changes: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub fn add(&mut self, input: &Input) {
        *self.sorts.entry(input.sort).or_default() += 1;
        for way in ["extraConfig", "overrides", "patches"] {
            let written = input.documents.iter().any(|document| writes(&document.0, way));
            *self.changes.entry(way).or_default() += usize::from(written);
        }
    }

    /// One line, and a failure if any sort is hardly there.
    pub fn report(&self) {
        eprintln!("inputs: {:?}, with {:?}", self.sorts, self.changes);
        for sort in SORTS {
            assert!(self.sorts.get(&sort).is_some_and(|count| *count >= 50), "too few: {sort:?}");
        }
        for (way, count) in &self.changes {
            assert!(*count >= 200, "only {count} with {way}");
        }
    }
}

fn writes(value: &Value, field: &str) -> bool {
    let holds = |value: &Value| match value {
        Value::Map(map) => !map.is_empty(),
        Value::List(items) => !items.is_empty(),
        _ => false,
    };
    match value {
        Value::Map(map) => {
            map.iter().any(|(key, value)| (key == field && holds(value)) || writes(value, field))
        }
        Value::List(items) => items.iter().any(|item| writes(item, field)),
        _ => false,
    }
}
