//! What must exist before a cloud: what its spec names, and what records declare.

use std::borrow::Cow;

use crate::generate::scope::Scope;
use crate::generate::{Batch, route, sentinel};
use crate::links::{External, Flux, SECRET};
use crate::record::Outside;
use crate::resolve::{Cloud, Component, Delivery, FLUX, Way};
use crate::spec::Gateway;
use crate::value::{Map, Text};

/// Under which a Secret holds the certificate of an authority.
const AUTHORITY: &[Text] = &[Cow::Borrowed("ca.crt")];
/// As Flux reads a kubeconfig.
const KUBECONFIG: &[Text] = &[Cow::Borrowed("value")];

/// The store of all secrets, or what one of the cloud's own hangs on.
fn store(cloud: &Cloud) -> Vec<External<'static>> {
    let external = |kind: String, name: &str, why: String| External {
        component: sentinel::HOME,
        kind,
        name: name.to_owned(),
        why: Cow::Owned(why),
        keys: &[],
        reads: None,
        reader: None,
    };
    let Some(vault) = &cloud.store.vault else {
        let kind = format!("{:?}", cloud.store.kind);
        return vec![external(
            kind,
            &cloud.store.name,
            "holds every secret of the cloud, unless `secrets.store` names another".to_owned(),
        )];
    };
    let mut needed = vec![external(
        "VaultRole".to_owned(),
        &vault.role,
        format!(
            "lets ServiceAccount {}/{} read and write {}* in mount {} of {}",
            cloud.namespace,
            vault.service_account,
            cloud.secret_path(""),
            vault.mount,
            vault.server
        ),
    )];
    needed.extend(vault.ca_secret.as_ref().map(|secret| External {
        keys: AUTHORITY,
        ..external(SECRET.to_owned(), secret, "holds ca.crt of the store's authority".to_owned())
    }));
    needed
}

/// What Flux is told to follow and to use. The source that `flux bootstrap` makes goes without saying.
fn delivery(cloud: &Cloud) -> Vec<External<'static>> {
    let Delivery { namespace, source_ref, source, with, .. } = &cloud.delivery;
    let mut needed = Vec::new();
    let mut need =
        |kind: &str, home: &str, name: Option<String>, why: &'static str, keys, reader| {
            needed.extend(name.map(|name| External {
                component: sentinel::HOME,
                kind: kind.to_owned(),
                name: format!("{home}/{name}"),
                why: Cow::Borrowed(why),
                keys,
                reads: None,
                reader: Some(reader),
            }));
        };
    let text = |map: &Map, path: &[&str]| -> Option<String> {
        let (first, rest) = path.split_first()?;
        map.get(first)?.at(rest)?.as_str().map(str::to_owned)
    };
    let stages = |field| Flux {
        kind: "Kustomization".to_owned(),
        name: "of every component".to_owned(),
        field,
    };
    let account = text(with, &["serviceAccountName"]);
    let rights = "has the rights that Flux applies with";
    need("ServiceAccount", namespace, account, rights, &[], stages("spec.serviceAccountName"));
    let keys = text(with, &["decryption", "secretRef", "name"]);
    let opens = "holds the keys that SOPS decrypts with";
    need(SECRET, namespace, keys, opens, &[], stages("spec.decryption.secretRef.name"));
    let cluster = text(with, &["kubeConfig", "secretRef", "name"]);
    let leads = "leads to the cluster that the cloud runs in";
    need(SECRET, namespace, cluster, leads, KUBECONFIG, stages("spec.kubeConfig.secretRef.name"));
    let home = text(source_ref, &["namespace"]).unwrap_or_else(|| namespace.clone());
    let kind = text(source_ref, &["kind"]).unwrap_or_default();
    let name = text(source_ref, &["name"]);
    match source {
        Some(source) => {
            let secret = text(source, &["spec", "secretRef", "name"]);
            let name = name.unwrap_or_default();
            let reader = Flux { kind, name, field: "spec.secretRef.name" };
            need(SECRET, &home, secret, "lets Flux read the source of the tree", &[], reader);
        }
        None if name.as_deref() == Some(FLUX) => {}
        None => {
            need(&kind, &home, name, "is where the tree lies", &[], stages("spec.sourceRef.name"))
        }
    }
    needed
}

