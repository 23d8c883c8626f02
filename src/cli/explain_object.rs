//! `strata explain --object`: where each field of a rendered object comes from.

use std::cell::RefCell;

use strata::explain::{Explanation, Field, details, explain, table, trace, value};
use strata::finding::Place;
use strata::load::Source;
use strata::object::Object;
use strata::report::excerpt::Counted;
use strata::schema::nearest;
use strata::value::Value;

use crate::cli::render::Specs;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::words::first_few;

pub fn run(
    specs: &Specs,
    asked: &str,
    field: Option<&str>,
    terminal: &Terminal,
) -> Result<(), Stop> {
    if specs.paths.is_empty() {
        return Err(Failure::usage(
            "--object needs a spec that makes the object",
            format!("name its file or folder: `strata explain --object {asked} my-cloud`"),
        )
        .into());
    }
    let Some((kind, namespace, name)) = parts(asked) else {
        return Err(Failure::usage(
            format!("`{asked}` is no object"),
            "write its kind and name, such as MariaDB/openstack-db",
        )
        .into());
    };
    let is_wanted = |object: &Object| {
        let is_kind = kind.eq_ignore_ascii_case(object.kind())
            || kind.eq_ignore_ascii_case(&format!("{}.{}", object.kind(), object.group()));
        let is_there = namespace.is_none_or(|namespace| object.namespace() == namespace);
        is_kind && is_there && object.name() == name
    };
    let (seen, sources) = specs.look_with_sources(terminal, |cloud, plan, _, documents| {
        let (mut found, names) = explain(cloud, plan, &is_wanted);
        if !found.is_empty() {
            trace(&mut found, cloud, documents, &is_wanted);
        }
        (found, names)
    })?;
    let mut found = Vec::new();
    let mut known = Vec::new();
    for (explanations, names) in seen {
        found.extend(explanations);
        known.extend(names);
    }
    if found.is_empty() {
        return Err(no_object(asked, kind, name, &known).into());
    }
    if let Some(field) = field {
        narrow(&mut found, field)?;
    }
    let places = Places::new(&sources);
    let shown = |place: &Place| places.shown(place);
    if terminal.is_json() {
        let values: Vec<Value> = found.iter().map(|it| value(it, &shown)).collect();
        let mut out = String::new();
        strata::json_text::write(&Value::List(values), 0, &mut out);
        out.push('\n');
        return terminal.print(out);
    }
    let texts: Vec<String> = found
        .iter()
        .map(|explanation| match field {
            None => table(explanation, &shown, terminal.columns()),
            Some(_) => {
                let fields: Vec<&Field> = explanation.fields.iter().collect();
                details(explanation, &fields, &shown)
            }
        })
        .collect();
    terminal.print(texts.join("\n"))
}

/// Kind, namespace if it is there, and name: `Nova/nova`, or as headings have it,
/// `User.k8s.mariadb.com openstack/nova`.
fn parts(asked: &str) -> Option<(&str, Option<&str>, &str)> {
    let (kind, rest) = asked.split_once([' ', '/'])?;
    match rest.split_once('/') {
        Some((namespace, name)) => Some((kind, Some(namespace), name)),
        None => Some((kind, None, rest)),
    }
}

/// Keeps a field and what lies below it.
fn narrow(found: &mut [Explanation], field: &str) -> Result<(), Failure> {
    let all: Vec<String> = found
        .iter()
        .flat_map(|explanation| explanation.fields.iter().map(|field| field.path.to_string()))
        .collect();
    for explanation in found.iter_mut() {
        explanation.fields.retain(|other| {
            let path = other.path.to_string();
            path.strip_prefix(field)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        });
    }
    if found.iter().all(|explanation| explanation.fields.is_empty()) {
        let help = match nearest(field, all.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "leave --field out to see all fields".to_owned(),
        };
        return Err(Failure::new(format!("the object has no field `{field}`"), help));
    }
    Ok(())
}

fn no_object(asked: &str, kind: &str, name: &str, known: &[String]) -> Failure {
    let near = nearest(asked, known.iter().map(String::as_str)).map(str::to_owned);
    let plain = kind.split_once('.').map_or(kind, |(kind, _)| kind);
    let related = known.iter().filter(|other| {
        other.split_once('/').is_some_and(|(other_kind, other_name)| {
            other_kind.eq_ignore_ascii_case(plain) || other_name == name
        })
    });
    let mut names: Vec<String> = near.into_iter().collect();
    for other in related {
        if !names.contains(other) {
            names.push(other.clone());
        }
    }
    let help = if names.is_empty() {
        "`strata render` prints all objects".to_owned()
    } else {
        format!("did you mean one of: {}", first_few(&names))
    };
    Failure::new(format!("the spec makes no object `{asked}`"), help)
}

/// Places as people write them. Each source is counted once.
struct Places<'a> {
    sources: &'a [Source],
    counted: RefCell<Vec<Option<Counted<'a>>>>,
}

impl<'a> Places<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let counted = sources.iter().map(|_| None).collect();
        Places { sources, counted: RefCell::new(counted) }
    }

    /// `controlplane.yaml:10:17`.
    fn shown(&self, place: &Place) -> String {
        let Some((index, source)) =
            place.source.and_then(|index| Some((index, self.sources.get(index)?)))
        else {
            return place.object.clone();
        };
        let mut counted = self.counted.borrow_mut();
        let Some(slot) = counted.get_mut(index) else { return source.name.clone() };
        let offset = place.span.map_or(0, |span| span.start);
        let (line, column) = slot.get_or_insert_with(|| Counted::new(source)).line_column(offset);
        format!("{}:{line}:{column}", source.name)
    }
}
