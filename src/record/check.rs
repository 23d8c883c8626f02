//! What must hold of records together: that needs exist and run in no circle, and that every
//! expression reads only what will be there.

use crate::finding::{Code, Findings, Place};
use crate::record::{Record, Template};
use crate::schema::nearest;
use crate::yaml::tree::Span;

/// What every record may read, whatever it declares.
pub const SCOPE: &[&str] = &[
    "cloud",
    "component",
    "distribution",
    "name",
    "namespace",
    "image",
    "replicas",
    "workers",
    "port",
    "resources",
    "endpoint",
    "public",
    "processes",
    "certificate",
    "options",
    "database",
    "queue",
    "identity",
    "secrets",
    "tls",
    "delivery",
    "monitoring",
    "pools",
    "rotation",
    "served",
    "companion",
    "store",
    "item",
];

/// Adds a finding for everything in which the records contradict themselves or each other.
pub fn check<'a>(records: impl Iterator<Item = &'a Record> + Clone, findings: &mut Findings) {
    for record in records.clone() {
        needs(record, records.clone(), findings);
        reads(record, records.clone(), findings);
        options_are_read(record, findings);
        announced_are_options(record, findings);
        classes_are_read(record, findings);
        operators_are_known(record, records.clone(), findings);
    }
    if let Some(circle) = circle(records.clone()) {
        findings.push(
            Code::CyclicNeeds
                .at(given(records.clone(), &circle).unwrap_or_default())
                .because(circle.join(" needs "))
                .remedy(
                    "remove one of these needs; `talksTo` is for what only speaks to the other",
                ),
        );
    }
}

/// The first need of the circle that a given record names: the built-in ones alone have no circle.
fn given<'a>(records: impl Iterator<Item = &'a Record>, circle: &[&str]) -> Option<Place> {
    let given: Vec<&Record> = records.filter(|record| record.source.is_some()).collect();
    circle.windows(2).find_map(|pair| {
        let [from, to] = pair else { return None };
        let record = given.iter().find(|record| record.component == *from)?;
        // To speak to another makes no circle, so that its mention is not the one to point at.
        let need = record.needs.iter().position(|need| need == to).or_else(|| {
            let after = record.after.iter().position(|after| after == to)?;
            Some(record.needs.len() + record.talks_to.len() + after)
        })?;
        Some(place(record, *record.mentions.get(need)?))
    })
}

fn needs<'a>(
    record: &Record,
    records: impl Iterator<Item = &'a Record> + Clone,
    findings: &mut Findings,
) {
    let mentioned = record
        .needs
        .iter()
        .chain(record.talks_to.iter())
        .chain(record.after.iter())
        .chain(Some(&record.serves).filter(|served| !served.is_empty()))
        .chain(record.alongside.iter());
    for (need, at) in mentioned.zip(record.mentions.iter()) {
        if records.clone().any(|other| other.component == *need) {
            continue;
        }
        let remedy = match nearest(need, records.clone().map(|other| other.component.as_ref())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add a record for `{need}`, or remove the need"),
        };
        findings.push(
            Code::UnknownNeed
                .at(place(record, *at))
                .because(format!(
                    "`{}` names `{need}`, and there is no such component",
                    record.component
                ))
                .remedy(remedy),
        );
    }
}

fn reads<'a>(
    record: &Record,
    records: impl Iterator<Item = &'a Record> + Clone,
    findings: &mut Findings,
) {
    for leaf in record.leaves() {
        for name in leaf.expression.reads() {
            if let Some((because, remedy)) = unreadable(record, records.clone(), &name) {
                findings.push(
                    Code::BadExpression.at(place(record, leaf.at)).because(because).remedy(remedy),
                );
            }
        }
    }
}

fn announced_are_options(record: &Record, findings: &mut Findings) {
    let is_option = |name: &str| record.options.iter().any(|(option, _)| option == name);
    for name in record.announces.iter().filter(|name| !is_option(name)) {
        findings.push(
            Code::BadRecord
                .at(place(record, record.at))
                .because(format!("it announces `{name}`, which is none of its options"))
                .remedy(format!("add `{name}` under `options`, or take it out of `announces`")),
        );
    }
}

/// An option that nothing reads would be accepted in a spec and change nothing. A record without
/// objects is read by builders, which need no expression.
fn options_are_read(record: &Record, findings: &mut Findings) {
    if record.objects.is_empty() {
        return;
    }
    for (option, _) in record.options.iter() {
        let process = record.processes.iter().any(|process| process.name == *option);
        if !record.reads(&format!("options.{option}")) && !process {
            findings.push(
                Code::BadRecord
                    .at(place(record, record.at))
                    .because(format!("nothing in the record reads its option `{option}`"))
                    .remedy(format!(
                        "use {{{{ options.{option} }}}} in an object, or remove the option"
                    )),
            );
        }
    }
}

