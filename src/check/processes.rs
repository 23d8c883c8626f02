//! How many of each process run, as the objects say it. Settings decide that, and a change by hand goes around
//! them; which field of an object holds a number, its record says.

use std::borrow::Cow;

use crate::generate::{Contents, Made};
use crate::object::Object;
use crate::record::{Expression, Template};
use crate::resolve::{Component, Scaled};
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

fn read(object: &Object, component: &Component, processes: &mut [Scaled]) {
    let is_its = |template: &&Template| {
        let text = |field: &str| template.get(field).and_then(Template::literal);
        (text("apiVersion"), text("kind")) == (Some(object.api_version()), Some(object.kind()))
    };
    let Some(template) = component.objects().map(|record| &record.object).find(is_its) else {
        return;
    };
    counts(template, object.body(), &mut |name, count, value| {
        let process = processes.iter_mut().find(|process| process.name == name);
        match (process, count) {
            (Some(process), "replicas") => process.replicas = value,
            (Some(process), "workers") => process.workers = value,
            _ => {}
        }
    });
    // Of the living CobaltCore operators; no record sets it.
    let most = object.body().at(&["spec", "autoscaling", "maxReplicas"]).and_then(Value::as_int);
    if let (Some(most), Some(api)) = (most, processes.first_mut()) {
        api.replicas = api.replicas.max(most);
    }
}

/// Every number of an object that stands where its record has one of a process: the name of the process, which
/// number it is, and what it came to.
fn counts(template: &Template, value: &Value, found: &mut dyn FnMut(&str, &str, i64)) {
    match template {
        Template::Map(entries) | Template::Guarded(_, entries) => {
            for (key, template) in entries.iter() {
                if let Some(value) = value.at(&[key]) {
                    counts(template, value, found);
                }
            }
        }
        Template::Leaf(leaf) => {
            let Expression::Path(steps) = &leaf.expression else { return };
            let steps: Vec<&str> = steps.iter().map(Text::as_ref).collect();
            match (steps.as_slice(), value.as_int()) {
                ([count], Some(value)) => found("", count, value),
                (["processes", name, count], Some(value)) => found(name, count, value),
                _ => {}
            }
        }
        _ => {}
    }
}
