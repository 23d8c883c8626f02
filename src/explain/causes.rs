//! What decided the fields of an object: each thing of the input is changed by itself, and what changes
//! with it is told to follow from it. A part is told rather than the whole it belongs to.

use crate::explain::otherwise::{self, Change, any_values, is_choice, other_values};
use crate::explain::trials::{Effect, Trials, is_below};
use crate::explain::{Explanation, Layer, Origin, Source, declared};
use crate::finding::{Path, Step};
use crate::generate::{BUILDERS, Evaluator};
use crate::layers;
use crate::load::Document;
use crate::object::Object;
use crate::record::{self, Record};
use crate::resolve::Cloud;
use crate::schema::Schema;
use crate::spec::{self, Kind, Recognised};
use crate::yaml::tree::{Data, Node};

/// What was changed, and what that did to each object that is asked for.
#[derive(Debug)]
struct Cause {
    what: What,
    /// What tells the document or record from others.
    file: String,
    path: Path,
    origin: Origin,
    effects: Vec<Effect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A field that somebody wrote.
    Written,
    /// A setting that nobody wrote.
    Unwritten,
    /// A fact of a record.
    Declared,
    /// What a record provides for those that need its component.
    Provided,
}

/// Adds to explanations what the objects follow from. They are of one cloud, and those that `is_wanted`
/// is true of.
pub fn trace(
    explanations: &mut [Explanation],
    cloud: &Cloud,
    documents: &[Document],
    is_wanted: &dyn Fn(&Object) -> bool,
) {
    let environment = record::environment();
    let own = of_cloud(cloud, documents);
    let Some(mut trials) = Trials::new(own, Evaluator::new(&environment), is_wanted) else {
        return;
    };
    if trials.wanted() != explanations.len() {
        return;
    }
    let mut causes = written(&mut trials, cloud);
    let builders: Vec<&str> = explanations.iter().filter_map(built_by).collect();
    if !builders.is_empty() {
        let (declared, mut concerned) = declared(&mut trials, cloud, &builders);
        concerned.extend(explanations.iter().map(|it| it.component.clone()));
        causes.extend(unwritten(&mut trials, cloud, &concerned));
        causes.extend(declared);
        causes.extend(provided(&mut trials, cloud, &concerned));
    }
    for (number, explanation) in explanations.iter_mut().enumerate() {
        tell(explanation, number, &causes);
    }
}

fn built_by(explanation: &Explanation) -> Option<&'static str> {
    match &explanation.maker {
        Source::Builder { name, .. } => Some(name),
        Source::Record { .. } => None,
    }
}

/// The input without other clouds, which have nothing to do with this one.
fn of_cloud(cloud: &Cloud, documents: &[Document]) -> Vec<Document> {
    let is_cloud = |document: &Document| {
        matches!(kind(document), Some(Kind::ControlPlane | Kind::OpenStackCluster))
    };
    let is_own = |document: &Document| {
        cloud.written.layers().iter().any(|layer| std::ptr::eq(layer.document, document))
    };
    let others = documents.iter().filter(|document| !is_cloud(document) || is_own(document));
    others.cloned().collect()
}

fn kind(document: &Document) -> Option<Kind> {
    let text = |key| document.root.get(key).and_then(Node::as_str).unwrap_or_default();
    match spec::recognise(text("apiVersion"), text("kind")) {
        Recognised::Ours(kind) => Some(kind),
        _ => None,
    }
}

/// Every field that somebody wrote for the cloud.
fn written(trials: &mut Trials, cloud: &Cloud) -> Vec<Cause> {
    let whole = cloud.catalogue.control_plane_schema();
    let claim = layers::claim_schema(&whole);
    let pools = cloud.pools.hypervisors.iter().chain(&cloud.pools.storage);
    let mut titles: Vec<String> = pools.map(|pool| pool.document.title()).collect();
    titles.extend(cloud.written.layers().iter().map(|layer| layer.document.title()));
    let mut causes = Vec::new();
    for number in 0..trials.documents().len() {
        let document = trials.documents()[number].clone();
        if !titles.contains(&document.title()) {
            continue;
        }
        let (layer, schema) = match kind(&document) {
            Some(Kind::Defaults) => (Layer::Defaults, Some(&*whole)),
            Some(Kind::ControlPlane) => (Layer::Spec, Some(&*whole)),
            Some(Kind::OpenStackCluster) => (Layer::Spec, Some(&claim)),
            _ => (Layer::Spec, None),
        };
        let mut fields = Vec::new();
        // By the names of Defaults it is known whose they are, and nothing else.
        let parts: &[&str] =
            if layer == Layer::Defaults { &["spec"] } else { &["metadata", "spec"] };
        for &part in parts {
            if let Some(node) = document.root.get(part) {
                let path = Path::from(part);
                let schema = schema.and_then(|schema| schema.property(part));
                fields_below(node, &path, schema, &mut fields);
            }
        }
        for Field { path, others, all, is_null } in fields {
            let Some(effects) = tried(trials, number, &path, &others, all) else { continue };
            let why = match is_null {
                true => "nothing is written here, which takes away what lies below",
                false => "this follows from it",
            };
            causes.push(Cause {
                what: What::Written,
                file: file(&document),
                origin: Origin {
                    layer,
                    written: Some(document.place(&path)),
                    source: None,
                    why: why.to_owned(),
                },
                path,
                effects,
            });
        }
    }
    causes
}

