//! Settings of programs in objects: options, and the texts that become files and templates of Secrets. However
//! deep somebody nests them, each is seen once, under the name by which its program knows it.

use crate::finding::{Path, Step};
use crate::object::Object;
use crate::value::Value;

/// Whose kinds take options of their own files.
const SERVICES: &str = ".openstack.c5c3.io";

/// How much of an object is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extent {
    /// Where configurations stand, by its kind: enough for what a record makes.
    Configuration,
    /// People write anywhere: into a chart's values, a server's own file, the environment of a pod.
    Whole,
}

/// A text, or a number, and what it is called.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// Whether the name is one of Kubernetes' fields and not of a configuration.
    pub is_field: bool,
    /// Whether it is part of a Secret that stands whole in another object.
    pub is_held: bool,
    way: &'a [Way<'a>],
}

#[derive(Clone, Copy, Debug)]
enum Way<'a> {
    Key(&'a str),
    Index(usize),
}

impl Setting<'_> {
    pub fn path(&self) -> Path {
        self.way.iter().map(step).collect()
    }

    /// The way to the outermost of the fields around it that is called so.
    pub fn path_to(&self, is_called: impl Fn(&str) -> bool) -> Option<Path> {
        let wanted = |way: &Way| matches!(way, Way::Key(key) if is_called(key));
        let last = self.way.iter().position(wanted)?;
        Some(self.way.iter().take(last + 1).map(step).collect())
    }
}

fn step(way: &Way) -> Step {
    match way {
        Way::Key(key) => Step::Key((*key).to_owned()),
        Way::Index(index) => Step::Index(*index),
    }
}

/// Shows every setting of an object.
pub(super) fn settings(object: &Object, extent: Extent, see: &mut dyn FnMut(&Setting)) {
    let configuration = configuration(object);
    let start = match extent {
        Extent::Configuration if configuration.is_empty() => return,
        Extent::Configuration => configuration,
        Extent::Whole => &[],
    };
    if let Some(value) = object.body().at(start) {
        let way = start.iter().map(|key| Way::Key(key)).collect();
        Walk { configuration, way, is_held: false, see }.value("", value);
    }
}

pub(super) fn is_service(object: &Object) -> bool {
    object.api_version().split_once('/').is_some_and(|(group, _)| group.ends_with(SERVICES))
}

/// Where a kind has what becomes a file, an option or a Secret; nowhere if empty.
fn configuration(object: &Object) -> &'static [&'static str] {
    match object.kind() {
        "ConfigMap" => &["data"],
        "ExternalSecret" => &["spec", "target", "template", "data"],
        "PushSecret" => &["spec", "template", "data"],
        _ if is_service(object) => &["spec", "extraConfig"],
        _ => &[],
    }
}

struct Walk<'a, 's> {
    configuration: &'static [&'static str],
    way: Vec<Way<'a>>,
    is_held: bool,
    see: &'s mut dyn FnMut(&Setting),
}

impl<'a> Walk<'a, '_> {
    fn value(&mut self, name: &'a str, value: &'a Value) {
        match value {
            Value::Str(text) => self.text(name, text),
            Value::Int(number) => self.text(name, &number.to_string()),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    let option = index.checked_sub(1).and_then(|before| option(items.get(before)?));
                    self.below(Way::Index(index), option.unwrap_or(name), item);
                }
            }
            Value::Map(map) => {
                // `{name: DB_PASSWORD, value: hunter2}`, as pods have their environment.
                let variable = map.get("name").and_then(Value::as_str);
                let is_secret = map.get("kind").and_then(Value::as_str) == Some("Secret");
                for (key, value) in map.iter() {
                    let name = variable.filter(|_| key == "value").unwrap_or(key);
                    let before = self.is_held;
                    self.is_held |= is_secret && matches!(&**key, "data" | "stringData");
                    self.below(Way::Key(key), name, value);
                    self.is_held = before;
                }
            }
            Value::Null | Value::Bool(_) | Value::Float(_) => {}
        }
    }

    fn below(&mut self, way: Way<'a>, name: &'a str, value: &'a Value) {
        self.way.push(way);
        self.value(name, value);
        self.way.pop();
    }

    fn text(&mut self, name: &str, text: &str) {
        let mut steps = self.way.iter();
        let is_within = !self.configuration.is_empty()
            && self
                .configuration
                .iter()
                .all(|key| matches!(steps.next(), Some(Way::Key(step)) if step == key));
        let is_held = self.is_held;
        (self.see)(&Setting { name, text, is_field: !is_within, is_held, way: &self.way });
    }
}

/// `--password`, which the next argument is the value of.
fn option(argument: &Value) -> Option<&str> {
    argument.as_str()?.strip_prefix("--").filter(|name| !name.contains(['=', ' ']))
}
