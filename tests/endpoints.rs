//! One endpoint model: what the catalog, the routes, the certificates and the configuration say of
//! where a service answers is the same, for every fixture.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use drive::{Answer, Fixture, fixtures};
use serde_json::Value;
use strata::yaml::read::read;

/// The objects of one cloud, by kind.
struct Cloud {
    place: String,
    objects: Vec<Value>,
}

impl Cloud {
    fn of(fixture: &Fixture) -> Vec<Cloud> {
        let answer: Answer = fixture.render();
        let mut clouds: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for rendered in answer.objects() {
            let object = strata::spec::to_json(&read(&rendered.yaml).documents[0].root);
            let owner = object["metadata"]["annotations"]["strata.c5c3.io/owner"].as_str();
            clouds.entry(owner.unwrap().to_owned()).or_default().push(object);
        }
        let named =
            |(owner, objects)| Cloud { place: format!("{} {owner}", fixture.name), objects };
        clouds.into_iter().map(named).collect()
    }

    fn kind(&self, kind: &'static str) -> impl Iterator<Item = &Value> {
        self.objects.iter().filter(move |object| object["kind"] == kind)
    }

    fn named(&self, kind: &'static str, name: &str) -> Option<&Value> {
        self.kind(kind).find(|object| object["metadata"]["name"] == name)
    }

    /// Interface, service and address of every endpoint that is made.
    fn endpoints(&self) -> impl Iterator<Item = (&str, &str, Address)> {
        self.kind("Endpoint").filter_map(|endpoint| {
            let resource = &endpoint["spec"]["resource"];
            let address = Address::of(resource["url"].as_str()?);
            Some((resource["interface"].as_str()?, resource["serviceRef"].as_str()?, address))
        })
    }

    /// The routes that are rendered, and those that operators make of what is.
    fn routes(&self) -> Vec<Route<'_>> {
        let rendered = self.kind("HTTPRoute").map(|route| {
            let backend = &route["spec"]["rules"][0]["backendRefs"][0];
            let hosts = strings(&route["spec"]["hostnames"]);
            Route::of(route, hosts, backend["name"].as_str(), backend["port"].as_i64())
        });
        let by_operators = self.objects.iter().filter_map(|object| {
            let host = object["spec"]["gateway"]["hostname"].as_str()?;
            Some(Route::of(object, vec![host], object["metadata"]["name"].as_str(), None))
        });
        rendered.chain(by_operators).collect()
    }

    fn route(&self, name: &str) -> Option<Route<'_>> {
        self.routes().into_iter().find(|route| route.name == name)
    }

    /// The names that some certificate of the cloud is for.
    fn certified(&self) -> Vec<&str> {
        let names = self.kind("Certificate").flat_map(|it| strings(&it["spec"]["dnsNames"]));
        names.collect()
    }
}

struct Route<'a> {
    name: &'a str,
    namespace: &'a str,
    hosts: Vec<&'a str>,
    backend: &'a str,
    /// None where an operator knows it.
    port: Option<i64>,
}

impl<'a> Route<'a> {
    fn of(
        object: &'a Value,
        hosts: Vec<&'a str>,
        backend: Option<&'a str>,
        port: Option<i64>,
    ) -> Self {
        let own = |field: &str| object["metadata"][field].as_str().unwrap();
        Route {
            name: own("name"),
            namespace: own("namespace"),
            hosts,
            backend: backend.unwrap(),
            port,
        }
    }
}

struct Address {
    scheme: String,
    host: String,
    port: Option<i64>,
}

impl Address {
    fn of(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap();
        let authority = rest.split('/').next().unwrap();
        let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
        Address { scheme: scheme.to_owned(), host: host.to_owned(), port: port.parse().ok() }
    }

