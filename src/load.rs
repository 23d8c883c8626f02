//! Documents become the spec: our kinds are told from foreign ones and sorted by what they are.

use crate::Options;
use crate::catalogue::RECORD_SCHEMA;
use crate::finding::{Code, Finding, Findings, Path, Place, span_of};
use crate::record::{self, Record};
use crate::spec::{Kind, Recognised, recognise};
use crate::yaml::read::{Reading, read_bytes};
use crate::yaml::tree::{Fault, FaultKind, Node};

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
    pub control_planes: Vec<&'a Document>,
    /// Tenants' OpenStackClusters.
    pub claims: Vec<&'a Document>,
    pub defaults: Vec<&'a Document>,
    pub hypervisor_clusters: Vec<&'a Document>,
    pub storage_clusters: Vec<&'a Document>,
    pub records: Vec<Record>,
    /// Whether a record was refused: what it declares is then unknown, and nothing can be said of
    /// what a spec writes about it.
    pub lacks_records: bool,
}

impl Spec<'_> {
    /// Whether nothing in it is a cloud.
    pub fn is_empty(&self) -> bool {
        self.control_planes.is_empty() && self.claims.is_empty()
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
            Recognised::Ours(Kind::OpenStackCluster) => spec.claims.push(document),
            Recognised::Ours(Kind::Defaults) => spec.defaults.push(document),
            Recognised::Ours(Kind::HypervisorCluster) => spec.hypervisor_clusters.push(document),
            Recognised::Ours(Kind::StorageCluster) => spec.storage_clusters.push(document),
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
            Recognised::OtherBoth { kind: known, api_version: version } => findings.push(
                Code::UnknownVersion
                    .at(document.place(&Path::from("kind")))
                    .because(match api_version {
                        "" => format!("there is no kind {kind}, and it has no apiVersion"),
                        other => {
                            format!("there is neither a kind {kind} nor an apiVersion {other}")
                        }
                    })
                    .remedy(format!("did you mean `kind: {known}` with `apiVersion: {version}`?")),
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
