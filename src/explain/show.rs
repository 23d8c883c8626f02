//! Explanations for people and for programs.

use std::fmt::Write as _;

use crate::explain::{Explanation, Field, File, Origin, Source};
use crate::finding::Place;
use crate::map;
use crate::value::{Map, Value};

/// No value is cut to less than this, however narrow a terminal is: the table tells where values come from, and
/// `render` what they are.
const NARROWEST: usize = 40;

/// `controlplane.yaml:10:17`, for whoever knows the sources.
pub type Shown<'a> = &'a dyn Fn(&Place) -> String;

/// A head and one line for each field and origin, in columns. On a terminal, whose width is given, long values are
/// cut so that lines stay in one piece; whoever reads a file or a pipe gets them whole.
pub fn table(explanation: &Explanation, shown: Shown, terminal: Option<usize>) -> String {
    let Explanation { object, component, maker, because, fields } = explanation;
    let mut out = format!("{object}, of component {component}\nmade by {}\n", source(maker, shown));
    for origin in because {
        let _ = writeln!(out, "there because of {}", from(origin, shown));
    }
    out.push('\n');
    let mut rows = vec![["FIELD", "VALUE", "LAYER", "FROM"].map(str::to_owned)];
    for field in fields {
        for (number, origin) in field.origins.iter().enumerate() {
            let (path, value) = match number {
                0 => (field.path.to_string(), scalar(&field.value)),
                _ => (String::new(), String::new()),
            };
            rows.push([path, value, origin.layer.name().to_owned(), from(origin, shown)]);
        }
    }
    let width = |column: usize| {
        rows.iter().map(|row: &[String; 4]| row[column].chars().count()).max().unwrap_or(0)
    };
    let (first, third) = (width(0), width(2));
    let beside = first + third + width(3) + 3 * "  ".len();
    let widest = terminal.map(|columns| columns.saturating_sub(beside).max(NARROWEST));
    if let Some(widest) = widest {
        rows.iter_mut().for_each(|row| row[1] = cut(&row[1], widest));
    }
    let second = rows.iter().map(|row| row[1].chars().count()).max().unwrap_or(0);
    for [path, value, layer, from] in &rows {
        let _ = writeln!(out, "{path:first$}  {value:second$}  {layer:third$}  {from}");
    }
    out
}

/// Everything there is to know about a few fields.
pub fn details(explanation: &Explanation, fields: &[&Field], shown: Shown) -> String {
    let Explanation { object, component, .. } = explanation;
    let mut out = format!("{object}, of component {component}\n");
    for field in fields {
        let _ = writeln!(out, "\n{}: {}", field.path, scalar(&field.value));
        if let Some(template) = &field.template {
            let _ = writeln!(out, "  template  {}", source(template, shown));
        }
        for origin in &field.origins {
            let _ = writeln!(out, "  {:8}  {}", origin.layer.name(), origin.why);
            for place in origin
                .written
                .iter()
                .map(|place| spot(place, shown))
                .chain(origin.source.iter().map(|it| source(it, shown)))
            {
                let _ = writeln!(out, "            {place}");
            }
        }
    }
    out
}

/// Where a person would go to change it.
fn from(origin: &Origin, shown: Shown) -> String {
    match (&origin.written, &origin.source) {
        (Some(place), None) => spot(place, shown),
        (Some(place), Some(from)) => format!("{}; {}", source(from, shown), spot(place, shown)),
        (None, Some(from)) => source(from, shown),
        (None, None) => origin.why.clone(),
    }
}

fn spot(place: &Place, shown: Shown) -> String {
    format!("{} {}", shown(place), place.path)
}

fn source(source: &Source, shown: Shown) -> String {
    match source {
        Source::Builder { name, fact: None } => format!("Strata's code ({name})"),
        Source::Builder { name, fact: Some(fact) } => {
            format!("Strata's code ({name}), of {}", self::source(fact, shown))
        }
        Source::Record { file, path, text } => {
            let text =
                if text.is_empty() { String::new() } else { format!(": {}", one_line(text)) };
            format!("{} {path}{text}", name(file, shown)).trim_end().to_owned()
        }
    }
}

fn name(file: &File, shown: Shown) -> String {
    match file {
        File::BuiltIn(path) => path.clone(),
        File::Given(place) => shown(place),
    }
}

fn cut(text: &str, widest: usize) -> String {
    if text.chars().count() <= widest {
        return text.to_owned();
    }
    text.chars().take(widest - 1).chain(['…']).collect()
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Str(text) => one_line(text),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    crate::report::excerpt::harmless(&text.trim_end().replace('\n', "\\n")).into_owned()
}

/// The same for programs.
pub fn value(explanation: &Explanation, shown: Shown) -> Value {
    let Explanation { object, component, maker, because, fields } = explanation;
    let fields: Vec<Value> =
        fields.iter().map(|field| Value::Map(of_field(field, shown))).collect();
    Value::Map(map! {
        "object" => object.clone(),
        "component" => component.clone(),
        "maker" => source(maker, shown),
        "because" => of_origins(because, shown),
        "fields" => fields,
    })
}

fn of_field(field: &Field, shown: Shown) -> Map {
    let mut out = map! { "path" => field.path.to_string(), "value" => field.value.clone() };
    if let Some(template) = &field.template {
        out.insert("template", source(template, shown));
    }
    out.insert("origins", of_origins(&field.origins, shown));
    out
}

fn of_origins(origins: &[Origin], shown: Shown) -> Vec<Value> {
    origins
        .iter()
        .map(|origin| {
            let mut out = map! { "layer" => origin.layer.name(), "why" => origin.why.clone() };
            if let Some(place) = &origin.written {
                out.insert("place", shown(place));
                out.insert("field", place.path.to_string());
            }
            if let Some(from) = &origin.source {
                out.insert("source", source(from, shown));
            }
            Value::Map(out)
        })
        .collect()
}
