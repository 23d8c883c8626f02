//! The older way to be called by kustomize, and the only one `kubectl kustomize` knows: the
//! configuration is a file, resources come as plain documents, and so does the answer.

use crate::finding::{Code, Findings, Path, Place};
use crate::load::{self, Document, Source};
use crate::resource_list::item::{Item, recognise};
use crate::resource_list::{Answer, Objects, write};
use crate::spec::Recognised;
use crate::yaml::tree::{Data, Node};

/// `resources` is empty for a generator.
pub fn plugin(config: &[u8], resources: &[u8]) -> Answer {
    match answer(config, resources) {
        Ok(answer) => answer,
        Err(findings) => Answer { text: String::new(), findings },
    }
}

fn answer(config: &[u8], resources: &[u8]) -> Result<Answer, Findings> {
    let mut findings = Findings::default();
    let config = configuration(config, &mut findings);
    // What kustomize writes has no comments and no style of its own: it is read and written anew.
    let items: Vec<_> = documents(resources, &mut findings)
        .into_iter()
        .filter(|node| matches!(node.data, Data::Map(_)))
        .map(|node| Item { node, lines: None })
        .collect();
    if findings.has_errors() {
        return Err(findings);
    }
    let objects = Objects { items: &items, config: config.as_ref() };
    let (pieces, findings) = objects.answer(findings)?;
    Ok(Answer { text: write::stream(&pieces), findings })
}

fn configuration(bytes: &[u8], findings: &mut Findings) -> Option<Node> {
    let mut documents = documents(bytes, findings);
    if findings.has_errors() {
        return None;
    }
    let config = documents.pop().filter(|_| documents.is_empty());
    match config {
        Some(config) if recognise(&config) != Recognised::Foreign => Some(config),
        config => {
            let place = config.map(|root| Document { source: 0, root }.place(&Path::from("kind")));
            findings.push(
                Code::NothingToRender
                    .at(place.unwrap_or_else(Place::nowhere))
                    .because("the plugin's configuration is not one object of a kind of ours")
                    .remedy(
                        "name a file with a ControlPlane (c5c3.io/v1alpha1) under `generators:`",
                    ),
            );
            None
        }
    }
}

fn documents(bytes: &[u8], findings: &mut Findings) -> Vec<Node> {
    let source = Source { name: String::new(), bytes: bytes.to_owned() };
    let documents = load::read(std::slice::from_ref(&source), findings);
    documents.into_iter().map(|document| document.root).collect()
}
