//! What expressions can read: the cloud, the component itself, and what components it needs
//! provide.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use minijinja::Value as Computed;
use strata_rotation_api::rbac;

use crate::crds;
use crate::generate::evaluate::Evaluator;
use crate::generate::{application_credential, catalog, certificate, connections, facts, route};
use crate::map;
use crate::pools;
use crate::resolve::{Cloud, Component, Image, Scaled};
use crate::spec::from_json;
use crate::value::{Map, Text, Value};

/// Read by every component of a cloud; grows as components provide.
#[derive(Debug)]
pub struct Shared {
    values: Map,
    converted: Converted,
}

/// Values as MiniJinja has them. Expressions read the same few again and again, and making one of
/// them costs more than most expressions do.
#[derive(Debug, Default)]
struct Converted(RefCell<Vec<(String, Computed)>>);

impl Converted {
    fn get(&self, name: &str, value: &Value) -> Computed {
        let known = |(other, _): &&(String, Computed)| other == name;
        if let Some((_, computed)) = self.0.borrow().iter().find(known) {
            return computed.clone();
        }
        let computed = compute(value);
        self.0.borrow_mut().push((name.to_owned(), computed.clone()));
        computed
    }
}

impl Shared {
    pub fn new(cloud: &Cloud, evaluator: &mut Evaluator) -> Self {
        let mut shared = Shared::without_connections(cloud);
        let connections = connections::of_cloud(cloud, |client| {
            let scope = || Scope::new(&shared, cloud, client);
            let databases = connections::databases(client, evaluator, scope);
            connections::of_processes(&client.processes, databases)
        });
        if let Some(Value::Map(values)) = shared.values.get_mut("cloud") {
            values.insert("connections", connections);
        }
        // What was read on the way did not have them.
        shared.converted = Converted::default();
        shared
    }

    /// Enough for the names of databases, which depend on settings and on nothing else.
    fn without_connections(cloud: &Cloud) -> Self {
        let values = map! {
            "cloud" => map! {
                "name" => cloud.name.clone(),
                "namespace" => cloud.namespace.clone(),
                "region" => cloud.region.clone(),
                "release" => cloud.release.clone(),
                "addresses" => addresses(cloud),
                "announced" => announced(cloud),
                "hasRoutes" => cloud.public.as_ref().is_some_and(|public| public.gateway.is_some()),
                "components" => names(cloud.components.iter()),
                "running" => names(cloud.components.iter().filter(|component| !component.is_external())),
            },
            "tls" => map! {
                "enabled" => cloud.tls,
                "scheme" => cloud.scheme(),
                "public" => route::is_certified(cloud),
                "bundle" => certificate::bundle(),
            },
            "pools" => map! {
                "hypervisors" => pools::values(&cloud.pools.hypervisors),
                "storage" => pools::values(&cloud.pools.storage),
            },
            "delivery" => map! { "namespace" => cloud.delivery.namespace.clone() },
            "monitoring" => monitoring(cloud),
            "rotation" => rotation(cloud),
            "store" => map! {
                "name" => cloud.store.name.clone(),
                "kind" => format!("{:?}", cloud.store.kind),
                "own" => cloud.store.vault.is_some(),
                "prefix" => cloud.secret_path("").trim_end_matches('/').to_owned(),
            },
        };
        Shared { values, converted: Converted::default() }
    }

    pub fn provide(&mut self, component: &str, provided: Map) {
        if !provided.is_empty() {
            // An expression would read `-` as a minus.
            self.values.insert(component.replace('-', "_"), provided);
        }
    }
}

/// What one component can read.
#[derive(Debug)]
pub struct Scope<'a> {
    shared: &'a Shared,
    own: Rc<Own>,
    item: Option<Value>,
}

/// What a component has to itself.
#[derive(Debug)]
struct Own {
    values: Map,
    converted: Converted,
}

impl<'a> Scope<'a> {
    pub fn new(shared: &'a Shared, cloud: &Cloud, component: &Component) -> Self {
        let own = Own { values: own(cloud, component), converted: Converted::default() };
        Scope { shared, own: Rc::new(own), item: None }
    }

