//! The name servers that Designate writes zones to.

use crate::reference::parts::SecretKeyRef;

part! {
    /// Name servers that have the same zones.
    NamePool {
        /// Its name.
        pub name: String,
        /// What the zones say of who serves them.
        pub ns_records: Vec<NsRecord>,
        /// The servers that zones are made on.
        #[schemars(length(min = 1))]
        pub targets: Vec<NameTarget>,
    }
}

part! {
    /// A name under which the world finds a server.
    NsRecord {
        /// The name, with its dot at the end.
        pub hostname: String,
        /// Those with a lower number come first.
        pub priority: i32,
    }
}

part! {
    /// A server that zones are made on.
    NameTarget rules {
        "self.type != 'pdns4' || has(self.apiEndpoint)" => "PowerDNS is told by its API",
    } {
        /// What it is: bind9 or pdns4.
        #[serde(rename = "type")]
        pub kind: String,
        /// Where it answers.
        pub host: String,
        /// The port that it answers questions at.
        #[schemars(range(min = 1, max = 65535))]
        pub port: i32,
        /// The port of rndc, for bind9.
        #[schemars(range(min = 1, max = 65535))]
        pub rndc_port: Option<i32>,
        /// The address of its API, for pdns4.
        pub api_endpoint: Option<String>,
        /// Holds what Designate shows it: the key of rndc, or the token of the API.
        pub secret_ref: SecretKeyRef,
    }
}
