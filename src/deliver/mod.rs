//! From objects to bytes, and to the files they belong in.

pub mod artifact;
mod files;
mod flux;
mod health;
mod passage;
pub mod stage;
pub mod staging;
pub mod tree;

pub use files::paths;
pub use passage::Passage;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::Options;
use crate::generate::Made;
use crate::object::Object;
use crate::order::SortKey;
use crate::resolve::Cloud;
use crate::value::Text;
use crate::yaml::write;

/// Annotations by which KRM tools know the file an object belongs in.
pub const PATH: &str = "internal.config.kubernetes.io/path";
pub const LEGACY_PATH: &str = "config.kubernetes.io/path";

/// So many bytes an object has, on average.
const USUAL: usize = 800;

/// One object, written. It is moved from list to list and sorted, so what it holds stays where it was
/// made: in one list for all objects of its cloud.
pub struct Rendered {
    all: Arc<Vec<Entry>>,
    at: usize,
}

/// A thousand clouds are held as these, so what many objects share is held once, and what few ask for is
/// made when it is asked for.
#[derive(Debug)]
pub struct Entry {
    pub api_version: Text,
    pub kind: Text,
    pub namespace: Arc<str>,
    pub name: Passage,
    pub component: Arc<str>,
    /// The namespace of the control plane that it is part of.
    pub cloud: Arc<str>,
    /// One document without `---`.
    pub yaml: Passage,
}

impl From<Entry> for Rendered {
    fn from(entry: Entry) -> Self {
        Rendered { all: Arc::new(vec![entry]), at: 0 }
    }
}

impl Deref for Rendered {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.all[self.at]
    }
}

impl fmt::Debug for Rendered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(out)
    }
}

impl Rendered {
    pub fn sort_key(&self) -> SortKey<'_> {
        SortKey::new(&self.api_version, &self.kind, &self.namespace, &self.name)
    }
}

/// All objects of one cloud.
#[derive(Debug, Default)]
pub struct Bundle(Arc<Vec<Entry>>);

impl Bundle {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn objects(&self) -> impl Iterator<Item = Rendered> {
        (0..self.len()).map(|at| Rendered { all: Arc::clone(&self.0), at })
    }
}

/// Writes the objects of one cloud.
pub fn write(made: &[Made], cloud: &Cloud, options: &Options) -> Bundle {
    let home: Arc<str> = cloud.namespace.as_str().into();
    let paths = if options.paths { files::of_made(made) } else { Vec::new() };
    let mut paths = paths.into_iter();
    let mut of_component: Arc<str> = Arc::from("");
    // One text for all, as far as it is known how long they are.
    let mut text = String::with_capacity(made.len() * USUAL);
    let mut written = Vec::with_capacity(made.len());
    for Made { component, object } in made {
        let object = match paths.next() {
            Some(path) => Cow::Owned(with_path(object, format!("{}/{path}", cloud.namespace))),
            None => Cow::Borrowed(object),
        };
        if *of_component != **component {
            of_component = (*component).into();
        }
        let start = text.len();
        text.push_str(object.name());
        let middle = text.len();
        write::write(object.body(), &mut text);
        let namespace = match object.namespace() {
            same if *same == *home => Arc::clone(&home),
            other => other.into(),
        };
        let of_type = (object.shared_text("apiVersion"), object.shared_text("kind"));
        let pieces = (start..middle, middle..text.len());
        written.push((of_type, namespace, Arc::clone(&of_component), pieces));
    }
    text.shrink_to_fit();
    let whole = Arc::new(text);
    let entry = |((api_version, kind), namespace, component, (name, yaml))| Entry {
        api_version,
        kind,
        namespace,
        name: Passage::of(&whole, name),
        component,
        cloud: Arc::clone(&home),
        yaml: Passage::of(&whole, yaml),
    };
    Bundle(Arc::new(written.into_iter().map(entry).collect()))
}

fn with_path(object: &Object, file: String) -> Object {
    let mut object = object.clone();
    object.annotate(LEGACY_PATH, file.clone());
    object.annotate(PATH, file);
    object
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
