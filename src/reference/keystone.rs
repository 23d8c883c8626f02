//! Keystone, the identity service.

use crate::reference::parts::{
    Database, Image, Resources, SecretKeyRef, SecretRef, Sections, ServiceTls, Status,
};

kind! {
    /// A Keystone deployment.
    "Keystone" KeystoneSpec in "keystone.openstack.c5c3.io", status "Status" {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// What it runs.
        pub image: Image,
        /// Where users, projects and the catalog lie.
        pub database: Database,
        /// Where tokens are cached.
        pub cache: Cache,
        /// The keys that sign tokens.
        pub fernet: Fernet,
        /// The keys that encrypt credentials in the database; if left out, the operator makes them.
        pub credential_keys: Option<CredentialKeys>,
        /// The Secret into which the operator writes keystone.conf, for Jobs of others; none if left out.
        pub config_secret_name: Option<String>,
        /// Sign-in through another identity provider.
        pub federation: Option<Federation>,
        /// What the first start creates.
        pub bootstrap: Bootstrap,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// Processor and memory of each replica.
        pub resources: Option<Resources>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// Where tokens are cached.
    Cache rules {
        "!has(self.caSecretRef) || (has(self.tls) && self.tls)" => "an authority is of no use without encryption",
    } {
        /// The dogpile backend.
        pub backend: String,
        /// The servers, each with its port.
        #[schemars(length(min = 1))]
        pub servers: Vec<String>,
        /// Whether connections are encrypted; not if left out.
        pub tls: Option<bool>,
        /// Holds the authority of the servers, if connections are encrypted and it is no public one.
        pub ca_secret_ref: Option<SecretKeyRef>,
        /// Holds `username` and `password`, if the servers ask for them.
        pub secret_ref: Option<SecretRef>,
    }
}

part! {
    /// The keys that sign tokens.
    Fernet
    rules {
        "has(self.keysSecretRef) != has(self.rotationSchedule)" => "either the operator rotates the keys, or somebody else does",
        "has(self.rotationSchedule) == has(self.maxActiveKeys)" => "rotationSchedule and maxActiveKeys go together",
    }
    {
        /// When the operator rotates the keys, as a cron expression.
        pub rotation_schedule: Option<String>,
        /// How many keys the operator keeps: one staged, one primary and at least one that still validates.
        #[schemars(range(min = 3))]
        pub max_active_keys: Option<i32>,
        /// Holds the keys, if somebody else rotates them: it is mounted as it is.
        pub keys_secret_ref: Option<SecretRef>,
    }
}

part! {
    /// The keys that encrypt credentials in the database.
    CredentialKeys {
        /// Holds the keys, which somebody else rotates: it is mounted as it is.
        pub keys_secret_ref: SecretRef,
    }
}

part! {
    /// Sign-in through another identity provider.
    Federation {
        /// Whether users of another identity provider may sign in.
        pub enabled: bool,
    }
}

part! {
    /// What the first start creates.
    Bootstrap {
        /// The name of the first user.
        pub admin_user: String,
        /// Holds that user's password.
        pub admin_password_secret_ref: SecretKeyRef,
        /// The region of the first endpoints.
        pub region: String,
        /// Where those outside reach it; where those inside do if left out.
        pub public_endpoint: Option<String>,
    }
}
