//! Walks a tree against a schema and says everything that is wrong, each with its place.

use crate::finding::{Code, Finding, Findings, Path, Place, Step};
use crate::schema::{Format, Kind, Schema, nearest, remedy, secret};
use crate::yaml::tree::{Data, Key, Node, Span};

/// The field by which items of a list are known.
const NAME: &str = "name";

/// Adds a finding for every field of `node` that `schema` does not allow. `place` turns a path
/// and a span into a place, since only the caller knows the source and the object.
pub fn walk(
    node: &Node,
    schema: &Schema,
    path: &Path,
    place: &dyn Fn(&Path, Span) -> Place,
    findings: &mut Findings,
) {
    Walk { root: schema, place, findings }.node(node, schema, path);
}

struct Walk<'a> {
    root: &'a Schema,
    place: &'a dyn Fn(&Path, Span) -> Place,
    findings: &'a mut Findings,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, schema: &Schema, path: &Path) {
        match (&node.data, schema.kind) {
            // A key with nothing behind it is how people write "all defaults".
            (Data::Null, _) | (_, Kind::Any) => {}
            (Data::Map(entries), Kind::Object) => self.object(node, entries, schema, path),
            (Data::List(items), Kind::Array) => self.array(node, items, schema, path),
            (Data::Str(text), Kind::String | Kind::IntOrString) => {
                self.text(node, text, schema, path)
            }
            (Data::Int(number), Kind::Integer | Kind::Number | Kind::IntOrString) => {
                self.number(node, *number, schema, path);
            }
            (Data::Float(number), Kind::Integer)
                if number.fract() == 0.0 && number.abs() < 1e15 =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
                self.number(node, *number as i64, schema, path);
            }
            (Data::Float(_), Kind::Number) | (Data::Bool(_), Kind::Boolean) => {}
            (Data::Bool(_), Kind::Object) if schema.short == Some(Kind::Boolean) => {}
            (Data::Str(text), Kind::Object) if schema.short == Some(Kind::String) => {
                if let Some(name) = schema.property("name") {
                    self.text(node, text, name, path);
                }
            }
            _ => self.wrong_type(node, schema, path),
        }
    }

    fn object(&mut self, node: &Node, entries: &[(Key, Node)], schema: &Schema, path: &Path) {
        let mut meant = Vec::new();
        for (key, value) in entries {
            let at = path.key(key.name.clone());
            if let Some(property) = schema.property(&key.name) {
                self.node(value, property, &at);
            } else if let Some(any) = schema.values.first() {
                self.node(value, any, &at);
            } else if !schema.open {
                let known = schema.properties.iter().map(|(name, _)| name.as_ref());
                meant.extend(nearest(&key.name, known));
                if self.is_secret(value, &key.name, &at) {
                    continue;
                }
                let place = (self.place)(&at, key.at);
                let above = above(entries, key, schema);
                self.findings.push(unknown_field(place, &key.name, above, schema, self.root));
            }
        }
        // A required field under a slipped name is one mistake, not two.
        for name in schema.required.iter().filter(|name| !meant.contains(&name.as_ref())) {
            let property = schema.property(name);
            let (at, because, remedy) = match entries.iter().find(|(key, _)| key.name == *name) {
                Some((_, value)) if value.data != Data::Null => continue,
                Some((key, _)) => {
                    let remedy = match property.map(|property| property.kind) {
                        Some(Kind::Object) => {
                            format!("indent what belongs to it, or write `{name}: {{}}`")
                        }
                        _ => format!("write a value behind it{}", purpose(property)),
                    };
                    (key.at, format!("`{name}` has nothing in it"), remedy)
                }
                None => {
                    let at = Span { start: node.at.start, end: node.at.start };
                    let remedy = format!("add `{name}:`{}", purpose(property));
                    (at, format!("`{name}` is missing here"), remedy)
                }
            };
            let place = (self.place)(path, at);
            self.findings.push(Code::MissingField.at(place).because(because).remedy(remedy));
        }
    }

    fn array(&mut self, node: &Node, items: &[Node], schema: &Schema, path: &Path) {
        if let Some(item_schema) = schema.values.first() {
            for (index, item) in items.iter().enumerate() {
                self.node(item, item_schema, &path.index(index));
            }
            if item_schema.required.iter().any(|name| name == NAME) {
                self.names_differ(items, path);
            }
        }
        if schema.min_items.is_some_and(|least| (items.len() as i64) < least) {
            self.push(
                Code::OutOfRange,
                node,
                path,
                "this list must not be empty",
                "add an item, or leave the field out",
            );
        }
    }

    /// What must have a name is known by it.
    fn names_differ(&mut self, items: &[Node], path: &Path) {
        let mut seen = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let Some(node) = item.get(NAME) else { continue };
            let Data::Str(name) = &node.data else { continue };
            if seen.contains(&name) {
                self.push(
                    Code::SameNameTwice,
                    node,
                    &path.index(index).key(NAME),
                    format!("an item before this one is called `{}` too", shorten(name)),
                    "give it another name, or make one of the two",
                );
            }
            seen.push(name);
        }
    }

    fn text(&mut self, node: &Node, text: &str, schema: &Schema, path: &Path) {
        if !schema.allowed.is_empty() && !schema.allowed.iter().any(|known| known == text) {
            let known: Vec<&str> = schema.allowed.iter().map(AsRef::as_ref).collect();
            let remedy = match nearest(text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? Known: {}", known.join(", ")),
                None => format!("write one of: {}", known.join(", ")),
            };
            self.push(
                Code::NotAllowed,
                node,
                path,
                format!("`{text}` is not a value this field takes"),
                remedy,
            );
        }
        if let Some(format) = schema.format
            && !format.accepts(text)
            && !self.is_secret(node, "", path)
        {
            let reason = format!("`{}` is no {}", shorten(text), format.noun());
            self.push(Code::Malformed, node, path, reason, remedy::of_form(format, text));
        }
    }

    fn number(&mut self, node: &Node, number: i64, schema: &Schema, path: &Path) {
        let (least, most) =
            (schema.minimum.unwrap_or(i64::MIN), schema.maximum.unwrap_or(i64::MAX));
        if number < least || number > most {
            let remedy = match (schema.minimum, schema.maximum) {
                (Some(least), Some(most)) => format!("write a number from {least} to {most}"),
                (Some(least), None) => format!("write {least} or more"),
                _ => format!("write {most} or less"),
            };
            self.push(Code::OutOfRange, node, path, format!("{number} is out of range"), remedy);
        }
    }

    fn wrong_type(&mut self, node: &Node, schema: &Schema, path: &Path) {
        let name = match path.steps().last() {
            Some(Step::Key(name)) => name,
            _ => "",
        };
        if self.is_secret(node, name, path) {
            return;
        }
        let reason = format!("expected {}, found {}", expected(schema), found(&node.data));
        let remedy = match (schema.kind, &node.data) {
            (Kind::Object, Data::Str(text))
                if schema.short == Some(Kind::Boolean) && is_scalar(Kind::Boolean, text) =>
            {
                format!("leave the quotes off: {text}")
            }
            (Kind::String, Data::Int(number)) if schema.format == Some(Format::Quantity) =>
            {
                #[expect(clippy::cast_precision_loss, reason = "only small ones are shown again")]
                remedy::of_size(*number as f64, schema)
            }
            (Kind::String, Data::Float(number)) if schema.format == Some(Format::Quantity) => {
                remedy::of_size(*number, schema)
            }
            (Kind::String, Data::Int(_) | Data::Float(_) | Data::Bool(_))
                if !schema.allowed.is_empty() =>
            {
                format!("write one of: {}", schema.allowed.join(", "))
            }
            (Kind::String, Data::Int(_) | Data::Float(_) | Data::Bool(_)) => {
                "put it in quotes, so that YAML reads it as text".to_owned()
            }
            (Kind::Integer | Kind::Number | Kind::Boolean, Data::Str(text))
                if is_scalar(schema.kind, text) =>
            {
                format!("leave the quotes off: {text}")
            }
            (Kind::Object, Data::Bool(flag)) if schema.property("enabled").is_some() => {
                format!("write {{enabled: {flag}}}")
            }
            (Kind::Object, Data::Str(text)) if schema.property("name").is_some() => {
                format!("write {{name: {}}}", shorten(text))
            }
            (Kind::Object, Data::List(_)) if schema.short.is_none() => {
                "write `key: value` pairs in place of the list".to_owned()
            }
            (Kind::Array, Data::Str(text)) => format!("write [{}]", shorten(text)),
            (Kind::Array, _) => "write a list, with `- ` before each item".to_owned(),
            (Kind::Object, _) if schema.short.is_none() => format!("write {}", fields(schema)),
            _ => format!("write {}{}", expected(schema), hint(Some(schema))),
        };
        let at = match node.data {
            Data::Map(_) | Data::List(_) => Span { start: node.at.start, end: node.at.start },
            _ => node.at,
        };
        let place = (self.place)(path, at);
        self.findings.push(Code::WrongType.at(place).because(reason).remedy(remedy));
    }

    /// Whether a text or number that is not taken is a secret. What is said of it then does not repeat it.
    fn is_secret(&mut self, node: &Node, name: &str, path: &Path) -> bool {
        let text = match &node.data {
            Data::Str(text) => text.clone(),
            Data::Int(number) => number.to_string(),
            _ => return false,
        };
        let because = if secret::is_stray_secret(name, &text) {
            format!("`{name}` is written out")
        } else if secret::has_login(&text) {
            "a password in an address".to_owned()
        } else {
            return false;
        };
        self.push(
            Code::SecretInText,
            node,
            path,
            because,
            "take it out, and change it where it is in use; a spec names Secrets, and the store makes the \
             passwords of the cloud",
        );
        true
    }

    fn push(
        &mut self,
        code: Code,
        node: &Node,
        path: &Path,
        because: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let place = (self.place)(path, node.at);
        self.findings.push(code.at(place).because(because).remedy(remedy));
    }
}