    /// The same with `item` bound, for objects made once for each of a list.
    pub fn with_item(&'a self, item: Value) -> Scope<'a> {
        Scope { shared: self.shared, own: Rc::clone(&self.own), item: Some(item) }
    }

    pub fn get(&self, path: &[Text]) -> Option<Value> {
        let (root, rest) = path.split_first()?;
        rest.iter().try_fold(self.root(root)?, |value, key| value.as_map()?.get(key)).cloned()
    }

    /// One thing that a component before this one provides.
    pub fn provided(&self, component: &str, key: &str) -> Option<&Value> {
        self.shared.values.get(component)?.as_map()?.get(key)
    }

    /// What stands under the first step of a path.
    fn root(&self, name: &str) -> Option<&Value> {
        match &self.item {
            Some(item) if name == "item" => Some(item),
            _ => self.own.values.get(name).or_else(|| self.shared.values.get(name)),
        }
    }

    /// The same for an expression that MiniJinja evaluates.
    pub fn computed(&self, name: &str) -> Option<Computed> {
        if let Some(item) = self.item.as_ref().filter(|_| name == "item") {
            return Some(compute(item));
        }
        if let Some(value) = self.own.values.get(name) {
            return Some(self.own.converted.get(name, value));
        }
        Some(self.shared.converted.get(name, self.shared.values.get(name)?))
    }
}

fn compute(value: &Value) -> Computed {
    match value {
        Value::Null => Computed::from(()),
        Value::Bool(flag) => Computed::from(*flag),
        Value::Int(number) => Computed::from(*number),
        Value::Float(number) => Computed::from(*number),
        Value::Str(text) => Computed::from(text.as_ref()),
        Value::List(items) => items.iter().map(compute).collect(),
        // Order is of no account: the writer sorts every map.
        Value::Map(map) => {
            let map: BTreeMap<&str, Computed> =
                map.iter().map(|(key, value)| (key.as_ref(), compute(value))).collect();
            Computed::from(map)
        }
    }
}

fn own(cloud: &Cloud, component: &Component) -> Map {
    let record = component.record;
    let mut own = map! {
        "component" => record.component.clone(),
        "distribution" => component.distribution.name(),
        "name" => record.object_name.clone(),
        "options" => component.options.clone(),
        "processes" => Map::from_pairs(
            component
                .processes
                .iter()
                .filter(|process| !process.name.is_empty())
                .map(|process| (Cow::Owned(process.name.clone()), process_values(process).into()))
                .collect(),
        ),
        "secrets" => Map::from_pairs(
            component
                .secrets()
                .map(|secret| {
                    let values = map! { "name" => secret.name.clone(), "username" => secret.username.clone() };
                    (secret.key.clone(), values.into())
                })
                .collect(),
        ),
    };
    if !record.namespace.is_empty() {
        own.insert("namespace", record.namespace.clone());
    }
    if let Some(process) = component.processes.iter().find(|process| process.name.is_empty()) {
        for (key, value) in process_values(process) {
            own.insert(key, value);
        }
    }
    if let Some(resources) = &component.resources {
        own.insert("resources", resources.clone());
    }
    if let Some(image) = &component.image {
        own.insert("image", image_values(image));
    }
    if let Some(served) = cloud.component(&record.serves) {
        let mut values = map! {
            "name" => served.record.object_name.clone(),
            "options" => served.options.clone(),
            "pods" => Map::from_pairs(served.hatches.pods.clone()),
        };
        if let Some(image) = &served.image {
            values.insert("image", image_values(image));
        }
        own.insert("served", values);
    }
    // Made of types, which takes longer than all the rest of a record.
    if record.where_rotated {
        own.insert("companion", companion());
    }
    if let Some(internal) = cloud.internal_url(component) {
        let mut endpoint = map! { "host" => cloud.host(component), "internal" => internal };
        if let Some(public) = cloud.public_url(component) {
            endpoint.insert("public", public);
        }
        if let Some(gateway) = route::by_the_operator(cloud, component) {
            endpoint.insert("gateway", gateway);
        }
        own.insert("endpoint", endpoint);
    }
    let mut doors = map! {};
    for (name, way) in cloud.ways(component).into_iter().filter(|(name, _)| !name.is_empty()) {
        doors.insert(name.to_owned(), format!("https://{}", way.host));
    }
    if !doors.is_empty() {
        own.insert("public", doors);
    }
    if let Some(first) = record.databases.first().and_then(|named| named.name.literal()) {
        own.insert("database", database(cloud, component, first));
    }
    if let Some(vhost) = component.queue() {
        own.insert(
            "queue",
            map! { "vhost" => vhost.to_owned(), "secret" => facts::queue_secret(component) },
        );
    }
    if !record.certificate.is_empty() {
        let mut values = map! { "secret" => certificate::secret(component) };
        if cloud.tls {
            values.insert("tls", certificate::settings(component));
        }
        own.insert("certificate", values);
    }
    if let Some(identity) = component.identity() {
        let mut values = map! {
            "user" => identity.user.clone(),
            "secret" => application_credential::login(cloud, component),
        };
        if let Some(domain) = &identity.domain {
            let secret = catalog::domain_credential(component);
            let domain = map! { "name" => domain.name.clone(), "user" => domain.user.clone(), "secret" => secret };
            values.insert("domain", domain);
        }
        own.insert("identity", values);
    }
    own
}

fn database(cloud: &Cloud, component: &Component, first: &str) -> Map {
    let mut values =
        map! { "name" => first.to_owned(), "secret" => facts::database_secret(component) };
    // Of two that take turns only the Secret knows which one it is.
    if cloud.rotation.database_passwords.is_none() {
        values.insert("user", component.record.component.clone());
    }
    values
}

fn image_values(image: &Image) -> Map {
    map! {
        "repository" => image.repository.clone(),
        "tag" => image_tag(&image.tag, image.digest.as_deref()),
        "exact" => exact(image),
    }
}

/// From where metrics are read is known where policies have to know it.
fn monitoring(cloud: &Cloud) -> Map {
    let mut values = map! { "enabled" => cloud.monitoring };
    if let Some(policies) = &cloud.policies {
        values.insert("namespace", policies.monitoring_namespace.clone());
    }
    values
}

/// What rotates, and each ring of keys with when it does.
fn rotation(cloud: &Cloud) -> Map {
    let keys = cloud.rotation.keys.iter().map(|keys| {
        let mut values = map! { "type" => keys.kind, "name" => keys.name };
        if let Some(days) = keys.interval_days {
            // Keys have no expiry that one would have to be ahead of.
            let schedule = map! { "intervalDays" => i64::from(days), "preRotationDays" => 0i64 };
            values.insert("schedule", schedule);
        }
        values
    });
    map! { "types" => cloud.rotations(), "keys" => keys.collect::<Vec<Map>>() }
}

/// What the companion operator needs in a cluster: its kinds, and rights in its own namespace and in
/// that of a cloud.
fn companion() -> Map {
    let rules = |rights| from_json(&serde_json::Value::Array(rbac::rules(rights)));
    map! {
        "rights" => map! { "own" => rules(rbac::OWN), "plane" => rules(rbac::PLANE) },
        "crds" => strata_rotation_api::crds().iter().map(crds::body).collect::<Vec<Value>>(),
    }
}

fn names<'a>(components: impl Iterator<Item = &'a Component<'a>>) -> Vec<Text> {
    components.map(|component| component.record.component.clone()).collect()
}

