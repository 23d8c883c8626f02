//! Certificates for names inside the cluster, from the cloud's own authority: no public one can
//! issue for `*.svc`.

use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::Map;

/// The Issuer that the component `certificates` makes.
const ISSUER: &str = "openstack-ca";

/// The Secret with the authority's certificate and nothing else, which the same component delivers.
pub const BUNDLE: &str = "openstack-ca-bundle";
/// The key in it.
pub const BUNDLE_KEY: &str = "ca.crt";

/// How an object names what it trusts.
pub fn bundle() -> Map {
    map! { "name" => BUNDLE, "key" => BUNDLE_KEY }
}

/// The `tls` of a service: its own certificate, and what it trusts.
pub fn settings(component: &Component) -> Map {
    map! {
        "enabled" => true,
        "certSecretRef" => map! { "name" => secret(component) },
        "caBundleSecretRef" => bundle(),
    }
}

pub fn secret(component: &Component) -> String {
    format!("{}-tls", component.record.object_name)
}

pub fn objects(cloud: &Cloud, component: &Component, services: &[String]) -> Vec<Map> {
    // What serves plain HTTP shows a certificate to its database, if to anyone.
    let is_shown = !component.is_cobaltcore() || !component.record.databases.is_empty();
    if !cloud.tls || services.is_empty() || !is_shown {
        return Vec::new();
    }
    let namespace = &cloud.namespace;
    let mut names = Vec::with_capacity(3 * services.len());
    for service in services {
        if !service.starts_with('*') {
            names.push(service.clone());
        }
        names.push(format!("{service}.{namespace}.svc"));
        names.push(format!("{service}.{namespace}.svc.cluster.local"));
    }
    vec![map! {
        "apiVersion" => "cert-manager.io/v1",
        "kind" => "Certificate",
        "metadata" => map! { "name" => secret(component) },
        "spec" => map! {
            "secretName" => secret(component),
            "duration" => "2160h",
            "renewBefore" => "720h",
            "privateKey" => map! { "algorithm" => "ECDSA", "size" => 256i64, "rotationPolicy" => "Always" },
            "usages" => vec!["server auth", "client auth", "digital signature", "key encipherment"],
            "dnsNames" => names,
            "issuerRef" => map! { "name" => ISSUER, "kind" => "Issuer", "group" => "cert-manager.io" },
        },
    }]
}
