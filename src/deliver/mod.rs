//! From objects to bytes, and to the files they belong in.

mod files;
pub mod tree;

use std::sync::Arc;

use crate::Options;
use crate::generate::Made;
use crate::order::SortKey;
use crate::resolve::Cloud;
use crate::yaml::write;

/// Annotations by which KRM tools know the file an object belongs in.
pub const PATH: &str = "internal.config.kubernetes.io/path";
pub const LEGACY_PATH: &str = "config.kubernetes.io/path";

/// One object, written.
#[derive(Debug)]
pub struct Rendered {
    pub api_version: String,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    pub component: String,
    /// The namespace of the control plane that it is part of. One text for all of a cloud's
    /// objects: with a thousand clouds a copy in each would be felt.
    pub cloud: Arc<str>,
    /// Where it belongs below the folder of its cloud: `keystone/keystone-keystone.yaml`.
    pub path: String,
    /// One document without `---`.
    pub yaml: String,
}

impl Rendered {
    pub fn sort_key(&self) -> SortKey<'_> {
        SortKey::new(&self.api_version, &self.kind, &self.namespace, &self.name)
    }
}

pub fn write(made: Vec<Made>, cloud: &Cloud, options: &Options, out: &mut Vec<Rendered>) {
    out.reserve(made.len());
    let home: Arc<str> = cloud.namespace.as_str().into();
    let paths = files::paths(&made);
    for (Made { component, mut object }, path) in made.into_iter().zip(paths) {
        if options.paths {
            let file = format!("{}/{path}", cloud.namespace);
            object.annotate(LEGACY_PATH, file.clone());
            object.annotate(PATH, file);
        }
        let mut yaml = String::with_capacity(1024);
        write::write(object.body(), &mut yaml);
        yaml.shrink_to_fit();
        out.push(Rendered {
            api_version: object.api_version().to_owned(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().to_owned(),
            name: object.name().to_owned(),
            component: component.to_owned(),
            cloud: Arc::clone(&home),
            path,
            yaml,
        });
    }
}

/// All objects as one text of several documents.
pub fn stream(objects: &[Rendered]) -> String {
    let mut text = String::with_capacity(objects.iter().map(|object| object.yaml.len() + 4).sum());
    for (position, object) in objects.iter().enumerate() {
        if position > 0 {
            text.push_str("---\n");
        }
        text.push_str(&object.yaml);
    }
    text
}
