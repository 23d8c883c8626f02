//! From the bytes on standard input to a request.

use crate::finding::{Code, Finding, Findings, Path, Place};
use crate::load::{self, Document, Source};
use crate::resource_list::item::{Item, text};
use crate::resource_list::lines;
use crate::yaml::tree::{Data, Node};

/// The versions of the format. They differ in nothing that matters here.
const API_VERSIONS: [&str; 2] = ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"];

#[derive(Debug)]
pub struct Request<'t> {
    /// The answer has the same.
    pub api_version: &'static str,
    pub items: Vec<Item<'t>>,
    pub config: Option<Node>,
    /// How far the dashes of the items stand from the left. The answer keeps it, so that no line
    /// of a foreign item has to be touched.
    pub indent: usize,
}

pub fn request<'t>(input: &'t [u8], findings: &mut Findings) -> Option<Request<'t>> {
    let source = Source { name: String::new(), bytes: input.to_owned() };
    let documents = load::read(std::slice::from_ref(&source), findings);
    let unread = findings.has_errors();
    let request = match <[Document; 1]>::try_from(documents) {
        Ok([document]) => build(document.root, std::str::from_utf8(input).unwrap_or_default()),
        Err(none) if none.is_empty() && unread => Err(refusal("it cannot be read")),
        Err(none) if none.is_empty() => Err(refusal("it is empty")),
        Err(several) => Err(refusal(format!("there are {} documents on it", several.len()))),
    };
    match request {
        Ok(request) => Some(request),
        Err(refusal) => {
            findings.push(refusal.finding());
            None
        }
    }
}

fn build(root: Node, text_of_all: &str) -> Result<Request<'_>, Refusal> {
    let (kind, version) = (text(&root, &["kind"]), text(&root, &["apiVersion"]));
    if kind != "ResourceList" {
        return Err(refusal(match kind {
            "" => "it is no Kubernetes object".to_owned(),
            kind => format!("it is a {}", kind.escape_debug()),
        }));
    }
    let Some(api_version) = API_VERSIONS.into_iter().find(|known| *known == version) else {
        return Err(refusal(format!(
            "its apiVersion is `{}`, and not {}",
            version.escape_debug(),
            API_VERSIONS.join(" or ")
        )));
    };
    let config = match root.get("functionConfig") {
        None => None,
        Some(Node { data: Data::Null, .. }) => None,
        Some(config @ Node { data: Data::Map(_), .. }) => Some(config.clone()),
        Some(_) => return Err(refusal_at("functionConfig is no object", "functionConfig")),
    };
    let (indent, lines) = lines::of_items(text_of_all, &root);
    let nodes = match take(root, "items").map(|node| node.data) {
        None | Some(Data::Null) => Vec::new(),
        Some(Data::List(nodes)) => nodes,
        Some(_) => return Err(refusal_at("items is no list", "items")),
    };
    if let Some(index) = nodes.iter().position(|node| !matches!(node.data, Data::Map(_))) {
        return Err(refusal_at(format!("item {index} is no object"), "items"));
    }
    let mut lines = lines.into_iter();
    let items =
        nodes.into_iter().map(|node| Item { node, lines: lines.next().flatten() }).collect();
    Ok(Request { api_version, items, config, indent })
}

fn take(root: Node, key: &str) -> Option<Node> {
    let Data::Map(entries) = root.data else { return None };
    entries.into_iter().find(|(name, _)| name.name == key).map(|(_, node)| node)
}

/// Why it is no ResourceList, and in which field of one.
struct Refusal {
    because: String,
    field: &'static str,
}

fn refusal(because: impl Into<String>) -> Refusal {
    refusal_at(because, "")
}

fn refusal_at(because: impl Into<String>, field: &'static str) -> Refusal {
    Refusal { because: because.into(), field }
}

impl Refusal {
    fn finding(self) -> Finding {
        Code::NotAResourceList
            .at(Place { path: Path::from(self.field), ..Place::nowhere() })
            .because(self.because)
            .remedy("let kustomize or kpt call it; by hand, use `strata render PATH`")
    }
}
