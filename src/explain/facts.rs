//! What each name that a record can read comes from. The names are those of `record::SCOPE`; a name
//! that is added there needs a line here.

use crate::explain::changes::onto;
use crate::explain::{Layer, Origin, Source};
use crate::finding::{Path, Place, Step};
use crate::record::{Expression, Leaf, PerSize, Process, Template};
use crate::resolve::{Cloud, Component};
use crate::schema::Schema;
use crate::spec::Size;
use crate::yaml::tree::Data;

/// Whose expression is read.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub cloud: &'a Cloud<'a>,
    pub component: &'a Component<'a>,
    /// What `item` is one of, and which.
    pub each: Option<(&'a Leaf, usize)>,
}

/// The layer in which a field of the spec is set, and where; none if nobody set it.
fn set(cloud: &Cloud, path: &Path) -> Option<(Layer, Place)> {
    let (layer, place) = cloud.written.origin(path)?;
    // A null gives the built-in value back.
    layer.get(path).filter(|node| node.data != Data::Null)?;
    Some((layer_of(cloud, path), place))
}

/// The layer that wrote a field, or would have.
pub fn layer_of(cloud: &Cloud, path: &Path) -> Layer {
    match cloud.written.origin(path) {
        Some((layer, _)) if layer.is_defaults() => Layer::Defaults,
        _ => Layer::Spec,
    }
}

