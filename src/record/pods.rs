//! What a person may say of a component's pods, and where in its objects that goes. A record names
//! the places; a setting without a place cannot be written.

use std::borrow::Cow;

use crate::record::{List, Record};
use crate::schema::{Format, Kind, Schema};
use crate::value::Text;

/// A setting, or a part of one, and where it stands in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodPlace {
    /// `tolerations`, or `affinity.nodeAffinity` where an object takes no more of it.
    pub setting: Text,
    /// Dotted keys: `spec.tolerations`.
    pub path: Text,
}

/// Fields of an object that hold something of its pods, and the setting that each takes.
const FIELDS: &[(&str, &str)] = &[
    ("affinity", "affinity"),
    ("nodeSelector", "nodeSelector"),
    ("tolerations", "tolerations"),
    ("topologySpreadConstraints", "topologySpreadConstraints"),
    ("priorityClassName", "priorityClassName"),
    ("imagePullSecrets", "imagePullSecrets"),
    ("podLabels", LABELS),
    ("podAnnotations", ANNOTATIONS),
    // Below, what some kinds call otherwise or take only in part.
    ("labels", LABELS),
    ("annotations", ANNOTATIONS),
    ("affinity.nodeAffinity", "affinity.nodeAffinity"),
    ("affinity.podAffinity", "affinity.podAffinity"),
    ("affinity.podAntiAffinity", "affinity.podAntiAffinity"),
];

/// The first of the fields are those of a place that has them all.
const ALL: usize = 8;

/// Every component takes these, for its objects; they reach pods where there is a place.
pub const LABELS: &str = "labels";
pub const ANNOTATIONS: &str = "annotations";

/// Every field below a place, as a record that names just the place means it.
pub fn all_below(place: &str) -> List<PodPlace> {
    FIELDS.iter().take(ALL).map(|(field, setting)| at(place, field, setting)).collect()
}

/// One field below a place; none if there is no such field.
pub fn below(place: &str, field: &str) -> Option<PodPlace> {
    let (field, setting) = FIELDS.iter().find(|(known, _)| *known == field)?;
    Some(at(place, field, setting))
}

pub fn fields() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(field, _)| *field)
}

fn at(place: &str, field: &str, setting: &'static str) -> PodPlace {
    PodPlace { setting: Cow::Borrowed(setting), path: Cow::Owned(format!("{place}.{field}")) }
}

/// The settings that a record's objects have a place for.
pub fn settings(record: &Record) -> Vec<(Text, Schema)> {
    let placed = |setting: &str| {
        let mut places = record.objects.iter().flat_map(|object| object.pods.iter());
        places.any(|place| place.setting == setting)
    };
    let mut settings = Vec::new();
    if let Some(affinity) = affinity(&placed) {
        settings.push(("affinity", affinity));
    }
    for (name, schema) in [
        ("imagePullSecrets", pull_secrets as fn() -> Schema),
        ("nodeSelector", node_selector),
        ("priorityClassName", priority),
        ("tolerations", tolerations),
        ("topologySpreadConstraints", spread),
    ] {
        if placed(name) {
            settings.push((name, schema()));
        }
    }
    settings.into_iter().map(|(name, schema)| (Cow::Borrowed(name), schema)).collect()
}

/// All of it, or the parts that some object takes.
fn affinity(placed: &dyn Fn(&str) -> bool) -> Option<Schema> {
    let parts: Vec<(Text, Schema)> = [
        ("nodeAffinity", "Which nodes they may or should run on."),
        ("podAffinity", "Which pods they run beside."),
        ("podAntiAffinity", "Which pods they keep away from."),
    ]
    .into_iter()
    .filter(|(part, _)| placed("affinity") || placed(&format!("affinity.{part}")))
    .map(|(part, description)| (Cow::Borrowed(part), open(Kind::Object).described(description)))
    .collect();
    (!parts.is_empty()).then(|| {
        object(parts)
            .described("Where its pods run, as Kubernetes has it; merged into what is there.")
    })
}

