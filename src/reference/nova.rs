//! Nova, the compute service.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{
    Dependency, Image, KeystoneAuth, Messaging, ObjectRef, Process, Rbd, Resources, SecretKeyRef,
    SecretRef, Sections, ServiceTls,
};

kind! {
    /// A Nova deployment.
    "Nova" NovaSpec in "nova.openstack.c5c3.io", status "NovaStatus" {
        /// What clients speak to.
        pub api: Process,
        /// What chooses a host for each machine.
        pub scheduler: Scheduler,
        /// What writes into the databases for the hypervisors.
        pub conductor: Process,
        /// What machines ask about themselves.
        pub metadata: Option<Metadata>,
        /// What shows a machine's screen in a browser.
        pub console_proxy: Option<ConsoleProxy>,
        /// What it runs.
        pub image: Image,
        /// Its databases.
        pub database: NovaDatabase,
        /// How its processes speak to each other.
        pub messaging: Messaging,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// Users as which it speaks to other services.
        pub service_auth: Option<ServiceAuth>,
        /// Parts of the hypervisors.
        pub cells: Option<Vec<Cell>>,
        /// Hypervisors that are alike, pool by pool.
        pub host_aggregates: Option<Vec<HostAggregate>>,
        /// Storage clusters that hypervisors reach disks in.
        pub storage: Option<Vec<DiskStore>>,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// What machines ask about themselves.
    Metadata {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// Processor and memory of each.
        pub resources: Option<Resources>,
        /// What Neutron's proxy proves itself with.
        pub shared_secret_ref: Option<SecretKeyRef>,
    }
}

part! {
    /// What shows a machine's screen in a browser.
    ConsoleProxy {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Processor and memory of each.
        pub resources: Option<Resources>,
        /// Where a browser reaches it.
        pub public_url: Option<String>,
    }
}

part! {
    /// The scheduler.
    Scheduler {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// Processor and memory of each.
        pub resources: Option<Resources>,
        /// A scheduler outside Nova that has the last word.
        pub external_scheduler: Option<ExternalScheduler>,
    }
}

part! {
    /// A scheduler outside Nova that has the last word.
    ExternalScheduler rules {
        "!self.enabled || has(self.endpoint)" => "a scheduler that is asked has an endpoint",
    } {
        /// Whether it is asked.
        pub enabled: bool,
        /// Where it answers.
        pub endpoint: Option<String>,
    }
}

part! {
    /// Nova's three databases.
    NovaDatabase {
        /// Holds `username` and `password`.
        pub secret_ref: SecretRef,
        /// The database of the first cell.
        pub database: String,
        /// The database of the API, for all cells.
        pub api_database: String,
        /// The database of machines that were never placed.
        pub cell_database: String,
        /// The server.
        pub host: Option<String>,
        /// The server's port.
        #[schemars(range(min = 1, max = 65535))]
        pub port: Option<i32>,
        /// Holds the authority of a server that runs elsewhere.
        pub ca_secret_ref: Option<SecretKeyRef>,
    }
}

part! {
    /// Users as which Nova speaks to other services.
    ServiceAuth {
        /// For the inventory of resources.
        pub placement_service_user_ref: Option<ObjectRef>,
        /// For networks and ports.
        pub neutron_service_user_ref: Option<ObjectRef>,
        /// For images.
        pub glance_service_user_ref: Option<ObjectRef>,
        /// For volumes.
        pub cinder_service_user_ref: Option<ObjectRef>,
    }
}

part! {
    /// A part of the hypervisors, with a database and a queue of its own.
    Cell {
        /// Its name.
        pub name: String,
        /// The hypervisor cluster behind it.
        pub compute_ref: Option<ObjectRef>,
        /// Its database, if it has one of its own.
        pub database: Option<String>,
        /// Its virtual host on the broker, if it has one of its own.
        pub vhost: Option<String>,
    }
}

part! {
    /// Hypervisors that are alike, so that a request can ask for them.
    HostAggregate {
        /// Its name, which is that of the pool.
        pub name: String,
        /// The zone that users see.
        pub availability_zone: Option<String>,
        /// The hypervisor cluster behind it.
        pub compute_ref: ObjectRef,
    }
}

part! {
    /// A storage cluster that hypervisors reach disks in.
    DiskStore {
        /// Its name, which is that of the pool.
        pub name: String,
        /// The pool in it, and who may write there.
        pub rbd: Rbd,
    }
}

part! {
    /// What the operator reports.
    NovaStatus {
        /// Ready, APIReady, SchedulerReady and ConductorReady.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// Where the API answers.
        pub endpoint: Option<String>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
        /// Each cell.
        pub cells: Option<Vec<CellStatus>>,
    }
}

part! {
    /// What the operator reports about a cell.
    CellStatus {
        /// Its name.
        pub name: String,
        /// How it is.
        pub status: Option<String>,
        /// How many hypervisors it has.
        pub compute_nodes: Option<i64>,
    }
}