/// What a class asks for reaches nobody unless an object has a place for it.
fn classes_are_read(record: &Record, findings: &mut Findings) {
    let own = (record.class.as_ref(), "resources".to_owned());
    let of_process = |process: &crate::record::Process| {
        (process.class.to_string(), format!("processes.{}.resources", process.name))
    };
    let all = record.processes.iter().map(of_process);
    let all = std::iter::once((own.0.to_owned(), own.1)).chain(all);
    for (class, name) in all.filter(|(class, _)| !class.is_empty()) {
        if !record.reads(&name) {
            findings.push(
                Code::BadRecord
                    .at(place(record, record.at))
                    .because(format!("nothing in the record reads the `{name}` of class `{class}`"))
                    .remedy(format!(
                        "use {{{{ {name} | optional }}}} in an object, or remove the class"
                    )),
            );
        }
    }
}

/// Policies let an operator in by the namespace that its own record names.
fn operators_are_known<'a>(
    record: &Record,
    records: impl Iterator<Item = &'a Record> + Clone,
    findings: &mut Findings,
) {
    let known = || records.clone().filter(|other| !other.namespace.is_empty());
    let named = record.network.iter().filter_map(|(_, pods)| pods.get("operators"));
    for operator in named.flat_map(Template::keys) {
        if known().any(|other| other.component == operator) {
            continue;
        }
        let remedy = match nearest(operator, known().map(|other| other.component.as_ref())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name an operator whose record has a `namespace`".to_owned(),
        };
        findings.push(
            Code::BadRecord
                .at(place(record, record.at))
                .because(format!("`{operator}` is no operator with a namespace of its own"))
                .remedy(remedy),
        );
    }
}

/// Why a record may not read a dotted name, and what to do about it.
fn unreadable<'a>(
    record: &Record,
    mut records: impl Iterator<Item = &'a Record> + Clone,
    name: &str,
) -> Option<(String, String)> {
    let mut steps = name.split('.');
    let (root, second) = (steps.next().unwrap_or_default(), steps.next());
    // A component's name may hold `-`, which no expression can: it is read as `_`.
    let needed = record.waits_for().find(|need| need.replace('-', "_") == root);
    let needed = needed.and_then(|need| records.find(|other| other.component == *need));
    let declared: Vec<&str> = match root {
        "options" => record.options.iter().map(|(name, _)| name.as_ref()).collect(),
        "processes" => record.processes.iter().map(|process| process.name.as_ref()).collect(),
        "secrets" => record.secrets.iter().map(|secret| secret.key.as_ref()).collect(),
        _ if SCOPE.contains(&root) => return None,
        _ if needed.is_some() => needed
            .iter()
            .flat_map(|other| other.provides.iter())
            .map(|(key, _)| key.as_ref())
            .collect(),
        _ => {
            let known = || SCOPE.iter().copied().chain(record.needs.iter().map(AsRef::as_ref));
            let is_component = records.any(|other| other.component.replace('-', "_") == root);
            let remedy = match nearest(root, known()) {
                _ if is_component => format!("name `{root}` under `needs`; it is then there first"),
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    format!("read one of {}, or name the component under `needs`", SCOPE.join(", "))
                }
            };
            return Some((format!("`{root}` is no name that this record can read"), remedy));
        }
    };
    let second = second?;
    if declared.contains(&second) {
        return None;
    }
    let remedy = match nearest(second, declared.iter().copied()) {
        Some(near) => format!("did you mean `{root}.{near}`?"),
        None if needed.is_some() => format!("{root} provides: {}", declared.join(", ")),
        None => format!("declare `{second}` under `{root}` in the record"),
    };
    let because = match needed {
        Some(other) => format!("{} provides no `{second}`", other.component),
        None => format!("the record declares no `{root}.{second}`"),
    };
    Some((because, remedy))
}

/// A circle of needs, its first member again at the end.
fn circle<'a>(records: impl Iterator<Item = &'a Record> + Clone) -> Option<Vec<&'a str>> {
    let mut settled: Vec<&str> = Vec::new();
    let mut open: Vec<&Record> = records.collect();
    loop {
        let before = open.len();
        let names: Vec<&str> = open.iter().map(|record| record.component.as_ref()).collect();
        open.retain(|record| {
            let free = record
                .waits_for()
                .all(|need| !names.contains(&need.as_ref()) || settled.contains(&need.as_ref()));
            if free {
                settled.push(&record.component);
            }
            !free
        });
        if open.is_empty() {
            return None;
        }
        if open.len() == before {
            return Some(follow(&open));
        }
    }
}

/// Among records that all wait for one another, walks needs until one comes up again.
fn follow<'a>(open: &[&'a Record]) -> Vec<&'a str> {
    let mut way: Vec<&str> = Vec::new();
    let mut at = open.first().copied();
    while let Some(record) = at {
        if let Some(start) = way.iter().position(|name| *name == record.component) {
            way.drain(..start);
            way.push(&record.component);
            return way;
        }
        way.push(&record.component);
        at = open
            .iter()
            .copied()
            .find(|other| record.waits_for().any(|need| *need == other.component));
    }
    way
}

/// A place in the text of a record; nowhere for one of the program's own.
pub fn place(record: &Record, span: Span) -> Place {
    Place {
        source: record.source,
        span: record.source.map(|_| span),
        object: format!("Component {}", record.component),
        ..Place::default()
    }
}
