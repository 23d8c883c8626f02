//! One model of endpoints: the catalog, the routes and the certificates name the same hosts.

use std::collections::{BTreeMap, BTreeSet};

use strata::deliver::Rendered;
use strata::value::Value;

/// Keystone's bootstrap registers its own endpoints, so the catalog has none of them.
const BOOTSTRAPPED: &str = "keystone";

/// Reached by name, and in no catalog.
const SHOWN: &[&str] = &["horizon", "nova-console-proxy"];

pub fn agree(objects: &[(&Rendered, Value)]) {
    let of_kind = |group: &'static str, kind: &'static str| {
        objects
            .iter()
            .filter(move |(object, _)| object.kind == kind && object.api_version.starts_with(group))
    };
    let texts = |body: &Value, path: &[&str]| -> BTreeSet<String> {
        let list = body.at(path).and_then(Value::as_list).unwrap_or_default();
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let certified: BTreeSet<String> = of_kind("cert-manager.io", "Certificate")
        .flat_map(|(_, body)| texts(body, &["spec", "dnsNames"]))
        .collect();
    let public_certificate =
        of_kind("cert-manager.io", "Certificate").find(|(it, _)| it.name.contains("public"));
    let mut routes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (object, body) in of_kind("gateway.networking", "HTTPRoute") {
        routes.entry(&object.name).or_default().extend(texts(body, &["spec", "hostnames"]));
    }
    // CobaltCore's operators make theirs.
    for (object, body) in objects {
        let host = body.at(&["spec", "gateway", "hostname"]).and_then(Value::as_str);
        if let Some(host) = host {
            routes.entry(&object.name).or_default().insert(host.to_owned());
        }
    }

    let mut interfaces: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    // What Keystone's bootstrap made is imported, and has no address of ours.
    let ours = |(_, body): &&(&Rendered, Value)| body.at(&["spec", "import"]).is_none();
    for (object, body) in of_kind("openstack.k-orc.cloud", "Endpoint").filter(ours) {
        let text = |field: &str| body.at(&["spec", "resource", field]).unwrap().as_str().unwrap();
        let (service, interface, url) = (text("serviceRef"), text("interface"), text("url"));
        interfaces.entry(service).or_default().insert(interface);
        let (scheme, rest) = url.split_once("://").unwrap();
        let host = rest.split([':', '/']).next().unwrap();
        let inside = format!(".{}.svc.cluster.local", object.namespace);
        if host.ends_with(&inside) {
            // What answers with encryption inside the cluster has a certificate for that name.
            assert!(
                scheme == "http" || certified.contains(host),
                "no certificate for {host}:\n{}",
                object.yaml
            );
            assert!(interface == "internal" || routes.is_empty(), "{}", object.yaml);
            continue;
        }
        assert_eq!((interface, scheme), ("public", "https"), "{}", object.yaml);
        if !routes.is_empty() {
            let routed = routes.get(service).is_some_and(|hosts| hosts.contains(host));
            assert!(routed, "no route for {host}: {routes:?}");
        }
        if let Some((certificate, body)) = public_certificate {
            let names = texts(body, &["spec", "dnsNames"]);
            assert!(names.contains(host), "{host} is not in\n{}", certificate.yaml);
        }
    }
    for (service, _) in of_kind("openstack.k-orc.cloud", "Service") {
        let both = BTreeSet::from(["internal", "public"]);
        let found = interfaces.get(&*service.name);
        assert!(
            service.name == BOOTSTRAPPED || found == Some(&both),
            "{} has the endpoints {found:?}",
            service.name
        );
    }
    for (name, hosts) in &routes {
        let known = interfaces.contains_key(name) || *name == BOOTSTRAPPED;
        assert!(known || SHOWN.contains(name), "{name} has a route and no endpoint");
        if public_certificate.is_some() {
            assert!(hosts.is_subset(&certified), "{hosts:?} have no certificate");
        }
    }
}
