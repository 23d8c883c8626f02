//! From a stream that kustomize printed back to the objects of clouds, each in its component.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::deliver::staging::Staging;
use crate::deliver::{Entry, Rendered};
use crate::finding::{Code, Finding, Findings, Path};
use crate::generate::{COMPONENT, Made, OWNER};
use crate::links::{Makers, references};
use crate::load::Document;
use crate::object::Object;
use crate::value::Value;
use crate::yaml::write;

/// Where objects go that people added and that name nothing of the cloud.
pub const EXTRA: &str = "extra";

/// One cloud of the stream.
struct Cloud<'n> {
    /// What its objects say that they are part of.
    owner: String,
    staging: Staging,
    objects: Vec<Made<'n>>,
}

/// The objects of all clouds in the order of their plans; none if there is no cloud.
pub fn stage(documents: &[Document], findings: &mut Findings) -> Vec<Rendered> {
    // What was not read may be what is missed below.
    let is_whole = !findings.has_errors();
    let mut objects: Vec<Object> = Vec::new();
    for document in documents {
        match object(document) {
            Ok(object) => objects.push(object),
            Err(finding) => findings.push(*finding),
        }
    }
    let names: BTreeSet<String> = objects.iter().map(component).collect();
    let named = |name: &str| names.get(name).map_or(EXTRA, String::as_str);
    let mut clouds: Vec<Cloud> = Vec::new();
    for object in &objects {
        if let Some(staging) = Staging::of_sentinel(object.body())
            && let Some(owner) = owner(object)
        {
            clouds.push(Cloud { owner: owner.to_owned(), staging, objects: Vec::new() });
        }
    }
    if clouds.is_empty() && !is_whole {
        return Vec::new();
    }
    if clouds.is_empty() {
        let place = documents.first().map(|document| document.place(&Path::root()));
        findings.push(
            Code::NoSentinel
                .at(place.unwrap_or_default())
                .because(match documents.len() {
                    0 => "there is nothing in it".to_owned(),
                    count => format!("none of its {count} documents is one that Strata puts into every cloud"),
                })
                .remedy("kustomize runs Strata with `--enable-alpha-plugins --enable-exec`; `strata init` writes a guard that fails where it does not"),
        );
        return Vec::new();
    }
    clouds.sort_by(|a, b| (&a.staging.namespace, &a.owner).cmp(&(&b.staging.namespace, &b.owner)));
    let mut added = Vec::new();
    for object in objects {
        let cloud = clouds.iter_mut().find(|cloud| owner(&object) == Some(&cloud.owner));
        match cloud {
            Some(cloud) => {
                let component = named(&component(&object));
                cloud.objects.push(Made { component, object });
            }
            None => added.push(object),
        }
    }
    for object in added {
        let home = clouds.iter().position(|cloud| cloud.staging.namespace == object.namespace());
        let cloud = &mut clouds[home.unwrap_or(0)];
        let component = named(&cloud.component_for(&object));
        cloud.objects.push(Made { component, object });
    }
    clouds.into_iter().flat_map(Cloud::write).collect()
}

fn owner(object: &Object) -> Option<&str> {
    object.body().at(&["metadata", "annotations", OWNER])?.as_str()
}

fn component(object: &Object) -> String {
    let label = object.body().at(&["metadata", "labels", COMPONENT]).and_then(Value::as_str);
    label.unwrap_or(EXTRA).to_owned()
}

/// A Secret may pass if nobody can read it.
fn object(document: &Document) -> Result<Object, Box<Finding>> {
    let at = |path: &str| document.place(&Path::from(path));
    let body = document.root.to_map();
    let is_encrypted = body.get("sops").is_some();
    let Some(object) = Object::any(body) else {
        return Err(Box::new(
            Code::NotStaged
                .at(at(""))
                .because("it has no apiVersion, no kind or no name")
                .remedy("stage what kustomize built, one object per document"),
        ));
    };
    let is_secret = object.api_version() == "v1" && object.kind() == "Secret";
    let has_contents = ["data", "stringData"].iter().any(|key| object.body().at(&[key]).is_some());
    if is_secret && has_contents && !is_encrypted {
        return Err(Box::new(Code::PlainSecret
            .at(at("data"))
            .because(format!("Secret {} has contents that are not encrypted", object.name().escape_debug()))
            .remedy("encrypt it with SOPS and name the key in `delivery.decryption`, or make it an ExternalSecret")));
    }
    Ok(object)
}

impl Cloud<'_> {
    /// The last component of the plan that it names something of.
    fn component_for(&self, object: &Object) -> String {
        let makers = Makers::of(&self.objects);
        let mut last: Option<usize> = None;
        references(object, &mut |reference| {
            let made = makers.of_reference(&reference).map(|index| &self.objects[index]);
            let order = made.and_then(|made| self.order().get(made.component).copied());
            last = last.max(order);
        });
        last.map_or(EXTRA.to_owned(), |index| self.staging.stages[index].component.clone())
    }

    fn order(&self) -> HashMap<&str, usize> {
        let stages = self.staging.stages.iter().enumerate();
        stages.map(|(index, stage)| (stage.component.as_str(), index)).collect()
    }

    fn write(mut self) -> Vec<Rendered> {
        let order: HashMap<String, usize> =
            self.order().into_iter().map(|(name, index)| (name.to_owned(), index)).collect();
        self.objects.sort_by_key(|made| {
            (order.get(made.component).copied().unwrap_or(usize::MAX), made.component)
        });
        let home: Arc<str> = self.staging.namespace.as_str().into();
        let rendered = self.objects.into_iter().map(|Made { component, object }| {
            let mut yaml = String::new();
            write::write(object.body(), &mut yaml);
            Rendered::from(Entry {
                api_version: object.api_version().to_owned().into(),
                kind: object.kind().to_owned().into(),
                namespace: object.namespace().into(),
                name: object.name().to_owned().into(),
                component: component.into(),
                cloud: Arc::clone(&home),
                yaml: yaml.into(),
            })
        });
        rendered.collect()
    }
}
