//! The kinds that the operator serves.

mod aggregate;
mod rotation;

pub use aggregate::{
    SecretAggregate, SecretAggregateSpec, SecretAggregateStatus, Source, StatusField, StatusSource,
    Target,
};
pub use rotation::{
    AlternatingUsers, ApplicationCredentialSource, CloudCredentials, Consumer, ConsumerKind,
    CredentialRotation, CredentialRotationSpec, CredentialRotationStatus, Delivery, KeyAge,
    KeyOfSecret, Keys, Login, Migration, RotationType, ScheduleSpec,
};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;

pub const GROUP: &str = "c5c3.io";

pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![CredentialRotation::crd(), SecretAggregate::crd()]
}
