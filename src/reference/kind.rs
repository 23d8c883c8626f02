//! How a kind is declared: all have the same version and scope, and take the same settings of their pods.

/// `kind! { /// doc\n "Glance" GlanceSpec in "glance.openstack.c5c3.io", status "Status" { fields } }`
///
/// Behind the status may stand `columns [ … ]` for what `kubectl get` shows between readiness and age, and
/// `rules { "rule in CEL" => "what it wants", … }`.
macro_rules! kind {
    (
        #[doc = $doc:literal] $kind:literal $spec:ident in $group:literal, status $status:literal
        columns [$($column:literal),* $(,)?]
        $(rules { $($rule:literal => $message:literal),* $(,)? })?
        { $($fields:tt)* }
    ) => {
        #[doc = $doc]
        #[derive(Clone, kube::CustomResource, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
        #[kube(
            group = $group,
            version = "v1alpha1",
            kind = $kind,
            doc = $doc,
            namespaced,
            status = $status,
            printcolumn = r#"{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#,
            $(printcolumn = $column,)*
            printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
        )]
        #[serde(rename_all = "camelCase")]
        $(#[schemars(extend("x-kubernetes-validations" = [$({"rule": $rule, "message": $message}),*]))])?
        pub struct $spec {
            $($fields)*
            /// Where the pods run, as Kubernetes has it.
            pub affinity: Option<crate::reference::parts::Affinity>,
            /// Labels of the nodes that the pods run on.
            pub node_selector: Option<std::collections::BTreeMap<String, String>>,
            /// Taints of nodes that the pods bear.
            pub tolerations: Option<Vec<crate::reference::parts::Toleration>>,
            /// How the pods spread over zones and nodes, as Kubernetes has it.
            pub topology_spread_constraints: Option<Vec<crate::reference::parts::Spread>>,
            /// The PriorityClass of the pods.
            pub priority_class_name: Option<String>,
            /// Secrets that let the image be pulled.
            pub image_pull_secrets: Option<Vec<crate::reference::parts::SecretRef>>,
            /// Further labels of the pods.
            pub pod_labels: Option<std::collections::BTreeMap<String, String>>,
            /// Further annotations of the pods.
            pub pod_annotations: Option<std::collections::BTreeMap<String, String>>,
        }
    };
    (
        #[doc = $doc:literal] $kind:literal $spec:ident in $group:literal, status $status:literal
        $(rules $rules:tt)?
        { $($fields:tt)* }
    ) => {
        kind! {
            #[doc = $doc] $kind $spec in $group, status $status
            columns [
                r#"{"name":"Version","type":"string","jsonPath":".spec.image.tag"}"#,
                r#"{"name":"Endpoint","type":"string","jsonPath":".status.endpoint","priority":1}"#,
            ]
            $(rules $rules)?
            { $($fields)* }
        }
    };
}

/// A part of a kind.
macro_rules! part {
    (
        $(#[doc = $doc:literal])* $name:ident
        $(rules { $($rule:literal => $message:literal),* $(,)? })?
        { $($fields:tt)* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        $(#[schemars(extend("x-kubernetes-validations" = [$({"rule": $rule, "message": $message}),*]))])?
        pub struct $name { $($fields)* }
    };
}
