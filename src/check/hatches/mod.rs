//! What people made of objects by `extraConfig`, `overrides` and `patches`. Settings are held against
//! rules and schemas when they are read; these come behind all that, so what they change is looked at
//! once more, in the object as it is emitted.

mod images;
mod known;
mod limits;
mod maps;
mod origin;
mod rendered;
mod requests;
mod types;

use crate::finding::{Findings, Path};
use crate::generate::Contents;
use crate::object::Object;
use crate::resolve::{Cloud, Component, Hatches, Patch};

/// An object that somebody changed by hand.
struct Changed<'a> {
    object: &'a Object,
    /// As it was before.
    rendered: &'a Object,
    component: &'a Component<'a>,
    /// Whether it is the one that `extraConfig` is about.
    is_main: bool,
}

pub fn check(contents: &Contents, cloud: &Cloud, findings: &mut Findings) {
    for component in cloud.components.iter().filter(|component| changes(&component.hatches)) {
        let own = |made: &&(usize, Object)| {
            contents.objects.get(made.0).is_some_and(|made| made.component == component.name())
        };
        for (index, rendered) in contents.rendered.iter().filter(own) {
            let Some(changed) = changed(*index, rendered, component, contents) else { continue };
            images::check(&changed, cloud, findings);
            known::check(&changed, cloud, findings);
            limits::check(&changed, cloud, findings);
            requests::check(&changed, cloud, findings);
            types::check(&changed, cloud, findings);
        }
    }
}

/// Where the spec wrote a field of an object, by the object's number; none if the record did.
pub(super) fn origin(
    index: usize,
    field: &Path,
    contents: &Contents,
    cloud: &Cloud,
) -> Option<Path> {
    let (_, rendered) = contents.rendered.iter().find(|(number, _)| *number == index)?;
    let component = cloud.component(contents.objects.get(index)?.component)?;
    changed(index, rendered, component, contents)?.origin(field)
}

fn changed<'a>(
    index: usize,
    rendered: &'a Object,
    component: &'a Component<'a>,
    contents: &'a Contents,
) -> Option<Changed<'a>> {
    let made = contents.objects.get(index)?;
    let before = index.checked_sub(1).and_then(|index| contents.objects.get(index));
    let is_main = before.is_none_or(|before| before.component != made.component);
    Some(Changed { object: &made.object, rendered, component, is_main })
}

/// Most components are rendered as their record has them, and cost nothing here.
fn changes(hatches: &Hatches) -> bool {
    hatches.extra_config.is_some() || !hatches.overrides.is_empty() || !hatches.patches.is_empty()
}

impl<'a> Changed<'a> {
    fn extra_config(&self) -> Option<&'a crate::value::Value> {
        self.component.hatches.extra_config.as_ref().filter(|_| self.is_main)
    }

    /// What is said of this object, in the order it was done.
    fn patches(&self) -> impl DoubleEndedIterator<Item = &'a Patch> {
        let hatches = &self.component.hatches;
        let object = self.object;
        hatches.overrides.iter().chain(&hatches.patches).filter(move |patch| patch.matches(object))
    }
}