fn file(document: &Document) -> String {
    format!("{} {}", document.source, document.title())
}

/// Something written, and how it could be written otherwise.
struct Field {
    path: Path,
    others: Vec<Change>,
    /// Whether all of these say something, and not the first that is allowed.
    all: bool,
    is_null: bool,
}

fn fields_below(node: &Node, path: &Path, schema: Option<&Schema>, found: &mut Vec<Field>) {
    let steps: Vec<(Step, &Node)> = match &node.data {
        Data::Map(entries) => {
            entries.iter().map(|(key, node)| (Step::Key(key.name.clone()), node)).collect()
        }
        Data::List(items) => {
            items.iter().enumerate().map(|(index, node)| (Step::Index(index), node)).collect()
        }
        _ => return,
    };
    for (step, node) in steps {
        let below = otherwise::below(schema, &step);
        let path = match &step {
            Step::Key(key) => path.key(key.as_str()),
            Step::Index(index) => path.index(*index),
        };
        fields_below(node, &path, below, found);
        let field = |others, all| Field {
            path: path.clone(),
            others,
            all,
            is_null: node.data == Data::Null,
        };
        let others = other_values(&node.data, below).into_iter().map(Change::Other).collect();
        found.push(field(others, is_choice(below)));
        found.push(field(vec![Change::Removed], true));
        if let (Step::Key(key), true) = (&step, otherwise::has_free_keys(schema)) {
            found.push(field(vec![Change::Renamed(format!("{key}x"))], true));
        }
    }
}

/// What changes of one field do together; none if that is nothing, or if all of them are refused.
fn tried(
    trials: &mut Trials,
    document: usize,
    path: &Path,
    changes: &[Change],
    all: bool,
) -> Option<Vec<Effect>> {
    let mut effects = vec![Effect::default(); trials.wanted()];
    for change in changes {
        let Some(found) = trials.change(document, path, change) else { continue };
        effects.iter_mut().zip(found).for_each(|(effect, found)| effect.join(found));
        if !all {
            break;
        }
    }
    effects.iter().any(|effect| !effect.is_none()).then_some(effects)
}

/// The facts that builders make objects of, in every record of the cloud, and the components whose are of
/// any effect. Of these, each part is tried, too.
fn declared(trials: &mut Trials, cloud: &Cloud, builders: &[&str]) -> (Vec<Cause>, Vec<String>) {
    let mut facts: Vec<&str> = Vec::new();
    for builder in BUILDERS.iter().filter(|builder| builders.contains(&builder.name)) {
        facts.extend(builder.facts.iter().filter(|fact| !facts.contains(fact)).collect::<Vec<_>>());
    }
    let mut causes = Vec::new();
    let mut concerned = Vec::new();
    for record in cloud.components.iter().map(|component| component.record) {
        let before = causes.len();
        for fact in &facts {
            if let Some(other) = declared::without(record, fact) {
                let path = Path::from(*fact);
                causes.extend(fact_of(trials, What::Declared, record, path, other));
            }
        }
        if causes.len() == before {
            continue;
        }
        concerned.push(record.component.to_string());
        for (path, other) in declared::parts(record) {
            causes.extend(fact_of(trials, What::Declared, record, path, other));
        }
    }
    (causes, concerned)
}

/// What builders read of other components than the one that they make objects for: the name of a server stands in the
/// record of that server, and not with whoever has a database there.
fn provided(trials: &mut Trials, cloud: &Cloud, components: &[String]) -> Vec<Cause> {
    let needed = |record: &&Record| {
        let mut readers = components.iter().filter_map(|name| cloud.component(name));
        readers.any(|reader| reader.waits_for().any(|name| *name == record.component))
    };
    let mut causes = Vec::new();
    for record in cloud.components.iter().map(|component| component.record).filter(needed) {
        let Some(without) = declared::without(record, "provides") else { continue };
        let path = Path::from("provides");
        if fact_of(trials, What::Provided, record, path, without).is_none() {
            continue;
        }
        for (path, other) in declared::provided(record) {
            causes.extend(fact_of(trials, What::Provided, record, path, other));
        }
    }
    causes
}

fn fact_of(
    trials: &mut Trials,
    what: What,
    record: &Record,
    path: Path,
    other: Record,
) -> Option<Cause> {
    let effects = trials.declare(other)?;
    effects.iter().any(|effect| !effect.is_none()).then(|| Cause {
        what,
        file: record.component.to_string(),
        origin: Origin {
            layer: Layer::BuiltIn,
            written: None,
            source: Some(Source::of(record, path.clone())),
            why: "the record says it".to_owned(),
        },
        path,
        effects,
    })
}