impl Context<'_> {
    /// All that an expression reads; `below` leads into what it comes to.
    pub fn leaf(&self, leaf: &Leaf, below: &[Step]) -> Vec<Origin> {
        match &leaf.expression {
            Expression::Path(steps) => {
                let steps: Vec<Step> = steps
                    .iter()
                    .map(|step| Step::Key(step.to_string()))
                    .chain(below.iter().cloned())
                    .collect();
                self.name(&steps)
            }
            computed @ Expression::Computed { .. } => computed
                .reads()
                .iter()
                .flat_map(|name| self.name(Path::from(name.as_str()).steps()))
                .collect(),
        }
    }

    /// What a name comes from; nothing if it is none that a record can read.
    pub fn name(&self, steps: &[Step]) -> Vec<Origin> {
        let key = |index: usize| match steps.get(index) {
            Some(Step::Key(key)) => key.as_str(),
            _ => "",
        };
        let record = self.component.record;
        let rest = steps.get(1..).unwrap_or_default();
        match key(0) {
            "component" => vec![self.record("component", "the record's own name")],
            "name" if record.object_name == record.component => {
                vec![self.record("component", "objects bear the component's name")]
            }
            "name" => vec![self.record("name", "objects bear this name")],
            "replicas" => record.scale.iter().map(|scale| self.replicas(scale)).collect(),
            "workers" => record.scale.iter().map(|scale| self.workers(scale)).collect(),
            "port" => vec![self.record(key(0), "the record's own")],
            "resources" => vec![self.resources(&["resources"], "class", rest)],
            "processes" => self.process(key(1), key(2), steps.get(3..).unwrap_or_default()),
            "image" => self.image(key(1)),
            "options" => self.option(rest),
            "distribution" => self.distribution(),
            "endpoint" => self.endpoint(key(1)),
            "public" => vec![
                self.global("spec.endpoints.domain", "the name of the cloud outside"),
                self.record("public", "what people reach from outside"),
            ],
            "database" => vec![
                self.record("databases", "the credential and user are named after the component"),
            ],
            "queue" => {
                vec![self.record(
                    "queue",
                    "the virtual host; the credential is named after the component",
                )]
            }
            "identity" => vec![
                self.record("identity", "the user; the credential is named after the component"),
            ],
            "certificate" => {
                vec![self.record("certificate", "the Secret is named after the component")]
            }
            "secrets" => {
                let path = onto(&Path::from("secrets"), &as_path(rest), 0);
                vec![self.at(path, "the record names the credential")]
            }
            "cloud" if key(1) == "addresses" => self.address(key(2)),
            "cloud" if key(1) == "announced" => {
                let component = self.cloud.component(&key(2).replace('_', "-"));
                let of = |component| Context { component, each: None, ..*self };
                let options = steps.get(3..).unwrap_or_default();
                component.map(|it| of(it).option(options)).unwrap_or_default()
            }
            "cloud" => self.cloud(key(1)),
            "tls" if key(1) == "public" => {
                vec![self.global("spec.global.tls.issuerRef", "who certifies public names")]
            }
            "tls" => vec![self.global("spec.global.tls.enabled", "connections are encrypted")],
            "delivery" => {
                vec![self.global("spec.delivery.namespace", "where Flux's own objects are")]
            }
            "monitoring" if key(1) == "namespace" => {
                let path = "spec.global.networkPolicies.monitoringNamespace";
                vec![self.global(path, "from where metrics are read")]
            }
            "monitoring" => vec![self.global("spec.global.monitoring.enabled", "monitored")],
            "store" => self.store(key(1)),
            "rotation" => vec![
                self.global("spec.rotation", "what rotates, and when"),
                self.global("spec.korc.credentials", "how services prove who they are"),
            ],
            "namespace" => vec![self.record("namespace", "where its pods run")],
            "served" => vec![self.record("serves", "what it looks after")],
            "companion" => vec![Origin {
                layer: Layer::Builder,
                written: None,
                source: Some(Source::Builder { name: "companion", fact: None }),
                why: "what the companion operator needs, from its own types and rights".to_owned(),
            }],
            "pools" if key(1) == "hypervisors" => {
                vec![self.global("spec.compute.hypervisorClusters", "the hypervisors it consumes")]
            }
            "pools" => vec![self.global("spec.storage.storageClusters", "the storage it consumes")],
            "item" => self.item(rest),
            other => self.provided(other, rest),
        }
    }

    fn record(&self, path: &str, why: &str) -> Origin {
        self.at(Path::from(path), why)
    }

    fn at(&self, path: Path, why: &str) -> Origin {
        Origin {
            layer: Layer::BuiltIn,
            written: None,
            source: Some(Source::of(self.component.record, path)),
            why: why.to_owned(),
        }
    }

    /// A setting of the component, if somebody set it.
    fn setting(&self, keys: &[&str], below: &[Step]) -> Option<Origin> {
        let path = keys.iter().fold(self.component.path.clone(), |path, key| path.key(*key));
        let (layer, place) = set(self.cloud, &onto(&path, &as_path(below), 0))?;
        Some(Origin {
            layer,
            written: Some(place),
            source: None,
            why: "set for this component".to_owned(),
        })
    }

    fn replicas(&self, process: &Process) -> Origin {
        self.count(process, "replicas", process.replicas)
    }

    fn workers(&self, process: &Process) -> Origin {
        self.count(process, "workers", process.workers)
    }

    fn count(&self, process: &Process, what: &'static str, usual: PerSize) -> Origin {
        let name = process.name.as_ref();
        let own = if name.is_empty() { vec![what] } else { vec![name, what] };
        if let Some(written) = self.setting(&own, &[]) {
            return written;
        }
        let path = if name.is_empty() {
            Path::from(what)
        } else {
            Path::from("processes").key(name).key(what)
        };
        self.per_size(usual, path)
    }

    /// A number of a record that may differ from size to size.
    fn per_size(&self, count: PerSize, path: Path) -> Origin {
        let PerSize { small, medium, large, xlarge } = count;
        if [medium, large, xlarge].iter().all(|other| *other == small) {
            return self.at(path, "the record's number for every size");
        }
        let path = path.key(self.size());
        self.sized(path)
    }

    /// What follows from the size of the cloud, at a path of the record.
    fn sized(&self, path: Path) -> Origin {
        let size = self.size();
        let written = set(self.cloud, &Path::from("spec.size"));
        let why = match &written {
            Some(_) => format!("the size is {size}"),
            None => format!("the size is {size}, since the spec names none"),
        };
        Origin {
            layer: Layer::Size,
            written: written.map(|(_, place)| place),
            source: Some(Source::of(self.component.record, path)),
            why,
        }
    }

    fn size(&self) -> &'static str {
        match self.cloud.size {
            Size::Small => "small",
            Size::Medium => "medium",
            Size::Large => "large",
            Size::Xlarge => "xlarge",
        }
    }

    fn process(&self, name: &str, what: &str, below: &[Step]) -> Vec<Origin> {
        let processes = &self.component.record.processes;
        let Some(process) = processes.iter().find(|process| process.name == name) else {
            return Vec::new();
        };
        match what {
            "replicas" => vec![self.replicas(process)],
            "workers" => vec![self.workers(process)],
            "resources" => {
                let class = format!("processes.{name}.class");
                vec![self.resources(&[name, "resources"], &class, below)]
            }
            _ => vec![self.at(Path::from("processes").key(name).key(what), "the record's own")],
        }
    }

    /// Resources are taken whole: what a person wrote, or what the class needs at this size.
    fn resources(&self, keys: &[&str], class: &str, below: &[Step]) -> Origin {
        self.setting(keys, below).unwrap_or_else(|| self.sized(Path::from(class)))
    }

    fn image(&self, part: &str) -> Vec<Origin> {
        let repository = || {
            self.setting(&["image", "repository"], &[])
                .unwrap_or_else(|| self.record("image", "the record's own image"))
        };
        let tag = || {
            let mut origins: Vec<Origin> =
                self.setting(&["image", "digest"], &[]).into_iter().collect();
            origins.push(self.setting(&["image", "tag"], &[]).unwrap_or_else(|| self.version()));
            origins
        };
        match part {
            "repository" => vec![repository()],
            "tag" => tag(),
            _ => std::iter::once(repository()).chain(tag()).collect(),
        }
    }

    fn version(&self) -> Origin {
        let (cloud, record) = (self.cloud, self.component.record);
        let release = cloud.release.as_str();
        if !record.releases.iter().any(|(series, _)| series == release) {
            return self.record("version", "its version, the same in every release");
        }
        let written = set(cloud, &Path::from("spec.release"));
        let why = match &written {
            Some(_) => format!("its version in the release {release}"),
            None => format!("its version in the release {release}, since the spec names none"),
        };
        Origin {
            layer: Layer::Release,
            written: written.map(|(_, place)| place),
            source: Some(Source::of(record, Path::from("releases").key(release))),
            why,
        }
    }

    /// What was written, or the deepest default that a schema on the way gives.
    fn option(&self, steps: &[Step]) -> Vec<Origin> {
        if let Some(written) = self.setting(&[], steps) {
            return vec![written];
        }
        let record = self.component.record;
        let Some(Step::Key(name)) = steps.first() else {
            return vec![self.record("options", "what a person may set")];
        };
        let path = Path::from("options").key(name.as_str());
        if record.sizes.iter().any(|(sized, _)| sized == name) {
            // The schema gives what a medium cloud has.
            return vec![self.sized(match self.size() {
                "medium" => path.key("default"),
                other => Path::from("sizes").key(name.as_str()).key(other),
            })];
        }
        let schema = record.options.iter().find(|(option, _)| option == name);
        vec![self.default(schema.map(|(_, schema)| schema), path, &steps[1..])]
    }

    /// The default that the schema of an option gives, or that it gives none.
    fn default(&self, schema: Option<&Schema>, path: Path, below: &[Step]) -> Origin {
        match (schema, below) {
            (Some(schema), _) if schema.default.is_some() => {
                self.at(path.key("default"), "the option's default")
            }
            (Some(schema), [Step::Key(key), rest @ ..]) => {
                let path = path.key("properties").key(key.as_str());
                self.default(schema.property(key), path, rest)
            }
            _ => self.at(path, "nobody set it, and it has no default"),
        }
    }

    fn distribution(&self) -> Vec<Origin> {
        vec![self.setting(&["distribution"], &[]).unwrap_or_else(|| {
            self.global("spec.distribution", "the distribution of the whole cloud")
        })]
    }

    /// A setting of the whole cloud, or what Strata gives where it is not written.
    fn global(&self, path: &str, what: &str) -> Origin {
        let at = Path::from(path);
        let why = match (set(self.cloud, &at), self.cloud.written.origin(&at)) {
            (Some((layer, place)), _) => {
                return Origin { layer, written: Some(place), source: None, why: what.to_owned() };
            }
            (None, Some((_, place))) => {
                let why = format!("{what}: what Strata gives where nothing is written behind it");
                let layer = layer_of(self.cloud, &at);
                return Origin { layer, written: Some(place), source: None, why };
            }
            (None, None) => {
                let shown = self.cloud.written.shown(&at);
                format!("{what}: what Strata gives where {shown} is not written")
            }
        };
        Origin { layer: Layer::BuiltIn, written: None, source: None, why }
    }

    /// The name of the control plane, or its namespace.
    fn named(&self, key: &str) -> Origin {
        let what = format!("the {key} of the control plane");
        match self.cloud.written.named(key) {
            Some(place) => {
                Origin { layer: Layer::Spec, written: Some(place), source: None, why: what }
            }
            None => Origin {
                layer: Layer::BuiltIn,
                written: None,
                source: None,
                why: format!("{what}: what Strata gives where metadata.{key} is not written"),
            },
        }
    }

    fn cloud(&self, part: &str) -> Vec<Origin> {
        match part {
            "name" => vec![self.named("name")],
            "namespace" => vec![self.namespace()],
            "region" => vec![self.global("spec.global.region", "the region of the cloud")],
            "hasRoutes" => vec![self.global("spec.endpoints.gateway", "what routes hang on")],
            "release" => vec![self.global("spec.release", "the release of the cloud")],
            // The whole, or what is worked out from all components.
            _ => vec![Origin {
                layer: Layer::Builder,
                written: None,
                source: Some(Source::Builder { name: "cloud", fact: None }),
                why: match part {
                    "connections" => "replicas times workers times the pool of each, over all components with a database".to_owned(),
                    _ => "worked out from all components of the cloud".to_owned(),
                },
            }],
        }
    }

    fn namespace(&self) -> Origin {
        self.named("namespace")
    }

    fn endpoint(&self, part: &str) -> Vec<Origin> {
        if part == "public" {
            return vec![self.global("spec.endpoints.domain", "the name of the cloud outside")];
        }
        if part == "gateway" {
            return vec![
                self.global("spec.endpoints.gateway", "what routes hang on"),
                self.global("spec.endpoints.domain", "the name of the cloud outside"),
            ];
        }
        let mut origins = self.name(&[Step::Key("name".to_owned())]);
        origins.push(self.namespace());
        origins.push(self.record("port", "the port clients speak to"));
        origins
    }

    /// Where another component answers, or all of them.
    fn address(&self, name: &str) -> Vec<Origin> {
        let components = &self.cloud.components;
        match components.iter().find(|other| other.name().replace('-', "_") == name) {
            Some(component) => Context { component, each: None, ..*self }.endpoint("internal"),
            None => vec![self.namespace()],
        }
    }

    fn store(&self, part: &str) -> Vec<Origin> {
        let of = |part: &str, what: &str| self.global(&format!("spec.secrets.store.{part}"), what);
        match part {
            "name" => vec![of("name", "the store of all secrets")],
            "kind" => vec![of("kind", "the kind of the store")],
            _ => vec![
                of("prefix", "what stands before every path in the store"),
                self.namespace(),
                self.named("name"),
            ],
        }
    }

    fn item(&self, rest: &[Step]) -> Vec<Origin> {
        let Some((each, index)) = self.each else { return Vec::new() };
        let outer = Context { each: None, ..*self };
        let below: Vec<Step> =
            std::iter::once(Step::Index(index)).chain(rest.iter().cloned()).collect();
        outer.leaf(each, &below)
    }

    /// What another component provides, in its own words.
    fn provided(&self, root: &str, rest: &[Step]) -> Vec<Origin> {
        let components = &self.cloud.components;
        let named = |component: &&Component| component.name().replace('-', "_") == root;
        let Some(component) = components.iter().find(named) else { return Vec::new() };
        let Some(Step::Key(key)) = rest.first() else { return Vec::new() };
        let provides = &component.record.provides;
        let Some((_, template)) = provides.iter().find(|(name, _)| name == key) else {
            return Vec::new();
        };
        let other = Context { cloud: self.cloud, component, each: None };
        let mut origins = vec![other.at(
            Path::from("provides").key(key.as_str()),
            &format!("{} provides it", component.name()),
        )];
        template.visit(&mut |leaf| origins.extend(other.leaf(leaf, below(template, rest))));
        origins
    }
}

