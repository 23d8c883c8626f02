//! Requirements as people and programs read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::links::DEFAULT_CLASS;
use crate::map;
use crate::requirements::{Access, By, NODE, Needed, Requirements, Served};
use crate::value::{Map, Value};

impl Access {
    pub fn name(self) -> &'static str {
        match self {
            Access { read: true, written: true } => "written and read",
            Access { written: true, .. } => "written",
            _ => "read",
        }
    }
}

impl Needed {
    fn title(&self) -> String {
        match self.kind.as_str() {
            DEFAULT_CLASS => "the default StorageClass of the cluster".to_owned(),
            NODE => format!("nodes with the labels {}", self.name),
            kind => format!("{kind} {}", self.name),
        }
    }
}

impl By {
    /// What people call it, with the version that was tested.
    fn title(&self) -> String {
        match self {
            By::Flux => "Flux".to_owned(),
            By::Operator { name, version: Some(version), .. } => {
                format!("{name}, tested with {version}")
            }
            By::Operator { name, version: None, .. } => name.clone(),
            By::Nobody => "operators of your own: none is published".to_owned(),
        }
    }

    fn how_to_get(&self) -> String {
        match self {
            By::Flux => "comes with `flux install`".to_owned(),
            By::Operator { comes: true, .. } => "comes with this cloud".to_owned(),
            By::Operator { setting, .. } => {
                format!("comes with `{setting}: true`, unless the cluster has it")
            }
            By::Nobody => "`strata crds` has the kinds of the reference distribution".to_owned(),
        }
    }
}

impl Requirements {
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\nwhat must exist\n", self.cloud);
        for needed @ Needed { why, keys, by, .. } in &self.objects {
            let _ = writeln!(out, "  {}: {why}", needed.title());
            if !keys.is_empty() {
                let _ = writeln!(out, "    keys: {}", joined(keys));
            }
            let _ = match *by == self.components {
                true => writeln!(out, "    for every component"),
                false => writeln!(out, "    for {}", joined(by)),
            };
        }
        if self.is_inward {
            out.push_str("\nno public names\n");
            out.push_str("  without `endpoints.domain` the public addresses of the catalog are those inside the cluster, which nobody outside reaches\n");
        }
        if !self.trusted.is_empty() {
            out.push_str("\nauthorities that must be trusted\n");
        }
        for Needed { name, why, by, .. } in &self.trusted {
            let _ = writeln!(out, "  that of Secret {name}: {why}");
            let _ = writeln!(out, "    for {}", joined(by));
        }
        if let Some((host, count)) = &self.connections {
            let _ = writeln!(out, "\nconnections that the database must take");
            let _ = writeln!(
                out,
                "  {host}: {count} (max_connections), which all services together can open"
            );
        }
        let (kind, name) = &self.store;
        let _ = writeln!(out, "\npaths in {kind} {name}");
        for (path, access) in &self.paths {
            let _ = writeln!(out, "  {path}: {}", access.name());
        }
        out.push_str("\noperators that must run, and the kinds they serve\n");
        for Served { by, kinds } in &self.operators {
            let _ = writeln!(out, "  {}", by.title());
            for (version, kinds) in kinds {
                let _ = writeln!(out, "    {version}: {}", joined(kinds));
            }
            let _ = writeln!(out, "    {}", by.how_to_get());
        }
        out
    }

    /// The same for programs.
    pub fn value(&self) -> Value {
        let paths = self.paths.iter().map(|(path, access)| {
            map! { "path" => path.clone(), "read" => access.read, "written" => access.written }
        });
        let trusted = self.trusted.iter().map(|Needed { name, why, by, .. }| {
            map! { "secret" => name.clone(), "why" => why.clone(), "neededBy" => texts(by) }
        });
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (version, kinds) in self.operators.iter().flat_map(|served| &served.kinds) {
            all.entry(version.clone()).or_default().extend(kinds.iter().cloned());
        }
        let mut value = map! {
            "cloud" => self.cloud.clone(),
            "objects" => self.objects.iter().map(needed).collect::<Vec<Map>>(),
            "trustedAuthorities" => trusted.collect::<Vec<Map>>(),
            "store" => map! {
                "kind" => self.store.0.clone(),
                "name" => self.store.1.clone(),
                "paths" => paths.collect::<Vec<Map>>(),
            },
            "operators" => self.operators.iter().map(served).collect::<Vec<Map>>(),
            "kinds" => kinds_value(&all),
            "publicNames" => !self.is_inward,
        };
        if let Some((host, count)) = &self.connections {
            value.insert("database", map! { "host" => host.clone(), "connections" => *count });
        }
        Value::Map(value)
    }
}

fn needed(Needed { kind, name, why, keys, by }: &Needed) -> Map {
    let mut value = map! { "kind" => kind.clone(), "name" => name.clone(), "why" => why.clone(), "neededBy" => texts(by) };
    if !keys.is_empty() {
        value.insert("keys", texts(keys));
    }
    value
}

fn served(Served { by, kinds }: &Served) -> Map {
    let mut value = map! { "kinds" => kinds_value(kinds) };
    match by {
        By::Flux => value.insert("name", "Flux"),
        By::Nobody => value.insert("published", false),
        By::Operator { name, version, setting, comes } => {
            value.insert("name", name.clone());
            value.insert("setting", setting.clone());
            value.insert("comesWithCloud", *comes);
            if let Some(version) = version {
                value.insert("testedVersion", version.clone());
            }
        }
    }
    value
}

fn kinds_value(kinds: &BTreeMap<String, BTreeSet<String>>) -> Vec<Map> {
    let of_version = |(version, kinds): (&String, &BTreeSet<String>)| {
        map! { "apiVersion" => version.clone(), "kinds" => texts(kinds) }
    };
    kinds.iter().map(of_version).collect()
}

fn texts(texts: &BTreeSet<String>) -> Vec<String> {
    texts.iter().cloned().collect()
}

fn joined(texts: &BTreeSet<String>) -> String {
    texts.iter().map(String::as_str).collect::<Vec<&str>>().join(", ")
}
