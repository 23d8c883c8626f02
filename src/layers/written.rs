//! The layers of each control plane, checked one by one and put together.

use std::borrow::Cow;

use serde::Deserialize as _;

use crate::catalogue::Catalogue;
use crate::finding::{Code, Finding, Findings, Path, Place, Step, node_at};
use crate::layers::{SYSTEM, claim, merge, names};
use crate::load::{Document, Spec};
use crate::schema::{self, Schema};
use crate::spec::{ControlPlaneSpec, to_json};
use crate::yaml::tree::{Data, Node, Span};

/// A control plane as it was written, its fields known to be allowed.
#[derive(Debug)]
pub struct Written<'a> {
    pub name: String,
    pub namespace: String,
    pub spec: ControlPlaneSpec,
    /// The topmost first: what was written for this cloud alone.
    layers: Vec<Layer<'a>>,
    /// All of them together; none where one is all.
    merged: Option<Node>,
}

/// One document that says something of a control plane.
#[derive(Clone, Debug)]
pub struct Layer<'a> {
    pub document: &'a Document,
    is_claim: bool,
    /// What it says, in the words of a ControlPlane.
    tree: Cow<'a, Node>,
}

impl<'a> Layer<'a> {
    /// A ControlPlane or Defaults. `openstack` is another name for `services`, which layers above
    /// and below may write.
    fn of(document: &'a Document) -> Self {
        let writes_alias = node_at(&document.root, &Path::from("spec.openstack")).is_some();
        let tree = if writes_alias {
            Cow::Owned(without_alias(&document.root))
        } else {
            Cow::Borrowed(&document.root)
        };
        Layer { document, is_claim: false, tree }
    }

    fn of_claim(document: &'a Document) -> Self {
        Layer { document, is_claim: true, tree: Cow::Owned(claim::translate(&document.root)) }
    }

    /// How its document writes what stands at a path of the ControlPlane.
    pub fn own_path(&self, path: &Path) -> Path {
        if self.is_claim {
            return claim::own_path(path, &self.document.root);
        }
        let mut steps = path.steps().to_vec();
        if let (Cow::Owned(_), Some(Step::Key(key))) = (&self.tree, steps.get_mut(1))
            && key == "services"
        {
            *key = "openstack".to_owned();
        }
        steps.into_iter().collect()
    }

    /// Whether it is a Defaults, and not written for one cloud alone.
    pub fn is_defaults(&self) -> bool {
        self.document.root.get("kind").and_then(Node::as_str) == Some("Defaults")
    }

    /// What it says at a path of the ControlPlane.
    pub fn get(&self, path: &Path) -> Option<&Node> {
        node_at(&self.tree, path)
    }

    fn place(&self, path: &Path) -> Place {
        self.document.place(&self.own_path(path))
    }

    /// Adds what is wrong with it by itself.
    fn check(&self, schema: &Schema, findings: &mut Findings) {
        let document = self.document;
        let place = |path: &Path, span: Span| Place { span: Some(span), ..document.place(path) };
        schema::walk(&document.root, schema, &Path::root(), &place, findings);
        one_name_for_services(document, findings);
    }
}

impl<'a> Written<'a> {
    /// The topmost layer that wrote the field at a path, and where it did; none where the built-in
    /// value holds. A path is that of the ControlPlane, whatever the layer is.
    pub fn origin(&self, path: &Path) -> Option<(&Layer<'a>, Place)> {
        // Layers share a spec; each has a name of its own.
        let shared = matches!(path.steps().first(), Some(Step::Key(key)) if key == "spec");
        for layer in self.layers.iter().take(if shared { usize::MAX } else { 1 }) {
            let mut node = layer.tree.as_ref();
            let mut covers = true;
            for step in path.steps() {
                let next = match (step, &node.data) {
                    (Step::Key(key), Data::Map(_)) => node.get(key),
                    (Step::Index(index), Data::List(items)) => items.get(*index),
                    // Anything but a map hides what the layers below have there.
                    _ => return None,
                };
                match next {
                    Some(next) => node = next,
                    None if matches!(node.data, Data::List(_)) => return None,
                    None => {
                        covers = false;
                        break;
                    }
                }
            }
            if covers {
                return Some((layer, layer.place(path)));
            }
        }
        None
    }