/// Steps into what a template comes to, if it is one expression.
fn below<'a>(template: &Template, rest: &'a [Step]) -> &'a [Step] {
    match template {
        Template::Leaf(_) => rest.get(1..).unwrap_or_default(),
        _ => &[],
    }
}

fn as_path(steps: &[Step]) -> Path {
    steps.iter().fold(Path::root(), |path, step| match step {
        Step::Key(key) => path.key(key.as_str()),
        Step::Index(index) => path.index(*index),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Findings;
    use crate::load::{self, Source as Text};
    use crate::record::SCOPE;
    use crate::{Options, look};

    const SPEC: &str = "{apiVersion: c5c3.io/v1alpha1, kind: ControlPlane, metadata: {name: a}, \
                        spec: {services: {keystone: {resources: {limits: {cpu: 1}}}}}}";

    /// Every name of the scope, with something below it where it is a group.
    #[test]
    fn every_name_that_records_read_has_an_origin() {
        let below = |name: &str| match name {
            "processes" => "processes.api.replicas".to_owned(),
            "options" => "options.cells".to_owned(),
            "secrets" => "secrets.admin.name".to_owned(),
            other => other.to_owned(),
        };
        let sources = [Text { name: "a".to_owned(), bytes: SPEC.as_bytes().to_vec() }];
        let mut findings = Findings::default();
        let documents = load::read(&sources, &mut findings);
        let (unknown, _) = look(&documents, findings, &Options::default(), |cloud, _, _| {
            let of = |component: &str, name: &str| {
                let Some(component) = cloud.component(component) else { return Vec::new() };
                let each = component.record.leaves().first().map(|leaf| (*leaf, 0));
                Context { cloud, component, each }.name(Path::from(below(name).as_str()).steps())
            };
            let nobody =
                |name: &&&str| of("keystone", name).is_empty() && of("nova", name).is_empty();
            SCOPE.iter().filter(nobody).map(ToString::to_string).collect::<Vec<_>>()
        });
        assert_eq!(unknown, [Vec::<String>::new()]);
    }
}
