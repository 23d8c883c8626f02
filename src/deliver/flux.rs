//! Flux's own objects: a Kustomization for each component, which waits for those it needs, one that is
//! ready when the whole cloud is, and the source that all of them read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::deliver::Rendered;
use crate::deliver::health;
use crate::deliver::staging::{Stage, Staging};
use crate::deliver::tree::{File, kustomization};
use crate::generate::{AWAITED, COMPONENT, OWNER};
use crate::map;
use crate::record::{HEALTH, TIMEOUT};
use crate::value::{Map, Value};
use crate::yaml::write;

/// The folder of Flux's objects, and the last part of the name of what applies one of several clouds.
pub const FOLDER: &str = "flux";
/// Below it: what says that all is up.
const READY: &str = "ready";

/// A folder that one Kustomization applies.
#[derive(Debug)]
pub struct Unit<'a> {
    pub component: &'a str,
    /// Behind the name of the component where that is split; none for the whole.
    pub shard: Option<usize>,
    /// Each with the name of its file.
    pub objects: Vec<(&'a Rendered, String)>,
}

impl Unit<'_> {
    /// Below the folder of the cloud.
    pub fn folder(&self) -> String {
        match self.shard {
            Some(number) => format!("{}/{}", self.component, shard_folder(number)),
            None => self.component.to_owned(),
        }
    }

    fn name(&self, staging: &Staging) -> String {
        let name = staging.stage_name(self.component);
        self.shard.map_or(name.clone(), |number| format!("{name}-{number}"))
    }
}

/// `shard-2`.
pub fn shard_folder(number: usize) -> String {
    format!("shard-{number}")
}

/// The files of one cloud below `folder`, which is empty or ends with a slash. `beside` are sources,
/// where this folder is the entry point.
pub fn files<'a>(
    staging: &Staging,
    units: &[Unit],
    folder: &str,
    beside: Vec<Map>,
) -> Vec<File<'a>> {
    let home = format!("{folder}{FOLDER}");
    let mut objects = beside;
    objects.extend(units.iter().map(|unit| stage(staging, unit, units, folder)));
    objects.push(last(staging, units, folder));
    let ready = format!("{home}/{READY}");
    let mut files = folder_of(&home, objects);
    files.extend(folder_of(&ready, vec![ready_object(staging)]));
    files
}

/// The files of the entry point of several clouds: the sources, and what applies each cloud. Kustomize
/// takes time with the square of objects, so the Kustomizations of all clouds are never built at once.
pub fn entry<'a>(clouds: &[(&Staging, String)]) -> Vec<File<'a>> {
    let mut objects = sources(clouds.iter().map(|(staging, _)| *staging));
    for (staging, folder) in clouds {
        let mut spec = spec(staging, &format!("{folder}{FOLDER}"), TIMEOUT);
        // Of what each component has, only the account: Flux's objects stay in Flux's own cluster.
        if let Some(account) = staging.delivery.with.get("serviceAccountName") {
            spec.insert("serviceAccountName", account.clone());
        }
        objects.push(object(staging, staging.stage_name(FOLDER), FOLDER, spec));
    }
    folder_of(FOLDER, objects)
}

/// The sources that the tree brings, each once.
pub fn sources<'s>(clouds: impl Iterator<Item = &'s Staging>) -> Vec<Map> {
    let mut sources: Vec<Map> = Vec::new();
    for staging in clouds {
        let source = staging.delivery.source.as_ref();
        let source = source.filter(|source| !sources.contains(source));
        sources.extend(source.cloned());
    }
    sources
}

/// One file per object, and the kustomization that lists them.
fn folder_of<'a>(folder: &str, objects: Vec<Map>) -> Vec<File<'a>> {
    let mut files: Vec<File> =
        objects.into_iter().map(|object| file(folder, &Value::Map(object))).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let names = files.iter().map(|file| name_in(folder, &file.path).to_owned());
    let listed = kustomization(names.collect());
    files.push(File { path: format!("{folder}/kustomization.yaml"), text: Cow::Owned(listed) });
    files
}

fn name_in<'p>(folder: &str, path: &'p str) -> &'p str {
    path.strip_prefix(folder).map_or(path, |rest| rest.trim_start_matches('/'))
}

fn file<'a>(folder: &str, object: &Value) -> File<'a> {
    let text = |path: &[&str]| object.at(path).and_then(Value::as_str).unwrap_or_default();
    let path =
        format!("{folder}/{}-{}.yaml", text(&["kind"]).to_lowercase(), text(&["metadata", "name"]));
    let mut yaml = String::new();
    write::write(object, &mut yaml);
    File { path, text: Cow::Owned(yaml) }
}

