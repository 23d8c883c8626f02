//! Documents become the spec: our kinds are told from foreign ones, and what a person wrote is
//! held against the schema, every fault with its place.

use serde::Deserialize as _;

use crate::Options;
use crate::catalogue::{Catalogue, RECORD_SCHEMA};
use crate::finding::{Code, Finding, Findings, Path, Place, Step, span_of};
use crate::record::{self, Record};
use crate::schema::{self, Format};
use crate::spec::{ControlPlaneSpec, Kind, Recognised, recognise, to_json};
use crate::yaml::read::{Reading, read_bytes};
use crate::yaml::tree::{Data, Fault, FaultKind, Node, Span};

/// A text that was read, under the name a person knows it by.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// One object of the input.
#[derive(Clone, Debug)]
pub struct Document {
    pub source: usize,
    pub root: Node,
}

/// What the input says, sorted by what it is.
#[derive(Debug, Default)]
pub struct Spec<'a> {
    control_planes: Vec<&'a Document>,
    pub records: Vec<Record>,
    /// Whether a record was refused: what it declares is then unknown, and nothing can be said of
    /// what a spec writes about it.
    pub lacks_records: bool,
}

/// A control plane as it was written, its fields known to be allowed.
#[derive(Debug)]
pub struct Written<'a> {
    pub document: &'a Document,
    pub name: String,
    pub namespace: String,
    pub spec: ControlPlaneSpec,
}

impl Spec<'_> {
    pub fn is_empty(&self) -> bool {
        self.control_planes.is_empty()
    }
}

/// The documents of all sources; what cannot be read is a finding.
pub fn read(sources: &[Source], findings: &mut Findings) -> Vec<Document> {
    let mut documents = Vec::new();
    for (source, Source { bytes, .. }) in sources.iter().enumerate() {
        let Reading { documents: read, faults } = read_bytes(bytes);
        for fault in faults {
            findings.push(unreadable(source, &fault));
        }
        documents.extend(read.into_iter().map(|document| Document { source, root: document.root }));
    }
    documents
}

/// What the reader says behind a semicolon is what to do about it.
fn unreadable(source: usize, fault: &Fault) -> Finding {
    let (code, usual) = match fault.kind {
        FaultKind::DuplicateKey => (Code::DuplicateKey, "remove one of the two"),
        FaultKind::Syntax => (Code::NotYaml, "mend the text here; the other documents were read"),
        FaultKind::Unsupported => (Code::UnsupportedYaml, "write it in plain YAML"),
        FaultKind::TooLarge if fault.message.contains("nested") => {
            (Code::TooLarge, "write it with fewer levels")
        }
        FaultKind::TooLarge => (Code::TooLarge, "split the input into smaller files"),
    };
    let (because, remedy) = match fault.message.split_once("; ") {
        Some(parts) if code != Code::DuplicateKey => parts,
        _ => (fault.message.as_str(), usual),
    };
    code.at(Place::span(source, fault.at)).because(because).remedy(remedy)
}

/// Tells our kinds from foreign ones, and reads records.
pub fn load<'a>(documents: &'a [Document], options: &Options, findings: &mut Findings) -> Spec<'a> {
    let mut spec = Spec::default();
    for document in documents {
        let text = |key| document.root.get(key).and_then(Node::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        match recognise(api_version, kind) {
            Recognised::Ours(Kind::ControlPlane) => spec.control_planes.push(document),
            Recognised::Ours(Kind::Component) => {
                let source = Some(document.source);
                match record::decode(&document.root, &RECORD_SCHEMA, source, findings) {
                    Some(record) => spec.records.push(record),
                    None => spec.lacks_records = true,
                }
            }
            Recognised::Ours(Kind::Planned(instead)) => findings.push(
                Code::NotBuilt
                    .at(document.place(&Path::from("kind")))
                    .because(format!("{kind} ({api_version}) cannot be rendered by this version"))
                    .remedy(instead),
            ),
            Recognised::OtherVersion(known) => findings.push(
                Code::UnknownVersion
                    .at(document.place(&Path::from("apiVersion")))
                    .because(match api_version {
                        "" => format!("this {kind} has no apiVersion"),
                        other => format!("{kind} is known as {known}, not as {other}"),
                    })
                    .remedy(format!("write apiVersion: {known}")),
            ),
            Recognised::OtherKind(known) => findings.push(
                Code::UnknownVersion
                    .at(document.place(&Path::from("kind")))
                    .because(format!("there is no kind {kind} in {api_version}"))
                    .remedy(format!("did you mean `{known}`?")),
            ),
            Recognised::Foreign if options.foreign_pass => {}
            Recognised::Foreign => findings.push(foreign(document, api_version, kind)),
        }
    }
    spec
}

fn foreign(document: &Document, api_version: &str, kind: &str) -> Finding {
    let (because, remedy) = if kind.is_empty() {
        (
            "this document has no `kind`, so it is no Kubernetes object".to_owned(),
            "add apiVersion and kind, or remove the document".to_owned(),
        )
    } else {
        (
            format!("{kind} ({api_version}) is none of Strata's kinds and is not rendered"),
            "keep it outside the folder, or apply it with kustomize beside the rendered objects"
                .to_owned(),
        )
    };
    Code::ForeignObject.at(document.place(&Path::from("kind"))).because(because).remedy(remedy)
}

