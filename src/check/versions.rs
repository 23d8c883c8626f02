//! Charts, sources and the images of other projects' manifests are named by one exact version.

use crate::finding::{Code, Path};
use crate::object::Object;
use crate::resolve::Image;
use crate::value::Value;

/// What can change its meaning in an object of Flux.
pub struct Floating {
    pub code: Code,
    pub field: Path,
    /// As it is written there.
    pub shown: String,
    pub remedy: &'static str,
}

const VERSION: &str = "name one version, such as 1.2.3";
const OR_DIGEST: &str = "name one version, such as 1.2.3, or a digest";

/// What floats in an object of Flux; nothing in any other.
pub fn floating(object: &Object) -> Vec<Floating> {
    let Some(spec) = object.body().at(&["spec"]) else { return Vec::new() };
    match object.kind() {
        "HelmRelease" => Vec::from_iter(chart(spec)),
        "OCIRepository" => Vec::from_iter(artifact(spec)),
        "GitRepository" => Vec::from_iter(commit(spec)),
        "Kustomization" => images(spec),
        _ => Vec::new(),
    }
}

fn chart(spec: &Value) -> Option<Floating> {
    // Another kind of source has a version of its own.
    spec.at(&["chart", "spec"])?;
    refuse(spec, "chart.spec.version", is_exact, VERSION)
}

fn artifact(spec: &Value) -> Option<Floating> {
    match ["ref.digest", "ref.semver"].map(|field| text(spec, field)) {
        [Some(_), _] => None,
        [None, Some(_)] => refuse(spec, "ref.semver", |_| false, OR_DIGEST),
        [None, None] => refuse(spec, "ref.tag", is_exact, OR_DIGEST),
    }
}

/// A field of a source, and whether what it says stays what it is.
type Way = (&'static str, fn(&str) -> bool);

/// In the order in which Flux reads them: the first that is there counts.
fn commit(spec: &Value) -> Option<Floating> {
    const COMMIT: Way = ("ref.commit", |_| true);
    const WAYS: [Way; 5] = [
        COMMIT,
        ("ref.name", |name| name.strip_prefix("refs/tags/").is_some_and(|tag| !Image::floats(tag))),
        ("ref.semver", |_| false),
        ("ref.tag", |tag| !Image::floats(tag)),
        ("ref.branch", |_| false),
    ];
    let way = WAYS.iter().find(|(field, _)| text(spec, field).is_some());
    let (field, is_fixed) = way.copied().unwrap_or(COMMIT);
    refuse(spec, field, is_fixed, "name a commit, or the tag of one version")
}

/// Images that take the place of those in the manifests.
fn images(spec: &Value) -> Vec<Floating> {
    let images = spec.at(&["images"]).and_then(Value::as_list).unwrap_or_default();
    let floating = images.iter().enumerate().filter_map(|(index, image)| {
        let tag = image.at(&["newTag"])?.as_str()?;
        let floats = image.at(&["digest"]).is_none() && Image::floats(tag);
        let field = Path::from("spec.images").index(index).key("newTag");
        let shown = format!("images[{index}].newTag: {}", tag.escape_debug());
        floats.then_some(Floating { code: Code::FloatingTag, field, shown, remedy: OR_DIGEST })
    });
    floating.collect()
}

fn text<'a>(spec: &'a Value, field: &str) -> Option<&'a str> {
    let steps: Vec<&str> = field.split('.').collect();
    spec.at(&steps)?.as_str()
}

fn refuse(
    spec: &Value,
    field: &str,
    is_fixed: impl Fn(&str) -> bool,
    remedy: &'static str,
) -> Option<Floating> {
    let shown = match text(spec, field) {
        None => format!("no {field}"),
        Some(version) if is_fixed(version) => return None,
        Some(version) => format!("{field}: {}", version.escape_debug()),
    };
    let field = Path::from(format!("spec.{field}").as_str());
    Some(Floating { code: Code::FloatingChart, field, shown, remedy })
}

/// A whole version as semver.org has it, a `v` before it allowed: three numbers, and what may follow.
fn is_exact(version: &str) -> bool {
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find(['-', '+']).unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let follows = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && rest.len() != 1
        && rest.bytes().all(follows)
}

#[cfg(test)]
mod tests {
    use super::is_exact;

    #[test]
    fn only_a_whole_version_is_exact() {
        for exact in ["1.2.3", "v1.21.1", "0.4.0-rc.1", "1.2.3+build.5", "25.10.4"] {
            assert!(is_exact(exact), "{exact}");
        }
        for floats in [
            "",
            "*",
            "1",
            "1.2",
            "1.x",
            "1.2.x",
            "26.6.*",
            ">=1.2.3",
            "^1.2.3",
            "~1.2.3",
            "latest",
            "1.2.3 - 2.0.0",
            "1.2.3 || 1.2.4",
            "1.2.3-",
            "<2.0.0",
            "v",
            "=1.2.3",
        ] {
            assert!(!is_exact(floats), "{floats}");
        }
    }
}