/// The key with nothing in it, right above one that belongs into it.
fn above<'a>(entries: &'a [(Key, Node)], of: &Key, schema: &Schema) -> Option<&'a str> {
    let before = entries.iter().take_while(|(key, _)| key.at != of.at);
    let (above, value) = before.filter(|(key, _)| schema.property(&key.name).is_some()).last()?;
    let takes = schema.property(&above.name)?.property(&of.name).is_some();
    (takes && value.data == Data::Null).then_some(&above.name)
}

fn unknown_field(
    place: Place,
    written: &str,
    above: Option<&str>,
    schema: &Schema,
    root: &Schema,
) -> Finding {
    let known = || schema.properties.iter().map(|(name, _)| name.as_ref());
    // `spec.keystone` for `spec.services.keystone`, `nova.replicas` for `nova.api.replicas`.
    let deeper: Vec<String> = schema
        .properties
        .iter()
        .filter(|(_, property)| property.property(written).is_some())
        .map(|(name, _)| format!("`{name}.{written}`"))
        .collect();
    let takers = two_below(schema, written);
    let remedy = match nearest(written, known()) {
        _ if let Some(above) = above => format!("indent it: it belongs into `{above}`"),
        // To YAML a colon ends a key only with a space behind it.
        _ if let Some((name, rest)) = written.split_once(':')
            && schema.property(name).is_some() =>
        {
            format!("write a space behind the colon: `{name}: {}`", shorten(rest))
        }
        _ if deeper.is_empty()
            && let Some(home) = home(root, written) =>
        {
            format!("move it to `{home}`")
        }
        // More than a few: no one of them is meant more than another.
        None if takers.len() > 3 => {
            format!("write it below what it is for, such as `{}.{written}`", takers[0])
        }
        Some(near) => format!("did you mean `{near}`{}?", of_secret(schema.property(near))),
        None if (1..=3).contains(&deeper.len()) => format!("did you mean {}?", deeper.join(" or ")),
        None if let Some((first, others)) = deeper.split_first() => {
            format!("did you mean {first}? There is also {}", others.join(", "))
        }
        None if schema.properties.is_empty() => "remove it".to_owned(),
        None => {
            let known: Vec<&str> = known().collect();
            format!("remove it, or use one of: {}", known.join(", "))
        }
    };
    Code::UnknownField
        .at(place)
        .because(format!("there is no field `{}` here", shorten(written)))
        .remedy(remedy)
}

