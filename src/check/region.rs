//! No configuration of a client names a region: the endpoints that K-ORC makes have none, and a
//! client that asks for one finds nothing.

use crate::check::texts::texts;
use crate::object::Object;
use crate::value::{Map, Value};

/// The lines by which configurations in the object name a region, and where these texts stand.
pub fn named(object: &Object) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, texts) in texts(object) {
        let lines = in_map(texts);
        found.extend(
            lines.map(|(key, line)| (format!("{}.{key}", path.join(".")), line.to_owned())),
        );
    }
    found
}

fn in_map(map: &Map) -> impl Iterator<Item = (&str, &str)> {
    map.iter().filter_map(|(key, value)| match value {
        // An option by itself, and not a line of a file.
        Value::Str(text) if mentions_region(key) && names_region(&format!("{key}={text}")) => {
            Some((key.as_ref(), text.as_ref()))
        }
        Value::Str(text) if mentions_region(text) => {
            text.lines().find(|line| names_region(line)).map(|line| (key.as_ref(), line.trim()))
        }
        _ => None,
    })
}

const SETTING: &str = "region_name";

/// Hardly any text does, so that hardly any is read line by line.
fn mentions_region(text: &str) -> bool {
    let before = SETTING.find('_').unwrap_or_default();
    text.match_indices('_').any(|(at, _)| {
        let begin = at.checked_sub(before);
        let word = begin.and_then(|begin| text.as_bytes().get(begin..begin + SETTING.len()));
        word.is_some_and(|word| word.eq_ignore_ascii_case(SETTING.as_bytes()))
    })
}

/// `region_name: …` in clouds.yaml, `region_name = …` and its cousins (`os_region_name`,
/// `auth_region_name`) in a service's own files, `OS_REGION_NAME=…` in those for a shell.
fn names_region(line: &str) -> bool {
    let Some((key, value)) = line.split_once([':', '=']) else { return false };
    let key = key.trim_start_matches("export ").trim_matches([' ', '\t', '-', '"', '\'']);
    let key = key.to_ascii_lowercase();
    let is_set = !matches!(value.trim(), "" | "\"\"" | "''" | "null" | "~");
    // A comment is no setting, whichever sign it begins with.
    !key.starts_with(['#', ';']) && key.ends_with(SETTING) && is_set
}

#[cfg(test)]
mod tests {
    use super::{mentions_region, names_region};

    #[test]
    fn a_region_is_named_by_a_setting_and_not_by_a_word() {
        for line in [
            "    region_name: RegionOne",
            "region_name = RegionOne",
            "os_region_name=RegionOne",
            "export OS_REGION_NAME=RegionOne",
            "- \"region_name\": 'x'",
        ] {
            assert!(names_region(line), "{line}");
            assert!(mentions_region(&format!("a_b: é\n{line}")), "{line}");
        }
        for line in [
            "    endpoint_type: internal",
            "# region_name: RegionOne",
            "region_name:",
            "region_name = ''",
            "the region_name is not set",
            "",
        ] {
            assert!(!names_region(line), "{line}");
        }
        for text in ["", "_", "region_", "egion_name", "é_name: region"] {
            assert!(!mentions_region(text), "{text}");
        }
    }
}
