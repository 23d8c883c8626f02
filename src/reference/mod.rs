//! The custom resources of the reference distribution: what the service operators of the blueprint
//! serve. Their CRDs are generated from these types; the records fill them in.

mod keystone;
mod parts;

pub use keystone::{Keystone, KeystoneSpec, KeystoneStatus};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

/// The CRDs of all kinds, by kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![Keystone::crd()]
}
