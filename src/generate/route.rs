//! What leads from outside to a service: a route on the user's gateway for each public name,
//! what the gateway trusts behind it, and one certificate for all these names.

use crate::generate::certificate;
use crate::map;
use crate::resolve::{Cloud, Component, Way};
use crate::spec::Gateway;
use crate::value::Map;

/// The component that holds what all routes share.
const HOME: &str = "certificates";
pub const SECRET: &str = "openstack-public-tls";

pub fn objects(cloud: &Cloud, component: &Component) -> Vec<Map> {
    let mut objects = Vec::new();
    let gateway = cloud.public.as_ref().and_then(|public| public.gateway.as_ref());
    if let Some(gateway) = gateway.filter(|_| !component.is_cobaltcore()) {
        for (_, way) in cloud.ways(component) {
            objects.push(route(gateway, &way));
            if cloud.is_encrypted(component) {
                objects.push(encryption(cloud, &way));
            }
        }
    }
    if component.name() == HOME {
        objects.extend(public_certificate(cloud));
        objects.extend(grant(cloud));
    }
    objects
}

/// What a CobaltCore operator makes the route of. It owns the route of its object's name: one that
/// others made it deletes, and a dashboard answers to no other name than the one that stands here.
pub fn by_the_operator(cloud: &Cloud, component: &Component) -> Option<Map> {
    let gateway = cloud.public.as_ref()?.gateway.as_ref()?;
    let ways = cloud.ways(component);
    let (_, way) = ways.first().filter(|_| component.is_cobaltcore())?;
    Some(map! { "parentRef" => parent(gateway), "hostname" => way.host.clone() })
}

fn parent(gateway: &Gateway) -> Map {
    let mut parent = map! { "name" => gateway.name.clone() };
    if let Some(namespace) = &gateway.namespace {
        parent.insert("namespace", namespace.clone());
    }
    if let Some(section) = &gateway.section_name {
        parent.insert("sectionName", section.clone());
    }
    parent
}

fn route(gateway: &Gateway, way: &Way) -> Map {
    let service = map! { "name" => way.service.clone(), "port" => way.port };
    map! {
        "apiVersion" => "gateway.networking.k8s.io/v1",
        "kind" => "HTTPRoute",
        "metadata" => map! { "name" => way.service.clone() },
        "spec" => map! {
            "parentRefs" => vec![parent(gateway)],
            "hostnames" => vec![way.host.clone()],
            "rules" => vec![map! { "backendRefs" => vec![service] }],
        },
    }
}

/// Without it a gateway speaks plain HTTP to a port that expects TLS. The authority is read from a
/// Secret, as Envoy Gateway and others do: what holds it is made at run time, and a ConfigMap with it
/// would have to be rendered.
fn encryption(cloud: &Cloud, way: &Way) -> Map {
    let authority = map! { "group" => "", "kind" => "Secret", "name" => certificate::BUNDLE };
    map! {
        "apiVersion" => "gateway.networking.k8s.io/v1",
        "kind" => "BackendTLSPolicy",
        "metadata" => map! { "name" => way.service.clone() },
        "spec" => map! {
            "targetRefs" => vec![map! { "group" => "", "kind" => "Service", "name" => way.service.clone() }],
            "validation" => map! {
                "caCertificateRefs" => vec![authority],
                "hostname" => format!("{}.{}.svc.cluster.local", way.service, cloud.namespace),
            },
        },
    }
}

/// Whether an issuer is asked for a certificate of public names.
pub fn is_certified(cloud: &Cloud) -> bool {
    public_certificate(cloud).is_some()
}

/// Public names are certified by the issuer that the spec names; without one the gateway brings its
/// own certificate.
fn public_certificate(cloud: &Cloud) -> Option<Map> {
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
    let ways = cloud.components.iter().flat_map(|component| cloud.ways(component));
    let mut hosts: Vec<String> = ways.map(|(_, way)| way.host).collect();
    hosts.sort();
    hosts
}