/// Where each component answers. Known before any is made, so that two may name each other.
fn addresses(cloud: &Cloud) -> Map {
    let address = |component: &Component| {
        // An expression would read `-` as a minus.
        let name = component.name().replace('-', "_");
        Some((Cow::Owned(name), Value::from(cloud.address(component)?)))
    };
    Map::from_pairs(cloud.components.iter().filter_map(address).collect())
}

/// What components say of themselves beforehand, for those that come before them.
fn announced(cloud: &Cloud) -> Map {
    let said = |component: &Component| {
        let options = component.record.announces.iter();
        let options: Vec<(Text, Value)> = options
            .filter_map(|name| Some((name.clone(), component.options.get(name)?.clone())))
            .collect();
        let name = component.name().replace('-', "_");
        let announces = !component.record.announces.is_empty();
        // An option that nobody wrote and that has no default is undefined, and not its component.
        announces.then(|| (Cow::Owned(name), Map::from_pairs(options).into()))
    };
    Map::from_pairs(cloud.components.iter().filter_map(said).collect())
}

fn process_values(process: &Scaled) -> Map {
    let mut values = map! { "replicas" => process.replicas, "workers" => process.workers };
    if let Some(port) = process.port {
        values.insert("port", port);
    }
    if let Some(resources) = &process.resources {
        values.insert("resources", resources.clone());
    }
    values
}

/// For kinds that take a tag or a digest and refuse both.
fn exact(image: &Image) -> Map {
    let mut exact = map! { "repository" => image.repository.clone() };
    match &image.digest {
        Some(digest) => exact.insert("digest", digest.clone()),
        None => exact.insert("tag", image.tag.clone()),
    }
    exact
}

/// A digest behind a tag wins over it wherever images are pulled.
fn image_tag(tag: &str, digest: Option<&str>) -> String {
    match digest {
        Some(digest) => format!("{tag}@{digest}"),
        None => tag.to_owned(),
    }
}
