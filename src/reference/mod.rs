//! The custom resources of the reference distribution: what the service operators of the blueprint
//! serve. Their CRDs are generated from these types; the records fill them in.

#[macro_use]
mod kind;
mod amphora;
mod cinder;
mod cortex;
mod extras;
mod glance;
mod keystone;
mod name_servers;
mod neutron;
mod nova;
mod ovn;
mod parts;
mod placement;
mod shares;
mod tempest;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

/// The CRDs of all kinds.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut crds = vec![
        keystone::Keystone::crd(),
        glance::Glance::crd(),
        placement::Placement::crd(),
        nova::Nova::crd(),
        neutron::Neutron::crd(),
        ovn::OVNCluster::crd(),
        ovn::OVNChassis::crd(),
        cinder::Cinder::crd(),
        cortex::Cortex::crd(),
        tempest::Tempest::crd(),
    ];
    crds.extend(extras::crds());
    crds
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    #[test]
    fn every_field_says_what_it_is() {
        let mut silent = Vec::new();
        for crd in super::crds() {
            let crd = serde_json::to_value(crd).unwrap_or_default();
            let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default();
            let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
            for part in ["spec", "status"] {
                walk(&schema["properties"][part], &format!("{kind}.{part}"), &mut silent);
            }
        }
        assert!(silent.is_empty(), "these have no description: {silent:#?}");
    }

    fn walk(schema: &Value, path: &str, silent: &mut Vec<String>) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            if property["description"].as_str().is_none_or(str::is_empty) {
                silent.push(path.clone());
            }
            walk(property, &path, silent);
        }
        for inner in ["items", "additionalProperties"] {
            if schema[inner].is_object() {
                walk(&schema[inner], path, silent);
            }
        }
    }
}
