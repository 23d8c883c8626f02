//! What follows from what, found out by trying: rendering is a pure function, so that whatever changes
//! with one thing of its input follows from that, and nothing else does.

use crate::catalogue::Catalogue;
use crate::clouds;
use crate::explain::compare::differing;
use crate::explain::otherwise;
use crate::finding::{Path, Step, node_at};
use crate::generate::Evaluator;
use crate::layers::SYSTEM;
use crate::load::Document;
use crate::map;
use crate::object::Object;
use crate::quick_hash::QuickMap;
use crate::record::Record;
use crate::value::{Map, Value};
use crate::yaml::tree::{Data, Node};

/// What one change does to an object.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    pub is_gone: bool,
    pub fields: Vec<Path>,
}

impl Effect {
    pub fn is_none(&self) -> bool {
        !self.is_gone && self.fields.is_empty()
    }

    pub fn join(&mut self, other: Effect) {
        self.is_gone |= other.is_gone;
        for path in other.fields {
            if !self.fields.contains(&path) {
                self.fields.push(path);
            }
        }
    }
}

/// The input of one cloud, and what it renders to.
#[derive(Debug)]
pub struct Trials<'e> {
    documents: Vec<Document>,
    evaluator: Evaluator<'e>,
    before: Vec<(String, Object)>,
    /// The numbers of the objects that are looked at.
    wanted: Vec<usize>,
}

impl<'e> Trials<'e> {
    pub fn new(
        documents: Vec<Document>,
        mut evaluator: Evaluator<'e>,
        is_wanted: &dyn Fn(&Object) -> bool,
    ) -> Option<Self> {
        let before = clouds::once_more(&documents, &mut evaluator, |_| {})?;
        let wanted = (0..before.len()).filter(|number| is_wanted(&before[*number].1)).collect();
        Some(Trials { documents, evaluator, before, wanted })
    }

    /// How many objects are looked at.
    pub fn wanted(&self) -> usize {
        self.wanted.len()
    }

    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// What a change of a document does to each of the objects; none where nobody may write that.
    pub fn change(
        &mut self,
        document: usize,
        path: &Path,
        change: &otherwise::Change,
    ) -> Option<Vec<Effect>> {
        let is_other = !matches!(change, otherwise::Change::Removed);
        self.with(document, is_other, |root| otherwise::change(root, path, change))
    }

    /// The same for a field that is not there. It is written below everything else, in the Defaults of all clouds:
    /// they may have any field, and nothing that was written is changed by them.
    pub fn write(&mut self, path: &Path, data: &Data) -> Option<Vec<Effect>> {
        let number = self.documents.iter().position(is_lowest);
        if number.is_none() {
            let root = Node::from(&Value::Map(map! {
                "apiVersion" => "strata.c5c3.io/v1alpha1",
                "kind" => "Defaults",
                "metadata" => map! { "name" => "otherwise", "namespace" => SYSTEM },
                "spec" => Map::new(),
            }));
            self.documents.push(Document { source: self.documents.len(), root });
        }
        let last = self.documents.len() - 1;
        let write = |root: &mut Node| otherwise::write(root, path, data);
        let effects = self.with(number.unwrap_or(last), false, write);
        if number.is_none() {
            self.documents.pop();
        }
        effects
    }

    /// The same for a record.
    pub fn declare(&mut self, record: Record) -> Option<Vec<Effect>> {
        let replace = |catalogue: &mut Catalogue| catalogue.replace(record);
        let after = clouds::once_more(&self.documents, &mut self.evaluator, replace)?;
        Some(self.effects(&after, true))
    }

    fn with(
        &mut self,
        document: usize,
        is_other: bool,
        alter: impl FnOnce(&mut Node) -> Option<()>,
    ) -> Option<Vec<Effect>> {
        let root = &mut self.documents.get_mut(document)?.root;
        let written = root.clone();
        let altered = alter(root);
        let after =
            altered.and_then(|()| clouds::once_more(&self.documents, &mut self.evaluator, |_| {}));
        self.documents.get_mut(document)?.root = written;
        Some(self.effects(&after?, is_other))
    }

    /// Where something is written otherwise, objects may be called otherwise, too.
    fn effects(&self, after: &[(String, Object)], is_other: bool) -> Vec<Effect> {
        let partners = Partners::of(&self.before, after, is_other);
        let effect = |number: &usize| match partners.0.get(*number).copied().flatten() {
            None => Effect { is_gone: true, fields: Vec::new() },
            Some(partner) => {
                let fields = differing(self.before[*number].1.body(), after[partner].1.body());
                Effect { is_gone: false, fields }
            }
        };
        self.wanted.iter().map(effect).collect()
    }
}

fn is_lowest(document: &Document) -> bool {
    let text = |path| node_at(&document.root, &Path::from(path)).and_then(Node::as_str);
    text("kind") == Some("Defaults") && text("metadata.namespace") == Some(SYSTEM)
}

/// By which an object with its component is known.
type Key = fn(&(String, Object)) -> String;

/// What each object became, if it is still there.
struct Partners(Vec<Option<usize>>);

impl Partners {
    /// By name; in another namespace, if the cloud moved there; and of objects of one kind and component of which as
    /// many came as went, one after the other: then they were called otherwise.
    fn of(before: &[(String, Object)], after: &[(String, Object)], is_other: bool) -> Self {
        let mut found: Vec<Option<usize>> = vec![None; before.len()];
        let mut taken = vec![false; after.len()];
        let keys: [Key; 3] = [
            |(_, it)| format!("{} {} {}/{}", it.group(), it.kind(), it.namespace(), it.name()),
            |(component, it)| format!("{component} {} {} {}", it.group(), it.kind(), it.name()),
            |(component, it)| format!("{component} {} {}", it.group(), it.kind()),
        ];
        for (round, key) in keys.iter().enumerate().take(if is_other { 3 } else { 2 }) {
            let mut left: QuickMap<String, Vec<usize>> = QuickMap::default();
            for (number, one) in after.iter().enumerate().filter(|(number, _)| !taken[*number]) {
                left.entry(key(one)).or_default().push(number);
            }
            let mut gone: QuickMap<String, Vec<usize>> = QuickMap::default();
            let lost = |(number, _): &(usize, _)| found[*number].is_none();
            for (number, one) in before.iter().enumerate().filter(lost) {
                gone.entry(key(one)).or_default().push(number);
            }
            for (key, gone) in gone {
                let Some(came) = left.get(&key) else { continue };
                if round == 2 && came.len() != gone.len() {
                    continue;
                }
                for (gone, came) in gone.iter().zip(came) {
                    found[*gone] = Some(*came);
                    taken[*came] = true;
                }
            }
        }
        Partners(found)
    }
}

/// Whether a path leads to something below another one.
pub fn is_below(path: &Path, whole: &Path) -> bool {
    let (steps, whole): (&[Step], &[Step]) = (path.steps(), whole.steps());
    steps.len() > whole.len() && steps.starts_with(whole)
}
