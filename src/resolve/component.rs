//! One component of one cloud: how many, which image, which options.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::map;
use crate::record::{
    Class, Credential, Door, Identity, Needs, ObjectRecord, PerSize, Process, Record,
};
use crate::resolve::hatches::{self, Hatches};
use crate::resolve::{Cloud, Settings, defaults, tag};
use crate::spec::{Distribution, Size};
use crate::value::{Map, Text, Value};

#[derive(Debug)]
pub struct Component<'a> {
    pub record: &'a Record,
    pub distribution: Distribution,
    pub processes: Vec<Scaled>,
    pub image: Option<Image>,
    /// What the record's options come to.
    pub options: Map,
    /// Processor and memory of a component that is not several processes.
    pub resources: Option<Value>,
    pub hatches: Hatches,
    /// Where its settings stand, for findings.
    pub path: Path,
    /// Whether the spec says anything of it.
    pub is_set: bool,
}

/// A process and how many of it there are.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// Empty for the one process of a component that has no more.
    pub name: String,
    pub replicas: i64,
    pub workers: i64,
    pub port: Option<i64>,
    pub resources: Option<Value>,
}

#[derive(Clone, Debug)]
pub struct Image {
    pub repository: String,
    pub tag: String,
    pub digest: Option<String>,
}

impl Image {
    /// Whether a tag points to another image from time to time.
    pub fn floats(tag: &str) -> bool {
        tag::floats(tag)
    }
}

/// The component that runs every queue.
const BROKER: &str = "rabbitmq";

impl Component<'_> {
    pub fn name(&self) -> &str {
        &self.record.component
    }

    /// What its record says for the distribution it comes from.
    pub fn objects(&self) -> impl Iterator<Item = &ObjectRecord> {
        let chosen = self.distribution.name();
        self.record
            .objects
            .iter()
            .filter(move |object| object.distribution.is_empty() || object.distribution == chosen)
            .filter(|object| object.external == self.is_external())
    }

    /// Whether its settings name one that runs elsewhere: then nothing of it is rendered but what leads
    /// there.
    pub fn is_external(&self) -> bool {
        self.options.get("external").is_some()
    }

    /// Whether its objects are those of the living CobaltCore operators: they serve plain HTTP inside
    /// the cluster, where encryption ends at the gateway, and their services have no queue.
    pub fn is_cobaltcore(&self) -> bool {
        is_cobaltcore(self.record, self.distribution)
    }

    /// The setting that says where it comes from: its own, or that of the whole cloud.
    pub fn says_distribution(&self, cloud: &Cloud) -> Path {
        let own = self.path.key("distribution");
        match cloud.written.get(&own) {
            Some(_) => own,
            None => Path::from("spec.distribution"),
        }
    }

    /// Its first virtual host on the broker.
    pub fn queue(&self) -> Option<&str> {
        let first = self.record.queues.first().filter(|_| !self.is_cobaltcore());
        first.and_then(|named| named.name.literal())
    }

    /// What must be there for it.
    pub fn needs(&self) -> impl Iterator<Item = &Text> {
        needs(self.record, self.distribution)
    }

    /// What it comes after, must it be there or not.
    pub fn waits_for(&self) -> impl Iterator<Item = &Text> {
        self.needs().chain(self.record.after.iter())
    }

    /// The ways in that its record names, of the distribution it comes from.
    pub fn doors(&self) -> impl Iterator<Item = &Door> {
        let chosen = self.distribution.name();
        let offered =
            move |door: &&Door| door.distribution.is_empty() || door.distribution == chosen;
        self.record.doors.iter().filter(offered)
    }

    /// What Keystone knows of it, if that distribution of it logs in.
    pub fn identity(&self) -> Option<&Identity> {
        let chosen = self.distribution.name();
        let identity = self.record.identity.as_ref();
        identity
            .filter(|identity| identity.distribution.is_empty() || identity.distribution == chosen)
    }

    /// The credentials its record names, of the distribution it comes from.
    pub fn secrets(&self) -> impl Iterator<Item = &Credential> {
        let chosen = self.distribution.name();
        let offered = move |secret: &&Credential| {
            secret.distribution.is_empty() || secret.distribution == chosen
        };
        self.record.secrets.iter().filter(offered)
    }
}

