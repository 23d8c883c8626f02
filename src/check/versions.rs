//! Charts are named by one exact version.

use crate::object::Object;

/// What floats in an object of Flux, as it is written there; none if nothing does.
pub fn floating(object: &Object) -> Option<String> {
    let spec = object.body().at(&["spec"])?;
    let text = |path: &[&str]| spec.at(path)?.as_str();
    match object.kind() {
        "HelmRelease" => {
            // Another kind of source has a version of its own.
            spec.at(&["chart", "spec"])?;
            refuse("chart.spec.version", text(&["chart", "spec", "version"]))
        }
        "OCIRepository" if text(&["ref", "digest"]).is_some() => None,
        "OCIRepository" => match text(&["ref", "semver"]) {
            Some(range) => Some(format!("ref.semver: {range}")),
            None => refuse("ref.tag", text(&["ref", "tag"])),
        },
        _ => None,
    }
}

fn refuse(field: &str, version: Option<&str>) -> Option<String> {
    match version {
        None => Some(format!("no {field}")),
        Some(version) if is_exact(version) => None,
        Some(version) => Some(format!("{field}: {version}")),
    }
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
