//! The ways out: what a person says of the objects of a component beyond its options.

use crate::finding::{Code, Finding, Findings, Path, Step};
use crate::json_patch;
use crate::object::Object;
use crate::record::{Record, pods};
use crate::resolve::{Cloud, Component, Settings};
use crate::schema::{Format, is_label_word};
use crate::value::{Map, Text, Value};

#[derive(Debug, Default)]
pub struct Hatches {
    /// Of every object, and of pods where there is a place.
    pub labels: Map,
    pub annotations: Map,
    /// What is said of pods, by setting.
    pub pods: Vec<(Text, Value)>,
    /// Merged into the spec of the main object.
    pub extra_config: Option<Value>,
    /// Kinds first, then single objects: the nearer one has the last word.
    pub overrides: Vec<Patch>,
    pub patches: Vec<Patch>,
}

/// A change to some of the objects of a component.
#[derive(Debug)]
pub struct Patch {
    pub kind: Option<String>,
    pub name: Option<String>,
    pub merge: Value,
    pub operations: Vec<Operation>,
    /// Where it is written.
    pub at: Path,
}

/// The setting that holds changes by what they are made to.
const OVERRIDES: &str = "overrides";

/// One operation of a JSON patch.
#[derive(Debug)]
pub struct Operation {
    pub does: json_patch::Operation,
    pub at: Path,
}

impl Hatches {
    /// Everything that may name other objects.
    pub fn written(&self) -> impl Iterator<Item = &Value> {
        let patches = self.overrides.iter().chain(&self.patches);
        self.pods.iter().map(|(_, value)| value).chain(&self.extra_config).chain(patches.flat_map(
            |patch| {
                std::iter::once(&patch.merge).chain(patch.operations.iter().filter_map(
                    |operation| match &operation.does {
                        json_patch::Operation::Add(_, value)
                        | json_patch::Operation::Replace(_, value) => Some(value),
                        _ => None,
                    },
                ))
            },
        ))
    }
}

impl Patch {
    pub fn matches(&self, object: &Object) -> bool {
        self.is_of_kind(object) && self.name.as_deref().is_none_or(|name| name == object.name())
    }

    /// `User` and `User.rabbitmq.com` both name a kind.
    pub fn is_of_kind(&self, object: &Object) -> bool {
        let is_kind = |kind: &str| match kind.split_once('.') {
            None => kind == object.kind(),
            Some((kind, group)) => kind == object.kind() && group == object.group(),
        };
        self.kind.as_deref().is_none_or(is_kind)
    }

    /// Whether it is written as the fields themselves, under what it changes; a patch has them under a
    /// key of its own.
    pub fn is_override(&self) -> bool {
        let steps = self.at.steps();
        matches!(steps, [.., Step::Key(setting), Step::Key(_)] if setting == OVERRIDES)
    }
}

pub(super) fn resolve(
    record: &Record,
    settings: &Settings,
    cloud: &Cloud,
    findings: &mut Findings,
) -> Hatches {
    // Most components are written without any of this.
    if settings.values.is_empty() {
        return Hatches::default();
    }
    let map = |key: &str| settings.values.get(key).and_then(Value::as_map).cloned();
    let keys = |key: &str, findings: &mut Findings| {
        for (name, _) in map(key).unwrap_or_default() {
            if !is_label_key(&name) {
                findings.push(bad_key(&name, &settings.path.key(key), cloud));
            }
        }
    };
    for key in [pods::LABELS, pods::ANNOTATIONS, "nodeSelector"] {
        keys(key, findings);
    }
    Hatches {
        labels: map(pods::LABELS).unwrap_or_default(),
        annotations: map(pods::ANNOTATIONS).unwrap_or_default(),
        pods: pods::settings(record)
            .into_iter()
            .filter_map(|(name, _)| Some((name.clone(), settings.values.get(&name)?.clone())))
            .collect(),
        extra_config: map("extraConfig").map(Value::Map),
        overrides: overrides(settings),
        patches: patches(settings, cloud, findings),
    }
}

fn overrides(settings: &Settings) -> Vec<Patch> {
    let Some(written) = settings.values.get(OVERRIDES).and_then(Value::as_map) else {
        return Vec::new();
    };
    let mut overrides: Vec<Patch> = written
        .iter()
        .map(|(target, merge)| {
            let (kind, name) = match target.split_once('/') {
                Some((kind, name)) => (kind, Some(name.to_owned())),
                None => (target.as_ref(), None),
            };
            Patch {
                kind: Some(kind.to_owned()),
                name,
                merge: merge.clone(),
                operations: Vec::new(),
                at: settings.path.key(OVERRIDES).key(target.as_ref()),
            }
        })
        .collect();
    overrides.sort_by(|a, b| (&a.name, &a.kind).cmp(&(&b.name, &b.kind)));
    overrides
}