/// Settings of the cloud, and of some components, that nobody wrote.
fn unwritten(trials: &mut Trials, cloud: &Cloud, components: &[String]) -> Vec<Cause> {
    let schema = cloud.catalogue.control_plane_schema();
    let elsewhere: Vec<Path> = cloud
        .catalogue
        .records()
        .filter(|record| !record.settings.is_empty())
        .filter(|record| !components.iter().any(|name| *name == record.component))
        .map(|record| Path::from(format!("spec.{}", record.settings).as_str()))
        .chain([Path::from("spec.openstack")])
        .collect();
    let is_elsewhere = |path: &Path| elsewhere.contains(path);
    let mut settings = Vec::new();
    if let Some(spec) = schema.property("spec") {
        settings_below(spec, &Path::from("spec"), &is_elsewhere, &mut settings);
    }
    let mut causes = Vec::new();
    for (path, schema) in settings {
        if cloud.written.origin(&path).is_some() {
            continue;
        }
        let mut effects = vec![Effect::default(); trials.wanted()];
        for value in any_values(schema) {
            let Some(found) = trials.write(&path, &value) else { continue };
            effects.iter_mut().zip(found).for_each(|(effect, found)| effect.join(found));
            if !is_choice(Some(schema)) {
                break;
            }
        }
        if effects.iter().all(|effect| effect.fields.is_empty()) {
            continue;
        }
        let why = format!("what Strata gives where {} is not written", cloud.written.shown(&path));
        causes.push(Cause {
            what: What::Unwritten,
            file: String::new(),
            path,
            origin: Origin { layer: Layer::BuiltIn, written: None, source: None, why },
            effects,
        });
    }
    causes
}

fn settings_below<'s>(
    schema: &'s Schema,
    path: &Path,
    is_elsewhere: &dyn Fn(&Path) -> bool,
    found: &mut Vec<(Path, &'s Schema)>,
) {
    for (key, schema) in schema.properties.iter() {
        let path = path.key(key.as_ref());
        if is_elsewhere(&path) {
            continue;
        }
        settings_below(schema, &path, is_elsewhere, found);
        if schema.properties.is_empty() {
            found.push((path, schema));
        }
    }
}

/// Adds to one explanation what its object follows from.
fn tell(explanation: &mut Explanation, number: usize, causes: &[Cause]) {
    let is_built = built_by(explanation).is_some();
    let causes = || {
        let told = causes.iter().filter(move |it| is_built || it.what == What::Written);
        told.filter_map(move |cause| cause.effects.get(number).map(|effect| (cause, effect)))
    };
    let gone = causes().filter(|(_, effect)| effect.is_gone).map(|(cause, _)| cause);
    let gone = nearest(gone.collect());
    let fact = gone.iter().find(|cause| cause.what == What::Declared);
    let fact = fact.and_then(|cause| cause.origin.source.clone());
    for cause in gone.iter().filter(|cause| cause.what == What::Written) {
        let why = "without it the object would not be there".to_owned();
        let origin = Origin { why, ..cause.origin.clone() };
        if !explanation.because.contains(&origin) {
            explanation.because.push(origin);
        }
    }
    let builder = built_by(explanation);
    made_of(&mut explanation.maker, builder, fact.as_ref());
    for field in &mut explanation.fields {
        for source in field.origins.iter_mut().filter_map(|origin| origin.source.as_mut()) {
            made_of(source, builder, fact.as_ref());
        }
        let deciding = causes().filter(|(_, effect)| effect.fields.contains(&field.path));
        let mut told: Vec<Origin> = Vec::new();
        for cause in nearest(deciding.map(|(cause, _)| cause).collect()) {
            let is_fact = fact.is_some() && cause.origin.source == fact;
            let is_new = !told.contains(&cause.origin) && !is_told(cause, &field.origins);
            if !is_fact && is_new {
                told.push(cause.origin.clone());
            }
        }
        // A builder says how, and whoever asks wants to know what first.
        let is_builder = field.origins.first().is_some_and(|first| first.layer == Layer::Builder);
        let at = if is_builder { 0 } else { field.origins.len() };
        field.origins.splice(at..at, told);
    }
}

/// Names the fact that a builder makes an object of.
fn made_of(source: &mut Source, builder: Option<&str>, of: Option<&Source>) {
    if let (Source::Builder { name, fact }, Some(of)) = (source, of)
        && Some(*name) == builder
    {
        *fact = Some(Box::new(of.clone()));
    }
}

/// Those of which no part is there as well.
fn nearest(causes: Vec<&Cause>) -> Vec<&Cause> {
    let has_part = |whole: &Cause| {
        causes.iter().any(|cause| {
            cause.what == whole.what
                && cause.file == whole.file
                && is_below(&cause.path, &whole.path)
        })
    };
    causes.iter().filter(|cause| !has_part(cause)).copied().collect()
}

/// Whether origins have it already, or the whole or a part of it.
fn is_told(cause: &Cause, origins: &[Origin]) -> bool {
    let Some(own) = &cause.origin.written else { return false };
    origins.iter().filter_map(|origin| origin.written.as_ref()).any(|place| {
        place.source == own.source
            && place.object == own.object
            && (place.path == own.path
                || is_below(&place.path, &own.path)
                || is_below(&own.path, &place.path))
    })
}
