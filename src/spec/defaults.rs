//! `Defaults`: what every cloud has, or every cloud of a namespace, unless its own spec says
//! otherwise.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ControlPlaneSpec;

/// The fields of a ControlPlane. In `strata-system` they are for every cloud, elsewhere for the
/// cloud of that namespace.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "strata.c5c3.io",
    version = "v1alpha1",
    kind = "Defaults",
    plural = "defaults",
    doc = "Values that control planes have unless their own spec says otherwise.",
    namespaced,
    printcolumn = r#"{"name":"Release","type":"string","jsonPath":".spec.release"}"#,
    printcolumn = r#"{"name":"Size","type":"string","jsonPath":".spec.size"}"#,
    printcolumn = r#"{"name":"Region","type":"string","jsonPath":".spec.global.region"}"#,
    validation = "!has(self.spec.services) || !has(self.spec.openstack)"
)]
#[serde(transparent)]
pub struct DefaultsSpec(pub ControlPlaneSpec);