/// The Kustomization of a component, or of a part of one.
fn stage(staging: &Staging, unit: &Unit, units: &[Unit], folder: &str) -> Map {
    let known = staging.stages.iter().find(|stage| stage.component == unit.component);
    let timeout = known.map_or(TIMEOUT, |stage| stage.timeout.as_str());
    let mut spec = spec(staging, &format!("{folder}{}", unit.folder()), timeout);
    spec.insert("wait", true);
    // Of other components, what holds state is marked object by object, and the rest may go.
    if known.is_some_and(|stage| stage.stateful) {
        spec.insert("deletionPolicy", "Orphan");
    }
    let needs = match known {
        Some(stage) => applied_needs(staging, stage, units),
        // What people added may be of any kind, and needs the cloud's namespace at least.
        None => staging.stages.iter().map(|stage| stage.component.as_str()).take(1).collect(),
    };
    depend(&mut spec, staging, units, |component| needs.contains(component));
    let checks = health_checks(unit, known.map(|stage| stage.health.as_str()));
    if !checks.is_empty() {
        spec.insert("healthCheckExprs", checks);
    }
    for (key, value) in staging.delivery.with.iter() {
        spec.insert(key.clone(), value.clone());
    }
    object(staging, unit.name(staging), unit.component, spec)
}

/// Ready when all others are: one object says that the cloud is up.
fn last(staging: &Staging, units: &[Unit], folder: &str) -> Map {
    let mut spec = spec(staging, &format!("{folder}{FOLDER}/{READY}"), TIMEOUT);
    spec.insert("wait", true);
    depend(&mut spec, staging, units, |_| true);
    for (key, value) in staging.delivery.with.iter() {
        spec.insert(key.clone(), value.clone());
    }
    object(staging, staging.control_plane.clone(), READY, spec)
}

/// What the last Kustomization applies: Flux takes no folder without objects for a success.
fn ready_object(staging: &Staging) -> Map {
    map! {
        "apiVersion" => "v1",
        "kind" => "ConfigMap",
        "metadata" => map! {
            "name" => format!("strata-{}-ready", staging.control_plane),
            "namespace" => staging.namespace.clone(),
            "labels" => labels(staging, READY),
            "annotations" => map! {
                OWNER => format!("{}/{}", staging.namespace, staging.control_plane),
            },
        },
        "data" => map! { "controlPlane" => staging.control_plane.clone() },
    }
}

fn object(staging: &Staging, name: String, component: &str, spec: Map) -> Map {
    map! {
        "apiVersion" => "kustomize.toolkit.fluxcd.io/v1",
        "kind" => "Kustomization",
        "metadata" => map! {
            "name" => name,
            "namespace" => staging.delivery.namespace.clone(),
            "labels" => labels(staging, component),
        },
        "spec" => spec,
    }
}

fn labels(staging: &Staging, component: &str) -> Map {
    map! {
        "app.kubernetes.io/managed-by" => "strata",
        "app.kubernetes.io/part-of" => staging.control_plane.clone(),
        COMPONENT => component.to_owned(),
    }
}

fn spec(staging: &Staging, folder: &str, timeout: &str) -> Map {
    let delivery = &staging.delivery;
    let slash = if delivery.path.is_empty() { "" } else { "/" };
    map! {
        "interval" => delivery.interval.clone(),
        "retryInterval" => delivery.retry_interval.clone(),
        "timeout" => timeout.to_owned(),
        "path" => format!("./{}{slash}{folder}", delivery.path),
        "prune" => true,
        "sourceRef" => delivery.source_ref.clone(),
    }
}

fn depend(spec: &mut Map, staging: &Staging, units: &[Unit], on: impl Fn(&str) -> bool) {
    let names: Vec<Map> = units
        .iter()
        .filter(|unit| on(unit.component))
        .map(|unit| map! { "name" => unit.name(staging) })
        .collect();
    if !names.is_empty() {
        spec.insert("dependsOn", names);
    }
}

/// What a component needs, of what the tree has: one without objects has no folder to apply, and what
/// it needs stands for it.
fn applied_needs<'s>(staging: &'s Staging, stage: &'s Stage, units: &[Unit]) -> BTreeSet<&'s str> {
    let mut needs = BTreeSet::new();
    let mut open: Vec<&str> = stage.needs.iter().map(String::as_str).collect();
    while let Some(need) = open.pop() {
        if units.iter().any(|unit| unit.component == need) {
            needs.insert(need);
        } else if let Some(absent) = staging.stages.iter().find(|stage| stage.component == need) {
            open.extend(absent.needs.iter().map(String::as_str));
        }
    }
    needs
}

/// One entry for each group and kind: Flux ignores the version and refuses a second one.
fn health_checks(unit: &Unit, health: Option<&str>) -> Vec<Map> {
    let mut checks: BTreeMap<(&str, &str), Map> = BTreeMap::new();
    let mut unawaited: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (object, _) in &unit.objects {
        let group = object.api_version.split_once('/').map_or("", |(group, _)| group);
        let key = (group, object.kind.as_ref());
        if object.yaml.contains(AWAITED) {
            unawaited.insert(key);
        }
        if checks.contains_key(&key) {
            continue;
        }
        let made_by_record = object.yaml.contains(OWNER);
        let health = made_by_record.then_some(health.unwrap_or(HEALTH));
        if let Some(check) = health::check(&object.api_version, &object.kind, health) {
            checks.insert(key, check);
        }
    }
    for key in unawaited {
        checks.get_mut(&key).into_iter().for_each(health::unless_unawaited);
    }
    checks.into_values().collect()
}
