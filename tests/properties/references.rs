//! Every name of another object leads to one that is rendered, to what an operator makes of one, or to
//! what is declared to lie outside, by group, kind and namespace. The table here is the test's own: were it
//! the program's, a field that the program overlooks would be overlooked twice. A field that looks like a
//! reference and is not in it fails the test.

use std::collections::{BTreeMap, HashMap, HashSet};

use strata::deliver::Rendered;
use strata::value::{Map, Value};

/// Kind and name of something that the cloud takes as given.
pub type Outside = (String, String);

/// Group, kind, namespace and name.
type Id = (String, String, String, String);

/// What a field names: group and kind. An empty kind is said beside the name, and any group is `*`.
type Named = (&'static str, &'static str);

/// A path in the store, as `strata requirements` calls it.
const STORE_PATH: &str = "StorePath";
const SECRET: Named = ("", "Secret");
const ACCOUNT: Named = ("", "ServiceAccount");

/// Every namespace has the first two, and the chart of External Secrets makes the third.
const OF_OTHERS: &[(Named, &str)] =
    &[(ACCOUNT, "default"), (("", "ConfigMap"), "kube-root-ca.crt"), (ACCOUNT, "external-secrets")];

/// The configuration with which Keystone's credentials are migrated when their keys rotate. The first keys
/// come before Keystone.
const READ_LATER: (&str, &str) = ("CredentialRotation", "configSecretName");

/// Gives the components between which they lead: who reads, and who makes.
pub fn lead_somewhere<'a>(
    objects: &'a [(&Rendered, Value)],
    external: &[Outside],
) -> HashSet<(&'a str, &'a str)> {
    let outside: HashSet<(&str, &str)> =
        external.iter().map(|(kind, name)| (kind.as_str(), name.as_str())).collect();
    let made = made(objects);
    let of_any_group: HashMap<(&str, &str, &str), &str> = made
        .iter()
        .map(|((_, kind, namespace, name), maker)| ((&**kind, &**namespace, &**name), *maker))
        .collect();
    let served = served(objects);
    let mut count = 0;
    let mut ways = HashSet::new();
    for (object, body) in objects {
        let Some(map) = body.as_map() else { continue };
        let mut found = |field: &str, (group, kind): (&str, &str), namespace: &str, name: &str| {
            count += 1;
            let own = if is_cluster_wide(kind) { "" } else { namespace };
            let id = || (group.to_owned(), kind.to_owned(), own.to_owned(), name.to_owned());
            let maker = match (group, kind) {
                ("*", _) => of_any_group.get(&(kind, own, name)),
                _ => made.get(&id()),
            };
            let is_waited_for = (&*object.kind, field) != READ_LATER;
            ways.extend(maker.filter(|_| is_waited_for).map(|maker| (&*object.component, *maker)));
            let served = || leads_to_a_service(name, own, object, objects, &served);
            let known = maker.is_some()
                || ((group, kind) == ("", "Service") && served())
                || outside.contains(&(kind, name))
                || outside.contains(&(kind, &*format!("{namespace}/{name}")))
                || OF_OTHERS.contains(&((group, kind), name));
            assert!(
                known,
                "{field}: there is no {kind} {name} of {group} in `{own}`, which\n{}",
                object.yaml
            );
        };
        walk(map, object, &mut found);
        for (namespace, secret) in mounted(object, body) {
            found("patch", SECRET, &namespace, &secret);
        }
    }
    assert!(count > 50, "only {count} references were found");
    ways
}

fn is_cluster_wide(kind: &str) -> bool {
    ["StorageClass", "ClusterIssuer", "ClusterSecretStore", STORE_PATH].contains(&kind)
}

fn group_of(object: &Rendered) -> &str {
    object.api_version.split_once('/').map_or("", |(group, _)| group)
}