    /// Where a field stands, or would stand: in the layer that wrote it, else in the topmost.
    pub fn place(&self, path: &Path) -> Place {
        match (self.origin(path), self.layers.first()) {
            (Some((_, place)), _) => place,
            (None, Some(layer)) => layer.place(path),
            (None, None) => Place::nowhere(),
        }
    }

    /// All of them, the topmost first.
    pub fn layers(&self) -> &[Layer<'a>] {
        &self.layers
    }

    /// Where the name or namespace of the cloud is written, which no layer shares. That of a claim's cloud is made of
    /// its name.
    pub fn named(&self, key: &str) -> Option<Place> {
        let layer = self.layers.first()?;
        let path = Path::from("metadata").key(if layer.is_claim { "name" } else { key });
        node_at(&layer.document.root, &path).map(|_| layer.document.place(&path))
    }

    /// Whether the field was written for this cloud alone.
    pub fn is_own(&self, path: &Path) -> bool {
        let Some(top) = self.layers.first() else { return false };
        self.origin(path).is_some_and(|(layer, _)| std::ptr::eq(layer.document, top.document))
    }

    /// A path as the person wrote it who wrote the topmost layer, for sentences.
    pub fn shown(&self, path: &Path) -> Path {
        self.layers.first().map_or_else(|| path.clone(), |layer| layer.own_path(path))
    }

    /// What all layers together say at a path of the ControlPlane.
    pub fn get(&self, path: &Path) -> Option<&Node> {
        node_at(self.tree()?, path)
    }

    fn tree(&self) -> Option<&Node> {
        self.merged.as_ref().or_else(|| self.layers.first().map(|layer| layer.tree.as_ref()))
    }

    /// Whether a tenant wrote it, in fewer words.
    pub fn is_claim(&self) -> bool {
        self.layers.first().is_some_and(|layer| layer.is_claim)
    }

    /// What a person would call it.
    fn title(&self) -> String {
        match self.layers.first() {
            Some(layer) if layer.is_claim => layer.document.title(),
            _ => format!("ControlPlane {}/{}", self.namespace, self.name),
        }
    }
}

/// The control planes whose every field is allowed. Sorted by namespace and name, so that the
/// order of the input never shows in the output.
pub fn control_planes<'a>(
    spec: &Spec<'a>,
    catalogue: &Catalogue,
    findings: &mut Findings,
) -> Vec<Written<'a>> {
    let whole = catalogue.control_plane_schema();
    // Where there are Defaults, a document may lack what they have.
    let part = (!spec.defaults.is_empty()).then(|| catalogue.defaults_schema());
    let defaults = Defaults::of(spec, part.as_ref().unwrap_or(&whole), findings);
    let mut clouds: Vec<Topmost> = Vec::new();
    for document in &spec.control_planes {
        let names = names::of_cloud(document, findings);
        let schema = defaults.choose(names.as_ref(), &whole, part.as_ref());
        clouds.push(Topmost::of(Layer::of(document), names, schema, findings));
    }
    if !spec.claims.is_empty() {
        let (whole, part) = (claim::schema(&whole), part.as_ref().map(claim::schema));
        for document in &spec.claims {
            let names = names::of_claim(document, findings);
            let schema = defaults.choose(names.as_ref(), &whole, part.as_ref());
            clouds.push(Topmost::of(Layer::of_claim(document), names, schema, findings));
        }
    }
    defaults.unused(&clouds, findings);
    let mut written: Vec<Written> =
        clouds.into_iter().filter_map(|cloud| cloud.over(&defaults, &whole, findings)).collect();
    written.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    alone_in_their_namespace(&written, findings);
    name_releases(catalogue, findings);
    written
}