/// Where the settings of a component stand, which people look for in every section. They are known by the ways out
/// that every component has and nothing else.
fn home(root: &Schema, component: &str) -> Option<String> {
    let spec = root.property("spec")?;
    let is_home = |schema: &Schema| {
        let settings = schema.property(component);
        settings.is_some_and(|it| {
            it.property("patches").is_some() && it.property("overrides").is_some()
        })
    };
    if is_home(spec) {
        return Some(format!("spec.{component}"));
    }
    // `openstack` is another name of `services`, and stands before it.
    let mut sections = spec.properties.iter().rev();
    let (section, _) = sections.find(|(_, section)| is_home(section))?;
    Some(format!("spec.{section}.{component}"))
}

/// What two levels below takes a field: `patches` belongs to `services.nova`, not to `spec`.
fn two_below(schema: &Schema, written: &str) -> Vec<String> {
    let takers = schema.properties.iter().flat_map(|(outer, property)| {
        let inner =
            property.properties.iter().filter(|(_, inner)| inner.property(written).is_some());
        inner.map(move |(inner, _)| format!("{outer}.{inner}"))
    });
    takers.collect()
}

fn hint(schema: Option<&Schema>) -> String {
    match schema {
        Some(schema) if !schema.allowed.is_empty() => format!(" ({})", schema.allowed.join(", ")),
        Some(Schema { format: Some(format), .. }) => format!(" ({})", format.wanted()),
        _ => String::new(),
    }
}

