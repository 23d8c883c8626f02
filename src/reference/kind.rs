//! How a kind is declared: all have the same version, scope, columns and status.

/// `kind! { /// doc\n Glance, GlanceSpec, "glance.openstack.c5c3.io", status: Status { fields } }`
macro_rules! kind {
    (#[doc = $doc:literal] $kind:literal $spec:ident in $group:literal, status $status:literal { $($fields:tt)* }) => {
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
            printcolumn = r#"{"name":"Version","type":"string","jsonPath":".spec.image.tag"}"#,
            printcolumn = r#"{"name":"Endpoint","type":"string","jsonPath":".status.endpoint","priority":1}"#,
            printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
        )]
        #[serde(rename_all = "camelCase")]
        pub struct $spec { $($fields)* }
    };
}

/// A part of a kind.
macro_rules! part {
    ($(#[doc = $doc:literal])* $name:ident { $($fields:tt)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($fields)* }
    };
}
