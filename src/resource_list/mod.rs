//! The KRM function as a pure one: a ResourceList in, a ResourceList out, and the same for the
//! older calling convention of kustomize plugins.
//!
//! Three callers speak it, and they differ in what they hand over and in what they do with an item
//! that does not come back:
//!
//! - A kustomize *generator* gets its own configuration and nothing else, as `functionConfig` and
//!   once more as the only item.
//! - A kustomize *transformer* gets all resources of the build, and an item that does not come back
//!   is out of the build.
//! - *kpt*, and whatever else reads and writes folders, gets the whole package, its configuration
//!   among it, and an item that does not come back is a file that is deleted.

mod identity;
mod item;
mod lines;
mod merge;
mod plugin;
mod read;
mod results;
mod write;

pub use plugin::plugin;

use crate::finding::{Code, Findings, Path, node_at};
use crate::load::Document;
use crate::spec::{Kind, Recognised};
use crate::yaml::tree::{Data, Node};
use crate::{Options, Outcome};
use item::Item;
use merge::Piece;

/// What the caller gets: bytes for standard output, and what there is to say.
#[derive(Debug, Default)]
pub struct Answer {
    /// Empty if there is any error: kustomize and kpt drop the output of a function that failed,
    /// but a shell pipeline would go on with half of it.
    pub text: String,
    pub findings: Findings,
}

/// Answers a ResourceList.
pub fn function(input: &[u8]) -> Answer {
    let mut findings = Findings::default();
    let Some(request) = read::request(input, &mut findings) else {
        return Answer { text: String::new(), findings };
    };
    let objects = Objects { items: &request.items, config: request.config.as_ref() };
    let (pieces, findings) = match objects.answer(findings) {
        Ok(answered) => answered,
        Err(findings) => return Answer { text: String::new(), findings },
    };
    let text = write::resource_list(&request, &pieces, &objects, &findings);
    Answer { text, findings }
}

/// Everything that was handed over. A document's number is its place among the items; that of the
/// configuration follows the last.
struct Objects<'i> {
    items: &'i [Item<'i>],
    config: Option<&'i Node>,
}

impl<'i> Objects<'i> {
    /// What comes back in place of the items, or why nothing does.
    fn answer(&self, mut findings: Findings) -> Result<(Vec<Piece<'i>>, Findings), Findings> {
        let documents = self.documents(&mut findings);
        if self.items.iter().all(|item| item.is_input() && !item.is_file()) {
            needs_others(&documents, &mut findings);
        }
        if findings.has_errors() {
            return Err(findings);
        }
        let options = Options {
            // Only those who write files want to know which.
            paths: self.items.iter().any(Item::is_file),
            foreign_pass: true,
            ..Options::default()
        };
        let Outcome { objects, mut findings, clouds } =
            crate::render(&documents, findings, &options);
        if findings.has_errors() {
            return Err(findings);
        }
        let pieces = merge::merge(self.items, objects, &clouds, &mut findings);
        findings.sort();
        if findings.has_errors() { Err(findings) } else { Ok((pieces, findings)) }
    }

    /// Our kinds among the items, and the configuration unless it is one of them.
    fn documents(&self, findings: &mut Findings) -> Vec<Document> {
        let ours = self.items.iter().enumerate().filter(|(_, item)| item.is_input());
        let mut documents: Vec<_> =
            ours.map(|(source, item)| Document { source, root: item.node.clone() }).collect();
        let Some(config) = self.config else { return documents };
        let config = Document { source: self.items.len(), root: config.clone() };
        if item::recognise(&config.root) == Recognised::Foreign {
            return documents;
        }
        match documents.iter().find(|document| item::same_id(&document.root, &config.root)) {
            None => documents.push(config),
            // kpt and kustomize pass the same object twice, the annotations aside. An object that
            // merely bears the same name must not be lost without a word.
            Some(document) if item::same_content(&document.root, &config.root) => {}
            Some(document) => findings.push(
                Code::SameObjectTwice
                    .at(document.place(&Path::from("metadata.name")))
                    .because("it is also the functionConfig, and says something else there")
                    .remedy("rename one of the two, or keep one only"),
            ),
        }
        documents
    }

    /// The object that a document's number stands for.
    fn object(&self, source: usize) -> Option<&'i Node> {
        self.items.get(source).map_or(self.config, |item| Some(&item.node))
    }
}

/// A generator sees one object. Of some kinds one says nothing, and a cloud may name others.
fn needs_others(documents: &[Document], findings: &mut Findings) {
    let [document] = documents else { return };
    let what = match item::recognise(&document.root) {
        Recognised::Ours(Kind::Component) => "a record needs the ControlPlane it extends",
        Recognised::Ours(Kind::Defaults) => "defaults need the ControlPlanes they are for",
        Recognised::Ours(Kind::HypervisorCluster | Kind::StorageCluster) => {
            "a pool needs a cloud that consumes it"
        }
        Recognised::Ours(Kind::ControlPlane | Kind::OpenStackCluster) if names_pools(document) => {
            "a cloud needs the pools it consumes"
        }
        _ => return,
    };
    findings.push(
        Code::NeedsOtherDocuments
            .at(document.place(&Path::from("kind")))
            .because(format!("{what}, and kustomize shows a generator nothing but itself"))
            .remedy("list the file under `transformers:`, or use `strata render`"),
    );
}

fn names_pools(document: &Document) -> bool {
    let lists = [
        "spec.hypervisorClusters",
        "spec.storageClusters",
        "spec.compute.hypervisorClusters",
        "spec.storage.storageClusters",
    ];
    lists.iter().any(|list| {
        let node = node_at(&document.root, &Path::from(*list));
        matches!(node.map(|node| &node.data), Some(Data::List(names)) if !names.is_empty())
    })
}