/// All that there is, and the component it is of; a Secret and a path in the store have one producer each.
fn made<'a>(objects: &'a [(&Rendered, Value)]) -> HashMap<Id, &'a str> {
    let id = |group: &str, kind: &str, namespace: &str, name: &str| {
        (group.to_owned(), kind.to_owned(), namespace.to_owned(), name.to_owned())
    };
    let mut made: HashMap<Id, &str> = objects
        .iter()
        .map(|(object, _)| {
            let id = id(group_of(object), &object.kind, &object.namespace, &object.name);
            (id, &*object.component)
        })
        .collect();
    let mut producers: BTreeMap<Id, Vec<(String, &str)>> = BTreeMap::new();
    for (object, body) in objects {
        let text = |path: &[&str]| body.at(path).and_then(Value::as_str).map(str::to_owned);
        let products = match object.kind.as_ref() {
            "ExternalSecret" => {
                assert_ne!(text(&["spec", "target", "creationPolicy"]).as_deref(), Some("Merge"));
                Vec::from_iter(text(&["spec", "target", "name"]))
            }
            "Certificate" => Vec::from_iter(text(&["spec", "secretName"])),
            "CredentialRotation" => rotated(&object.name, text(&["spec", "rotationType"])),
            "SecretAggregate" => Vec::from_iter(text(&["spec", "target", "name"])),
            "Keystone" => Vec::from_iter(text(&["spec", "configSecretName"])),
            "RabbitmqCluster" => vec![format!("{}-default-user", object.name)],
            "Valkey" => vec![format!("valkey-{}-binding", object.name)],
            _ => Vec::new(),
        };
        // The first keys are written only where none are, and others take over from there.
        if object.kind == "PushSecret" && object.name.ends_with("-keys-first") {
            assert_eq!(text(&["spec", "updatePolicy"]).as_deref(), Some("IfNotExists"));
            continue;
        }
        let producer = (format!("{} {}", object.kind, object.name), &*object.component);
        for product in products {
            let secret = id("", "Secret", &object.namespace, &product);
            producers.entry(secret).or_default().push(producer.clone());
        }
        let mut paths: Vec<&str> = body
            .at(&["spec", "data"])
            .and_then(Value::as_list)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| item.at(&["match", "remoteRef", "remoteKey"])?.as_str())
            .collect();
        paths.dedup();
        for path in paths {
            producers.entry(id("", STORE_PATH, "", path)).or_default().push(producer.clone());
        }
    }
    for (product, producers) in producers {
        assert_eq!(producers.len(), 1, "{product:?} is made by {producers:?}");
        made.insert(product, producers[0].1);
    }
    made
}

/// The Secrets that the companion operator makes, as docs/rotation.md names them.
fn rotated(name: &str, rotation_type: Option<String>) -> Vec<String> {
    let ends: &[&str] = match rotation_type.as_deref() {
        Some("fernetKeys" | "credentialKeys") => &["", "-next", "-first"],
        Some("databasePassword" | "messagingPassword") => &["-a", "-b", "-current"],
        _ => &["-current"],
    };
    ends.iter().map(|end| format!("{name}{end}")).collect()
}

/// Hosts inside the cluster that objects other than routes speak of: the Services that operators make.
fn served(objects: &[(&Rendered, Value)]) -> HashSet<String> {
    let mut hosts = HashSet::new();
    for (object, body) in objects {
        match &*object.kind {
            "Certificate" => {
                let names = body.at(&["spec", "dnsNames"]).and_then(Value::as_list);
                hosts.extend(
                    names.unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned),
                );
            }
            "Endpoint" => {
                let url = body
                    .at(&["spec", "resource", "url"])
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let host = url.split("//").nth(1).and_then(|rest| rest.split([':', '/']).next());
                hosts.extend(host.map(str::to_owned));
            }
            _ => {}
        }
    }
    hosts
}