/// The store of all secrets, what delivery hangs on, and what public names hang on.
pub fn of_spec<'a>(cloud: &'a Cloud) -> Vec<External<'a>> {
    let mut external: Vec<External> = store(cloud);
    external.extend(delivery(cloud));
    let Some(public) = &cloud.public else { return external };
    if let Some(issuer) = &cloud.issuer {
        external.push(External {
            component: "certificates",
            kind: issuer.kind.clone().unwrap_or_else(|| "ClusterIssuer".to_owned()),
            name: issuer.name.clone(),
            why: Cow::Borrowed("issues certificates for public names"),
            keys: &[],
            reads: None,
            reader: None,
        });
    }
    external.extend(public_names(cloud, public.gateway.as_ref()));
    let Some(gateway) = &public.gateway else { return external };
    external.push(External {
        component: "certificates",
        kind: "Gateway".to_owned(),
        name: gateway.name.clone(),
        why: Cow::Owned(gateway_needs(cloud, gateway)),
        keys: &[],
        reads: route::is_certified(cloud).then_some((route::SECRET, "its listener of HTTPS")),
        reader: None,
    });
    external
}

/// Names that the catalog gives to clients. Nothing rendered makes a record in DNS; and whoever names no gateway
/// has an ingress or a proxy of their own, and is told what that has to do.
fn public_names<'a>(
    cloud: &'a Cloud,
    gateway: Option<&'a Gateway>,
) -> impl Iterator<Item = External<'a>> {
    cloud.components.iter().flat_map(move |component| {
        cloud.ways(component).into_iter().map(move |(_, way)| External {
            component: component.name(),
            kind: "PublicName".to_owned(),
            why: Cow::Owned(match gateway {
                Some(gateway) => to_gateway(cloud, gateway),
                None => to_service(cloud, component, &way),
            }),
            name: way.host,
            keys: &[],
            reads: None,
            reader: None,
        })
    })
}

fn to_gateway(cloud: &Cloud, gateway: &Gateway) -> String {
    let namespace = gateway.namespace.as_ref().unwrap_or(&cloud.namespace);
    format!("must lead, by a record in DNS, to the address of Gateway {namespace}/{}", gateway.name)
}

fn to_service(cloud: &Cloud, component: &Component, way: &Way) -> String {
    let scheme = if cloud.is_encrypted(component) { "HTTPS" } else { "HTTP" };
    let certificate = match route::is_certified(cloud) {
        true => format!("the certificate of Secret {}/{}", cloud.namespace, route::SECRET),
        false => "a certificate of yours".to_owned(),
    };
    format!(
        "must lead to Service {}/{}, port {}, which speaks {scheme}, and show {certificate}; `endpoints.gateway` has such a route rendered",
        cloud.namespace, way.service, way.port
    )
}

/// What a gateway must be told, which no object of the cloud can tell it.
fn gateway_needs(cloud: &Cloud, gateway: &Gateway) -> String {
    let namespace = &cloud.namespace;
    let mut why = "lets the world in".to_owned();
    // Listeners take routes of their own namespace alone if they say nothing.
    if gateway.namespace.as_ref().is_some_and(|own| own != namespace) {
        why += &format!("; allowedRoutes of its listeners must admit the namespace {namespace}");
    }
    why += &match route::is_certified(cloud) {
        true => format!("; its listener of HTTPS must use Secret {namespace}/{}", route::SECRET),
        false => "; its listener of HTTPS must have a certificate for all public names".to_owned(),
    };
    let is_encrypted =
        |component: &Component| cloud.is_encrypted(component) && !cloud.ways(component).is_empty();
    // Gateway API demands of every gateway that it takes a ConfigMap, and leaves Secrets to each.
    if cloud.components.iter().any(is_encrypted) {
        why += "; it must take a Secret in caCertificateRefs of a BackendTLSPolicy, as Envoy Gateway does";
    }
    why
}

impl<'a> Batch<'a, '_, '_> {
    /// What the record declares.
    pub(super) fn external(&mut self, scope: &Scope) -> Vec<External<'a>> {
        let declared = self.component.record.external.iter();
        declared.flat_map(|outside| self.outside(outside, scope)).collect()
    }

    fn outside(&mut self, outside: &'a Outside, scope: &Scope) -> Vec<External<'a>> {
        let component = self.component.name();
        let external = |name| External {
            component,
            kind: outside.kind.to_string(),
            name,
            why: Cow::Borrowed(outside.why.as_ref()),
            keys: &outside.keys,
            reads: None,
            reader: None,
        };
        self.names(&outside.named, scope).into_iter().map(external).collect()
    }
}
