//! The kinds people write. Every field is optional unless nothing sensible could stand for it, and
//! none has a default in its type: defaults are decided in `resolve`, where they can be explained.

mod control_plane;
mod defaults;
mod hypervisor_cluster;
mod json;
mod openstack_cluster;
mod storage_cluster;

pub use control_plane::{
    Bucket, Components, ControlPlane, ControlPlaneSpec, Delivery, DeliverySource, Distribution,
    Gateway, IssuerRef, KeyRotation, NetworkPolicies, PasswordRotation, Rotation, Size, SourceKind,
    SourceRef, StoreKind, Vault,
};
pub use defaults::Defaults;
pub use hypervisor_cluster::{HypervisorCluster, HypervisorClusterSpec};
pub use json::{from_json, plain_json, to_json};
pub use openstack_cluster::OpenStackCluster;
pub use storage_cluster::{StorageCluster, StorageClusterSpec};

use crate::schema::nearest;

/// The kinds Strata knows, so that a slip in one is told apart from a foreign object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    ControlPlane,
    OpenStackCluster,
    HypervisorCluster,
    StorageCluster,
    Defaults,
    /// A generator record among the input.
    Component,
    /// Part of the design and not built yet: what it is called and what to write instead.
    Planned(&'static str),
}

/// Kind, apiVersion, and what it is to this version of Strata.
const KINDS: &[(&str, &str, Kind)] = &[
    ("ControlPlane", "c5c3.io/v1alpha1", Kind::ControlPlane),
    (crate::record::KIND, crate::record::API_VERSION, Kind::Component),
    ("Defaults", "strata.c5c3.io/v1alpha1", Kind::Defaults),
    ("OpenStackCluster", "c5c3.io/v1alpha1", Kind::OpenStackCluster),
    ("HypervisorCluster", "crossplane.c5c3.io/v1alpha1", Kind::HypervisorCluster),
    ("StorageCluster", "crossplane.c5c3.io/v1alpha1", Kind::StorageCluster),
    (
        "ControlPlaneCluster",
        "crossplane.c5c3.io/v1alpha1",
        Kind::Planned("create the cluster by other means"),
    ),
    (
        "OpenStackControlPlane",
        "openstack.k8s.io/v1alpha1",
        Kind::Planned("write the same cloud as a ControlPlane (c5c3.io/v1alpha1)"),
    ),
];

/// What an object is to Strata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    Ours(Kind),
    /// One of our kinds under an apiVersion we do not know; the known one.
    OtherVersion(&'static str),
    /// Almost one of our kinds under one of our apiVersions; the known one.
    OtherKind(&'static str),
    /// Almost one of our kinds under almost its apiVersion; both as they are known.
    OtherBoth {
        kind: &'static str,
        api_version: &'static str,
    },
    Foreign,
}

pub fn recognise(api_version: &str, kind: &str) -> Recognised {
    let same_kind = || KINDS.iter().filter(|row| row.0 == kind);
    if let Some(row) = same_kind().find(|row| row.1 == api_version) {
        return Recognised::Ours(row.2);
    }
    // Another project may use the same word: only what is near to our own apiVersion is a slip.
    let group = |api_version: &str| api_version.split('/').next().unwrap_or_default().to_owned();
    let is_family = |api_version: &str| {
        let group = group(api_version);
        group == "c5c3.io" || group.ends_with(".c5c3.io")
    };
    let slip = |known: &str| {
        api_version.is_empty()
            || group(known) == group(api_version)
            || is_family(known) && is_family(api_version)
            || nearest(api_version, [known].into_iter()).is_some()
    };
    if let Some(row) = same_kind().find(|row| slip(row.1)) {
        return Recognised::OtherVersion(row.1);
    }
    let neighbours = KINDS.iter().filter(|row| row.1 == api_version).map(|row| row.0);
    if let Some(known) = nearest(kind, neighbours) {
        return Recognised::OtherKind(known);
    }
    // A slip in both: of the kinds under an apiVersion that is nearly ours, the nearest.
    let near = KINDS.iter().filter(|row| slip(row.1));
    match nearest(kind, near.clone().map(|row| row.0)) {
        Some(known) => near.clone().find(|row| row.0 == known).map_or(Recognised::Foreign, |row| {
            Recognised::OtherBoth { kind: row.0, api_version: row.1 }
        }),
        None => Recognised::Foreign,
    }
}