fn patches(settings: &Settings, cloud: &Cloud, findings: &mut Findings) -> Vec<Patch> {
    let written = settings.values.get("patches").and_then(Value::as_list).unwrap_or_default();
    let path = settings.path.key("patches");
    let mut patches = Vec::new();
    for (number, patch) in written.iter().enumerate() {
        let at = path.index(number);
        let text = |key: &str| patch.at(&[key]).and_then(Value::as_str).map(str::to_owned);
        let operations = patch.at(&["json"]).and_then(Value::as_list);
        let merge = patch.at(&["merge"]).filter(|merge| merge.as_map().is_some());
        if operations.is_none() && merge.is_none() {
            findings.push(
                Code::MissingField
                    .at(cloud.written.place(&at))
                    .because("the patch says nothing: `merge` and `json` are both missing here")
                    .remedy("add `merge: {spec: …}`, or `json: [{op: …, path: /spec/…}]`"),
            );
        }
        let mut read = Vec::new();
        for (number, operation) in operations.unwrap_or_default().iter().enumerate() {
            let at = at.key("json").index(number);
            match json_patch::Operation::read(operation) {
                Ok(does) => read.push(Operation { does, at }),
                Err(because) => findings.push(
                    Code::BadOperation.at(cloud.written.place(&at)).because(because).remedy(
                        "write it as RFC 6902 has it: {op: add, path: /spec/replicas, value: 3}",
                    ),
                ),
            }
        }
        patches.push(Patch {
            kind: text("kind"),
            name: text("name"),
            merge: merge.cloned().unwrap_or_else(|| Value::Map(Map::new())),
            operations: read,
            at,
        });
    }
    patches
}

/// Every setting of pods goes somewhere: the other distribution may have had a place for it.
pub(super) fn placed(component: &Component, cloud: &Cloud, findings: &mut Findings) {
    for (setting, value) in &component.hatches.pods {
        let has_place = |name: &str| {
            component.objects().any(|object| object.pods.iter().any(|place| place.setting == name))
        };
        let says_nothing = match value {
            Value::Null => true,
            Value::Map(map) => map.is_empty(),
            Value::List(items) => items.is_empty(),
            _ => false,
        };
        if says_nothing || has_place(setting) {
            continue;
        }
        let parts: Vec<&str> = value
            .as_map()
            .map(|map| map.iter().map(|(key, _)| key.as_ref()).collect())
            .unwrap_or_default();
        let lost = |part: &&&str| !has_place(&format!("{setting}.{part}"));
        let path = component.path.key(setting.as_ref());
        let path = match parts.iter().find(lost) {
            Some(part) if has_any_part(component, setting) => path.key(*part),
            None if !parts.is_empty() => continue,
            _ => path,
        };
        findings.push(
            Code::NoPlaceForPods
                .at(cloud.written.place(&path))
                .because(format!(
                    "the objects of {} have no place for it in the distribution {}",
                    component.name(),
                    component.distribution.name()
                ))
                .remedy("leave it out, or see with `extraConfig` what its operator takes instead"),
        );
    }
}

fn has_any_part(component: &Component, setting: &str) -> bool {
    let is_part = |name: &str| name.strip_prefix(setting).is_some_and(|rest| rest.starts_with('.'));
    component.objects().any(|object| object.pods.iter().any(|place| is_part(&place.setting)))
}

/// A qualified name: a DNS name and a slash may stand before it (apimachinery, `IsQualifiedName`).
fn is_label_key(key: &str) -> bool {
    match key.split_once('/') {
        None => is_label_word(key),
        Some((prefix, name)) => Format::DnsName.accepts(prefix) && is_label_word(name),
    }
}

fn bad_key(name: &str, path: &Path, cloud: &Cloud) -> Finding {
    Code::Malformed
        .at(cloud.written.place(&path.key(name)))
        .because(format!("`{}` is no key that Kubernetes takes", name.escape_debug()))
        .remedy("write a name such as tier, or example.com/tier: up to 63 letters, digits, '-', '_' and '.' behind the slash")
}
