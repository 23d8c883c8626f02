//! What a person may write in a ControlPlane, part by part.

use std::fmt::Write as _;

use crate::catalogue::Catalogue;
use crate::pages::cell;
use crate::record::{
    CONTAINERS, OtherSizes, PLATFORM, PerSize, Phase, Process, Record, settings_schema,
};
use crate::schema::{Format, Kind, Literal, Schema};

/// What components have in common, and is said once.
const COMMON: &[(&str, &str)] = &[
    ("enabled", "Whether the cloud has it."),
    ("distribution", "Whose operator runs it, if not the one of the whole cloud."),
    ("image.{repository,tag,digest}", "Another image than the release's."),
    ("replicas", "How many there are; `size` decides if left out."),
    ("workers", "Worker processes in each replica; `size` decides if left out."),
    (
        "resources.{requests,limits}",
        "Processor and memory of each replica; `size` decides if left out. What is written stands alone.",
    ),
    (
        "extraConfig",
        "Merged into the spec of its main object, as it stands. Kinds of OpenStack services have a field of the same name for \
         options of the service's own file, by section, all of them texts: \
         `services: {nova: {extraConfig: {extraConfig: {DEFAULT: {max_concurrent_builds: \"20\"}}}}}`. Horizon's are \
         Django's settings, without sections.",
    ),
    ("overrides", "Merged into objects of its own, by kind and name; null removes a field."),
    ("patches", "Changes to the objects it emits, applied in order: merged, or as JSON patches."),
    ("labels", "Further labels of its objects, and of its pods where these have a place."),
    (
        "annotations",
        "Further annotations of its objects, and of its pods where these have a place.",
    ),
    ("affinity", "Where its pods run, as Kubernetes has it."),
    ("nodeSelector", "Labels of the nodes that its pods run on."),
    ("tolerations", "Taints of nodes that its pods bear."),
    ("topologySpreadConstraints", "How its pods spread over zones and nodes."),
    ("priorityClassName", "The PriorityClass of its pods."),
    ("imagePullSecrets", "Secrets that let its image be pulled."),
];

const HEAD: &str = "# Settings\n\nEverything that a `ControlPlane` can say. All of it is optional: \
    `spec: {}` is a whole cloud, once all is there that `strata requirements` lists. This page is written by `cargo xtask crds` from the same schema that \
    specs are checked against; `strata schema controlplane` prints that for editors.\n";

const OPERATORS: &str = "\n`platform.install` is true in one cloud of a cluster. It brings the operators of databases, brokers and caches \
    whether or not that cloud has a use for each: others in the cluster may. `enabled: false` leaves one out.\n";

pub fn settings(catalogue: &Catalogue) -> String {
    let mut out = HEAD.to_owned();
    out.push_str("\nTexts that have a form are named by it:\n\n");
    for format in Format::names().into_iter().filter_map(Format::named) {
        let _ = writeln!(out, "- `{}`: {}", format.name(), format.wanted());
    }
    whole_cloud(&mut out, catalogue);
    out.push_str("\n## What every component takes\n\nEach where it has a use for it.\n\n");
    out.push_str("| setting | meaning |\n|---|---|\n");
    for (setting, meaning) in COMMON {
        let _ = writeln!(out, "| `{setting}` | {meaning} |");
    }
    for phase in Phase::ALL {
        let of_phase = |record: &&Record| record.phase == *phase && !record.settings.is_empty();
        let mut records: Vec<&Record> = catalogue.records().filter(of_phase).collect();
        records.sort_by_key(|record| record.component.as_ref());
        if !records.is_empty() {
            let _ = writeln!(out, "\n## Phase: {}", phase.name());
        }
        if phase.name() == PLATFORM {
            out.push_str(OPERATORS);
        }
        for record in records {
            component(&mut out, record);
        }
    }
    out
}

/// The fields of the spec that belong to no component.
fn whole_cloud(out: &mut String, catalogue: &Catalogue) {
    let schema = catalogue.control_plane_schema();
    let Some(spec) = schema.at(&["spec"]) else { return };
    let is_component = |name: &str| catalogue.records().any(|record| record.settings == name);
    let mut rows = Vec::new();
    for (name, property) in spec.properties.iter() {
        if !CONTAINERS.contains(&name.as_ref()) && !is_component(name) {
            fields(name, property, &mut rows);
        }
    }
    out.push_str("\n## The whole cloud\n\nBelow `spec`.\n\n");
    table(out, &rows);
}