/// Behind routes and their policies are Services, which the operators make: each is certified or in the
/// catalog, or it is one that the operator of the route's own component names by its object.
fn leads_to_a_service(
    name: &str,
    namespace: &str,
    object: &Rendered,
    objects: &[(&Rendered, Value)],
    served: &HashSet<String>,
) -> bool {
    let host = format!("{name}.{namespace}.svc.cluster.local");
    served.contains(&host)
        || objects.iter().any(|(other, _)| {
            other.component == object.component
                && !group_of(other).starts_with("gateway.")
                && name
                    .strip_prefix(&*other.name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
}

type Found<'f> = &'f mut dyn FnMut(&str, (&str, &str), &str, &str);

fn walk(map: &Map, object: &Rendered, found: Found) {
    for (field, value) in map.iter() {
        let is_opaque = match &*object.kind {
            "HelmRelease" => field == "values",
            "ConfigMap" => field == "data",
            "CustomResourceDefinition" => field == "spec",
            // What a Certificate names there, it makes.
            "Certificate" => field == "secretName",
            _ => false,
        };
        // What belongs to every object, or to pods, is not ours to name.
        if is_opaque
            || ["metadata", "status", "annotations", "labels"].contains(&&**field)
                && !is_nova(object)
        {
            continue;
        }
        reference(field, value, object, found);
        match value {
            Value::Map(map) => walk(map, object, found),
            Value::List(items) => {
                items.iter().filter_map(Value::as_map).for_each(|map| walk(map, object, found));
            }
            _ => {}
        }
    }
}

/// The Secrets that a patch of Flux mounts into a pod, by the namespace that the patch says.
fn mounted(object: &Rendered, body: &Value) -> Vec<(String, String)> {
    let patches = body.at(&["spec", "patches"]).and_then(Value::as_list).unwrap_or_default();
    let texts = patches.iter().filter_map(|patch| patch.at(&["patch"])?.as_str());
    let mut mounted = Vec::new();
    for text in texts.filter(|_| object.kind == "Kustomization") {
        let patch = strata::yaml::read::read(text).documents.remove(0).root.to_value();
        let names = secrets_of_volumes(&patch);
        let namespace = patch.at(&["metadata", "namespace"]).and_then(Value::as_str);
        assert!(names.is_empty() || namespace.is_some(), "where is what this mounts?\n{text}");
        mounted.extend(names.into_iter().map(|name| (namespace.unwrap().to_owned(), name)));
    }
    mounted
}

fn secrets_of_volumes(value: &Value) -> Vec<String> {
    let own = value.at(&["secret", "name"]).or(value.at(&["secret", "secretName"]));
    let own = own.and_then(Value::as_str).map(str::to_owned);
    let below: Vec<&Value> = match value {
        Value::Map(map) => map.iter().map(|(_, value)| value).collect(),
        Value::List(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    own.into_iter().chain(below.into_iter().flat_map(secrets_of_volumes)).collect()
}

/// Its specs have a `metadata` of their own: the service of that name.
fn is_nova(object: &Rendered) -> bool {
    ["Nova", "Neutron"].contains(&&*object.kind)
}

fn reference(field: &str, value: &Value, object: &Rendered, found: Found) {
    let looks_like_one = ["Ref", "Refs", "Reference", "ecretName", "serviceAccountName"]
        .iter()
        .any(|end| field.ends_with(end));
    let Some(usual) = named(field, object) else {
        let name = value.at(&["name"]).or(Some(value)).and_then(Value::as_str);
        assert!(
            !looks_like_one || name.is_none(),
            "{field} is not in the table of this test:\n{}",
            object.yaml
        );
        return;
    };
    match value {
        Value::Str(name) if looks_like_one || field.starts_with("storageClass") => {
            found(field, usual, &object.namespace, name);
        }
        Value::Map(map) => in_map(field, usual, map, object, found),
        Value::List(items) => items
            .iter()
            .filter_map(Value::as_map)
            .for_each(|map| in_map(field, usual, map, object, found)),
        _ => {}
    }
}

fn in_map(field: &str, (group, kind): Named, map: &Map, object: &Rendered, found: Found) {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let is = |key: &str| map.get(key).and_then(Value::as_bool) == Some(true);
    if is("optional") || is("generate") {
        return;
    }
    if kind == STORE_PATH {
        text("key").into_iter().for_each(|path| found(field, (group, kind), "", path));
        return;
    }
    let Some(name) = text("name") else { return };
    let own = if field == "caProvider" { text("type") } else { text("kind") };
    // Flux names no kind in `dependsOn`: there it is the object's own.
    let kind = own.unwrap_or(if kind.is_empty() { &object.kind } else { kind });
    found(field, (group, kind), text("namespace").unwrap_or(&object.namespace), name);
}

/// What a field of an object names.
fn named(field: &str, object: &Rendered) -> Option<Named> {
    const CERTIFICATES: &str = "cert-manager.io";
    const MARIADB: &str = "k8s.mariadb.com";
    const ORC: &str = "openstack.k-orc.cloud";
    const RBAC: &str = "rbac.authorization.k8s.io";
    const SOURCES: &str = "source.toolkit.fluxcd.io";
    const STORE: &str = "external-secrets.io";
    let group = group_of(object);
    Some(match field {
        "serviceAccountName" | "serviceAccountRef" => ACCOUNT,
        "subjects" if group == RBAC => ACCOUNT,
        "roleRef" if group == RBAC => (RBAC, "Role"),
        "remoteRef" | "extract" if group == STORE => ("", STORE_PATH),
        "secretStoreRef" | "secretStoreRefs" => (STORE, "SecretStore"),
        "generatorRef" => ("generators.external-secrets.io", "Password"),
        "pushSecretName" | "firstPushSecretName" => (STORE, "PushSecret"),
        "externalSecretName" => (STORE, "ExternalSecret"),
        "caProvider" if group == STORE => SECRET,
        "secret" if group == STORE => SECRET,
        "issuerRef"
        | "serverCertIssuerRef"
        | "clientCertIssuerRef"
        | "listenerCertIssuerRef"
        | "adminCertIssuerRef" => (CERTIFICATES, "Issuer"),
        "issuer" if group == "cache.cs.sap.com" => (CERTIFICATES, "Issuer"),
        "mariaDbRef" => (MARIADB, "MariaDB"),
        "maxScaleRef" => (MARIADB, "MaxScale"),
        "backupRef" => (MARIADB, "Backup"),
        "rabbitmqClusterReference" => ("rabbitmq.com", "RabbitmqCluster"),
        "userReference" => ("rabbitmq.com", "User"),
        "parentRef" | "parentRefs" => ("gateway.networking.k8s.io", "Gateway"),
        "backendRefs" | "targetRefs" => ("", "Service"),
        "domainRef" if group == ORC => (ORC, "Domain"),
        "projectRef" | "defaultProjectRef" if group == ORC => (ORC, "Project"),
        "roleRef" if group == ORC => (ORC, "Role"),
        "groupRef" if group == ORC => (ORC, "Group"),
        "serviceRef" if group == ORC => (ORC, "Service"),
        "passwordRef" if group == ORC => SECRET,
        "userRef" => (ORC, "User"),
        _ if field.ends_with("ServiceUserRef") => (ORC, "User"),
        "cephClientRef" => ("ceph.rook.io", "CephClient"),
        "computeRef" => ("crossplane.c5c3.io", "HypervisorCluster"),
        "clusterRef" => ("ovn.c5c3.io", "OVNCluster"),
        "barbicanRef" => ("barbican.openstack.c5c3.io", "Barbican"),
        "glanceRef" => ("glance.openstack.c5c3.io", "Glance"),
        "sourceRef" => (SOURCES, ""),
        "chartRef" => (SOURCES, "OCIRepository"),
        "caCertificateRefs" | "cephConfRef" => SECRET,
        "dependsOn" | "statusRef" => ("*", ""),
        "storageClass" | "storageClassName" => ("storage.k8s.io", "StorageClass"),
        "configMapRef" | "configMapKeyRef" => ("", "ConfigMap"),
        "connectionSecret" | "importCredentialsSecret" => SECRET,
        _ if field.ends_with("ecretName") || field.ends_with("ecretRef") => SECRET,
        _ if field.ends_with("ecretKeyRef") => SECRET,
        _ => return None,
    })
}
