//! Every dependency comes from the crate registry under a licence that `deny.toml` allows.
//!
//! Done here and not by cargo-deny, which takes four minutes to build; `deny.toml` is valid for both.

use std::collections::BTreeSet;
use std::fs;

use crate::failure::{Failure, While};
use crate::workspace;

pub fn check() -> Result<(), Failure> {
    let allowed = allowed(
        &fs::read_to_string(workspace::root().join("deny.toml")).while_("reading deny.toml")?,
    );
    let metadata = workspace::metadata(&["--locked"])?;
    let mut refused = Vec::new();
    let mut seen = 0;
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(source) = package["source"].as_str() else { continue };
        seen += 1;
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        if !source.starts_with("registry+") {
            refused.push(format!("{name} does not come from the registry: {source}"));
        }
        let licence = text(&package["license"]);
        if !permits(licence, &allowed) {
            refused.push(format!(
                "{name} has the licence {licence:?}, which deny.toml does not allow"
            ));
        }
    }
    if !refused.is_empty() {
        return Err(Failure::new(refused.join("\n  "))
            .remedy("replace the dependency, or allow it in deny.toml"));
    }
    println!(
        "licences and sources of {seen} dependencies checked against deny.toml (advisories: `cargo deny check`)"
    );
    Ok(())
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The strings of `allow = [ … ]`, the only key of that name in deny.toml.
fn allowed(deny: &str) -> BTreeSet<String> {
    let list = deny.split("\nallow = [").nth(1).and_then(|rest| rest.split(']').next());
    list.unwrap_or_default().split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an SPDX expression can be satisfied with allowed licences. `AND` binds closer than `OR`;
/// old manifests write `/` for `OR`.
fn permits(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let verdict = any(&mut words, allowed);
    verdict && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words, allowed: &BTreeSet<String>) -> bool {
    let mut verdict = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        verdict |= all(words, allowed);
    }
    verdict
}

fn all(words: &mut Words, allowed: &BTreeSet<String>) -> bool {
    let mut verdict = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        verdict &= one(words, allowed);
    }
    verdict
}

fn one(words: &mut Words, allowed: &BTreeSet<String>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let verdict = any(words, allowed);
        return words.next_if_eq(&")").is_some() && verdict;
    }
    let Some(licence) = words.next() else { return false };
    match words.next_if_eq(&"WITH") {
        Some(_) => words
            .next()
            .is_some_and(|exception| allowed.contains(&format!("{licence} WITH {exception}"))),
        None => allowed.contains(licence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permitted(expression: &str) -> bool {
        let deny = "[licenses]\nallow = [\n  \"MIT\",\n  \"Zlib\", # why\n  \"Apache-2.0 WITH LLVM-exception\",\n]\n";
        permits(expression, &allowed(deny))
    }

    #[test]
    fn an_expression_is_permitted_if_the_allowed_licences_satisfy_it() {
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "MIT AND Zlib",
            "(GPL-3.0 OR MIT) AND Zlib",
            "GPL-3.0 AND X OR MIT",
        ] {
            assert!(permitted(good), "{good}");
        }
        assert!(permitted("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "Apache-2.0",
            "(MIT",
            "MIT)",
            "MIT Zlib",
            "MIT AND (GPL-3.0 OR X)",
        ] {
            assert!(!permitted(bad), "{bad}");
        }
    }
}