/// The same of a field that is missing. How the name of a Secret is written helps nobody who does not know what the
/// Secret holds, which its description says.
fn purpose(schema: Option<&Schema>) -> String {
    let of_secret = of_secret(schema);
    if of_secret.is_empty() { hint(schema) } else { of_secret }
}

/// What the Secret holds that a field names.
fn of_secret(schema: Option<&Schema>) -> String {
    let description = schema.map(|schema| schema.description.as_ref()).unwrap_or_default();
    match description.split(". ").next().and_then(|text| text.strip_prefix("The Secret ")) {
        Some(rest) => format!(" (the Secret {})", rest.trim_end_matches('.')),
        None => String::new(),
    }
}

fn expected(schema: &Schema) -> String {
    match schema.short {
        Some(Kind::Boolean) => format!("true, false or {}", wanted(schema.kind)),
        Some(short) => format!("{} or {}", wanted(short), wanted(schema.kind)),
        None => wanted(schema.kind).to_owned(),
    }
}

/// What a map of fields looks like, where there are few enough to be named.
fn fields(schema: &Schema) -> String {
    match schema.properties.len() {
        0 => wanted(Kind::Object).to_owned(),
        1..=6 => {
            let known: Vec<&str> =
                schema.properties.iter().map(|(name, _)| name.as_ref()).collect();
            format!("a map of fields ({})", known.join(", "))
        }
        _ => format!("a map of fields, such as {{{}: …}}", schema.properties[0].0),
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Any => "any value",
        Kind::Object => "a map of fields",
        Kind::Array => "a list",
        Kind::String => "text",
        Kind::Integer => "a whole number",
        Kind::Number => "a number",
        Kind::Boolean => "true or false",
        Kind::IntOrString => "a number or text",
    }
}

fn found(data: &Data) -> String {
    match data {
        Data::Null => "nothing".to_owned(),
        Data::Bool(flag) => format!("{flag}"),
        Data::Int(number) => format!("the number {number}"),
        Data::Float(number) => format!("the number {number}"),
        Data::Str(text) => format!("the text \"{}\"", shorten(text)),
        Data::List(_) => "a list".to_owned(),
        Data::Map(_) => "a map".to_owned(),
    }
}

fn is_scalar(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::Boolean => matches!(text, "true" | "false"),
        _ => text.parse::<i64>().is_ok(),
    }
}

/// A message is one line and short, whatever the input is.
pub(super) fn shorten(text: &str) -> String {
    let line: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    if line.chars().count() < text.chars().count() { format!("{line}…") } else { line }
}
