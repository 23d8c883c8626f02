//! `SecretAggregate`: Secrets and fields of status, joined into one Secret.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "c5c3.io",
    version = "v1alpha1",
    kind = "SecretAggregate",
    namespaced,
    status = "SecretAggregateStatus",
    category = "strata",
    printcolumn = r#"{"name":"Target","type":"string","jsonPath":".spec.target.name"}"#,
    printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].status"}"#,
    printcolumn = r#"{"name":"Reason","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].reason"}"#,
    validation = Rule::new(
        "self.spec.sources.all(s, !has(s.secretRef) || s.secretRef.name != self.spec.target.name)"
    ).message("the target is not among the sources"),
    validation = Rule::new("self.spec.target.name == oldSelf.spec.target.name")
        .message("the name of the target does not change, because the Secret of the old name would stay for ever; make another SecretAggregate, and delete this one"),
)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateSpec {
    /// Where the values come from. A later source does not replace a key of an earlier one: that is an error.
    #[schemars(length(min = 1, max = 32))]
    pub sources: Vec<Source>,
    pub target: Target,
}

/// Keys of a Secret, or one field of an object's status.
#[derive(Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
#[x_kube(
    validation = Rule::new("has(self.secretRef) != has(self.statusRef)").message("a source is a Secret or the status of an object"),
    validation = Rule::new("!has(self.keys) || has(self.secretRef)").message("keys are those of a Secret"),
)]
pub struct Source {
    /// A Secret of the same namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretRef>,
    /// Which of its keys; all if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub keys: Vec<String>,
    /// One field of an object's status, as `id` of K-ORC's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_ref: Option<StatusRef>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SecretRef {
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
}

/// One field of the status of an object in the same namespace, of a kind that the operator may read.
#[derive(Debug, Clone, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
#[x_kube(
    validation = Rule::new(
        "(self.apiVersion.startsWith('openstack.k-orc.cloud/') && self.kind in ['ApplicationCredential', 'Domain', 'Project', 'User']) || (self.apiVersion.startsWith('c5c3.io/') && self.kind in ['CredentialRotation'])"
    ).message("the operator reads the status of K-ORC's ApplicationCredential, Domain, Project and User, and of CredentialRotation"),
)]
pub struct StatusRef {
    #[schemars(length(min = 1, max = 253))]
    pub api_version: String,
    #[schemars(length(min = 1, max = 63))]
    pub kind: String,
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The field below `status`, with dots between the names of deeper ones.
    #[schemars(length(min = 1, max = 253))]
    pub field: String,
    /// The key it gets in the Secret.
    #[schemars(length(min = 1, max = 253))]
    pub key: String,
}

/// A Secret in the same namespace. It belongs to the aggregate and goes with it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Texts in which each `{{ expression }}` becomes a value: `{{ password }}`, `{{ tls.crt }}`, or
    /// `{{ values['tls-key'] }}` for a key that is no path. Expressions are MiniJinja's, without what makes texts grow:
    /// names, indexes, comparisons, `if`, and the filters of docs/rotation.md. Without any text, the values themselves
    /// are the target.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "texts")]
    pub template: BTreeMap<String, String>,
}

/// Of what is in a map, `length` says nothing in a schema.
fn texts(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": 65_536},
    })
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretAggregateStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rbac::PLANE;

    #[test]
    fn texts_of_a_template_are_not_endless() {
        let schema = serde_json::to_value(schemars::schema_for!(Target)).unwrap();
        let template = &schema["properties"]["template"];
        assert_eq!(template["additionalProperties"]["maxLength"], 65_536);
        assert!(template["description"].as_str().unwrap().contains("MiniJinja"));
    }

    #[test]
    fn every_kind_whose_status_is_taken_may_be_read() {
        let schema = serde_json::to_value(schemars::schema_for!(StatusRef)).unwrap();
        let rule = schema["x-kubernetes-validations"][0]["rule"].as_str().unwrap().to_owned();
        let may = |group: &str, kind: &str| {
            let resource = format!("{}s", kind.to_lowercase());
            PLANE.iter().any(|right| {
                (right.group, right.resource) == (group, resource.as_str())
                    && right.verbs.contains(&"get")
            })
        };
        let kinds = rule.split("startsWith('").skip(1).flat_map(|part| {
            let (group, rest) = part.split_once("/'").unwrap();
            let (_, kinds) = rest.split_once('[').unwrap();
            let kinds = kinds.split_once(']').unwrap().0.split(", ");
            kinds.map(move |kind| (group, kind.trim_matches('\'')))
        });
        let kinds: Vec<_> = kinds.collect();
        assert_eq!(kinds.len(), 5, "{kinds:?}");
        for (group, kind) in kinds {
            assert!(may(group, kind), "{kind} of {group} cannot be read");
        }
    }
}
