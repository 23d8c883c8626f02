//! What leads from outside to a service: a route on the user's gateway for each name in the catalog,
//! and one certificate for all these names.

use crate::map;
use crate::resolve::{Cloud, Component};
use crate::value::Map;

/// The component that holds what all routes share.
const HOME: &str = "certificates";
const SECRET: &str = "openstack-public-tls";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let mut objects = Vec::new();
    objects.extend(route(cloud, component));
    if component.name() == HOME {
        objects.extend(certificate(cloud));
        objects.extend(grant(cloud));
    }
    objects
}

fn route(cloud: &Cloud, component: &Component) -> Option<Map> {
    let gateway = cloud.public.as_ref()?.gateway.as_ref()?;
    let host = cloud.public_host(component)?;
    let mut parent = map! { "name" => gateway.name.clone() };
    if let Some(namespace) = &gateway.namespace {
        parent.insert("namespace", namespace.clone());
    }
    let service =
        map! { "name" => component.record.object_name.clone(), "port" => component.record.port()? };
    Some(map! {
        "apiVersion" => "gateway.networking.k8s.io/v1",
        "kind" => "HTTPRoute",
        "metadata" => map! { "name" => component.record.object_name.clone() },
        "spec" => map! {
            "parentRefs" => vec![parent],
            "hostnames" => vec![host],
            "rules" => vec![map! { "backendRefs" => vec![service] }],
        },
    })
}

/// Public names are certified by the issuer that the spec names; without one the gateway brings its
/// own certificate.
fn certificate(cloud: &Cloud) -> Option<Map> {
    let issuer = cloud.issuer.as_ref()?;
    let names = public_hosts(cloud);
    if names.is_empty() {
        return None;
    }
    Some(map! {
        "apiVersion" => "cert-manager.io/v1",
        "kind" => "Certificate",
        "metadata" => map! { "name" => SECRET },
        "spec" => map! {
            "secretName" => SECRET,
            "dnsNames" => names,
            "privateKey" => map! { "algorithm" => "ECDSA", "size" => 256i64, "rotationPolicy" => "Always" },
            "issuerRef" => map! {
                "name" => issuer.name.clone(),
                "kind" => issuer.kind.clone().unwrap_or_else(|| "ClusterIssuer".to_owned()),
                "group" => issuer.group.clone().unwrap_or_else(|| "cert-manager.io".to_owned()),
            },
        },
    })
}

/// Lets a gateway in another namespace use that certificate.
fn grant(cloud: &Cloud) -> Option<Map> {
    cloud.issuer.as_ref()?;
    let namespace = cloud.public.as_ref()?.gateway.as_ref()?.namespace.clone()?;
    Some(map! {
        "apiVersion" => "gateway.networking.k8s.io/v1beta1",
        "kind" => "ReferenceGrant",
        "metadata" => map! { "name" => SECRET },
        "spec" => map! {
            "from" => vec![map! { "group" => "gateway.networking.k8s.io", "kind" => "Gateway", "namespace" => namespace }],
            "to" => vec![map! { "group" => "", "kind" => "Secret", "name" => SECRET }],
        },
    })
}

fn public_hosts(cloud: &Cloud) -> Vec<String> {
    let mut hosts: Vec<String> =
        cloud.components.iter().filter_map(|component| cloud.public_host(component)).collect();
    hosts.sort();
    hosts
}
