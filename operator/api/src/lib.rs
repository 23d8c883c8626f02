//! What the operator and those who render for it agree on: the kinds that it serves, the names of what it
//! makes, and the rights that it needs.

mod aggregate;
pub mod names;
pub mod rbac;
mod rotation;

pub use aggregate::{
    SecretAggregate, SecretAggregateSpec, SecretAggregateStatus, SecretRef, Source, StatusRef,
    Target,
};
pub use rotation::{
    AlternatingUsers, ApplicationCredentialSource, CloudCredentials, Consumer, ConsumerKind,
    CredentialRotation, CredentialRotationSpec, CredentialRotationStatus, Delivery, KeyAge,
    KeyOfSecret, Keys, Login, Migration, RotationType, ScheduleSpec,
};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;

pub const API: &str = "c5c3.io/v1alpha1";

pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![CredentialRotation::crd(), SecretAggregate::crd()]
}
