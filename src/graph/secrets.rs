//! The way of each secret: where it comes from, who delivers it, who reads it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use crate::generate::{Contents, Made};
use crate::graph::drawing::{Drawing, Shape};
use crate::graph::{dot, mermaid, title};
use crate::links::{
    External, Flux, GENERATOR, Makers, SECRET, STORE_PATH, excuse, generated, group, references,
    shown_path,
};
use crate::resolve::Cloud;

/// Who reads what its own objects name.
const FLUX: &str = "Flux";

/// One Secret of the cloud.
#[derive(Debug, Default)]
pub struct Secret<'a> {
    pub name: String,
    /// The component that makes it; empty for one that must exist.
    pub component: &'a str,
    /// Each way from an origin to the object that makes the Secret.
    pub ways: Vec<Vec<String>>,
    /// What a Secret that must exist is for.
    pub why: String,
    pub readers: Vec<Reader<'a>>,
}

/// Objects of one kind that read a Secret in the same field.
#[derive(Debug)]
pub struct Reader<'a> {
    pub component: &'a str,
    /// With its API group, where several groups have a kind of that name.
    pub kind: String,
    pub names: Vec<&'a str>,
    pub field: String,
}

/// All Secrets that are made or read, by namespace and name.
pub fn secrets<'a>(cloud: &Cloud, contents: &'a Contents<'a>) -> Vec<Secret<'a>> {
    let objects = &contents.objects;
    let makers = Makers::of(objects);
    let groups = groups(objects);
    let mut found: BTreeMap<(&str, String), Secret> = BTreeMap::new();
    for (id, index) in makers.of_kind(SECRET) {
        let secret = found.entry((id.namespace, id.name.to_string())).or_default();
        secret.component = objects[index].component;
        secret.ways = ways(&objects[index], objects, &makers);
    }
    for made in objects {
        references(&made.object, &mut |reference| {
            if reference.kind != SECRET {
                return;
            }
            let key = (reference.namespace, reference.name.to_owned());
            let secret = found.entry(key).or_default();
            if secret.component.is_empty() {
                if reference.generated {
                    secret.component = made.component;
                    secret.ways = vec![vec![shown(made)]];
                } else if let Some(why) =
                    excuse(&reference, &contents.external, cloud.component(made.component))
                {
                    why.clone_into(&mut secret.why);
                }
            }
            secret.read_by(made, called(made, &groups), shown_path(reference.path));
        });
        // Nothing names them: the operator makes them for the object, and the object reads them.
        for (name, field) in generated(&made.object) {
            let secret = found.entry((made.object.namespace(), name)).or_default();
            secret.ways = vec![vec![GENERATOR.to_owned()]];
            secret.read_by(made, called(made, &groups), field);
        }
    }
    for external in &contents.external {
        if let Some((namespace, name, reader)) = read_by_flux(external) {
            let secret = found.entry((namespace, name.to_owned())).or_default();
            if secret.ways.is_empty() {
                external.why.as_ref().clone_into(&mut secret.why);
            }
            secret.readers.push(reader);
        }
        let Some((name, at)) = external.reads else { continue };
        let is_own =
            |(namespace, known): &(&str, String)| *namespace == cloud.namespace && known == name;
        if let Some((_, secret)) = found.iter_mut().find(|(key, _)| is_own(key)) {
            let (component, names) = (external.component, vec![external.name.as_str()]);
            let (kind, field) = (external.kind.clone(), at.to_owned());
            secret.readers.push(Reader { component, kind, names, field });
        }
    }
    found
        .into_iter()
        .map(|((namespace, name), secret)| {
            let is_home = namespace == cloud.namespace;
            let name = if is_home { name } else { format!("{namespace}/{name}") };
            Secret { name, ..secret }
        })
        .collect()
}

impl<'a> Secret<'a> {
    fn read_by(&mut self, made: &'a Made<'a>, kind: String, field: String) {
        let (component, name) = (made.component, made.object.name());
        let same = |reader: &&mut Reader| {
            reader.component == component && reader.kind == kind && reader.field == field
        };
        match self.readers.iter_mut().find(same) {
            Some(reader) => reader.names.push(name),
            None => self.readers.push(Reader { component, kind, names: vec![name], field }),
        }
    }
}

/// Flux's own objects are made of the tree, so that none of them stands among the objects of the cloud.
fn read_by_flux<'a>(external: &'a External<'a>) -> Option<(&'a str, &'a str, Reader<'a>)> {
    let Flux { kind, name, field } =
        external.reader.as_ref().filter(|_| external.kind == SECRET)?;
    let (namespace, secret) = external.name.split_once('/')?;
    let (kind, names) = (kind.clone(), vec![name.as_str()]);
    Some((namespace, secret, Reader { component: FLUX, kind, names, field: (*field).to_owned() }))
}

