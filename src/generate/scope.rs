//! What expressions can read: the cloud, the component itself, and what components it needs
//! provide.

use std::borrow::Cow;

use crate::generate::{certificate, connections};
use crate::map;
use crate::resolve::{Cloud, Component, Image, Scaled};
use crate::value::{Map, Text, Value};

/// Read by every component of a cloud; grows as components provide.
#[derive(Debug)]
pub struct Shared {
    values: Map,
}

impl Shared {
    pub fn new(cloud: &Cloud) -> Self {
        let values = map! {
            "cloud" => map! {
                "name" => cloud.name.clone(),
                "namespace" => cloud.namespace.clone(),
                "region" => cloud.region.clone(),
                "release" => cloud.release.clone(),
                "connections" => connections::of_cloud(cloud),
                "addresses" => addresses(cloud),
                "hasRoutes" => cloud.public.as_ref().is_some_and(|public| public.gateway.is_some()),
                "components" => cloud.components.iter().map(|it| it.record.component.clone()).collect::<Vec<_>>(),
            },
            "tls" => map! {
                "enabled" => cloud.tls,
                "scheme" => cloud.scheme(),
                "bundle" => certificate::bundle(),
            },
            "monitoring" => map! { "enabled" => cloud.monitoring },
            "store" => map! {
                "name" => cloud.store.name.clone(),
                "kind" => format!("{:?}", cloud.store.kind),
                "prefix" => cloud.secret_path("").trim_end_matches('/').to_owned(),
            },
        };
        Shared { values }
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
    own: Cow<'a, Map>,
    item: Option<Value>,
}

impl<'a> Scope<'a> {
    pub fn new(shared: &'a Shared, cloud: &Cloud, component: &Component) -> Self {
        Scope { shared, own: Cow::Owned(own(cloud, component)), item: None }
    }

    /// The same with `item` bound, for objects made once for each of a list.
    pub fn with_item(&'a self, item: Value) -> Scope<'a> {
        Scope { shared: self.shared, own: Cow::Borrowed(&self.own), item: Some(item) }
    }

    pub fn get(&self, path: &[Text]) -> Option<Value> {
        let (root, rest) = path.split_first()?;
        rest.iter().try_fold(self.root(root)?, |value, key| value.as_map()?.get(key)).cloned()
    }

    /// What stands under the first step of a path.
    pub fn root(&self, name: &str) -> Option<&Value> {
        match &self.item {
            Some(item) if name == "item" => Some(item),
            _ => self.own.get(name).or_else(|| self.shared.values.get(name)),
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
    if let Some(process) = component.processes.iter().find(|process| process.name.is_empty()) {
        for (key, value) in process_values(process) {
            own.insert(key, value);
        }
    }
    if let Some(image) = &component.image {
        own.insert(
            "image",
            map! {
                "repository" => image.repository.clone(),
                "tag" => image_tag(&image.tag, image.digest.as_deref()),
                "exact" => exact(image),
            },
        );
    }
    if let Some(internal) = cloud.internal_url(component) {
        let mut endpoint = map! { "host" => cloud.host(component), "internal" => internal };
        if let Some(public) = cloud.public_url(component) {
            endpoint.insert("public", public);
        }
        own.insert("endpoint", endpoint);
    }
    if let Some(first) = record.databases.first() {
        own.insert(
            "database",
            map! {
                "name" => first.clone(),
                "user" => record.component.clone(),
                "secret" => format!("{}-db-credentials", record.component),
            },
        );
    }
    if let Some(vhost) = component.queue() {
        own.insert(
            "queue",
            map! { "vhost" => vhost.clone(), "secret" => format!("{}-rabbitmq-credentials", record.component) },
        );
    }
    if !record.certificate.is_empty() {
        let mut values = map! { "secret" => certificate::secret(component) };
        if cloud.tls {
            values.insert("tls", certificate::settings(component));
        }
        own.insert("certificate", values);
    }
    if let Some(identity) = &record.identity {
        own.insert(
            "identity",
            map! {
                "user" => identity.user.clone(),
                "secret" => format!("{}-keystone-credentials", record.component),
            },
        );
    }
    own
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
