//! Finds every reference in an object by walking it once.

use crate::links::made::{group, is_cluster_wide};
use crate::links::patches::in_patches;
use crate::links::table::{self, OF_PODS, OPAQUE, Row};
use crate::object::Object;
use crate::value::{Map, Value};

/// One name of another object in an object.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a, 'p> {
    /// The API group of what is named; any if it is `*`.
    pub group: &'static str,
    pub kind: &'a str,
    /// Empty for what belongs to no namespace.
    pub namespace: &'a str,
    pub name: &'a str,
    /// Where the name stands.
    pub path: &'p [Step<'a>],
    /// The operator makes what is missing, as the MariaDB operator does with `generate: true`.
    pub generated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

/// `spec.database.secretRef.name`.
pub fn shown_path(path: &[Step]) -> String {
    let mut shown = String::new();
    for step in path {
        match step {
            Step::Key(key) if shown.is_empty() => shown.push_str(key),
            Step::Key(key) => {
                shown.push('.');
                shown.push_str(key);
            }
            Step::Item(index) => shown.push_str(&format!("[{index}]")),
        }
    }
    shown
}

/// Calls `found` for each reference, in the order they stand in.
pub fn references<'a>(object: &'a Object, found: &mut dyn FnMut(Reference<'a, '_>)) {
    let group = group(object);
    let namespace = object.namespace();
    let mut walk = Walk { group, object, namespace, path: Vec::with_capacity(16), found };
    if let Some(body) = object.body().as_map() {
        walk.map(body);
    }
    walk.values();
    in_patches(object, found);
}

struct Walk<'a, 'f> {
    group: &'a str,
    object: &'a Object,
    /// Of what is named without one.
    namespace: &'a str,
    path: Vec<Step<'a>>,
    found: &'f mut dyn FnMut(Reference<'a, '_>),
}