fn node_selector() -> Schema {
    label_values().described("Labels of the nodes that its pods run on.")
}

fn priority() -> Schema {
    text(Format::DnsName).described("The PriorityClass of its pods.")
}

fn pull_secrets() -> Schema {
    let secret = Schema {
        required: Cow::Borrowed(&[Cow::Borrowed("name")]),
        ..object(vec![(
            Cow::Borrowed("name"),
            text(Format::DnsName).described("The Secret, which must exist."),
        )])
    };
    list(secret).described("Secrets that let its images be pulled.")
}

fn tolerations() -> Schema {
    let fields: Vec<(Text, Schema)> = vec![
        (
            Cow::Borrowed("effect"),
            word(
                &[
                    Cow::Borrowed("NoSchedule"),
                    Cow::Borrowed("PreferNoSchedule"),
                    Cow::Borrowed("NoExecute"),
                ],
                "The effect of the taint; all effects if left out.",
            ),
        ),
        (Cow::Borrowed("key"), Schema::of(Kind::String).described("The key of the taint.")),
        (
            Cow::Borrowed("operator"),
            word(
                &[Cow::Borrowed("Exists"), Cow::Borrowed("Equal")],
                "Exists for any value; Equal if left out.",
            ),
        ),
        (
            Cow::Borrowed("tolerationSeconds"),
            Schema::of(Kind::Integer).described("How long NoExecute is borne."),
        ),
        (Cow::Borrowed("value"), text(Format::LabelValue).described("The value of the taint.")),
    ];
    list(object(fields)).described("Taints of nodes that its pods bear.")
}

/// What Kubernetes demands of a rule; all else in it is for Kubernetes to say.
fn spread() -> Schema {
    let fields: Vec<(Text, Schema)> = vec![
        (
            Cow::Borrowed("maxSkew"),
            Schema { minimum: Some(1), ..Schema::of(Kind::Integer) }
                .described("By how many pods places may differ."),
        ),
        (
            Cow::Borrowed("topologyKey"),
            Schema::of(Kind::String).described(
                "The label that says which nodes are one place, such as topology.kubernetes.io/zone.",
            ),
        ),
        (
            Cow::Borrowed("whenUnsatisfiable"),
            word(
                &[Cow::Borrowed("DoNotSchedule"), Cow::Borrowed("ScheduleAnyway")],
                "What becomes of a pod that fits nowhere.",
            ),
        ),
    ];
    let rule = Schema {
        required: Cow::Borrowed(&[
            Cow::Borrowed("maxSkew"),
            Cow::Borrowed("topologyKey"),
            Cow::Borrowed("whenUnsatisfiable"),
        ]),
        open: true,
        ..object(fields)
    };
    list(rule).described("How its pods spread over zones and nodes, as Kubernetes has it.")
}

/// Labels of the component's objects.
pub fn labels() -> Schema {
    label_values()
        .described("Further labels of all its objects, and of its pods where they have a place.")
}

pub fn annotations() -> Schema {
    Schema { values: Cow::Owned(vec![Schema::of(Kind::String)]), ..Schema::of(Kind::Object) }
        .described(
            "Further annotations of all its objects, and of its pods where they have a place.",
        )
}

fn label_values() -> Schema {
    Schema { values: Cow::Owned(vec![text(Format::LabelValue)]), ..Schema::of(Kind::Object) }
}

fn word(allowed: &'static [Text], description: &'static str) -> Schema {
    Schema { allowed: Cow::Borrowed(allowed), ..Schema::of(Kind::String) }.described(description)
}

fn text(format: Format) -> Schema {
    Schema { format: Some(format), ..Schema::of(Kind::String) }
}

fn open(kind: Kind) -> Schema {
    Schema { open: true, ..Schema::of(kind) }
}

fn list(items: Schema) -> Schema {
    Schema { values: Cow::Owned(vec![items]), ..Schema::of(Kind::Array) }
}

fn object(properties: Vec<(Text, Schema)>) -> Schema {
    Schema { properties: Cow::Owned(properties), ..Schema::of(Kind::Object) }
}