/// The form of a series says nothing of which there are, and only the catalogue knows.
fn name_releases(catalogue: &Catalogue, findings: &mut Findings) {
    let release = Path::from("spec.release");
    let malformed =
        |finding: &&mut Finding| finding.code == Code::Malformed && finding.place.path == release;
    for finding in findings.iter_mut().filter(malformed) {
        finding.remedy = format!("write one of: {}", catalogue.releases().join(", "));
    }
}

/// What was written for one cloud alone.
struct Topmost<'a> {
    layer: Layer<'a>,
    /// Namespace and name.
    names: Option<(String, String)>,
    is_sound: bool,
}

impl<'a> Topmost<'a> {
    fn of(
        layer: Layer<'a>,
        names: Option<(String, String)>,
        schema: &Schema,
        findings: &mut Findings,
    ) -> Self {
        let errors = findings.errors();
        layer.check(schema, findings);
        let is_sound = findings.errors() == errors;
        Topmost { layer, names, is_sound }
    }

    fn over(
        self,
        defaults: &Defaults<'a>,
        schema: &Schema,
        findings: &mut Findings,
    ) -> Option<Written<'a>> {
        let (namespace, name) = self.names.filter(|_| self.is_sound)?;
        // A layer that was refused would leave a cloud that nobody described.
        let below: Option<Vec<&Layer>> = defaults.of_namespace(&namespace).into_iter().collect();
        let layers = std::iter::once(self.layer).chain(below?.into_iter().cloned()).collect();
        put_together(layers, namespace, name, schema, findings)
    }
}

fn put_together<'a>(
    layers: Vec<Layer<'a>>,
    namespace: String,
    name: String,
    schema: &Schema,
    findings: &mut Findings,
) -> Option<Written<'a>> {
    let errors = findings.errors();
    let merged = match layers.as_slice() {
        [_] => None,
        layers => layers
            .iter()
            .rev()
            .map(|layer| spec_of(&layer.tree))
            .reduce(|lower, upper| merge::over(&upper, lower)),
    };
    let mut written =
        Written { name, namespace, spec: ControlPlaneSpec::default(), layers, merged };
    if let Some(merged) = &written.merged {
        // Each layer may lack what another has; together they must lack nothing.
        let place = |path: &Path, _: Span| written.place(path);
        schema::walk(merged, schema, &Path::root(), &place, findings);
    }
    if findings.errors() > errors {
        return None;
    }
    let spec = written.get(&Path::from("spec")).map_or(serde_json::Value::Null, to_json);
    if !spec.is_null() {
        match ControlPlaneSpec::deserialize(spec) {
            Ok(spec) => written.spec = spec,
            Err(error) => findings.push(
                Code::WrongType
                    .at(written.place(&Path::from("spec")))
                    .because(error.to_string())
                    .remedy("compare the spec with `strata schema controlplane`"),
            ),
        }
    }
    (findings.errors() == errors).then_some(written)
}

/// The document without all that is its own: what lies in several layers is `spec` alone.
fn spec_of(root: &Node) -> Node {
    let spec = root.entry("spec").map(|(key, node)| (key.clone(), node.clone()));
    Node { at: root.at, data: Data::Map(spec.into_iter().collect()) }
}

/// The same document with `services` for `openstack`.
fn without_alias(root: &Node) -> Node {
    let mut root = root.clone();
    if let Data::Map(fields) = &mut root.data
        && let Some((_, spec)) = fields.iter_mut().find(|(key, _)| key.name == "spec")
        && let Data::Map(fields) = &mut spec.data
        && let Some((key, _)) = fields.iter_mut().find(|(key, _)| key.name == "openstack")
    {
        "services".clone_into(&mut key.name);
    }
    root
}

/// Which of the two would win is for nobody to guess.
fn one_name_for_services(document: &Document, findings: &mut Findings) {
    let given = |name| document.root.get("spec").and_then(|spec| spec.get(name)).is_some();
    if given("services") && given("openstack") {
        findings.push(
            Code::DuplicateKey
                .at(document.place(&Path::from("spec.openstack")))
                .because("`openstack` is another name for `services`, and both are here")
                .remedy("write all services under one of the two"),
        );
    }
}

