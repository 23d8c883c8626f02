//! The facts of a record, each with the record as it were without it or with another one.

use crate::finding::Path;
use crate::record::{Identity, List, Part, PerSize, Process, Record, Template};
use crate::value::Text;

/// The record without a fact, as builders call it; none if it does not declare it.
pub fn without(record: &Record, fact: &str) -> Option<Record> {
    let mut other = record.clone();
    let is_declared = match fact {
        "databases" => emptied(&mut other.databases),
        "queue" => emptied(&mut other.queues),
        "certificate" => emptied(&mut other.certificate),
        "secrets" => emptied(&mut other.secrets),
        "needs" => emptied(&mut other.needs),
        "talksTo" => emptied(&mut other.talks_to),
        "network" => emptied(&mut other.network),
        "public" => emptied(&mut other.doors),
        "provides" => emptied(&mut other.provides),
        "identity" => other.identity.take().is_some(),
        "port" => {
            let ports = processes(&mut other).filter_map(|process| process.port.take());
            ports.count() > 0
        }
        _ => false,
    };
    is_declared.then_some(other)
}

/// The record with one part of a fact changed, for each of them.
pub fn parts(record: &Record) -> Vec<(Path, Record)> {
    let mut parts = Parts { record, found: Vec::new() };
    parts.identity();
    parts.items("databases", |record| &mut record.databases);
    parts.items("queue", |record| &mut record.queues);
    parts.items("certificate", |record| &mut record.certificate);
    parts.items("needs", |record| &mut record.needs);
    parts.items("talksTo", |record| &mut record.talks_to);
    for (index, secret) in record.secrets.iter().enumerate() {
        parts.add(Path::from("secrets").key(secret.key.as_ref()), |record| {
            record.secrets.to_mut().remove(index);
        });
    }
    for (index, (sort, _)) in record.network.iter().enumerate() {
        parts.add(Path::from("network").key(sort.as_ref()), |record| {
            record.network.to_mut().remove(index);
        });
    }
    parts.doors();
    parts.processes();
    parts.add(Path::from("summary"), |record| lengthen(&mut record.summary));
    parts.add(Path::from("name"), |record| lengthen(&mut record.object_name));
    parts.found
}

/// The record with one thing changed that others read of it, for each of them: what it `provides`, and what that is
/// mostly made of.
pub fn provided(record: &Record) -> Vec<(Path, Record)> {
    let mut parts = Parts { record, found: Vec::new() };
    for (index, (key, template)) in record.provides.iter().enumerate() {
        for (path, other) in others(template, &Path::from("provides").key(key.as_ref())) {
            parts.add(path, |record| record.provides.to_mut()[index].1 = other.clone());
        }
    }
    if !record.provides.is_empty() {
        parts.add(Path::from("name"), |record| lengthen(&mut record.object_name));
        parts.processes();
    }
    parts.found
}

/// A template with one of its texts longer, for each of them.
fn others(template: &Template, path: &Path) -> Vec<(Path, Template)> {
    let longer = |parts: &[Part]| {
        let parts = parts.iter().cloned().chain([Part::Text("x".into())]);
        Template::Mixed(parts.collect::<Vec<_>>().into())
    };
    let other = match template {
        Template::Str(text) => Template::Str(format!("{text}x").into()),
        // What is undefined cannot be part of a text.
        Template::Leaf(leaf) if !leaf.optional => longer(&[Part::Hole(leaf.clone())]),
        Template::Mixed(parts) => longer(parts),
        Template::Map(entries) => {
            let below = entries.iter().enumerate().flat_map(|(index, (key, entry))| {
                let others = others(entry, &path.key(key.as_ref())).into_iter();
                others.map(move |(path, other)| {
                    let mut entries = entries.clone();
                    entries.to_mut()[index].1 = other;
                    (path, Template::Map(entries))
                })
            });
            return below.collect();
        }
        _ => return Vec::new(),
    };
    vec![(path.clone(), other)]
}

struct Parts<'a> {
    record: &'a Record,
    found: Vec<(Path, Record)>,
}

type TextOf<T> = fn(&mut T) -> &mut Text;
type Change<T> = fn(&mut T);

impl Parts<'_> {
    fn add(&mut self, path: Path, alter: impl Fn(&mut Record)) {
        let mut other = self.record.clone();
        alter(&mut other);
        self.found.push((path, other));
    }

    /// Each item of a list; a single one is the whole fact.
    fn items<T: Clone + 'static>(&mut self, fact: &str, list: fn(&mut Record) -> &mut List<T>) {
        let length = list(&mut self.record.clone()).len();
        for index in (0..length).filter(|_| length > 1) {
            self.add(Path::from(fact).index(index), |record| {
                list(record).to_mut().remove(index);
            });
        }
    }

    fn identity(&mut self) {
        let Some(identity) = &self.record.identity else { return };
        let path = Path::from("identity");
        let texts: [(&str, TextOf<Identity>); 3] = [
            ("type", |identity| &mut identity.service_type),
            ("user", |identity| &mut identity.user),
            ("path", |identity| &mut identity.path),
        ];
        for (key, text) in texts {
            self.add(path.key(key), |record| {
                record.identity.iter_mut().map(text).for_each(lengthen)
            });
        }
        for index in 0..identity.roles.len() {
            self.add(path.key("roles").index(index), |record| {
                if let Some(identity) = &mut record.identity {
                    lengthen(&mut identity.roles.to_mut()[index]);
                }
            });
        }
    }

    fn doors(&mut self) {
        for index in 0..self.record.doors.len() {
            let path = Path::from("public").index(index);
            self.add(path.clone(), |record| {
                record.doors.to_mut().remove(index);
            });
            self.add(path.key("host"), |record| lengthen(&mut record.doors.to_mut()[index].host));
            self.add(path.key("path"), |record| lengthen(&mut record.doors.to_mut()[index].path));
            self.add(path.key("port"), |record| record.doors.to_mut()[index].port += 1);
        }
    }

    fn processes(&mut self) {
        // What no object reads, the record does not say either.
        let named = |process: &Process| (process.name.clone(), self.record.takes_workers(process));
        let names: Vec<(Text, bool)> = self.record.all_processes().map(named).collect();
        let numbers: [(&str, Change<Process>); 3] = [
            ("replicas", |process| one_more(&mut process.replicas)),
            ("workers", |process| one_more(&mut process.workers)),
            ("port", |process| process.port = process.port.map(|port| port + 1)),
        ];
        for (name, takes_workers) in names {
            let path = match name.as_ref() {
                "" => Path::root(),
                name => Path::from("processes").key(name),
            };
            let said = |key: &str| key != "workers" || takes_workers;
            for (key, alter) in numbers.into_iter().filter(|(key, _)| said(key)) {
                self.add(path.key(key), |record| {
                    processes(record).filter(|process| process.name == name).for_each(alter);
                });
            }
        }
    }
}

fn emptied<T: Clone>(list: &mut List<T>) -> bool {
    let was_empty = list.is_empty();
    list.to_mut().clear();
    !was_empty
}

fn processes(record: &mut Record) -> impl Iterator<Item = &mut Process> {
    record.scale.iter_mut().chain(record.processes.to_mut())
}

fn one_more(count: &mut PerSize) {
    let PerSize { small, medium, large, xlarge } = count;
    for number in [small, medium, large, xlarge] {
        *number += 1;
    }
}

/// A name and a path stay what they are with a letter more.
fn lengthen(text: &mut Text) {
    text.to_mut().push('x');
}
