//! Where settings stand, for findings that are made when clouds are objects already: what is written is
//! read once more, and only if there is such a finding.

use std::cell::LazyCell;

use crate::Options;
use crate::catalogue::{self, Catalogue};
use crate::finding::{Findings, Path, Place};
use crate::layers::{Written, control_planes};
use crate::load::{Document, load};
use crate::record::Record;

/// What scales everything that is not set by itself.
pub const SIZE: &str = "spec.size";

/// What a finding about a control plane stands at.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// A component, by its name: the switch of it if that is written, else all its settings.
    Component(&'a str),
    /// What gave a field of an object its value, as far as that can be told.
    Value { component: &'a str, setting: &'a str, field: &'a [&'a str] },
    /// A setting of a component, written or not.
    Setting { component: &'a str, setting: &'a str },
    /// A field, dotted.
    Field(&'a str),
}

/// Calls `look` with what knows where things stand in a control plane, `namespace/name`. Those that are not
/// among the documents stand nowhere.
pub fn with_places<T>(
    documents: &[Document],
    look: impl FnOnce(&dyn Fn(&str, At) -> Place) -> T,
) -> T {
    // All that is wrong in there was said when it was rendered.
    let spec = LazyCell::new(|| load(documents, &Options::default(), &mut Findings::default()));
    let catalogue = LazyCell::new(|| {
        let own = catalogue::assemble(&spec, &mut Findings::default());
        own.unwrap_or_else(Catalogue::built_in)
    });
    let clouds = LazyCell::new(|| control_planes(&spec, &catalogue, &mut Findings::default()));
    look(&|owner, at| {
        let is_meant =
            |written: &&Written| format!("{}/{}", written.namespace, written.name) == owner;
        let written = clouds.iter().find(is_meant);
        written.map_or_else(Place::nowhere, |written| place(written, &catalogue, at))
    })
}

fn place(written: &Written, catalogue: &Catalogue, at: At) -> Place {
    match at {
        At::Field(path) => written.place(&Path::from(path)),
        At::Component(name) => {
            let settings = settings(catalogue.record(name));
            let switch = settings.key("enabled");
            written.origin(&switch).map_or_else(|| written.place(&settings), |(_, place)| place)
        }
        At::Setting { component, setting } => {
            written.place(&below(settings(catalogue.record(component)), setting.split('.')))
        }
        At::Value { component, setting, field } => {
            let record = catalogue.record(component);
            let settings = settings(record);
            let wrote = causes(record, &settings, setting, field)
                .into_iter()
                .find_map(|path| written.origin(&path));
            wrote.map_or_else(|| written.place(&settings), |(_, place)| place)
        }
    }
}

fn settings(record: Option<&Record>) -> Path {
    let settings = record.map_or("", |record| record.settings.as_ref());
    Path::from(format!("spec.{settings}").as_str())
}

fn below<'a>(path: Path, keys: impl Iterator<Item = &'a str>) -> Path {
    keys.fold(path, |path, key| path.key(key))
}

/// All that may have decided a field of an object, the last to do so first.
fn causes(record: Option<&Record>, settings: &Path, setting: &str, field: &[&str]) -> Vec<Path> {
    let mut causes = Vec::new();
    if let Some(("spec", rest)) = field.split_first().map(|(first, rest)| (*first, rest)) {
        causes.push(below(settings.key("extraConfig"), rest.iter().copied()));
    }
    if !setting.is_empty() {
        causes.push(below(settings.clone(), setting.split('.')));
    }
    causes.extend([settings.key("patches"), settings.key("overrides")]);
    let scales = |record: &Record| {
        setting == "replicas" || record.sizes.iter().any(|(option, _)| option == setting)
    };
    if record.is_some_and(scales) {
        causes.push(Path::from(SIZE));
    }
    causes
}