/// The Defaults of the input, each by its namespace; none where they were refused.
struct Defaults<'a>(Vec<(String, &'a Document, Option<Layer<'a>>)>);

impl<'a> Defaults<'a> {
    fn of(spec: &Spec<'a>, schema: &Schema, findings: &mut Findings) -> Self {
        let mut all: Vec<(String, &'a Document, Option<Layer<'a>>)> = Vec::new();
        for document in &spec.defaults {
            let errors = findings.errors();
            let layer = Layer::of(document);
            layer.check(schema, findings);
            let Some(namespace) = names::of_defaults(document, findings) else { continue };
            if let Some((_, first, _)) = all.iter().find(|(known, ..)| *known == namespace) {
                findings.push(
                    Code::TwoDefaults
                        .at(document.place(&Path::from("metadata.namespace")))
                        .because(format!("{} is in namespace {namespace} as well", first.title()))
                        .remedy("write all of a namespace's defaults in one of the two"),
                );
                continue;
            }
            let sound = findings.errors() == errors;
            all.push((namespace, document, sound.then_some(layer)));
        }
        Defaults(all)
    }

    /// The topmost first: those of the cloud's namespace, then those of all clouds.
    fn of_namespace(&self, namespace: &str) -> Vec<Option<&Layer<'a>>> {
        let one = |namespace: &str| self.0.iter().find(|(known, ..)| known == namespace);
        let system = one(SYSTEM).filter(|_| namespace != SYSTEM);
        one(namespace).into_iter().chain(system).map(|(_, _, layer)| layer.as_ref()).collect()
    }

    /// The schema of what lies on top: it must be whole where nothing lies below.
    fn choose<'s>(
        &self,
        names: Option<&(String, String)>,
        whole: &'s Schema,
        part: Option<&'s Schema>,
    ) -> &'s Schema {
        let is_alone = names.is_none_or(|(namespace, _)| self.of_namespace(namespace).is_empty());
        part.filter(|_| !is_alone).unwrap_or(whole)
    }

    /// Defaults of a namespace without a cloud are most often in the wrong one.
    fn unused(&self, clouds: &[Topmost], findings: &mut Findings) {
        let of_cloud = |namespace: &String| {
            clouds.iter().any(|cloud| cloud.names.as_ref().is_some_and(|(own, _)| own == namespace))
        };
        for (namespace, document, _) in &self.0 {
            if namespace != SYSTEM && !of_cloud(namespace) {
                findings.push(
                    Code::NoEffect
                        .at(document.place(&Path::from("metadata.namespace")))
                        .because(format!("no control plane of the input is in {namespace}"))
                        .remedy(format!(
                            "write the namespace of a control plane, openstack-NAME for that of a claim, or {SYSTEM} for all"
                        )),
                );
            }
        }
    }
}

fn alone_in_their_namespace(written: &[Written], findings: &mut Findings) {
    for pair in written.windows(2) {
        let [first, second] = pair else { continue };
        if first.namespace != second.namespace {
            continue;
        }
        let (code, because, remedy) = if first.is_claim() || second.is_claim() {
            (
                Code::SharedNamespace,
                format!("{} is the cloud in namespace {} already", first.title(), first.namespace),
                "give the claim another name: its cloud is in openstack-NAME, whoever the tenant is",
            )
        } else if first.name == second.name {
            (
                Code::SameObjectTwice,
                format!("ControlPlane {}/{} is there already", second.namespace, second.name),
                "remove one of the two, or give one another namespace",
            )
        } else {
            (
                Code::SharedNamespace,
                format!("ControlPlane {} is in namespace {} already", first.name, first.namespace),
                "give one of them a namespace of its own",
            )
        };
        let name = Path::from("metadata.name");
        findings.push(
            code.at(second.place(&name)).because(because).remedy(remedy).beside(first.place(&name)),
        );
    }
}
