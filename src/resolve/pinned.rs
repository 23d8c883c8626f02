//! Images whose tags move: what the reviewer saw is then not what runs.

use crate::finding::{Code, Findings, Path, Step};
use crate::resolve::{Cloud, Component, Image};
use crate::schema::Format;

pub(super) fn check(cloud: &Cloud, findings: &mut Findings) {
    let mut usual = Vec::new();
    for component in &cloud.components {
        let path = component.path.key("image");
        if let Some(tag) = floating(component) {
            match cloud.written.get(&path.key("tag")) {
                Some(_) => {
                    let digest = format!(", or add {}.digest", cloud.written.shown(&path));
                    say(component, tag, &path, &digest, cloud, findings);
                }
                None => usual.push((tag, component)),
            }
        }
        // Further images are options.
        for (name, schema) in component.record.options.iter() {
            let is_tag = schema.property("tag").is_some_and(|tag| tag.format == Some(Format::Tag));
            let tag = component.options.get(name).and_then(|image| image.at(&["tag"])?.as_str());
            if let Some(tag) = tag.filter(|tag| is_tag && Image::floats(tag)) {
                say(component, tag, &component.path.key(name.as_ref()), "", cloud, findings);
            }
        }
    }
    unwritten(usual, cloud, findings);
}

/// The tag of its image, if that floats. None at all is a finding of its own.
fn floating<'a>(component: &'a Component) -> Option<&'a str> {
    let image = component.image.as_ref().filter(|image| image.digest.is_none())?;
    (!image.tag.is_empty() && Image::floats(&image.tag)).then_some(&image.tag)
}

fn say(
    component: &Component,
    tag: &str,
    path: &Path,
    or: &str,
    cloud: &Cloud,
    findings: &mut Findings,
) {
    let shown = cloud.written.shown(path);
    findings.push(
        Code::FloatingTag
            .at(cloud.written.place(&path.key("tag")))
            .because(format!("`{tag}` of {} can point to another image tomorrow", component.name()))
            .remedy(format!("write a whole version in {shown}.tag, such as 1.2.3{or}")),
    );
}

/// Tags that nobody wrote: they are all that is published. What stands side by side in the spec has that from one
/// cause, and is said once.
fn unwritten(mut usual: Vec<(&str, &Component)>, cloud: &Cloud, findings: &mut Findings) {
    while let Some((tag, first)) = usual.first().copied() {
        let beside = above(&first.path);
        let (together, others): (Vec<_>, Vec<_>) =
            usual.into_iter().partition(|(other, it)| *other == tag && above(&it.path) == beside);
        usual = others;
        let names: Vec<&str> = together.iter().map(|(_, component)| component.name()).collect();
        let image = cloud.written.shown(&first.path.key("image"));
        let place = if together.len() > 1 { beside } else { first.path.key("image").key("tag") };
        let each = if together.len() > 1 { ", and so for each" } else { "" };
        findings.push(
            Code::FloatingTag
                .at(cloud.written.place(&place))
                .because(format!(
                    "`{tag}`, which can point to another image tomorrow, is what there is of {}",
                    names.join(", ")
                ))
                .remedy(format!(
                    "write the digest of the image that you have tried in {image}.digest{each}"
                )),
        );
    }
}

fn above(path: &Path) -> Path {
    let steps: &[Step] = path.steps();
    steps.iter().take(steps.len().saturating_sub(1)).cloned().collect()
}