/// The API group of each kind; none where several have a kind of that name.
fn groups<'a>(objects: &'a [Made]) -> HashMap<&'a str, Option<&'a str>> {
    let mut groups = HashMap::new();
    for Made { object, .. } in objects {
        let own = Some(group(object));
        let known = groups.entry(object.kind()).or_insert(own);
        if *known != own {
            *known = None;
        }
    }
    groups
}

/// `Nova`, but `User.rabbitmq.com`.
fn called(made: &Made, groups: &HashMap<&str, Option<&str>>) -> String {
    let kind = made.object.kind();
    match groups.get(kind) {
        Some(None) => format!("{kind}.{}", group(&made.object)),
        _ => kind.to_owned(),
    }
}

/// From each origin to the object that makes the Secret.
fn ways(maker: &Made, objects: &[Made], makers: &Makers) -> Vec<Vec<String>> {
    let mut ways: Vec<Vec<String>> = Vec::new();
    references(&maker.object, &mut |reference| {
        let mut way = match reference.kind {
            STORE_PATH => {
                let pusher = makers.of_reference(&reference).map(|index| &objects[index]);
                let mut way =
                    pusher.map(|pusher| origin(pusher, objects, makers)).unwrap_or_default();
                way.push(reference.name.to_owned());
                way
            }
            "Issuer" | "ClusterIssuer" if maker.object.kind() == "Certificate" => {
                vec![format!("{} {}", reference.kind, reference.name)]
            }
            SECRET if maker.object.kind() == "SecretAggregate" => {
                vec![format!("{SECRET} {}", reference.name)]
            }
            _ => return,
        };
        way.push(shown(maker));
        if !ways.contains(&way) {
            ways.push(way);
        }
    });
    if ways.is_empty() {
        ways.push(vec![shown(maker)]);
    }
    ways
}

/// Who makes what a PushSecret pushes, what that is, and itself.
fn origin(pusher: &Made, objects: &[Made], makers: &Makers) -> Vec<String> {
    let mut way = Vec::new();
    references(&pusher.object, &mut |reference| {
        if !reference.kind.ends_with("SecretStore") && way.is_empty() {
            if reference.kind == SECRET
                && let Some(maker) = makers.of_reference(&reference)
            {
                way.push(shown(&objects[maker]));
            }
            way.push(format!("{} {}", reference.kind, reference.name));
        }
    });
    way.push(shown(pusher));
    way
}

fn shown(made: &Made) -> String {
    format!("{} {}", made.object.kind(), made.object.name())
}

pub fn secrets_text(cloud: &Cloud, contents: &Contents) -> String {
    let mut out = format!("{}, store: {:?} {}\n", title(cloud), cloud.store.kind, cloud.store.name);
    for secret in secrets(cloud, contents) {
        let _ = writeln!(out, "\n{}", secret.name);
        for way in &secret.ways {
            let _ = writeln!(out, "  made by {}: {}", secret.component, way.join(" → "));
        }
        if secret.ways.is_empty() {
            let _ = writeln!(out, "  must exist: {}", secret.why);
        }
        for Reader { component, kind, names, field } in &secret.readers {
            let names = names.join(", ");
            let _ = writeln!(out, "  read by {component}: {kind} {names}, {field}");
        }
        if secret.readers.is_empty() {
            out.push_str("  read by no object of the cloud\n");
        }
    }
    out
}

pub fn secrets_mermaid(cloud: &Cloud, contents: &Contents) -> String {
    let mut part = mermaid::Part::new(&cloud.namespace, &title(cloud));
    draw(cloud, contents, &mut part);
    part.finish()
}

pub fn secrets_dot(cloud: &Cloud, contents: &Contents) -> String {
    let mut part = dot::Part::new(&cloud.namespace, &title(cloud));
    draw(cloud, contents, &mut part);
    part.finish()
}

/// Objects are boxes, paths in the store are drums, Secrets are rounded; what must exist is a flag.
fn draw(cloud: &Cloud, contents: &Contents, part: &mut impl Drawing) {
    for secret in secrets(cloud, contents) {
        let shape = if secret.ways.is_empty() { Shape::Flag } else { Shape::Round };
        let own = part.node(&format!("Secret {}", secret.name), shape);
        for way in &secret.ways {
            let mut before: Option<String> = None;
            for step in way {
                let shape = match step {
                    path if !path.contains(' ') => Shape::Drum,
                    secret if secret.starts_with("Secret ") => Shape::Round,
                    _ => Shape::Box,
                };
                let node = part.node(step, shape);
                if let Some(before) = before {
                    part.arrow(&before, &node);
                }
                before = Some(node);
            }
            if let Some(last) = before {
                part.arrow(&last, &own);
            }
        }
        for Reader { component, kind, names, .. } in &secret.readers {
            let label = match names.as_slice() {
                [name] => format!("{kind} {name}"),
                names => format!("{} {kind} of {component}", names.len()),
            };
            let reader = part.node(&label, Shape::Box);
            part.arrow(&own, &reader);
        }
    }
}