    fn is_inside(&self) -> bool {
        self.host.ends_with(".svc.cluster.local")
    }
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Rendered once for all tests.
static CLOUDS: LazyLock<Vec<Cloud>> = LazyLock::new(|| {
    let valid = fixtures().into_iter().filter(|fixture| !fixture.is_invalid());
    valid.flat_map(|fixture| Cloud::of(&fixture)).collect()
});

#[test]
fn an_encrypted_endpoint_inside_has_a_certificate_for_its_name() {
    let mut seen = 0;
    for cloud in CLOUDS.iter() {
        for (interface, service, address) in cloud.endpoints() {
            if address.is_inside() && address.scheme == "https" {
                let certified = cloud.certified();
                let host = address.host.as_str();
                assert!(certified.contains(&host), "{} {service} {interface}: {host}", cloud.place);
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "only {seen} endpoints were looked at");
}

#[test]
fn a_public_endpoint_and_a_route_lead_to_the_same_service() {
    let mut seen = 0;
    for cloud in CLOUDS.iter() {
        for (interface, service, address) in cloud.endpoints().filter(|it| !it.2.is_inside()) {
            let place = format!("{} {service}", cloud.place);
            assert_eq!((interface, address.scheme.as_str()), ("public", "https"), "{place}");
            let Some(route) = cloud.route(service) else { continue };
            assert_eq!(route.hosts, [address.host.as_str()], "{place}");
            // What the route leads to is what those inside speak to.
            let inside = cloud.endpoints().find(|it| it.0 == "internal" && it.1 == service);
            let inside = inside.unwrap_or_else(|| panic!("{place} has no internal endpoint")).2;
            assert!(route.port.is_none() || route.port == inside.port, "{place}");
            assert!(inside.host.starts_with(&format!("{}.", route.backend)), "{place}");
            seen += 1;
        }
    }
    assert!(seen > 5, "only {seen} routes were looked at");
}

/// What a browser shows is reached by name and stands in no catalog.
const SHOWN: &[&str] = &["horizon", "nova-console-proxy"];

/// No route without an endpoint either; Keystone's own is registered by its bootstrap.
#[test]
fn every_route_has_an_endpoint_and_every_public_name_a_certificate() {
    let mut seen = 0;
    let mut shown = BTreeSet::new();
    for cloud in CLOUDS.iter() {
        let public = cloud.named("Certificate", "openstack-public-tls");
        let mut routed = Vec::new();
        for route in cloud.routes() {
            let name = route.name;
            let imported = cloud.named("Endpoint", &format!("{name}-public"));
            if SHOWN.contains(&name) {
                assert!(imported.is_none(), "{} {name} is in the catalog", cloud.place);
                shown.insert(name.to_owned());
            } else {
                assert!(imported.is_some(), "{} {name} has a route and no endpoint", cloud.place);
            }
            routed.extend(route.hosts);
            seen += 1;
        }
        // Without a gateway the routes are made by others.
        if let Some(public) = public.filter(|_| !routed.is_empty()) {
            let mut certified = strings(&public["spec"]["dnsNames"]);
            certified.sort_unstable();
            routed.sort_unstable();
            assert_eq!(certified, routed, "{}", cloud.place);
        }
    }
    assert!(seen > 5, "only {seen} routes were looked at");
    assert_eq!(shown.len(), SHOWN.len(), "only {shown:?} have a route");
}

/// A gateway that ends TLS speaks plain HTTP behind it, unless it is told what to trust there.
#[test]
fn a_route_to_what_speaks_tls_says_what_the_gateway_trusts() {
    let (mut encrypted, mut plain) = (0, 0);
    for cloud in CLOUDS.iter() {
        let certified = cloud.certified();
        for Route { backend, namespace, .. } in cloud.routes() {
            let policy = cloud
                .kind("BackendTLSPolicy")
                .find(|policy| policy["spec"]["targetRefs"][0]["name"] == backend);
            let host = format!("{backend}.{namespace}.svc.cluster.local");
            let place = format!("{} {backend}", cloud.place);
            let Some(policy) = policy else {
                let inside = cloud.endpoints().find(|it| it.2.host == host);
                assert!(inside.is_none_or(|it| it.2.scheme == "http"), "{place}");
                plain += 1;
                continue;
            };
            assert_eq!(policy["spec"]["validation"]["hostname"], host.as_str(), "{place}");
            assert!(certified.contains(&host.as_str()), "{place}");
            encrypted += 1;
        }
    }
    assert!(encrypted > 5 && plain > 0, "{encrypted} encrypted and {plain} plain routes");
}

#[test]
fn what_keystone_is_told_of_itself_is_what_others_are_told() {
    let mut public = 0;
    for cloud in CLOUDS.iter() {
        let keystone = cloud.kind("Keystone").next().unwrap();
        let told = keystone["spec"]["bootstrap"]["publicEndpoint"].as_str();
        let hosts = cloud.route("keystone").map(|route| route.hosts).unwrap_or_default();
        if let (Some(told), [host]) = (told, hosts.as_slice()) {
            assert_eq!(Address::of(told).host, *host, "{}", cloud.place);
            public += 1;
        }
        assert!(told.is_some() || hosts.is_empty(), "{}", cloud.place);
        // Every client configuration has the address that the services have.
        let texts = cloud.kind("ExternalSecret").filter_map(|secret| {
            secret["spec"]["target"]["template"]["data"]["clouds.yaml"].as_str()
        });
        let services = cloud.objects.iter().filter_map(|object| {
            let spec = &object["spec"];
            spec["keystone"]["authUrl"].as_str().or(spec["keystoneEndpoint"].as_str())
        });
        let urls: Vec<&str> = services.collect();
        for text in texts {
            assert!(!text.contains("region"), "{}:\n{text}", cloud.place);
            for url in &urls {
                assert!(
                    text.contains(&format!("auth_url: {url}\n")),
                    "{} {url}:\n{text}",
                    cloud.place
                );
            }
        }
        assert!(!urls.is_empty(), "{} has no service", cloud.place);
    }
    assert!(public > 0, "no Keystone is reached from outside");
}

/// CobaltCore's operators own the routes of their services: one that is rendered they delete, and their dashboard
/// refuses every name but the one it is told there.
#[test]
fn a_service_of_cobaltcore_is_told_its_public_name_and_has_no_second_route() {
    let (mut told, mut dashboards) = (0, 0);
    for cloud in CLOUDS.iter() {
        for object in &cloud.objects {
            let host = object["spec"]["gateway"]["hostname"].as_str();
            let (kind, name) = (&object["kind"], object["metadata"]["name"].as_str().unwrap());
            let Some(host) = host else { continue };
            assert!(cloud.named("HTTPRoute", name).is_none(), "{} {kind}", cloud.place);
            assert!(host.starts_with(&format!("{name}.")), "{} {kind}: {host}", cloud.place);
            told += 1;
            if kind == "Horizon" {
                let backend = object["spec"]["cache"]["backend"].as_str().unwrap();
                assert!(backend.starts_with("django."), "{}: {backend}", cloud.place);
                dashboards += 1;
            }
        }
    }
    assert!(told >= 5 && dashboards > 0, "only {told} services, {dashboards} dashboards");
}

/// The objects of a cloud with these fields of its spec.
fn of_spec(spec: &str) -> Cloud {
    let text = format!(
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {{name: test}}\nspec: {spec}\n"
    );
    let answer = drive::render(&[("cloud.yaml", &text)]);
    let object = |rendered: &strata::deliver::Rendered| {
        strata::spec::to_json(&read(&rendered.yaml).documents[0].root)
    };
    Cloud { place: spec.to_owned(), objects: answer.objects().iter().map(object).collect() }
}

#[test]
fn the_dashboard_is_reached_where_it_answers() {
    let port = |tls: bool| {
        let cloud = of_spec(&format!(
            "{{global: {{tls: {{enabled: {tls}}}, networkPolicies: {{enabled: true}}}}, \
             endpoints: {{domain: example.com, gateway: {{name: public}}}}, \
             services: {{horizon: {{enabled: true}}}}}}"
        ));
        let route = &cloud.named("HTTPRoute", "horizon").unwrap()["spec"]["rules"][0];
        let policies = cloud.kind("NetworkPolicy").map(ToString::to_string);
        let policy = policies.into_iter().find(|it| it.contains("horizon-dashboard")).unwrap();
        let port = route["backendRefs"][0]["port"].as_i64().unwrap();
        assert!(policy.contains(&format!("\"port\":{port},")), "{port}: {policy}");
        port
    };
    assert_eq!((port(true), port(false)), (443, 80));
}

#[test]
fn nova_asks_a_scheduler_that_has_an_answer() {
    let asked = |spec: &str| {
        let cloud = of_spec(spec);
        let nova = cloud.named("Nova", "nova").unwrap();
        nova["spec"]["scheduler"]["externalScheduler"]["enabled"].as_bool().unwrap()
    };
    assert!(!asked("{}"));
    assert!(asked("{cortex: {enabled: true}}"));
    assert!(!asked("{cortex: {enabled: true, pipelines: [cinder]}}"));
    assert!(asked("{services: {nova: {externalScheduler: {endpoint: 'https://other:8080'}}}}"));
}

#[test]
fn what_only_others_use_goes_with_the_last_of_them() {
    const OFF: &str = "{placement: {enabled: false}, nova: {enabled: false}, cinder: {enabled: \
                       false}, glance: {enabled: false}, neutron: {enabled: false}}";
    let has = |spec: &str| {
        let cloud = of_spec(spec);
        ["OVNCluster", "RabbitmqCluster", "MariaDB"].map(|kind| cloud.kind(kind).next().is_some())
    };
    assert_eq!(has("{}"), [true, true, true]);
    assert_eq!(has(&format!("{{services: {OFF}}}")), [false, false, true]);
    let asked = format!("{{services: {OFF}, infrastructure: {{rabbitmq: {{enabled: true}}}}}}");
    assert_eq!(has(&asked), [false, true, true]);
}
