//! The machines that balance load for Octavia.

use crate::reference::parts::{SecretKeyRef, SecretRef};

part! {
    /// How amphorae are made, and what they and Octavia know each other by.
    Amphora {
        /// Holds `tls.crt` and `tls.key` of the authority by which Octavia certifies amphorae.
        pub server_ca_secret_ref: SecretRef,
        /// Holds `tls.crt` and `tls.key` that Octavia shows to amphorae, and `ca.crt` by which they know it.
        pub client_cert_secret_ref: SecretRef,
        /// Holds what amphorae sign their heartbeats with.
        pub heartbeat_key_secret_ref: SecretKeyRef,
        /// The IDs of the networks that Octavia reaches them by, the first of which carries their heartbeats.
        pub networks: Option<Vec<String>>,
        /// The IDs of the security groups of their ports there.
        pub security_groups: Option<Vec<String>>,
        /// The ID of their flavor.
        pub flavor: Option<String>,
        /// The tag by which their image is found; the newest image with it is taken.
        pub image_tag: Option<String>,
        /// The ID of the project that owns the image, so that nobody else can offer one.
        pub image_owner: Option<String>,
        /// The name of the key pair that opens a shell on them.
        pub ssh_key: Option<String>,
    }
}
