//! Where each field of a rendered object comes from: the layer that decided it, where in the spec
//! that is written, and what in a record or builder put it there. Nothing of this is part of
//! rendering; the objects are made once more, one step at a time, and each step is held against
//! the one before it. What a value follows from through code, [`trace`] finds out by trying.

mod causes;
mod changes;
mod compare;
mod declared;
mod facts;
mod fields;
mod otherwise;
mod show;
mod template;
mod trials;

pub use causes::trace;
pub use show::{details, table, value};

use crate::explain::fields::Fields;
use crate::finding::{Findings, Path, Place};
use crate::generate::scope::{Scope, Shared};
use crate::generate::{
    BUILDERS, Builder, Evaluator, Given, PRUNE, facts_of, is_true, network, rights, shared_by_all,
};
use crate::object::Object;
use crate::plan::Plan;
use crate::record::{self, ObjectRecord, Record};
use crate::resolve::{Cloud, Component};
use crate::value::{Map, Value};
use crate::yaml::tree::Span;

/// What there is to say of one object.
#[derive(Debug)]
pub struct Explanation {
    /// `MariaDB.k8s.mariadb.com openstack/openstack-db`.
    pub object: String,
    pub component: String,
    /// The part of a record, or the builder, that makes it.
    pub maker: Source,
    /// What is written and without which it would not be there.
    pub because: Vec<Origin>,
    pub fields: Vec<Field>,
}

/// A field that holds a value of its own.
#[derive(Clone, Debug)]
pub struct Field {
    pub path: Path,
    pub value: Value,
    /// The template in the record that the value stands in, with its expressions.
    pub template: Option<Source>,
    pub origins: Vec<Origin>,
}

/// One of the things that decided a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    pub layer: Layer,
    /// Where it is written in the input.
    pub written: Option<Place>,
    /// Where it stands in a record.
    pub source: Option<Source>,
    pub why: String,
}

/// What has the last word over a value, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A record says it, or Strata itself.
    BuiltIn,
    /// The number that a record gives for the size of the cloud.
    Size,
    /// The version that a record gives for the release of the cloud.
    Release,
    /// A `Defaults` object.
    Defaults,
    /// The spec.
    Spec,
    /// `extraConfig`, `overrides` or `patches` of a `Defaults` object.
    DefaultsPatch,
    /// `extraConfig`, `overrides` or `patches` of the spec.
    Patch,
    /// Code that makes objects of a record's facts.
    Builder,
}

impl Layer {
    pub const fn name(self) -> &'static str {
        match self {
            Layer::BuiltIn => "built-in",
            Layer::Size => "size",
            Layer::Release => "release",
            Layer::Defaults => "defaults",
            Layer::Spec => "spec",
            Layer::DefaultsPatch => "defaults patch",
            Layer::Patch => "patch",
            // What a builder is, readers of the output need not know.
            Layer::Builder => "code",
        }
    }
}

/// A part of a record, or a builder.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A record, a path in it, and the text there if it holds expressions.
    Record { file: File, path: Path, text: String },
    /// A builder, and the fact of a record that it makes the object of, where that is known.
    Builder { name: &'static str, fact: Option<Box<Source>> },
}

/// The file of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum File {
    /// One of the program's own: where it stands in the repository.
    BuiltIn(String),
    /// One that was given.
    Given(Place),
}

impl Source {
    fn of(record: &Record, path: Path) -> Self {
        let file = match record.source {
            Some(_) => File::Given(record::place(record, record.at)),
            None => File::BuiltIn(format!(
                "generators/{}/{}.yaml",
                record.phase.name(),
                record.component
            )),
        };
        Source::Record { file, path, text: String::new() }
    }

    /// The same at the place of a part of it, which only a given record still knows.
    fn nearer(self, record: &Record, at: Span) -> Self {
        match self {
            Source::Record { file: File::Given(_), path, text } => {
                Source::Record { file: File::Given(record::place(record, at)), path, text }
            }
            other => other,
        }
    }

    fn with_text(self, text: String) -> Self {
        match self {
            Source::Record { file, path, .. } => Source::Record { file, path, text },
            other => other,
        }
    }
}

/// Every object of a cloud that is asked for, explained; and the names of all there are.
pub fn explain(
    cloud: &Cloud,
    plan: &Plan,
    is_wanted: &dyn Fn(&Object) -> bool,
) -> (Vec<Explanation>, Vec<String>) {
    let environment = record::environment();
    let mut evaluator = Evaluator::new(&environment);
    let mut shared = Shared::new(cloud, &mut evaluator);
    let pods = network::pods(cloud, &shared, &mut evaluator, &mut Findings::default());
    let mut made = Vec::new();
    let mut names = Vec::new();
    for component in plan.components(cloud) {
        let scope = Scope::new(&shared, cloud, component);
        let mut making = Making { cloud, component, evaluator: &mut evaluator, made: Vec::new() };
        making.record(&scope);
        making.builders(plan, &scope, &pods);
        let main = making.made.first().map(|made| made.object.clone());
        for object in making.made {
            names.push(format!("{}/{}", object.object.kind(), object.object.name()));
            let is_main = main.as_ref() == Some(&object.object);
            made.push((component, changes::apply(cloud, component, object, is_main)));
        }
        let mut provided = Map::new();
        for (key, template) in component.record.provides.iter() {
            if let Ok(Some(value)) = evaluator.template(template, &scope) {
                provided.insert(key.clone(), value);
            }
        }
        shared.provide(component.name(), provided);
    }
    let rotations: Vec<_> =
        made.iter().filter_map(|(_, (made, _))| rights::rotation(&made.object)).collect();
    let wanted = made.into_iter().filter(|(_, (made, _))| is_wanted(&made.object));
    let found = wanted.map(|(component, (mut made, mut fields))| {
        changes::limit(cloud, &mut made, &mut fields, &rotations);
        Explanation {
            object: title(&made.object),
            component: component.name().to_owned(),
            maker: made.maker,
            because: Vec::new(),
            fields: fields.finish(made.object.body()),
        }
    });
    (found.collect(), names)
}