/// The control planes whose every field is allowed. Sorted by namespace and name, so that the
/// order of the input never shows in the output.
pub fn control_planes<'a>(
    spec: &Spec<'a>,
    catalogue: &Catalogue,
    findings: &mut Findings,
) -> Vec<Written<'a>> {
    let schema = catalogue.control_plane_schema();
    let mut written = Vec::new();
    for document in &spec.control_planes {
        let errors = findings.errors();
        let place = |path: &Path, span: Span| Place { span: Some(span), ..document.place(path) };
        schema::walk(&document.root, &schema, &Path::root(), &place, findings);
        one_name_for_services(document, findings);
        let names = names(document, findings);
        if findings.errors() > errors {
            continue;
        }
        let Some((namespace, name)) = names else { continue };
        match typed(document) {
            Ok(spec) => written.push(Written { document, name, namespace, spec }),
            Err(error) => findings.push(
                Code::WrongType
                    .at(document.place(&Path::from("spec")))
                    .because(error)
                    .remedy("compare the spec with `strata schema controlplane`"),
            ),
        }
    }
    written.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    alone_in_their_namespace(&written, findings);
    written
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

fn typed(document: &Document) -> Result<ControlPlaneSpec, String> {
    let spec = document.root.get("spec").map_or(serde_json::Value::Null, to_json);
    if spec.is_null() {
        return Ok(ControlPlaneSpec::default());
    }
    ControlPlaneSpec::deserialize(spec).map_err(|error| error.to_string())
}

/// Namespaces that exist before any cloud does.
fn is_reserved(namespace: &str) -> bool {
    namespace == "default" || namespace.starts_with("kube-")
}

/// Namespace and name, both fit to become parts of other names.
fn names(document: &Document, findings: &mut Findings) -> Option<(String, String)> {
    let metadata = document.root.get("metadata");
    let mut part = |key: &str, default: Option<&str>| {
        let node = metadata.and_then(|metadata| metadata.get(key));
        if node.is_some_and(|node| !matches!(node.data, Data::Str(_) | Data::Null)) {
            // Of the wrong type, which the schema has said already.
            return None;
        }
        let written = node.and_then(Node::as_str).or(default);
        match written {
            Some(text) if key == "namespace" && is_reserved(text) => {
                findings.push(
                    Code::NoName
                        .at(document.place(&Path::from("metadata.namespace")))
                        .because(format!(
                            "the namespace `{text}` belongs to Kubernetes, and a cloud owns its own"
                        ))
                        .remedy("write another one, such as openstack"),
                );
                None
            }
            Some(text) if Format::DnsLabel.accepts(text) => Some(text.to_owned()),
            Some(text) => {
                let path = Path::from("metadata").key(key);
                findings.push(
                    Code::NoName
                        .at(document.place(&path))
                        .because(format!("`{}` is not fit to be a {key}", text.escape_debug()))
                        .remedy(match Format::DnsLabel.meant(text) {
                            Some(meant) => format!("did you mean `{meant}`?"),
                            None => format!("write {}", Format::DnsLabel.wanted()),
                        }),
                );
                None
            }
            None => {
                findings.push(
                    Code::NoName
                        .at(document.place(&Path::from("metadata")))
                        .because("the control plane has no name")
                        .remedy("add `metadata: {name: production, namespace: openstack}`"),
                );
                None
            }
        }
    };
    let (name, namespace) = (part("name", None), part("namespace", Some("openstack")));
    Some((namespace?, name?))
}

fn alone_in_their_namespace(written: &[Written], findings: &mut Findings) {
    for pair in written.windows(2) {
        let [first, second] = pair else { continue };
        if first.namespace != second.namespace {
            continue;
        }
        let (code, because, remedy) = if first.name == second.name {
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
        findings.push(
            code.at(second.document.place(&Path::from("metadata.name")))
                .because(because)
                .remedy(remedy),
        );
    }
}

impl Document {
    /// Where a field of this object stands, or would stand.
    pub fn place(&self, path: &Path) -> Place {
        Place {
            source: Some(self.source),
            span: Some(span_of(&self.root, path)),
            path: path.clone(),
            object: self.title(),
        }
    }

    /// Whether a field was written.
    pub fn has(&self, path: &Path) -> bool {
        let mut steps = path.steps().iter();
        let found = steps.try_fold(&self.root, |node, step| match (step, &node.data) {
            (Step::Key(key), _) => node.get(key),
            (Step::Index(index), Data::List(items)) => items.get(*index),
            _ => None,
        });
        found.is_some()
    }

    /// What a person would call it: `ControlPlane openstack/production`.
    pub fn title(&self) -> String {
        let text = |node: Option<&Node>| node.and_then(Node::as_str).unwrap_or_default().to_owned();
        let metadata = |key| text(self.root.get("metadata").and_then(|metadata| metadata.get(key)));
        let (kind, namespace, name) =
            (text(self.root.get("kind")), metadata("namespace"), metadata("name"));
        let id = if namespace.is_empty() { name } else { format!("{namespace}/{name}") };
        format!("{kind} {id}").trim().to_owned()
    }
}
