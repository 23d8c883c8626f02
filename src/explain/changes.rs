//! The steps after a record or builder has made an object: settings of pods, what marks it as
//! ours, labels, and what a person changes.

use strata_rotation_api::CredentialRotation;

use crate::explain::facts::layer_of;
use crate::explain::fields::Fields;
use crate::explain::{Layer, Made, Origin, Source};
use crate::finding::{Path, Step};
use crate::generate::patch::{extra_config, merged};
use crate::generate::{belong, pods, rights};
use crate::object::Object;
use crate::record::pods::{ANNOTATIONS, LABELS};
use crate::resolve::{Cloud, Component};
use crate::value::Value;

pub fn apply<'a>(
    cloud: &Cloud,
    component: &Component,
    mut made: Made<'a>,
    is_main: bool,
) -> (Made<'a>, Fields) {
    let mut fields = std::mem::take(&mut made.fields);
    let mut steps = Steps { cloud, component, object: made.object, fields: &mut fields };
    if let Some(record) = made.record {
        for place in record.pods.iter() {
            if let Some(value) = pods::said(&component.hatches, &place.setting) {
                steps.pods(&place.setting, &place.path, &value);
            }
        }
    }
    steps.belong();
    steps.marks();
    if let Some(extra) = extra_config(component).filter(|_| is_main) {
        steps.merge(
            &extra,
            &component.path.key("extraConfig"),
            1,
            "`extraConfig` is merged into the spec of the main object",
        );
    }
    for patch in &component.hatches.overrides {
        if patch.matches(&steps.object) {
            steps.merge(&patch.merge, &patch.at, 0, "an override of this kind or object");
        }
    }
    for patch in &component.hatches.patches {
        if patch.matches(&steps.object) {
            steps.merge(
                &patch.merge,
                &patch.at.key("merge"),
                0,
                "a patch that matches this object",
            );
            for operation in &patch.operations {
                let mut body = steps.object.body().clone();
                if operation.does.apply(&mut body).is_ok()
                    && let Ok(changed) = steps.object.changed(body)
                {
                    let layer = patched(cloud, &operation.at);
                    let why = "an operation of a JSON patch";
                    steps.to(changed, &|_| origin(cloud, layer, &operation.at, why));
                }
            }
        }
    }
    made.object = steps.object;
    (made, fields)
}

/// What comes last, when all rotations of the cloud are known.
pub fn limit(
    cloud: &Cloud,
    made: &mut Made,
    fields: &mut Fields,
    rotations: &[CredentialRotation],
) {
    let Some(limited) = rights::by_name(cloud, &made.object, rotations) else { return };
    let origin = Origin {
        layer: Layer::Builder,
        written: None,
        source: Some(Source::Builder { name: "rights", fact: None }),
        why: "it limits rights to what the rotations of the cloud name".to_owned(),
    };
    fields.changed(made.object.body(), limited.body(), &|_| origin.clone());
    made.object = limited;
}

struct Steps<'a> {
    cloud: &'a Cloud<'a>,
    component: &'a Component<'a>,
    object: Object,
    fields: &'a mut Fields,
}

impl Steps<'_> {
    fn to(&mut self, object: Object, origin: &dyn Fn(&Path) -> Origin) {
        self.fields.changed(self.object.body(), object.body(), origin);
        self.object = object;
    }

    fn pods(&mut self, setting: &str, path: &str, value: &Value) {
        let mut object = self.object.clone();
        object.put(path, value);
        let depth = path.split('.').count();
        let at = setting.split('.').fold(self.component.path.clone(), |path, step| path.key(step));
        let cloud = self.cloud;
        let why = format!("the record has a place for `{setting}` of pods at {path}");
        self.to(object, &|path| {
            let at = onto(&at, path, depth);
            origin(cloud, layer_of(cloud, &at), &at, &why)
        });
    }

    fn belong(&mut self) {
        let mut object = self.object.clone();
        let owner = format!("{}/{}", self.cloud.namespace, self.cloud.name);
        belong(&mut object, self.cloud, self.component, &owner);
        let cloud = self.cloud;
        self.to(object, &|path| {
            let (named, why) = match path.steps().last() {
                Some(Step::Key(key)) if key == "namespace" => {
                    (Some("namespace"), "an object lives in the namespace of its cloud")
                }
                Some(Step::Key(key)) if key.ends_with("part-of") || key.ends_with("owner") => {
                    (Some("name"), "it names the control plane that the object belongs to")
                }
                Some(Step::Key(key)) if key.ends_with("component") => {
                    (None, "it names the component that the object belongs to")
                }
                _ => (None, "every object that Strata makes bears it"),
            };
            Origin {
                layer: Layer::Builder,
                written: named.and_then(|key| cloud.written.named(key)),
                source: Some(Source::Builder { name: "marks", fact: None }),
                why: why.to_owned(),
            }
        });
    }

    fn marks(&mut self) {
        let hatches = &self.component.hatches;
        for (group, marks) in [(LABELS, &hatches.labels), (ANNOTATIONS, &hatches.annotations)] {
            for (key, value) in marks.iter() {
                let Some(value) = value.as_str() else { continue };
                let mut object = self.object.clone();
                object.mark(group, key.clone(), value.to_owned().into());
                let at = self.component.path.key(group).key(key.as_ref());
                let (cloud, why) = (self.cloud, "all objects of the component bear it");
                self.to(object, &|_| origin(cloud, layer_of(cloud, &at), &at, why));
            }
        }
    }

    /// What is merged stands at `at`, without the first `depth` keys of the object's own path.
    fn merge(&mut self, patch: &Value, at: &Path, depth: usize, why: &str) {
        let Ok(object) = merged(&self.object, patch) else { return };
        let cloud = self.cloud;
        self.to(object, &|path| {
            let at = onto(at, path, depth);
            origin(cloud, patched(cloud, &at), &at, why)
        });
    }
}

/// Something that stands in the input.
fn origin(cloud: &Cloud, layer: Layer, at: &Path, why: &str) -> Origin {
    let written = Some(cloud.written.place(at));
    Origin { layer, written, source: None, why: why.to_owned() }
}

/// The layer of what a person changes by hand.
fn patched(cloud: &Cloud, at: &Path) -> Layer {
    match layer_of(cloud, at) {
        Layer::Defaults => Layer::DefaultsPatch,
        _ => Layer::Patch,
    }
}

/// The path of an object's field below another place, without its first steps.
pub fn onto(base: &Path, path: &Path, skipped: usize) -> Path {
    path.steps().iter().skip(skipped).fold(base.clone(), |path, step| match step {
        Step::Key(key) => path.key(key.as_str()),
        Step::Index(index) => path.index(*index),
    })
}
