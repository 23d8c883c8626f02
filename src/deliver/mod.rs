//! From objects to bytes, and to the files they belong in.

pub mod artifact;
mod files;
mod flux;
mod health;
pub mod stage;
pub mod staging;
pub mod tree;

pub use files::paths;

use std::sync::Arc;

use crate::Options;
use crate::generate::Made;
use crate::order::SortKey;
use crate::resolve::Cloud;
use crate::value::Text;
use crate::yaml::write;

/// Annotations by which KRM tools know the file an object belongs in.
pub const PATH: &str = "internal.config.kubernetes.io/path";
pub const LEGACY_PATH: &str = "config.kubernetes.io/path";

/// One object, written. A thousand clouds are held as these, so what many objects share is held
/// once, and what few ask for is made when it is asked for.
#[derive(Debug)]
pub struct Rendered {
    pub api_version: Text,
    pub kind: Text,
    pub namespace: Arc<str>,
    pub name: String,
    pub component: Arc<str>,
    /// The namespace of the control plane that it is part of.
    pub cloud: Arc<str>,
    /// One document without `---`.
    pub yaml: String,
}

impl Rendered {
    pub fn sort_key(&self) -> SortKey<'_> {
        SortKey::new(&self.api_version, &self.kind, &self.namespace, &self.name)
    }
}

/// Writes the objects of one cloud.
pub fn write(made: Vec<Made>, cloud: &Cloud, options: &Options, out: &mut Vec<Rendered>) {
    let home: Arc<str> = cloud.namespace.as_str().into();
    let paths = if options.paths { files::of_made(&made) } else { Vec::new() };
    let mut paths = paths.into_iter();
    let mut of_component: Arc<str> = Arc::from("");
    // One buffer for all, so that each text is copied once, into just the room it needs.
    let mut yaml = String::with_capacity(4096);
    for Made { component, mut object } in made {
        if let Some(path) = paths.next() {
            let file = format!("{}/{path}", cloud.namespace);
            object.annotate(LEGACY_PATH, file.clone());
            object.annotate(PATH, file);
        }
        if *of_component != *component {
            of_component = component.into();
        }
        yaml.clear();
        write::write(object.body(), &mut yaml);
        out.push(Rendered {
            api_version: object.shared_text("apiVersion"),
            kind: object.shared_text("kind"),
            namespace: match object.namespace() {
                same if *same == *home => Arc::clone(&home),
                other => other.into(),
            },
            name: object.name().to_owned(),
            component: Arc::clone(&of_component),
            cloud: Arc::clone(&home),
            yaml: yaml.as_str().to_owned(),
        });
    }
}

/// All objects as one text of several documents, in pieces: the whole would double the memory.
pub fn pieces(objects: &[Rendered]) -> impl Iterator<Item = &str> {
    objects.iter().enumerate().flat_map(|(position, object)| {
        let between = if position == 0 { "" } else { "---\n" };
        [between, &object.yaml]
    })
}

/// The same as one text.
pub fn stream(objects: &[Rendered]) -> String {
    pieces(objects).collect()
}