fn is_cobaltcore(record: &Record, distribution: Distribution) -> bool {
    let name = Distribution::Cobaltcore.name();
    distribution == Distribution::Cobaltcore
        && record.objects.iter().any(|object| object.distribution == name)
}

/// What a record needs from a distribution. Without a queue it has no use for the broker.
fn needs(record: &Record, distribution: Distribution) -> impl Iterator<Item = &Text> {
    let is_mute = !record.queues.is_empty() && is_cobaltcore(record, distribution);
    record.needs.iter().filter(move |need| !(is_mute && *need == BROKER))
}

impl Settings {
    /// Whether the cloud has the component. What belongs to the platform follows the one switch for
    /// all of it, since most clusters have it already.
    pub(super) fn enabled(
        &self,
        record: &Record,
        cloud: &Cloud,
        written: &Written,
        catalogue: &Catalogue,
    ) -> bool {
        let installs = || written.spec.platform.as_ref().and_then(|platform| platform.install);
        let usual = || {
            record.enabled
                && (!record.is_platform() || installs().unwrap_or(false))
                && (!record.where_set || !self.values.is_empty())
                && (!record.where_rotated || !cloud.rotations().is_empty())
                && (record.rotates.is_empty()
                    || record.rotates.iter().any(|keys| cloud.rotation.has_keys(keys)))
                && has_work(record, cloud, written, catalogue)
                && (!record.where_needed || is_needed(record, cloud, written, catalogue))
        };
        self.values.get("enabled").and_then(Value::as_bool).unwrap_or_else(usual)
    }

    fn text(&self, path: &[&str]) -> Option<String> {
        let (first, rest) = path.split_first()?;
        self.values.get(first)?.at(rest)?.as_str().map(str::to_owned)
    }
}

/// An operator has no work where the cloud lacks what it runs, or has it from somebody else.
fn has_work(record: &Record, cloud: &Cloud, written: &Written, catalogue: &Catalogue) -> bool {
    let Some(served) = catalogue.record(&record.serves) else { return true };
    let settings = Settings::of(served, written);
    let wanted = &record.distribution;
    settings.enabled(served, cloud, written, catalogue)
        && (wanted.is_empty() || distribution(&settings, cloud).name() == wanted)
}

/// Whether the cloud has anything that needs a component. Its own operator does not count: that one is
/// there because of it.
fn is_needed(record: &Record, cloud: &Cloud, written: &Written, catalogue: &Catalogue) -> bool {
    let mut others = catalogue.records().filter(|other| {
        other.serves != record.component && other.needs.contains(&record.component)
    });
    others.any(|other| {
        let settings = Settings::of(other, written);
        needs(other, distribution(&settings, cloud)).any(|need| *need == record.component)
            && settings.enabled(other, cloud, written, catalogue)
    })
}

pub(super) fn resolve<'a>(
    record: &'a Record,
    settings: &Settings,
    cloud: &Cloud,
    findings: &mut Findings,
) -> Component<'a> {
    let distribution = distribution(settings, cloud);
    let component = Component {
        record,
        distribution,
        processes: record
            .all_processes()
            .map(|process| scaled(process, settings, cloud.size))
            .collect(),
        image: image(record, distribution, settings, cloud),
        options: record
            .options
            .iter()
            .filter_map(|(name, schema)| {
                let written = settings.values.get(name).filter(|value| !value.is_null());
                let sized =
                    defaults::at_size(record, name, cloud.size).filter(|_| written.is_none());
                let value = defaults::complete(sized.as_ref().or(written), schema)?;
                Some((name.clone(), value))
            })
            .fold(Map::new(), |mut options, (name, value)| {
                options.insert(name, value);
                options
            }),
        resources: resources(settings.values.get("resources"), &record.class, cloud.size),
        hatches: hatches::resolve(record, settings, cloud, findings),
        path: settings.path.clone(),
        is_set: !settings.values.is_empty(),
    };
    hatches::placed(&component, cloud, findings);
    effective(&component, settings, cloud, findings);
    named(&component, settings, cloud, findings);
    versioned(&component, cloud, findings);
    component
}

fn distribution(settings: &Settings, cloud: &Cloud) -> Distribution {
    match settings.text(&["distribution"]).as_deref() {
        Some("reference") => Distribution::Reference,
        Some("cobaltcore") => Distribution::Cobaltcore,
        Some("openstack-helm") => Distribution::OpenstackHelm,
        _ => cloud.distribution,
    }
}

