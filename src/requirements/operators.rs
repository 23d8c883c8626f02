//! Who serves the kinds of a cloud: operators by the names that people know them by, the version that
//! was tested, and how to get each.

use std::collections::{BTreeMap, BTreeSet};

use crate::generate::{Made, korc};
use crate::object::Object;
use crate::record::{Record, Template};
use crate::resolve::{Cloud, Component};

/// An operator, and what the cloud needs it for.
#[derive(Debug)]
pub struct Served {
    pub by: By,
    /// Kinds by apiVersion.
    pub kinds: BTreeMap<String, BTreeSet<String>>,
}

/// Sorted as they are shown: what has to be there first, and last what nobody has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// It applies everything else.
    Flux,
    Operator {
        /// What people call it.
        name: String,
        version: Option<String>,
        /// The setting that brings it.
        setting: String,
        /// Whether the cloud renders it.
        comes: bool,
    },
    /// No published operator serves them.
    Nobody,
}

/// The groups of Flux's own kinds end like this.
const FLUX: &str = ".toolkit.fluxcd.io";

pub fn served(cloud: &Cloud, objects: &[Made]) -> Vec<Served> {
    let mut all: BTreeMap<By, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    let rendered = objects.iter().map(|made| (made, kind_of(&made.object)));
    let made_later = objects.iter().filter_map(|made| Some((made, made_of(&made.object)?)));
    for (Made { component, .. }, (api_version, kind)) in rendered.chain(made_later) {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        if is_of_kubernetes(group) {
            continue;
        }
        let by = match server(cloud, cloud.component(component), group, kind) {
            _ if group.ends_with(FLUX) => By::Flux,
            Some((name, record)) => By::Operator {
                name: name.to_owned(),
                version: version(record),
                setting: format!("{}.enabled", record.settings),
                comes: cloud.component(&record.component).is_some(),
            },
            None => By::Nobody,
        };
        let versions = all.entry(by).or_default();
        let kinds = versions.entry(api_version.to_owned()).or_default();
        kinds.insert(kind.to_owned());
    }
    all.into_iter().map(|(by, kinds)| Served { by, kinds }).collect()
}

fn kind_of(object: &Object) -> (&str, &str) {
    (object.api_version(), object.kind())
}

/// What the companion operator makes of an object, where somebody else has to serve that: a K-ORC that lacks this
/// kind would leave every credential waiting.
fn made_of(object: &Object) -> Option<(&'static str, &'static str)> {
    let is_rotation = object.kind() == "CredentialRotation";
    object.body().at(&["spec", "applicationCredential"]).filter(|_| is_rotation)?;
    Some((korc::API, "ApplicationCredential"))
}

/// Whether Kubernetes has the kinds of a group of itself. The Gateway API is only named like that.
fn is_of_kubernetes(group: &str) -> bool {
    !group.contains('.') || (group.ends_with(".k8s.io") && group != "gateway.networking.k8s.io")
}

/// The record that serves a kind, and what it is called. One that names the kind wins over one that
/// names its group.
fn server<'a>(
    cloud: &'a Cloud,
    maker: Option<&Component>,
    group: &str,
    kind: &str,
) -> Option<(&'a str, &'a Record)> {
    let exact = format!("{kind}.{group}");
    let serves = |name: &str| {
        cloud.catalogue.records().find_map(|record| {
            let operator = record.operator.as_ref()?;
            let is_known = operator.kinds.iter().any(|known| known == name);
            let fits = record.distribution.is_empty()
                || maker.is_some_and(|maker| maker.distribution.name() == record.distribution);
            (is_known && fits).then_some((operator.name.as_ref(), record))
        })
    };
    serves(&exact).or_else(|| serves(group))
}

/// What the record pins: of a chart or a source, else its own.
fn version(record: &Record) -> Option<String> {
    const PINS: &[(&str, &[&str])] = &[
        ("HelmRelease", &["spec", "chart", "spec", "version"]),
        ("OCIRepository", &["spec", "ref", "tag"]),
        ("GitRepository", &["spec", "ref", "tag"]),
    ];
    let text = |template: &Template, path: &[&str]| match template.at(path) {
        Some(Template::Str(text)) => Some(text.to_string()),
        _ => None,
    };
    let pinned = record.objects.iter().find_map(|object| {
        let kind = text(&object.object, &["kind"])?;
        let (_, path) = PINS.iter().find(|(pinned, _)| *pinned == kind)?;
        text(&object.object, path)
    });
    // A source that is pinned to a commit says in words nobody reads what it is; its image has a tag.
    let tagged = || {
        record.objects.iter().find_map(|object| match object.object.at(&["spec", "images"]) {
            Some(Template::List(images)) => text(images.first()?, &["newTag"]),
            _ => None,
        })
    };
    let own = || (!record.version.is_empty()).then(|| record.version.to_string());
    pinned.or_else(tagged).or_else(own)
}