impl<'a> Walk<'a, '_> {
    fn map(&mut self, map: &'a Map) {
        for (key, value) in map.iter() {
            let row = match value {
                Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => continue,
                _ => table::row_of(key, self.group),
            };
            // Most fields are texts that name nothing.
            if row.is_none() && matches!(value, Value::Str(_)) || self.is_opaque(key) {
                continue;
            }
            self.path.push(Step::Key(key));
            if let Some(row) = row {
                self.named(row, value);
            }
            self.into(value);
            self.path.pop();
        }
    }

    fn into(&mut self, value: &'a Value) {
        match value {
            Value::Map(map) => self.map(map),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(Step::Item(index));
                    self.into(item);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// What a chart is told of its pods, which run where the release says.
    fn values(&mut self) {
        const VALUES: [&str; 2] = ["spec", "values"];
        if self.object.kind() != "HelmRelease" {
            return;
        }
        let body = self.object.body();
        let target = body.at(&["spec", "targetNamespace"]).and_then(Value::as_str);
        self.namespace = target.unwrap_or(self.namespace);
        if let Some(values) = body.at(&VALUES) {
            self.path.extend(VALUES.map(Step::Key));
            self.chart(values);
            self.path.clear();
        }
    }

    fn chart(&mut self, value: &'a Value) {
        match value {
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    self.path.push(Step::Key(key));
                    let row = table::row_of(key, self.group).filter(|_| OF_PODS.contains(&&**key));
                    match row {
                        Some(row) => self.named(row, value),
                        None if OF_PODS.contains(&&**key) => self.into(value),
                        None => self.chart(value),
                    }
                    self.path.pop();
                }
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(Step::Item(index));
                    self.chart(item);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// The top level of an object and its spec hold few of these, so looking is cheap.
    fn is_opaque(&self, key: &str) -> bool {
        let depth = self.path.len();
        depth < 2
            && OPAQUE.iter().any(|(group, kind, field)| {
                *field == key
                    // What every object has stands at its top: a spec may have a `metadata` of its own.
                    && (depth == 0 || !kind.is_empty())
                    && (group.is_empty() || *group == self.group)
                    && (kind.is_empty() || *kind == self.object.kind())
            })
    }

    /// A text, a map with the name in it, or a list of such maps.
    fn named(&mut self, row: &'static Row, value: &'a Value) {
        match value {
            Value::Str(name) if row.takes_text() => {
                self.report(row, row.kind, self.namespace, name, false);
            }
            Value::Map(map) => self.by_map(row, map),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Value::Map(map) = item {
                        self.path.push(Step::Item(index));
                        self.by_map(row, map);
                        self.path.pop();
                    }
                }
            }
            _ => {}
        }
    }

    fn by_map(&mut self, row: &'static Row, map: &'a Map) {
        let text = |key: &str| map.get(key).and_then(Value::as_str);
        let flag = |key: &str| map.get(key).and_then(Value::as_bool) == Some(true);
        let Some(name) = text(row.key).filter(|_| !flag("optional")) else { return };
        let namespace = text("namespace").unwrap_or(self.namespace);
        self.path.push(Step::Key(row.key));
        // Flux names no kind in `dependsOn`: there it is the object's own.
        let kind = text(row.kind_key).unwrap_or(row.kind);
        let kind = if kind.is_empty() { self.object.kind() } else { kind };
        self.report(row, kind, namespace, name, flag("generate"));
        self.path.pop();
    }

    fn report(
        &mut self,
        row: &'static Row,
        kind: &'a str,
        namespace: &'a str,
        name: &'a str,
        generated: bool,
    ) {
        let namespace = if is_cluster_wide(kind) { "" } else { namespace };
        let reference =
            Reference { group: row.group, kind, namespace, name, path: &self.path, generated };
        (self.found)(reference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn found(api_version: &'static str, kind: &'static str, spec: Map) -> Vec<String> {
        let object = Object::new(map! {
            "apiVersion" => api_version,
            "kind" => kind,
            "metadata" => map! { "name" => "it", "namespace" => "here" },
            "spec" => spec,
        });
        let Ok(object) = object else { return vec!["no object".to_owned()] };
        let mut found = Vec::new();
        references(&object, &mut |reference| {
            let Reference { group, kind, namespace, name, path, generated } = reference;
            let made = if generated { " generated" } else { "" };
            found.push(format!("{} {group}/{kind} {namespace}/{name}{made}", shown_path(path)));
        });
        found
    }

    #[test]
    fn a_name_is_found_in_every_shape_it_is_written_in() {
        let nova = "nova.openstack.c5c3.io/v1alpha1";
        let table: Vec<(Vec<String>, &[&str])> = vec![
            (
                found(nova, "Nova", map! { "secretRef" => map! { "name" => "a" } }),
                &["spec.secretRef.name /Secret here/a"],
            ),
            (
                found(nova, "Nova", map! { "x" => vec![map! { "secretName" => "a" }] }),
                &["spec.x[0].secretName /Secret here/a"],
            ),
            (
                found(nova, "Nova", map! { "imagePullSecrets" => vec![map! { "name" => "a" }] }),
                &["spec.imagePullSecrets[0].name /Secret here/a"],
            ),
            (
                found(
                    nova,
                    "Nova",
                    map! { "cephClientRef" => map! { "name" => "a", "namespace" => "rook" } },
                ),
                &["spec.cephClientRef.name ceph.rook.io/CephClient rook/a"],
            ),
            (
                found(
                    nova,
                    "Nova",
                    map! { "dependsOn" => vec![map! { "kind" => "B", "name" => "a" }] },
                ),
                &["spec.dependsOn[0].name */B here/a"],
            ),
            (
                found(
                    nova,
                    "Nova",
                    map! { "metadata" => map! { "sharedSecretRef" => map! { "name" => "a" } } },
                ),
                &["spec.metadata.sharedSecretRef.name /Secret here/a"],
            ),
            (
                found(nova, "Nova", map! { "storageClass" => "fast" }),
                &["spec.storageClass storage.k8s.io/StorageClass /fast"],
            ),
            (
                found(
                    "k8s.mariadb.com/v1alpha1",
                    "MariaDB",
                    map! { "rootPasswordSecretKeyRef" => map! { "name" => "a", "generate" => true } },
                ),
                &["spec.rootPasswordSecretKeyRef.name /Secret here/a generated"],
            ),
            (
                found(
                    "external-secrets.io/v1",
                    "ClusterSecretStore",
                    map! { "caProvider" => map! { "type" => "ConfigMap", "name" => "a", "namespace" => "b" } },
                ),
                &["spec.caProvider.name /ConfigMap b/a"],
            ),
            (
                found(
                    "external-secrets.io/v1",
                    "ExternalSecret",
                    map! {
                        "secretStoreRef" => map! { "name" => "s", "kind" => "ClusterSecretStore" },
                        "data" => vec![map! { "remoteRef" => map! { "key" => "a/b", "property" => "c" } }],
                    },
                ),
                &[
                    "spec.secretStoreRef.name external-secrets.io/ClusterSecretStore /s",
                    "spec.data[0].remoteRef.key /StorePath /a/b",
                ],
            ),
        ];
        for (found, expected) in table {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_patch_names_what_it_brings_into_the_namespace_it_says() {
        let patched = |metadata: &str| {
            let patch = format!(
                "{{apiVersion: apps/v1, kind: Deployment, metadata: {metadata}, \
                 spec: {{volumes: [{{secret: {{name: ca}}}}, {{configMap: {{name: b}}}}]}}}}"
            );
            let patches =
                vec![map! { "patch" => "- {op: remove, path: /a}" }, map! { "patch" => patch }];
            found("kustomize.toolkit.fluxcd.io/v1", "Kustomization", map! { "patches" => patches })
        };
        let none: &[&str] = &[];
        assert_eq!(patched("{name: a}"), none);
        assert_eq!(
            patched("{name: a, namespace: there}"),
            ["spec.patches[1].patch /Secret there/ca", "spec.patches[1].patch /ConfigMap there/b"]
        );
    }

    #[test]
    fn what_only_looks_like_a_reference_is_none() {
        let rbac = "rbac.authorization.k8s.io/v1";
        assert!(
            found(rbac, "RoleBinding", map! { "roleRef" => map! { "name" => "a" } }).is_empty()
        );
        assert!(
            found(
                "apps/v1",
                "D",
                map! { "secretRef" => map! { "name" => "a", "optional" => true } }
            )
            .is_empty()
        );
        assert!(found("example.com/v1", "E", map! { "secret" => "a" }).is_empty());
        // What a Certificate names there, it makes.
        assert!(
            found("cert-manager.io/v1", "Certificate", map! { "secretName" => "a" }).is_empty()
        );
        assert!(
            found(
                "helm.toolkit.fluxcd.io/v2",
                "HelmRelease",
                map! { "values" => map! { "secretName" => "a" } }
            )
            .is_empty()
        );
    }

    #[test]
    fn what_a_chart_gives_to_its_pods_is_named_where_they_run() {
        let volume = map! { "name" => "tls", "secret" => map! { "secretName" => "a" } };
        let server = map! {
            "volumes" => vec![volume],
            "imagePullSecrets" => vec![map! { "name" => "b" }],
            "priorityClassName" => "high",
            "certificate" => map! { "secretName" => "made-by-the-chart" },
        };
        let spec = map! {
            "targetNamespace" => "there",
            "valuesFrom" => vec![map! { "kind" => "ConfigMap", "name" => "c" }],
            "values" => map! { "server" => server },
        };
        assert_eq!(
            found("helm.toolkit.fluxcd.io/v2", "HelmRelease", spec),
            [
                "spec.valuesFrom[0].name /ConfigMap here/c",
                "spec.values.server.volumes[0].secret.secretName /Secret there/a",
                "spec.values.server.imagePullSecrets[0].name /Secret there/b",
                "spec.values.server.priorityClassName scheduling.k8s.io/PriorityClass /high",
            ]
        );
    }
}
