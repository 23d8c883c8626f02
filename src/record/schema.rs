//! What a person may write about a component: what every component takes, its processes, and the
//! options its record declares.

use std::borrow::Cow;

use crate::record::{Process, Record, patches, pods};
use crate::schema::{Format, Kind, Schema};
use crate::value::Text;

/// The maps below `spec` whose keys are components. `openstack` is another name for `services`.
pub const CONTAINERS: &[&str] = &["infrastructure", "services", "openstack", "network", PLATFORM];

/// The map below `spec` of what stands once in a cluster, whichever clouds it has.
pub const PLATFORM: &str = "platform";

/// The one key of these maps that is no component: `platform.install`.
const INSTALL: &str = "install";

/// Puts the settings of every record in their place below `spec`.
pub fn graft<'a>(control_plane: &mut Schema, records: impl Iterator<Item = &'a Record>) {
    complete_object(control_plane);
    let Some(spec) = control_plane.property_mut("spec") else { return };
    for container in CONTAINERS {
        if let Some(container) = spec.property_mut(container) {
            container.open = false;
            container.properties.to_mut().retain(|(key, _)| key == INSTALL);
        }
    }
    for record in records {
        let schema = settings_schema(record);
        match record.settings.split_once('.') {
            Some((container, name)) => {
                for container in with_other_name(container) {
                    if let Some(container) = spec.property_mut(container) {
                        set_property(container, name, schema.clone());
                    }
                }
            }
            // A component that every cloud has and nobody sets.
            None if record.settings.is_empty() => {}
            None => set_property(spec, &record.settings, schema),
        }
    }
}

/// Puts in what every object has and no type of ours says.
pub fn complete_object(schema: &mut Schema) {
    set_property(schema, "apiVersion", Schema::of(Kind::String));
    set_property(schema, "kind", Schema::of(Kind::String));
    set_property(schema, "metadata", metadata());
}

/// What Kubernetes allows in any object; we read two fields of it.
fn metadata() -> Schema {
    let text = || Schema::of(Kind::String);
    Schema {
        properties: Cow::Owned(vec![property("name", text()), property("namespace", text())]),
        open: true,
        ..Schema::of(Kind::Object)
    }
}

fn with_other_name(container: &str) -> Vec<&str> {
    if container == "services" { vec!["services", "openstack"] } else { vec![container] }
}

fn set_property(schema: &mut Schema, name: &str, property: Schema) {
    let properties = schema.properties.to_mut();
    match properties.binary_search_by(|(key, _)| key.as_ref().cmp(name)) {
        Ok(index) => properties[index].1 = property,
        Err(index) => properties.insert(index, (Cow::Owned(name.to_owned()), property)),
    }
}

/// The schema of a component's settings.
pub fn settings_schema(record: &Record) -> Schema {
    let mut properties = vec![
        property(pods::ANNOTATIONS, pods::annotations()),
        property("enabled", Schema::of(Kind::Boolean).described("Whether the cloud has it.")),
        property(
            "extraConfig",
            Schema { open: true, ..Schema::of(Kind::Object) }
                .described("Merged into the spec of its main object, as it stands."),
        ),
        property(pods::LABELS, pods::labels()),
        property("overrides", patches::overrides()),
        property("patches", patches::patches()),
    ];
    properties.extend(pods::settings(record));
    // What the record does not read would have no effect, so it cannot be written either.
    if record.objects.iter().any(|object| !object.distribution.is_empty()) {
        properties.push(property("distribution", distribution()));
    }
    if record.reads("image") {
        properties.push(property("image", image()));
    }
    if record.reads("resources") {
        properties.push(property("resources", resources()));
    }
    if let Some(process) = &record.scale {
        properties.extend(counts(record, process));
    }
    for process in record.processes.iter() {
        properties.push((process.name.clone(), process_schema(record, process)));
    }
    for (name, schema) in record.options.iter() {
        merge(&mut properties, name, schema);
    }
    properties.sort_by(|a, b| a.0.cmp(&b.0));
    Schema { properties: Cow::Owned(properties), ..Schema::of(Kind::Object) }
        .described(format!("{}.", record.summary))
}

/// An option with the name of a process adds fields to it: MaxScale scales and can be switched off.
fn merge(properties: &mut Vec<(Text, Schema)>, name: &Text, schema: &Schema) {
    match properties.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) if known.kind == Kind::Object && schema.kind == Kind::Object => {
            let fields = known.properties.to_mut();
            fields.extend(schema.properties.iter().cloned());
            fields.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Some((_, known)) => *known = schema.clone(),
        None => properties.push((name.clone(), schema.clone())),
    }
}

pub(super) fn property(name: &'static str, schema: Schema) -> (Text, Schema) {
    (Cow::Borrowed(name), schema)
}

fn process_schema(record: &Record, process: &Process) -> Schema {
    let mut properties = counts(record, process);
    if record.reads(&format!("processes.{}.resources", process.name)) {
        properties.push(property("resources", resources()));
    }
    Schema { properties: Cow::Owned(properties), ..Schema::of(Kind::Object) }
        .described(format!("The {} process.", process.name))
}

fn counts(record: &Record, process: &Process) -> Vec<(Text, Schema)> {
    // Far above any control plane; keeps arithmetic over replicas and connections from overflowing.
    let count = |description: &'static str| {
        Schema { minimum: Some(1), maximum: Some(1000), ..Schema::of(Kind::Integer) }
            .described(description)
    };
    let mut counts = vec![property("replicas", count("How many there are."))];
    if record.takes_workers(process) {
        counts.push(property("workers", count("Worker processes in each replica.")));
    }
    counts
}

fn distribution() -> Schema {
    Schema {
        allowed: Cow::Borrowed(&[
            Cow::Borrowed("reference"),
            Cow::Borrowed("cobaltcore"),
            Cow::Borrowed("openstack-helm"),
        ]),
        ..Schema::of(Kind::String)
    }
    .described("Whose operator runs this service, if not the one of the whole cloud.")
}

fn image() -> Schema {
    let text = |description: &'static str| Schema::of(Kind::String).described(description);
    Schema {
        properties: Cow::Owned(vec![
            property(
                "digest",
                Schema {
                    format: Some(Format::Digest),
                    ..text("sha256:… pins the image beyond what a tag can.")
                },
            ),
            property(
                "repository",
                Schema {
                    format: Some(Format::Repository),
                    ..text("Registry and name, without a tag.")
                },
            ),
            property(
                "tag",
                Schema {
                    format: Some(Format::Tag),
                    ..text("A version; it wins over the release's own.")
                },
            ),
        ]),
        ..Schema::of(Kind::Object)
    }
    .described("Another image than the release's.")
}

fn resources() -> Schema {
    let quantity = Schema {
        format: Some(Format::Quantity),
        minimum: Some(0),
        ..Schema::of(Kind::IntOrString)
    };
    let amounts = |description: &'static str| {
        Schema { values: Cow::Owned(vec![quantity.clone()]), ..Schema::of(Kind::Object) }
            .described(description)
    };
    Schema {
        properties: Cow::Owned(vec![
            property("limits", amounts("What it may use at most.")),
            property("requests", amounts("What is set aside for it.")),
        ]),
        ..Schema::of(Kind::Object)
    }
    .described("Processor and memory of each replica.")
}
