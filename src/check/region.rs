//! No configuration of a client names a region: the endpoints that K-ORC makes have none, and a
//! client that asks for one finds nothing.

use crate::check::assignments::assignments;
use crate::check::texts::{Extent, settings};
use crate::finding::Path;
use crate::object::Object;

/// Horizon's, which hold regions in lists and maps: of the first it makes the clouds.yaml that people
/// download, and of the second what it asks the catalog for.
const LISTS: &[&str] = &["availableregions", "defaultserviceregions"];

/// The settings by which an object names a region, and where they stand.
pub fn named(object: &Object, extent: Extent) -> Vec<(Path, String)> {
    let mut found: Vec<(Path, String)> = Vec::new();
    settings(object, extent, &mut |setting| {
        let is_named = is_set(setting.text) && names_region(setting.name);
        let around = setting.path_to(names_region).filter(|_| is_set(setting.text));
        let (path, shown) = match (around, in_text(setting.text)) {
            (Some(path), _) => (path, setting.text.to_owned()),
            (None, _) if is_named => (setting.path(), setting.text.to_owned()),
            (None, Some((name, value))) => (setting.path(), format!("{name}: {value}")),
            (None, None) => return,
        };
        // A list is one setting, however many it holds; a pair in it ends with the region.
        if found.last().is_some_and(|(last, _)| *last == path) {
            found.pop();
        }
        found.push((path, shown));
    });
    found
}

fn in_text(text: &str) -> Option<(&str, &str)> {
    if !mentions_region(text) {
        return None;
    }
    let lines = text.lines().filter(|line| mentions_region(line));
    lines.flat_map(assignments).find(|(name, value)| names_region(name) && is_set(value))
}

/// Hardly any text does, so that hardly any is read line by line.
fn mentions_region(text: &str) -> bool {
    text.contains("egion") || text.contains("EGION")
}

/// `region_name` in clouds.yaml, it and its cousins (`os_region_name`, `auth_region_name`, Heat's
/// `region_name_for_services`, Glance's `swift_store_region`) in a service's own files, `OS_REGION_NAME` in those for a shell, `regionName` in
/// values of a chart.
fn names_region(name: &str) -> bool {
    if !mentions_region(name) {
        return false;
    }
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    name.ends_with("regionname")
        || name.starts_with("regionnamefor")
        || name.ends_with("swiftstoreregion")
        || LISTS.contains(&name.as_str())
}

fn is_set(value: &str) -> bool {
    !matches!(value.trim(), "" | "\"\"" | "''" | "null" | "~" | "None" | "[" | "{")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Extent, in_text, named};
    use crate::map;
    use crate::object::Object;
    use crate::value::{Map, Value};

    fn found(config: Map) -> Vec<String> {
        let body = map! {
            "apiVersion" => "horizon.openstack.c5c3.io/v1alpha1",
            "kind" => "Horizon",
            "metadata" => map! { "name" => "it" },
            "spec" => map! { "extraConfig" => config },
        };
        let found = named(&Object::new(body).unwrap(), Extent::Configuration).into_iter();
        found.map(|(path, shown)| format!("{path}: {shown}")).collect()
    }

    #[test]
    fn a_region_is_named_by_a_setting_and_not_by_a_word() {
        for line in [
            "    region_name: RegionOne",
            "region_name = RegionOne",
            "os_region_name=RegionOne",
            "region_name_for_services = RegionOne",
            "swift_store_region = RegionOne",
            "export OS_REGION_NAME=RegionOne",
            "- \"region_name\": 'x'",
            "{auth: {}, region_name: RegionOne}",
            "openstack --os-region-name RegionOne server list",
            "AVAILABLE_REGIONS = [('https://keystone:5000/v3', 'RegionOne')]",
            "DEFAULT_SERVICE_REGIONS = {'*': 'RegionOne'}",
        ] {
            assert!(in_text(&format!("a_b: é\n{line}")).is_some(), "{line}");
        }
        for line in [
            "    endpoint_type: internal",
            "# region_name: RegionOne",
            "region_name:",
            "region_name = ''",
            "the region_name is not set",
            "AVAILABLE_REGIONS = []",
            "region: eu-de-1",
            "WEBSSO_DEFAULT_REDIRECT_REGION = 'https://keystone:5000/v3'",
            "",
        ] {
            assert_eq!(in_text(line), None, "{line}");
        }
    }

    #[test]
    fn a_region_is_found_in_every_list_and_map() {
        let at = "spec.extraConfig";
        let pair = |name: &'static str| Value::from(vec!["https://keystone:5000/v3", name]);
        let variable = map! { "name" => "OS_REGION_NAME", "value" => "north" };
        for (config, expected) in [
            (
                map! { "nova" => vec![map! { "region_name" => "north" }] },
                "nova[0].region_name: north",
            ),
            (map! { "cloud" => map! { "RegionName" => "north" } }, "cloud.RegionName: north"),
            (map! { "env" => vec![variable] }, "env[0].value: north"),
            (map! { "env" => vec!["OS_REGION_NAME=north"] }, "env[0]: OS_REGION_NAME: north"),
            (
                map! { "AVAILABLE_REGIONS" => vec![pair("north"), pair("south")] },
                "AVAILABLE_REGIONS: south",
            ),
            (
                map! { "DEFAULT_SERVICE_REGIONS" => map! { "*" => "north" } },
                "DEFAULT_SERVICE_REGIONS: north",
            ),
        ] {
            assert_eq!(found(config.clone()), [format!("{at}.{expected}")], "{config:?}");
        }
        for config in [
            map! { "AVAILABLE_REGIONS" => Vec::<Value>::new() },
            map! { "DEFAULT_SERVICE_REGIONS" => Map::new() },
            map! { "region_name" => "" },
            map! { "s3" => map! { "region" => "north" } },
        ] {
            assert_eq!(found(config.clone()), Vec::<String>::new(), "{config:?}");
        }
    }
}