fn scaled(process: &Process, settings: &Settings, size: Size) -> Scaled {
    let own = if process.name.is_empty() {
        Some(&settings.values)
    } else {
        settings.values.get(&process.name).and_then(Value::as_map)
    };
    let written = |key: &str| own.and_then(|own| own.get(key));
    let count = |key: &str, usual: PerSize| {
        written(key).and_then(Value::as_int).unwrap_or_else(|| at_size(usual, size))
    };
    Scaled {
        name: process.name.to_string(),
        replicas: count("replicas", process.replicas),
        workers: count("workers", process.workers),
        port: process.port,
        resources: resources(written("resources"), &process.class, size),
    }
}

fn at_size(count: PerSize, size: Size) -> i64 {
    match size {
        Size::Small => count.small,
        Size::Medium => count.medium,
        Size::Large => count.large,
        Size::Xlarge => count.xlarge,
    }
}

/// What was written, whole: a limit of the class could lie below a request of a person's own.
fn resources(written: Option<&Value>, class: &str, size: Size) -> Option<Value> {
    if let Some(written) = written.filter(|value| !value.is_null()) {
        return Some(written.clone());
    }
    let class = Class::named(class)?;
    let Needs { cpu, memory, most_memory } = match size {
        Size::Small => class.small,
        Size::Medium => class.medium,
        Size::Large => class.large,
        Size::Xlarge => class.xlarge,
    };
    let requests = map! { "cpu" => cpu, "memory" => memory };
    Some(map! { "requests" => requests, "limits" => map! { "memory" => most_memory } }.into())
}

fn image(
    record: &Record,
    distribution: Distribution,
    settings: &Settings,
    cloud: &Cloud,
) -> Option<Image> {
    let own = record.image(distribution.name());
    let repository = settings
        .text(&["image", "repository"])
        .or_else(|| (!own.is_empty()).then(|| own.to_string()));
    let tag = settings
        .text(&["image", "tag"])
        .or_else(|| record.version(&cloud.release, distribution.name()).map(ToString::to_string))
        .unwrap_or_default();
    Some(Image { repository: repository?, tag, digest: settings.text(&["image", "digest"]) })
}

/// Some options are for the objects of one distribution.
fn effective(component: &Component, settings: &Settings, cloud: &Cloud, findings: &mut Findings) {
    let Component { record, distribution, .. } = component;
    let is_process = |name: &str| record.processes.iter().any(|process| process.name == name);
    for (name, _) in record.options.iter().filter(|(name, _)| !is_process(name)) {
        let is_written = settings.values.get(name).is_some_and(|value| !value.is_null());
        if is_written && !record.uses(name, distribution.name()) {
            findings.push(
                Code::NoEffect
                    .at(cloud.written.place(&component.path.key(name.clone())))
                    .because(format!(
                        "{} of the distribution {} has no place for it",
                        component.name(),
                        distribution.name()
                    ))
                    .remedy("leave it out, or choose another distribution"),
            );
        }
    }
}

/// Where the operator brings an image of its own, another one is written whole.
fn named(component: &Component, settings: &Settings, cloud: &Cloud, findings: &mut Findings) {
    let written = settings.values.get("image").and_then(Value::as_map);
    if component.image.is_some() || written.is_none_or(Map::is_empty) {
        return;
    }
    findings.push(
        Code::MissingField
            .at(cloud.written.place(&component.path.key("image")))
            .because(format!(
                "{} has no image but its operator's, and `repository` is missing here",
                component.name()
            ))
            .remedy("add `repository:` (registry and name)"),
    );
}

/// An image without a version would be whatever `latest` is.
fn versioned(component: &Component, cloud: &Cloud, findings: &mut Findings) {
    let Some(Image { tag, digest, .. }) = &component.image else { return };
    if !tag.is_empty() || digest.is_some() || !component.record.reads("image") {
        return;
    }
    let known: Vec<&str> = component.record.series(component.distribution.name()).collect();
    let path = cloud.written.shown(&component.path);
    let remedy = match known.as_slice() {
        [] => format!("write {path}.image.tag"),
        known => format!("choose one of {}, or write {path}.image.tag", known.join(", ")),
    };
    findings.push(
        Code::UnknownRelease
            .at(cloud.written.place(&Path::from("spec.release")))
            .because(format!("{} has no version in {}", component.name(), cloud.release))
            .remedy(remedy),
    );
}
