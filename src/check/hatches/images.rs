//! Images that a change by hand brought into an object, wherever they stand, and those of other projects'
//! manifests that it no longer holds fast.

use super::{Changed, maps};
use crate::finding::{Code, Findings, Path};
use crate::object::Object;
use crate::resolve::{Cloud, Image};
use crate::value::{Map, Value};

pub fn check(changed: &Changed, cloud: &Cloud, findings: &mut Findings) {
    let Changed { object, rendered, .. } = changed;
    let mut say = |origin: &Path, because: String, remedy: &str| {
        findings.push(
            Code::FloatingTag
                .at(cloud.written.place(origin))
                .because(format!("{} {}, {because}", object.kind(), object.name().escape_debug()))
                .remedy(remedy),
        );
    };
    maps::each(object.body(), &Path::root(), &mut |value, path| {
        let Some((field, tag)) = floating(value) else { return };
        let field = path.key(field);
        // What settings made of it was looked at as such.
        let Some(origin) = changed.origin(&field) else { return };
        let tag = tag.escape_debug();
        let because = format!("{field}: `{tag}` can point to another image tomorrow");
        say(&origin, because, "write a whole version such as 1.2.3, or a digest");
    });
    let still: Vec<&str> = replaced(object).collect();
    for name in replaced(rendered).filter(|name| !still.contains(name)) {
        let origin = changed.origin(&Path::from("spec.images")).unwrap_or_else(|| changed.last());
        let because =
            format!("spec.images: `{}` is what its manifests make of it", name.escape_debug());
        say(&origin, because, "keep its item in the list, with a version or a digest");
    }
}

/// The images whose place others take in the manifests of a Kustomization.
fn replaced(object: &Object) -> impl Iterator<Item = &str> {
    let images = object.body().at(&["spec", "images"]).and_then(Value::as_list);
    let images = images.filter(|_| object.kind() == "Kustomization").unwrap_or_default();
    images.iter().filter_map(|image| image.at(&["name"])?.as_str())
}

/// The tag that floats in a map, and its field.
fn floating(value: &Value) -> Option<(&'static str, &str)> {
    value.as_map().and_then(tag).filter(|(_, tag)| Image::floats(tag))
}

/// The tag that a map gives an image, and in which field: beside a repository, or behind the name of a whole
/// image. None where a digest says more.
fn tag(map: &Map) -> Option<(&'static str, &str)> {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    if text("digest").is_some() {
        return None;
    }
    let (field, tag) = match (text("repository"), text("tag"), text("image")) {
        (Some(_), Some(tag), _) | (_, Some(tag), Some(_)) => ("tag", tag),
        (_, None, Some(image)) => ("image", behind_name(image)),
        _ => return None,
    };
    (!tag.contains('@')).then_some((field, tag))
}

/// `registry.example.com:5000/mariadb:latest`: a tag stands behind the last slash.
fn behind_name(image: &str) -> &str {
    let last = image.rsplit('/').next().unwrap_or(image);
    match last.split_once(':') {
        // A digest, which has a colon, too.
        _ if last.contains('@') => last,
        Some((_, tag)) => tag,
        None => "latest",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    #[test]
    fn an_image_floats_by_its_tag() {
        let floats = |image: &str| {
            let value = Value::Map(map! { "image" => image.to_owned() });
            floating(&value).map(|(field, tag)| format!("{field} {tag}"))
        };
        let says = |text: &str| Some(text.to_owned());
        assert_eq!(floats("mariadb"), says("image latest"));
        assert_eq!(floats("mariadb:latest"), says("image latest"));
        assert_eq!(floats("registry:5000/library/mariadb"), says("image latest"));
        assert_eq!(floats("registry:5000/mariadb:stable-2025.2"), says("image stable-2025.2"));
        assert_eq!(floats("mariadb:11.8"), says("image 11.8"));
        assert_eq!(floats("registry:5000/mariadb:11.8.3"), None);
        assert_eq!(floats("mariadb:latest@sha256:0123"), None);
        assert_eq!(floats("registry:5000/mariadb@sha256:0123"), None);
    }
}