/// With the group behind the kind: operators call their kinds the same, and a service has a `User` of each.
fn title(object: &Object) -> String {
    let kind = match object.group() {
        "" => object.kind().to_owned(),
        group => format!("{}.{group}", object.kind()),
    };
    match object.namespace() {
        "" => format!("{kind} {}", object.name()),
        namespace => format!("{kind} {namespace}/{}", object.name()),
    }
}

/// An object as it comes from its record or builder, and where its fields come from.
struct Made<'a> {
    object: Object,
    fields: Fields,
    maker: Source,
    record: Option<&'a ObjectRecord>,
}

struct Making<'a, 'b, 'e> {
    cloud: &'a Cloud<'a>,
    component: &'a Component<'a>,
    evaluator: &'b mut Evaluator<'e>,
    made: Vec<Made<'a>>,
}

impl<'a> Making<'a, '_, '_> {
    fn record(&mut self, scope: &Scope) {
        let component = self.component;
        for (number, object) in component.record.objects.iter().enumerate() {
            let chosen = component.objects().any(|other| std::ptr::eq(other, object));
            let holds = match &object.when {
                None => true,
                Some(when) => {
                    matches!(self.evaluator.leaf(when, scope), Ok(Some(value)) if is_true(&value))
                }
            };
            if !chosen || !holds {
                continue;
            }
            match &object.each {
                None => self.object(scope, object, number, None),
                Some(each) => {
                    let items = match self.evaluator.leaf(each, scope) {
                        Ok(Some(Value::List(items))) => items,
                        _ => Vec::new(),
                    };
                    for (index, item) in items.into_iter().enumerate() {
                        self.object(&scope.with_item(item), object, number, Some(index));
                    }
                }
            }
        }
    }

    fn object(
        &mut self,
        scope: &Scope,
        record: &'a ObjectRecord,
        number: usize,
        item: Option<usize>,
    ) {
        let Ok(Some(Value::Map(body))) = self.evaluator.template(&record.object, scope) else {
            return;
        };
        let path = Path::from("objects").index(number);
        let each = record.each.as_ref().zip(item);
        let context = facts::Context { cloud: self.cloud, component: self.component, each };
        let mut fields = Fields::default();
        let mut walk = template::Walk {
            context,
            evaluator: self.evaluator,
            scope,
            fields: &mut fields,
            at: record.at,
        };
        let value = Value::Map(body);
        walk.template(&record.object, path.key("object"), &Path::root(), &value);
        let Value::Map(body) = value else { return };
        let Ok(mut object) = Object::new(body) else { return };
        let maker = Source::of(self.component.record, path.clone())
            .nearer(self.component.record, record.at);
        if record.keep {
            let before = object.clone();
            object.annotate(PRUNE, "disabled");
            let origin = Origin {
                layer: Layer::BuiltIn,
                written: None,
                source: Some(Source::of(self.component.record, path.key("keep"))),
                why: "the object holds state, and Flux never prunes it".to_owned(),
            };
            fields.changed(before.body(), object.body(), &|_| origin.clone());
        }
        self.made.push(Made { object, fields, maker, record: Some(record) });
    }

    fn builders(&mut self, plan: &Plan, scope: &Scope, pods: &[network::Pods]) {
        for body in shared_by_all(self.cloud, plan, self.component) {
            let why = "it stands once in every cloud, whatever its spec says";
            self.built(body, "cloud", why.to_owned());
        }
        let (cloud, component) = (self.cloud, self.component);
        let facts = &facts_of(cloud, component, self.evaluator, scope);
        let given = Given { cloud, component, facts, scope, pods };
        for Builder { name, purpose, objects, .. } in BUILDERS {
            for body in objects(&given) {
                self.built(body, name, format!("it makes {purpose}"));
            }
        }
    }

    fn built(&mut self, body: Map, builder: &'static str, why: String) {
        let Ok(object) = Object::new(body) else { return };
        let maker = Source::Builder { name: builder, fact: None };
        let origin =
            Origin { layer: Layer::Builder, written: None, source: Some(maker.clone()), why };
        let mut fields = Fields::default();
        fields.changed(&Value::Null, object.body(), &|_| origin.clone());
        self.made.push(Made { object, fields, maker, record: None });
    }
}
