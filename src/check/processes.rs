//! How many of each process run, as the objects say it. Settings decide that, and a change by hand goes around
//! them; which field of an object holds a number, its record says.

use std::borrow::Cow;

use super::hatches;
use crate::finding::Path;
use crate::generate::{Contents, Made};
use crate::object::Object;
use crate::record::{Expression, Template};
use crate::resolve::{Cloud, Component, Scaled};
use crate::value::{Text, Value};

/// The processes of a component once people have changed its objects.
pub fn of<'a>(component: &'a Component, contents: &Contents) -> Cow<'a, [Scaled]> {
    let mut processes = Cow::Borrowed(component.processes.as_slice());
    for (index, _) in &contents.rendered {
        let made = contents.objects.get(*index);
        if let Some(Made { object, .. }) = made.filter(|made| made.component == component.name()) {
            read(object, component, processes.to_mut());
        }
    }
    processes
}

/// A number of processes that somebody changed by hand, to more than the settings have.
pub struct Grown<'a> {
    pub object: &'a Object,
    /// The field of the object, and what it came to.
    pub field: Path,
    pub count: i64,
    /// Where the spec wrote it.
    pub origin: Path,
    /// The setting that says the same.
    pub setting: Path,
}

/// The first of a component, if there is any.
pub fn grown<'a>(
    component: &Component,
    contents: &'a Contents,
    cloud: &Cloud,
) -> Option<Grown<'a>> {
    contents.rendered.iter().find_map(|(index, _)| {
        let made = contents.objects.get(*index)?;
        let object = Some(&made.object).filter(|_| made.component == component.name())?;
        let mut first = None;
        each_count(object, component, &mut |name, key, count, field| {
            let process = component.processes.iter().find(|process| process.name == name);
            let usual = process.and_then(|process| match key {
                "replicas" => Some(process.replicas),
                "workers" => Some(process.workers),
                _ => None,
            });
            if first.is_some() || usual.is_none_or(|usual| usual >= count) {
                return;
            }
            let Some(origin) = hatches::origin(*index, field, contents, cloud) else { return };
            let (field, setting) = (field.clone(), setting(component, name, key));
            first = Some(Grown { object, field, count, origin, setting });
        });
        first.or_else(|| {
            let (count, field) = (most_replicas(object)?, Path::from(AUTOSCALED));
            let usual = component.processes.first().filter(|process| process.replicas < count)?;
            let origin = hatches::origin(*index, &field, contents, cloud)?;
            let setting = setting(component, &usual.name, "replicas");
            Some(Grown { object, field, count, origin, setting })
        })
    })
}

/// Where the spec says a number of a process; the only one of a component has no name.
fn setting(component: &Component, process: &str, number: &str) -> Path {
    match process {
        "" => component.path.key(number),
        name => component.path.key(name).key(number),
    }
}

fn read(object: &Object, component: &Component, processes: &mut [Scaled]) {
    each_count(object, component, &mut |name, count, value, _| {
        let process = processes.iter_mut().find(|process| process.name == name);
        match (process, count) {
            (Some(process), "replicas") => process.replicas = value,
            (Some(process), "workers") => process.workers = value,
            _ => {}
        }
    });
    if let (Some(most), Some(api)) = (most_replicas(object), processes.first_mut()) {
        api.replicas = api.replicas.max(most);
    }
}

const AUTOSCALED: &str = "spec.autoscaling.maxReplicas";

/// Of the living CobaltCore operators; no record sets it.
fn most_replicas(object: &Object) -> Option<i64> {
    object.body().at(&["spec", "autoscaling", "maxReplicas"]).and_then(Value::as_int)
}

/// The name of a process, which number of it, what that came to, and the field that holds it.
type Found<'f> = &'f mut dyn FnMut(&str, &str, i64, &Path);

/// Every number of processes that an object holds.
fn each_count(object: &Object, component: &Component, found: Found) {
    let is_its = |template: &&Template| {
        let text = |field: &str| template.get(field).and_then(Template::literal);
        (text("apiVersion"), text("kind")) == (Some(object.api_version()), Some(object.kind()))
    };
    let Some(template) = component.objects().map(|record| &record.object).find(is_its) else {
        return;
    };
    counts(template, object.body(), &Path::root(), found);
}

/// The numbers that stand where the record has one of a process.
fn counts(template: &Template, value: &Value, path: &Path, found: Found) {
    match template {
        Template::Map(entries) | Template::Guarded(_, entries) => {
            for (key, template) in entries.iter() {
                if let Some(value) = value.at(&[key]) {
                    counts(template, value, &path.key(key.as_ref()), found);
                }
            }
        }
        Template::Leaf(leaf) => {
            let Expression::Path(steps) = &leaf.expression else { return };
            let steps: Vec<&str> = steps.iter().map(Text::as_ref).collect();
            match (steps.as_slice(), value.as_int()) {
                ([count], Some(value)) => found("", count, value, path),
                (["processes", name, count], Some(value)) => found(name, count, value, path),
                _ => {}
            }
        }
        _ => {}
    }
}
