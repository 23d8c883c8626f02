//! The older way to be called by kustomize, and the only one `kubectl kustomize` knows: the
//! configuration is a file, resources come as plain documents, and so does the answer.

use crate::finding::{Code, Findings, Place};
use crate::load::{self, Source};
use crate::resource_list::item::Item;
use crate::resource_list::{Answer, Objects, write};
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
    let documents = documents(bytes, findings);
    match <[Node; 1]>::try_from(documents) {
        Ok([config]) => Some(config),
        Err(_) if findings.has_errors() => None,
        Err(documents) => {
            let because = format!("the plugin's configuration holds {} objects", documents.len());
            findings.push(
                Code::NothingToRender
                    .at(Place::nowhere())
                    .because(because)
                    .remedy("give it a file with one ControlPlane (c5c3.io/v1alpha1)"),
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
