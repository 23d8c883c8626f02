//! Nothing that is rendered moves by itself: charts, images and sources have one exact version each.

use strata::catalogue::Catalogue;
use strata::deliver::Rendered;
use strata::resolve::Image;
use strata::value::Value;

const FLOATING: &[&str] = &["", "latest", "stable", "main", "master", "edge", "nightly", "*"];

/// CobaltCore publishes their images as `latest` and in no other way, which S0306 says.
const UNVERSIONED: &[&str] = &[
    "keystone-operator",
    "glance-operator",
    "placement-operator",
    "horizon-operator",
    "barbican-operator",
];

pub fn are_exact(object: &Rendered, body: &Value) {
    let text = |path: &[&str]| body.at(path).and_then(Value::as_str);
    let exact = |version: Option<&str>| {
        let version = version.unwrap_or_default();
        let numbers = version.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default();
        let parts: Vec<&str> = numbers.split('.').collect();
        let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        assert!(parts.len() == 3 && parts.iter().all(is_number), "{version:?} in\n{}", object.yaml);
    };
    match object.kind.as_ref() {
        "HelmRelease" if body.at(&["spec", "chart"]).is_some() => {
            exact(text(&["spec", "chart", "spec", "version"]));
        }
        "OCIRepository" if text(&["spec", "ref", "digest"]).is_none() => {
            assert!(text(&["spec", "ref", "semver"]).is_none(), "{}", object.yaml);
            exact(text(&["spec", "ref", "tag"]));
        }
        "GitRepository" if text(&["spec", "ref", "commit"]).is_none() => {
            let branch = ["branch", "semver", "name"];
            let floats = branch.iter().any(|way| text(&["spec", "ref", way]).is_some());
            assert!(!floats, "{}", object.yaml);
            exact(text(&["spec", "ref", "tag"]));
        }
        "Kustomization" => {
            for image in body.at(&["spec", "images"]).and_then(Value::as_list).unwrap_or_default() {
                let fixed = image.at(&["digest"]).is_some()
                    || image.at(&["newTag"]).and_then(Value::as_str).is_some_and(stays);
                assert!(fixed, "{image:?} in\n{}", object.yaml);
            }
        }
        _ => {}
    }
    // What a chart does not say, it pins itself.
    if !UNVERSIONED.contains(&&*object.name) {
        images(object, body);
    }
}

fn images(object: &Rendered, value: &Value) {
    match value {
        Value::List(items) => items.iter().for_each(|item| images(object, item)),
        Value::Map(map) => {
            let text = |key: &str| map.get(key).and_then(Value::as_str);
            if let (Some(repository), Some(tag)) = (text("repository"), text("tag")) {
                let version = tag.split('@').next().unwrap_or_default();
                let digest = tag.contains('@') || text("digest").is_some();
                let fixed = digest || !FLOATING.contains(&version);
                assert!(fixed, "{repository}:{tag} in\n{}", object.yaml);
            }
            if let Some(image) = text("image") {
                let name = image.rsplit('/').next().unwrap_or_default();
                let fixed = match name.split_once([':', '@']) {
                    Some((_, version)) => name.contains('@') || !FLOATING.contains(&version),
                    None => false,
                };
                assert!(fixed, "{image} in\n{}", object.yaml);
            }
            map.iter().for_each(|(_, value)| images(object, value));
        }
        _ => {}
    }
}

fn stays(tag: &str) -> bool {
    !Image::floats(tag)
}

/// What nobody has written is never warned of.
#[test]
fn every_version_of_the_catalogue_is_one_that_stays() {
    let catalogue = Catalogue::built_in();
    let mut seen = 0;
    for record in catalogue.records() {
        let own = record.distributions.iter().flat_map(|variant| {
            variant.releases.iter().map(|(_, version)| version).chain([&variant.version])
        });
        let versions = record.releases.iter().map(|(_, version)| version).chain([&record.version]);
        for version in versions.chain(own).filter(|version| !version.is_empty()) {
            let is_known = UNVERSIONED.contains(&record.component.as_ref());
            assert_eq!(stays(version), !is_known, "{}: {version}", record.component);
            seen += 1;
        }
    }
    assert!(seen >= 60, "only {seen} versions");
}
