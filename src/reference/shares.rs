//! Where the shares of Manila lie.

use crate::reference::parts::{ObjectRef, SecretRef};

part! {
    /// Where shares lie.
    ShareBackend {
        /// Its name.
        #[schemars(length(max = 255))]
        pub name: String,
        /// The driver's class.
        pub driver: String,
        /// How machines reach its shares: CEPHFS or NFS.
        pub protocol: String,
        /// The file system of Ceph, for the driver of Ceph.
        pub cephfs: Option<CephFs>,
    }
}

part! {
    /// A file system in a Ceph cluster.
    CephFs {
        /// The file system's name.
        pub filesystem: String,
        /// Holds the key of the client.
        pub ceph_secret_ref: SecretRef,
        /// The CephClient whose key that is.
        pub ceph_client_ref: ObjectRef,
        /// The NFS cluster of Ceph that serves the shares, for the protocol NFS.
        pub nfs_cluster: Option<String>,
    }
}

part! {
    /// What a user chooses a share by.
    ShareType {
        /// The name that users write.
        #[schemars(length(max = 255))]
        pub name: String,
        /// The backend that such shares lie on.
        #[schemars(length(max = 255))]
        pub backend: String,
        /// What users read about it.
        pub description: Option<String>,
    }
}
