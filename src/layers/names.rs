//! What an object of ours is called: fit to become parts of other names.

use crate::finding::{Code, Findings, Path};
use crate::load::Document;
use crate::schema::Format;
use crate::yaml::tree::{Data, Node};

/// Namespaces that exist before any cloud does.
fn is_reserved(namespace: &str) -> bool {
    namespace == "default" || namespace.starts_with("kube-")
}

/// What the namespaces of tenants begin with; `docs/seeds.md` has whose word that is.
const TENANT: &str = "tenant-";

/// Namespace and name of a control plane.
pub fn of_cloud(document: &Document, findings: &mut Findings) -> Option<(String, String)> {
    let name = part(document, "name", findings);
    let namespace = match part(document, "namespace", findings) {
        Part::None => Some("openstack".to_owned()),
        Part::Fit(text) if is_reserved(&text) => {
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
        Part::Fit(text) => Some(text),
        Part::Unfit => None,
    };
    let name = name.or_missing(document, "{name: production, namespace: openstack}", findings);
    Some((namespace?, name?))
}

/// The name of a claim, short enough for the namespace that is made of it.
pub fn of_claim(document: &Document, findings: &mut Findings) -> Option<(String, String)> {
    let tenant = part(document, "namespace", findings);
    let name = part(document, "name", findings).or_missing(
        document,
        "{name: customer-a, namespace: tenant-customer-a}",
        findings,
    )?;
    let namespace = super::claim::namespace(&name);
    if !Format::DnsLabel.accepts(&namespace) {
        findings.push(
            Code::NoName
                .at(document.place(&Path::from("metadata.name")))
                .because(format!(
                    "the cloud's namespace `{namespace}` has {} letters, and Kubernetes takes 63",
                    namespace.len()
                ))
                .remedy("write a name of at most 53 letters"),
        );
        return None;
    }
    if let Part::Fit(tenant) = &tenant
        && !tenant.starts_with(TENANT)
    {
        findings.push(
            Code::ClaimElsewhere
                .at(document.place(&Path::from("metadata.namespace")))
                .because(format!("`{tenant}` is not named as the namespace of a tenant"))
                .remedy(format!(
                    "write `namespace: {TENANT}…`, with the name of who it belongs to"
                )),
        );
    }
    (!matches!(tenant, Part::Unfit)).then_some((namespace, name))
}

/// The namespace of Defaults, which says for whom they are.
pub fn of_defaults(document: &Document, findings: &mut Findings) -> Option<String> {
    match part(document, "namespace", findings) {
        Part::Fit(namespace) => Some(namespace),
        Part::Unfit => None,
        Part::None => {
            findings.push(
                Code::NoName
                    .at(document.place(&Path::from("metadata")))
                    .because("the namespace says for whom defaults are, and there is none")
                    .remedy(format!(
                        "add `namespace: {}` for all clouds, or the namespace of one",
                        super::SYSTEM
                    )),
            );
            None
        }
    }
}

/// The name of a pool, by which clouds speak of it.
pub fn of_pool(document: &Document, findings: &mut Findings) -> Option<String> {
    let example = "{name: hv-pool-a, namespace: infrastructure}";
    part(document, "name", findings).or_missing(document, example, findings)
}

/// A field of `metadata`.
enum Part {
    None,
    Fit(String),
    /// A finding says why.
    Unfit,
}

impl Part {
    fn or_missing(
        self,
        document: &Document,
        example: &str,
        findings: &mut Findings,
    ) -> Option<String> {
        match self {
            Part::Fit(name) => Some(name),
            Part::Unfit => None,
            Part::None => {
                let what = match document.root.get("kind").and_then(Node::as_str) {
                    Some("ControlPlane") | None => "control plane",
                    Some(kind) => kind,
                };
                findings.push(
                    Code::NoName
                        .at(document.place(&Path::from("metadata")))
                        .because(format!("the {what} has no name"))
                        .remedy(format!("add `metadata: {example}`")),
                );
                None
            }
        }
    }
}

fn part(document: &Document, key: &str, findings: &mut Findings) -> Part {
    let node = document.root.get("metadata").and_then(|metadata| metadata.get(key));
    let text = match node.map(|node| &node.data) {
        None | Some(Data::Null) => return Part::None,
        Some(Data::Str(text)) => text,
        // Of the wrong type, which the schema has said already.
        Some(_) => return Part::Unfit,
    };
    if Format::DnsLabel.accepts(text) {
        return Part::Fit(text.clone());
    }
    findings.push(
        Code::NoName
            .at(document.place(&Path::from("metadata").key(key)))
            .because(format!("`{}` is not fit to be a {key}", text.escape_debug()))
            .remedy(match Format::DnsLabel.meant(text) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("write {}", Format::DnsLabel.wanted()),
            }),
    );
    Part::Unfit
}
