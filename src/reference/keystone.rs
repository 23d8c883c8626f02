//! Keystone, the identity service.

use crate::reference::parts::{Database, Image, Resources, SecretKeyRef, Status};

kind! {
    /// A Keystone deployment.
    "Keystone" KeystoneSpec in "keystone.openstack.c5c3.io", status "Status" {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub image: Image,
        pub database: Database,
        pub cache: Cache,
        pub fernet: Fernet,
        pub federation: Option<Federation>,
        pub bootstrap: Bootstrap,
        pub resources: Option<Resources>,
    }
}

part! {
    /// Where tokens are cached.
    Cache {
        /// The dogpile backend.
        pub backend: String,
        #[schemars(length(min = 1))]
        pub servers: Vec<String>,
    }
}

part! {
    /// The keys that sign tokens.
    Fernet {
        /// When keys rotate, as a cron expression.
        pub rotation_schedule: String,
        /// How many keys are kept: one staged, one primary and at least one that still validates.
        #[schemars(range(min = 3))]
        pub max_active_keys: i32,
    }
}

part! {
    /// Sign-in through another identity provider.
    Federation { pub enabled: bool, }
}

part! {
    /// What the first start creates.
    Bootstrap {
        pub admin_user: String,
        pub admin_password_secret_ref: SecretKeyRef,
        pub region: String,
    }
}