fn component(out: &mut String, record: &Record) {
    let _ = writeln!(out, "\n### {}\n", record.component);
    let state = match (record.is_platform(), record.enabled) {
        (_, false) => "Off unless switched on",
        (true, true) => "There where `platform.install` is true",
        (false, true) => "On unless switched off",
    };
    let _ = writeln!(out, "{}. Below `spec.{}`. {state}.", record.summary, record.settings);
    if !record.serves.is_empty() {
        let _ = writeln!(
            out,
            "Only where {} comes from the distribution `{}`.",
            record.serves, record.distribution
        );
    }
    if record.where_needed {
        out.push_str("Only where something that the cloud has needs it.\n");
    }
    if record.where_rotated {
        out.push_str("Only where keys or credentials rotate.\n");
    }
    let mut rows = Vec::new();
    for (name, property) in settings_schema(record).properties.iter() {
        let process = record.processes.iter().find(|process| process.name == *name);
        if let Some(process) = process {
            rows.extend(counts(&format!("{name}."), record, process));
            let own = property.properties.iter();
            for (field, schema) in own.filter(|(field, _)| !is_common(field)) {
                fields(&format!("{name}.{field}"), schema, &mut rows);
            }
        } else if !is_common(name) {
            let first = rows.len();
            fields(name, property, &mut rows);
            if let Some((_, sizes)) = record.sizes.iter().find(|(option, _)| option == name) {
                rows[first].default = sized(&rows[first].default, sizes);
            }
        }
    }
    rows.extend(record.scale.iter().flat_map(|process| counts("", record, process)));
    if !rows.is_empty() {
        out.push('\n');
        table(out, &rows);
    }
}

fn is_common(name: &str) -> bool {
    COMMON.iter().any(|(common, _)| common.split(['.', '[']).next() == Some(name))
}

/// One line of a table.
struct Row {
    setting: String,
    takes: String,
    default: String,
    meaning: String,
}

/// A default that `size` decides, from small to xlarge.
fn sized(medium: &str, sizes: &OtherSizes) -> String {
    let OtherSizes { small, large, xlarge } = sizes;
    format!("{}, {medium}, {}, {}", literal(small), literal(large), literal(xlarge))
}

/// How many there are of a process, and of its workers where a person can say it.
fn counts(before: &str, record: &Record, process: &Process) -> Vec<Row> {
    let mut rows = vec![count(format!("{before}replicas"), process.replicas, "How many there are")];
    if record.takes_workers(process) {
        let meaning = "Worker processes in each replica";
        rows.push(count(format!("{before}workers"), process.workers, meaning));
    }
    rows
}

fn count(setting: String, usual: PerSize, meaning: &str) -> Row {
    let PerSize { small, medium, large, xlarge } = usual;
    let default = if small == xlarge && medium == large {
        small.to_string()
    } else {
        format!("{small}, {medium}, {large}, {xlarge}")
    };
    Row {
        setting,
        takes: "number".to_owned(),
        default,
        meaning: format!("{meaning}; by default as `size` says, from small to xlarge."),
    }
}

/// The field itself, if there is more to say than what its parts say, and its parts.
fn fields(path: &str, schema: &Schema, rows: &mut Vec<Row>) {
    let inner = schema.values.first();
    let parts = inner.map_or(&schema.properties, |inner| &inner.properties);
    rows.push(Row {
        setting: path.to_owned(),
        takes: takes(schema),
        default: schema.default.as_ref().map(literal).unwrap_or_default(),
        meaning: schema.description.to_string(),
    });
    let below = if inner.is_some() { format!("{path}[]") } else { path.to_owned() };
    for (name, part) in parts.iter() {
        fields(&format!("{below}.{name}"), part, rows);
    }
}

fn takes(schema: &Schema) -> String {
    let kind = match schema.kind {
        Kind::Any | Kind::IntOrString => "text or number",
        Kind::Object => "map",
        Kind::Array => "list",
        Kind::String => "text",
        Kind::Integer | Kind::Number => "number",
        Kind::Boolean => "true or false",
    };
    let mut text = schema.format.map_or(kind, Format::name).to_owned();
    let items = schema.values.first().map_or(&schema.allowed, |item| &item.allowed);
    if !items.is_empty() {
        let of = if schema.kind == Kind::Array { "list of " } else { "" };
        text = format!("{of}{}", items.join(", "));
    }
    match (schema.minimum, schema.maximum) {
        (Some(least), Some(most)) => format!("{text} from {least} to {most}"),
        (Some(least), None) => format!("{text} from {least}"),
        (None, Some(most)) => format!("{text} up to {most}"),
        (None, None) => text,
    }
}

fn literal(literal: &Literal) -> String {
    crate::json_text::line(&crate::value::Value::from(literal))
}

fn table(out: &mut String, rows: &[Row]) {
    out.push_str("| setting | takes | default | meaning |\n|---|---|---|---|\n");
    for Row { setting, takes, default, meaning } in rows {
        let default =
            if default.is_empty() { String::new() } else { format!("`{}`", cell(default)) };
        let _ = writeln!(out, "| `{setting}` | {} | {default} | {} |", cell(takes), cell(meaning));
    }
}
