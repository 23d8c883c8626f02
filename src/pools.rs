//! Pools of hypervisors and of storage, which clouds consume by name.

use crate::catalogue::{HYPERVISOR_CLUSTER_SCHEMA, STORAGE_CLUSTER_SCHEMA};
use crate::finding::{Code, Findings, Path, Place};
use crate::layers::pool_name;
use crate::load::{Document, Spec};
use crate::map;
use crate::schema::{self, Schema};
use crate::value::{Map, Value};
use crate::yaml::tree::{Node, Span};

/// The label of a pool that is for one cloud alone.
const DEDICATED: &str = "dedicated";
/// The label that names a pool's availability zone.
const ZONE: &str = "availability-zone";

/// All pools of the input, by name.
#[derive(Debug, Default)]
pub struct Pools<'a> {
    pub hypervisors: Vec<Pool<'a>>,
    pub storage: Vec<Pool<'a>>,
}

#[derive(Debug)]
pub struct Pool<'a> {
    pub document: &'a Document,
    pub name: String,
    /// Empty where it could not be read, which is a finding already.
    pub region: String,
}

/// Reads every pool, whether a cloud consumes it or not.
pub fn pools<'a>(spec: &Spec<'a>, findings: &mut Findings) -> Pools<'a> {
    Pools {
        hypervisors: read(&spec.hypervisor_clusters, &HYPERVISOR_CLUSTER_SCHEMA, findings),
        storage: read(&spec.storage_clusters, &STORAGE_CLUSTER_SCHEMA, findings),
    }
}

fn read<'a>(documents: &[&'a Document], schema: &Schema, findings: &mut Findings) -> Vec<Pool<'a>> {
    let mut pools: Vec<Pool<'a>> = Vec::new();
    for document in documents {
        let place = |path: &Path, span: Span| Place { span: Some(span), ..document.place(path) };
        schema::walk(&document.root, schema, &Path::root(), &place, findings);
        let Some(name) = pool_name(document, findings) else { continue };
        if let Some(first) = pools.iter().find(|pool| pool.name == name) {
            findings.push(
                Code::SamePoolName
                    .at(document.place(&Path::from("metadata.name")))
                    .because(format!("{} has that name already", first.document.title()))
                    .remedy("give one of the two another name, or remove one"),
            );
            continue;
        }
        let region = text(document, &["spec", "region"]).unwrap_or_default().to_owned();
        pools.push(Pool { document, name, region });
    }
    pools
}

impl Pool<'_> {
    fn label(&self, name: &str) -> Option<&str> {
        text(self.document, &["spec", "labels", name])
            .or_else(|| text(self.document, &["metadata", "labels", name]))
    }

    pub fn is_dedicated(&self) -> bool {
        self.label(DEDICATED) == Some("true")
    }

    /// What records read of it: all that was written, and what follows from it.
    pub fn values(&self) -> Map {
        let mut values = self.document.root.get("spec").map(Node::to_map).unwrap_or_default();
        let zone = self.label(ZONE).unwrap_or(&self.name).to_owned();
        let own = map! {
            "name" => self.name.clone(),
            "region" => self.region.clone(),
            "zone" => zone,
        };
        own.into_iter().for_each(|(key, value)| values.insert(key, value));
        if let Some(namespace) = text(self.document, &["metadata", "namespace"]) {
            values.insert("namespace", namespace.to_owned());
        }
        values
    }
}

/// What records read of some pools.
pub fn values(pools: &[&Pool]) -> Value {
    Value::List(pools.iter().map(|pool| pool.values().into()).collect())
}

fn text<'n>(document: &'n Document, path: &[&str]) -> Option<&'n str> {
    path.iter().try_fold(&document.root, |node, key| node.get(key))?.as_str()
}
