//! The table of codes. It feeds the enum, `strata explain`, the list of codes in the docs and the
//! test that every code has a fixture.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

macro_rules! codes {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $text:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $($name),* }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable code that people cite and search for.
            pub const fn id(self) -> &'static str {
                match self { $(Code::$name => $id),* }
            }

            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity),* }
            }

            /// One line, true of every finding with this code.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$name => $title),* }
            }

            /// The long text that `strata explain` prints.
            pub const fn text(self) -> &'static str {
                match self { $(Code::$name => $text),* }
            }
        }
    };
}

impl Code {
    pub fn with_id(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

codes! {
    NotYaml = "S0001", Error, "the text is not YAML",
        "Strata reads YAML as Kubernetes tools do. A document that cannot be read is left out and the \
         others are still looked at, so that one run shows everything. The usual causes are a tab \
         used for indentation, a quote or bracket that is never closed, a `: ` inside unquoted text, \
         and text in another encoding than UTF-8.";
    DuplicateKey = "S0002", Error, "a key stands twice in one map",
        "YAML tools disagree on which of two equal keys wins: some take the first, some the last, and \
         kustomize refuses. Strata refuses too, because the reviewer cannot know which one is meant. Keep one \
         of the two, or put what both hold into one map.";
    UnsupportedYaml = "S0003", Error, "valid YAML that Kubernetes cannot read",
        "Custom tags, keys that are maps or lists, numbers beyond 64 bits, infinities and aliases to nothing \
         have no counterpart in JSON, which every Kubernetes object becomes. Write the value plainly: a long \
         number as text in quotes, a key as text, and in place of an alias what it stands for.";
    TooLarge = "S0004", Error, "the input exceeds a limit",
        "Reading is bounded in bytes, depth, nodes and alias expansion, so that a hostile file cannot hang a \
         pipeline. The limits are far above what a thousand clouds need. Look for a file that is no spec, or \
         for aliases that multiply; render clouds in several runs if there are that many.";
    NothingToRender = "S0005", Error, "there is no control plane in the input",
        "An empty output would be dangerous: a Flux Kustomization that points at an empty folder deletes all \
         it applied before. So an input without a ControlPlane is an error and nothing is written. Name the \
         file or folder that holds one; `strata init DIR` writes a first one.";
    Unreadable = "S0006", Error, "a file or folder cannot be read",
        "The path does not exist, is not a regular file or folder, or permission is missing. A folder is read \
         recursively for *.yaml and *.yml; files named kustomization.yaml and rendered trees are left out. \
         Nothing is rendered of the rest, since what was not read may change it: name a path that can be read.";
    ForeignObject = "S0007", Warning, "an object of another kind is left out",
        "`strata render` prints what it renders and nothing else. As a KRM function it passes objects of other \
         kinds through untouched. Keep such files outside of the folder of specs, or let kustomize put both \
         together.";
    NotBuilt = "S0008", Error, "this is recognised, but not built yet",
        "The kind, distribution or setting is part of Strata's design and this version cannot render it. It is \
         refused rather than ignored, because a cloud with a part silently missing is worse than none. Take \
         what the finding names in its place, or leave it out.";
    NeedsOtherDocuments = "S0009", Error, "a kustomize generator cannot see what this kind needs",
        "kustomize hands a generator its own configuration and nothing else. Claims need their pools, \
         and defaults and records need the control plane they belong to. List the file under \
         `transformers:`, whose function sees all resources, or use `strata render`.";
    UnknownVersion = "S0010", Error, "apiVersion and kind are almost one of ours",
        "Strata knows each of its kinds under one apiVersion. An object with another one, or with a slip in \
         its kind, would be passed through as a foreign object and nothing rendered for it. Write both as the \
         finding has them.";
    SameObjectTwice = "S0011", Error, "two objects of the input have the same kind, namespace and name",
        "Only one of them can exist in a cluster. If one overrides the other, say so with a kustomize \
         patch; if both are meant, give one another name.";
    SharedNamespace = "S0012", Error, "two control planes share a namespace",
        "Objects carry the names that OpenStack operators expect (keystone, nova, openstack-db), so one \
         namespace holds one control plane. Give each a namespace of its own; a claim has one that follows \
         from its name.";
    NoName = "S0013", Error, "an object of ours has no usable name",
        "metadata.name and metadata.namespace become parts of object names, DNS names and store paths. \
         A name that Kubernetes would refuse, or one that would leave its place in a path, is refused \
         before anything is rendered. So is a namespace that belongs to Kubernetes, to Flux or to an operator of the \
         platform: it serves every cloud of the cluster, and a cloud says of its own namespace who may reach whom in it.";

    UnknownField = "S0101", Error, "an unknown field",
        "A field that Strata does not know would have no effect, and most often it is a slip of the \
         finger. `strata schema controlplane` prints every field; editors complete them from it. What \
         `extraConfig`, `overrides` and `patches` make of an object is held against its CRD in the same way, if \
         the kind is one of those that `strata crds` prints.";
    WrongType = "S0102", Error, "a value of the wrong type",
        "Text, numbers, lists and maps are not converted into each other, because a Kubernetes server \
         would not do it either. Mind that YAML reads `2025.2` as a number and `on` as true: put such \
         texts in quotes.";
    NotAllowed = "S0103", Error, "a value outside the list of allowed ones",
        "The field takes one of a few words, and this is none of them: what it stands for would be anybody's \
         guess. The finding lists the words, and docs/settings.md has them, too.";
    OutOfRange = "S0104", Error, "a number out of range",
        "The number, or the length of the list, is beyond what the field can mean: the server or operator that \
         reads it would refuse it, or do something else than what is written. The finding says from where to \
         where it may go.";
    Malformed = "S0105", Error, "a text that does not have the form it needs",
        "Quantities, names, releases, schedules and paths have a form that the servers which read them insist \
         on: they would refuse the object long after the review, or read another value. The finding shows the \
         form; docs/settings.md lists all of them.";
    MissingField = "S0106", Error, "a required field is missing",
        "Almost everything in a spec is optional. What is required has no sensible default, such as the \
         address of a server that runs elsewhere or the name of a Secret that only you know. Add the field; \
         the finding says what belongs there.";
    SameNameTwice = "S0107", Error, "two items of a list have the same name",
        "Items that must have a name, such as cells, backends and volume types, are known by it. Two of one \
         name would be one and the same for everybody who refers to them. Give one another name, or write one \
         item that has what both say.";

    BadRecord = "S0201", Error, "a generator record says something that cannot be",
        "A record is checked as a whole before it is used: its fields against `strata schema generator`, its \
         option schemas against what Kubernetes accepts in a CRD, its objects for apiVersion, kind and name. \
         Mend the record where the finding points; CONTRIBUTING.md walks through one.";
    BadExpression = "S0202", Error, "an expression in a record cannot be evaluated",
        "A leaf of a record that holds {{ an expression }} is evaluated with the facts of the cloud. It \
         must be a valid expression over names that exist; a leaf that may be absent says so with \
         `| optional`, and its key is then left out. Names of the cloud: cloud.{name, namespace, \
         region, release, connections, components, running (those that are not elsewhere), addresses.<component>, announced.<component>.<option>, hasRoutes}, tls.{enabled, scheme, \
         bundle, public}, delivery.namespace, monitoring.{enabled, namespace}, store.{name, kind, own, prefix}, pools.{hypervisors, storage}, which \
         are lists of {name, namespace, region, zone} and what the pool says, rotation.{types, keys}, \
         and, beside `whereRotated`, companion.{rights, crds}. What it `serves`: served.{name, \
         image, options, pods}. Names of the component itself: component, name, namespace, replicas, workers, port, resources, \
         processes.<process>.{replicas, workers, port, resources}, image.{repository, tag, exact}, \
         distribution, endpoint.{host, internal, public, gateway}, public.<name>, database.{name, user, secret}, queue.{vhost, secret}, \
         identity.{user, secret}, certificate.{secret, tls}, secrets.<key>.{name, username}, options.<option>, and `item` where \
         `each` is used. What a needed component provides: <component>.<key>, with `_` for `-`.";
    UnknownNeed = "S0203", Error, "a record needs a component that does not exist",
        "`needs` names other components of the catalogue, and decides the order of everything: with a need \
         that does not exist the component could never start. Write the name of a component as `strata graph` \
         shows it, or give the record of the missing one with --generators.";
    CyclicNeeds = "S0204", Error, "components need each other in a circle",
        "The plan is a graph without circles: each component starts when all it needs is ready. In a circle \
         none could start. Take one of the needs in the circle out; where only an address is wanted, read \
         `cloud.addresses.<component>`, which needs nothing.";
    RecordTwice = "S0205", Error, "two records describe the same component",
        "A record given with --generators or among the input replaces the built-in one of the same name; two \
         given ones for one component contradict each other. Keep one of the two, or give one another \
         `component`.";
    NotAnObject = "S0206", Error, "a record made something that must not be emitted",
        "Every object needs an apiVersion, a kind and a name. A Secret with data is never emitted: secret \
         material lives in the store, and objects only refer to it. Complete the object in the record; for a \
         Secret, declare it under `secrets`, which has it made in the store and delivered.";

    RuleBroken = "S0300", Error, "a rule of a component is broken",
        "A record can state rules that settings of its component keep, where a schema cannot say it: that a \
         number is odd, that a volume holds what is put on it, that one setting needs another beside it, that \
         a distribution has no place for something. A cloud that breaks one would be rendered and accepted, \
         and fail in the cluster: a server that does not start, an operator that refuses its object, a setting \
         that nobody reads. The finding says which rule it is and what to write; the rules stand under `rules` \
         in the record of the component. What `extraConfig`, `overrides` and `patches` make of an object is \
         held against the same rules.";
    EvenGalera = "S0301", Error, "a Galera cluster needs an odd number of members",
        "Galera decides by majority. With an even number of members a network split can leave two halves of \
         equal size, and neither may write; the even member adds cost and no safety. The MariaDB operator \
         refuses an even number as well. Write 1, 3 or 5.";
    UnknownRelease = "S0302", Error, "the OpenStack release is not in the catalogue",
        "A release names the version of every service. The catalogue knows the series that are listed with the \
         finding; a single service can be given another image with `image`. Without `release` a cloud has the \
         newest series that this version of Strata knows.";
    NoSuchDistribution = "S0303", Error, "the chosen distribution does not have this service",
        "`distribution` says whose operators run in the cluster. Each has its own set of services, and an \
         object that no operator of the chosen one knows would stay without effect. Another distribution can \
         be chosen for one service with `services.<name>.distribution`; a service that the cloud does not need \
         is switched off with `services.<name>.enabled: false`.";
    SwitchedOffNeed = "S0304", Error, "a service needs another one that is switched off",
        "What needs a component waits for it: a service whose need is switched off could never become ready, \
         and Flux would wait for it for ever. Switch both off or both on; `strata graph` shows what needs \
         what.";
    EndOfLife = "S0305", Warning, "the OpenStack release is no longer maintained",
        "No fixes are made for this series any more, not even for security. `strata validate` says it for \
         today, and other commands where they are asked with `--as-of DATE`, since the output itself never \
         depends on today's date. Go to a newer series with `release`.";
    FloatingTag = "S0306", Warning, "an image tag that can change its meaning",
        "A tag such as `latest`, `stable-2025.2`, `2025.2` or `11.8` points to another image with the next release: \
         what the reviewer saw is then not what runs. A tag stays what it is, by custom, if it has a whole version \
         (1.2.3), the day of a build or a commit in it; or give a digest. The same holds of the images that a \
         Kustomization pins in another project's manifests, which mostly name none that stays.";
    MemoryTooSmall = "S0307", Error, "the memory is too small for what runs in it",
        "A cache below 64Mi cannot hold the tokens of even a small cloud, and memcached's own overhead takes \
         much of it. Beside the cache it needs 32Mi more, and is killed at its limit without them. Write more \
         memory, or leave it out: `size` decides then.";
    PatchMissed = "S0308", Error, "a patch that matches no object",
        "A patch names objects of its own component by kind and name. One that matches nothing is most often a \
         slip of the finger, or outlived what it was for. Name an object that the component has, as the \
         finding lists them, or remove the patch.";
    EvenBroker = "S0309", Error, "a broker cluster needs an odd number of members",
        "Quorum queues decide by majority. An even member adds cost and no safety: four tolerate one failure, \
         as three do. Write one member more or one fewer.";
    PlatformTwice = "S0310", Error, "two control planes install the same part of the platform",
        "Operators stand once in a cluster, whichever clouds it has. One tree owns them: let one control \
         plane say `platform.install: true`, or install each operator with one of them. Clouds of \
         different clusters are rendered one by one.";
    SharedDomain = "S0311", Error, "two control planes have the same public domain",
        "The public names of a cloud are its services' before its domain. With one domain for two clouds, \
         whoever logs in to the one may reach the other, password included. A domain that stands in Defaults \
         is for one cloud alone; the others write their own.";
    TwoDistributions = "S0312", Error, "two clouds of a cluster have a service from different distributions",
        "Distributions call their kinds the same: a Keystone of `reference` and one of `cobaltcore` have different \
         fields under one name, and a cluster has one CRD of a name and one operator that serves it. So all clouds of \
         a cluster have a service from one distribution. Clouds that `delivery.kubeConfig` brings to different \
         clusters are free; those of other trees are rendered one by one.";

    UnknownPool = "S0320", Error, "a pool that is not in the input",
        "`hypervisorClusters` and `storageClusters` name pools, and each must be in the input as a \
         HypervisorCluster or StorageCluster (crossplane.c5c3.io/v1alpha1): what is rendered depends on \
         the pool's region, zone and labels. Render the folder of the pools together with the cloud.";
    PoolElsewhere = "S0321", Error, "a pool in another region than the cloud",
        "A cloud and the pools it consumes stand in one region: a volume or a virtual machine cannot be far \
         from what governs it. Take a pool of the cloud's region, or correct `region` of the pool or \
         `global.region` of the cloud.";
    DedicatedPool = "S0322", Error, "a dedicated pool is consumed by two clouds",
        "A pool with the label `dedicated: \"true\"` is for one cloud alone, for reasons of law, security or \
         speed that sharing it would break. Let one of the clouds take another pool; remove the label if the \
         pool may be shared.";
    PoolTwice = "S0323", Error, "a pool is named twice in one list",
        "Each pool of a cloud becomes a host aggregate or a storage backend of its name, and there can be only \
         one of each. Remove the second one from the list.";
    SamePoolName = "S0324", Error, "two pools of one kind have the same name",
        "Clouds speak of pools by name alone, whatever namespace they are in, so that a name must mean one \
         pool. Give one of the two another name, and use that in the clouds that consume it.";
    TwoDefaults = "S0325", Error, "two Defaults in one namespace",
        "Which of two Defaults wins would depend on their order, and the order of the input must never show in \
         the output. Layers are: built-in values, Defaults in strata-system, Defaults in the namespace of the \
         control plane, and its own spec. Write what both say into one of them.";
    SparseClaim = "S0326", Warning, "a claim leaves out what its cloud needs",
        "A claim says which region a tenant's cloud is in and which pools it consumes. Without a region \
         its cloud has the built-in name of one, which no pool has; without hypervisors Nova answers, and every \
         virtual machine ends in error. The names can come from Defaults as well. Of a ControlPlane nothing is \
         said: who writes one may have hypervisors that come to Nova by themselves, and `strata requirements` lists the \
         labels by which nodes are taken for hypervisors. It is a warning, because the control plane itself works.";
    ClaimElsewhere = "S0327", Warning, "a claim outside of a tenant's namespace",
        "A claim is a tenant's own, and so is its namespace: `tenant-` and the tenant's name. What a tenant may write is \
         a matter of rights in these namespaces; in another one, whoever may write there orders a cloud. It is a \
         warning, because nothing is rendered from the name.";
    TooFewConnections = "S0330", Warning, "the database takes fewer connections than the services can open",
        "Every worker of a service keeps a pool of 5 connections to each of its databases and lets 50 more \
         overflow, as oslo.db does by default. What goes beyond `max_connections`, or beyond a user's own limit, is refused by the \
         server, and requests fail under load. Both limits follow from replicas and workers in the settings; the finding \
         is about an override (`infrastructure.mariadb.maxConnections`, `extraConfig` or a patch) that is \
         smaller, or that replaces the whole of `myCnf` and says nothing of it: the server then takes 151; about \
         replicas and workers that a change by hand brought beyond the settings; or about more than the 100000 that \
         MariaDB can be told. It is a warning, because a person may know that the pools are never full.";
    SeveralBackups = "S0331", Error, "a backup has one place",
        "Backups go to a volume or to an object store, and a new database starts from one backup. Two places \
         in one setting contradict each other, and which of them is meant cannot be guessed. Keep the one that \
         is meant.";
    UnheardConsumers = "S0332", Error, "services cannot be told how to connect",
        "The server would demand encryption or a password in a form that the services of this distribution \
         have no setting for, so that none of them could connect. So with a Keystone of `reference`, which the cloud's \
         own authority certifies, beside services of `cobaltcore`: these can be told where Keystone is, and not \
         whom to trust. The other way round works, since a Keystone of `cobaltcore` speaks plain HTTP inside.";
    StoreKind = "S0333", Error, "a store of the control plane's own is a SecretStore",
        "With `secrets.store.vault` the store is rendered into the namespace of the cloud, where it can \
         reach no further than the cloud does. A ClusterSecretStore belongs to the whole cluster and is \
         made by whoever runs that: name it, and leave `vault` out.";
    SharedCell = "S0334", Error, "two cells share a database or a queue",
        "A cell of Nova is a database and a queue with hypervisors behind them. Two cells on one database \
         list each other's servers, and two on one queue take each other's messages. The first, cell1, \
         may have Nova's own; every other has its own. cell0 is Nova's, too: servers that found no hypervisor \
         are kept in its database, and it has neither a queue nor hypervisors. So is the database nova_api, \
         which a cell called api would have.";
    PasswordUnspoken = "S0335", Warning, "no client of OpenStack can show the password of the cache",
        "memcached takes a password in its text protocol (`-Y`) or in the binary one (`-S`, SASL). The \
         Memcached operator offers the first under the name of `sasl`, and the clients that oslo.cache and \
         Django know speak the second (bmemcached) or show no password at all (pymemcache). The cache is \
         rendered as asked for, and no service can use it until its image has a backend that speaks the \
         text protocol with a password: name that in `sasl.backend`, and Django's in `sasl.djangoBackend`. \
         Servers that run elsewhere with `-S` are no concern of this: `external.secretName` works.";
    BeyondLimit = "S0336", Error, "a pod asks for more than it may have",
        "`resources.requests` is what is set aside for a container, `resources.limits` what it may use at \
         most. Kubernetes refuses a pod whose request of anything is beyond its limit. The custom resource is \
         accepted all the same, and no pod ever comes of it. Raise the limit or lower the request.";
    ReservedIdentity = "S0340", Error, "a name in Keystone that is not free",
        "Some things in Keystone belong to the cloud itself: the domain Default, the project and the \
         accounts of its services, and what Keystone's own start makes (admin, member, reader and others). \
         K-ORC takes over what bears the name it is to make, so a second object for one of them would \
         change it. What the cloud has already can be referred to without being declared; what Keystone's \
         start made is declared with `import: true`.";
    UnknownIdentity = "S0341", Error, "a domain, project or role that nothing declares",
        "A name under `identity` leads to what is declared there, or to what every cloud has: the domain \
         `default`, the project `service`, the roles admin, member, reader and service. What is in Keystone \
         already is declared with `import: true`, and then can be named.";
    IdentityTwice = "S0342", Error, "two names stand for the same thing in Keystone",
        "Within a domain Keystone knows one project, group or user of a name, whatever the case of its \
         letters, and one domain or role of a name at all. Two objects for it would take turns in changing it. \
         Declare it once, and let others refer to that one.";
    CompanionNeeded = "S0343", Warning, "what rotates is made by the companion operator",
        "Keystone lets only a user itself make its application credential, and no secret is in the output. So \
         all that is timeless is rendered, with a `CredentialRotation` for each credential, password and ring \
         of keys, and strata-operator makes, delivers and revokes them. Until it has made the first ones, the \
         services wait for them. It comes with `platform.install`, or by `platform.strata-operator.enabled`; one \
         that another tree brings must look after this namespace.";
    NoApplicationCredential = "S0344", Error, "the service can only log in with a password",
        "The operators of the distribution cobaltcore hand user name and password to their services, and have \
         no field for an application credential. Leave `korc.credentials` at `password`, or take the services \
         that the finding lists from another distribution.";
    TooFewKeys = "S0345", Error, "too few keys are kept for how often they rotate",
        "A token is signed by one key and must be validated by it for as long as anybody may show it: an \
         hour of life, and two days in which a service may still finish what it began with it \
         (`[token] expiration` and `allow_expired_window`). Of the keys that are kept, one is staged and one \
         signs; each of the others lasts from one rotation to the next. So maxActiveKeys is at least 2 more \
         than the rotations that can happen in these 49 hours.";
    NamesRegion = "S0346", Error, "a client's configuration names a region",
        "The endpoints that K-ORC makes have no region, and a client that asks for one finds no service at \
         all. So no rendered configuration of a client names one; Keystone's own start does, for its first \
         endpoint. Take the region out of the configuration: a client then takes the only one there is.";
    RotatedByOthers = "S0347", Error, "keys that the distribution rotates itself",
        "Two who rotate the same keys undo each other's work, and tokens become invalid. The operators of the \
         distribution cobaltcore rotate the keys of their Keystone by themselves; when, \
         `services.keystone.fernet` says. Leave the rotation of these keys out here.";
    NoSecondUser = "S0348", Error, "the service cannot change between two users",
        "A password of a database is replaced by a second user that takes over, and the first is shut out \
         when no pod has it any more. Which of the two a pod has is told by an annotation of its own, and \
         operators of the distribution cobaltcore set none and keep others from setting one.";
    NoTimeToRotate = "S0349", Error, "an interval is too short for a rotation",
        "A credential is replaced every `intervalDays`. Its successor is made `preRotationDays` before the end \
         of that, so that there is time to hand it out, and the old one is revoked `gracePeriodDays` after all \
         have the new one. Only then can the next one be made, since two are live at most. So \
         `preRotationDays` and `gracePeriodDays` together are less than `intervalDays`: write a longer \
         interval, or fewer days before and after. What a part such as `databasePasswords` does not say \
         itself, it has from `rotation`.";
    NoPostgres = "S0350", Warning, "a service needs a PostgreSQL database that nothing here makes",
        "The databases of a cloud are MariaDB, and no operator of the platform makes a PostgreSQL one. Cortex \
         keeps what it learns in PostgreSQL: give it a database of your own, with a Secret in the cloud's \
         namespace that holds `username` and `password` and is named in `database.secretName`, and with the \
         server in `database.host`.";
    VolumeTypeLost = "S0351", Error, "a type of volumes or shares leads to nothing",
        "Every volume type of Cinder names one of its backends, and the type of those who name none is one of \
         the volume types; so with the share types of Manila. Otherwise the first volume or share that \
         somebody asks for fails, long after the review. Name a backend or type that is there, or add it.";
    StoreNotMade = "S0352", Error, "OpenBao is installed, and the cloud reads another store",
        "With `platform.openbao` comes a ClusterSecretStore, since one OpenBao serves all clouds of a cluster. \
         A cloud that reads a SecretStore of its own namespace would find none. Leave `secrets.store` to its \
         defaults, or bring that SecretStore yourself and leave `platform.openbao` out.";
    UntrustedAuthority = "S0353", Warning, "an operator does not trust the authority of a cloud",
        "Each cloud has an authority of its own, which certifies its brokers. The operator that makes virtual hosts \
         and users there stands once in a cluster, and trusts the authority of the cloud that installs it and those \
         that `authorities` names: Secrets with ca.crt in the namespace of the operator. Of another cloud of the \
         same input it would make none, and the services of that cloud would never become ready. If the clouds are of \
         different clusters, render them one by one.";
    AgentsOutside = "S0354", Warning, "what rotates may be in use on hypervisors",
        "An old credential is revoked when no pod of the workloads in `spec.consumers` has it any more. The agents \
         of hypervisor pools (nova-compute and what else runs beside it) are pods of other clusters, or none, and \
         nobody waits for them: with the broker user or the Keystone credential of Nova they are shut out at the \
         first rotation, and every virtual machine on them can no longer be governed. Give agents a user of their own \
         that does not rotate. It is a warning, because nothing here says which user they have.";
    BadOperation = "S0360", Error, "an operation of a JSON patch cannot be done",
        "The operations under `json` are those of RFC 6902: add, remove, replace, move, copy and test, each at \
         a JSON pointer (RFC 6901), in which `~` is written `~0`, `/` inside a key `~1`, and `-` is the place \
         behind the end of a list. An operation at a place that is not there, or a test that fails, most often \
         means that the object has changed since the patch was written. `strata render` without the patch shows \
         the object as it is.";
    ChangedIdentity = "S0361", Error, "a change makes another object of an object",
        "apiVersion, kind, name and namespace are what others know an object by. If a patch changed them, what \
         refers to the object would lead nowhere, and a cluster would delete the old one with all it holds. \
         So are the names that servers know things by, of databases, virtual hosts, accounts and projects, and the \
         addresses in the catalog: configurations of services, routes and certificates have them from the same facts, \
         and a patch changes only one object. \
         To have another object beside it, write a record.";
    OwnMark = "S0362", Error, "a label or annotation that Strata itself sets",
        "By these Strata and Flux know which cloud an object belongs to, and that what holds state is never \
         pruned. `labels` and `annotations` add to them and never replace one. Choose another key.";
    NoPlaceForPods = "S0363", Error, "a setting of pods that has no place in the objects",
        "Whether affinity, tolerations and the like can be said depends on the custom resource: each record \
         names where its objects take them. The component has such a place in another distribution, and not in \
         the chosen one. Leave the setting out, or take the component from that distribution.";
    AmbiguousPatch = "S0364", Error, "a change that means objects of two different kinds",
        "Two operators may call their kinds the same: MariaDB and RabbitMQ both have a `User`, and a component \
         that has a database and a queue has one of each, often of one name. A change for one of them would be \
         made to the other, too. Write the kind with its API group behind it, as in `User.k8s.mariadb.com`; a \
         change that is for both is written twice.";

    NoController = "S0401", Warning, "no published operator serves this kind",
        "The reference distribution renders the custom resources of the Strata blueprint. Where no operator \
         for a kind has been published, the objects are correct and accepted, and nothing acts on them until \
         you run such an operator. Of some services another distribution has published ones; the finding says \
         of which.";
    NoEffect = "S0403", Warning, "the setting is accepted, but has no effect",
        "The setting is checked, so that a spec written today stays valid. Either it changes the output with a \
         later version, or it needs another setting beside it, which the finding names. Leave it out if it is \
         not meant.";
    SetButOff = "S0404", Warning, "settings of a component that is off",
        "The component is off by default and nothing switches it on. Its settings are checked and change \
         nothing. Most often they are meant: write `enabled: true` beside them; else leave them out.";

    PlainHttp = "S0405", Warning, "services that are not encrypted, although the cloud is",
        "The operators of the distribution cobaltcore run their services with plain HTTP inside the cluster, and \
         have no field for a certificate. With `global.tls` databases, brokers and all other services are \
         encrypted, and what comes from outside is up to the gateway; tokens and passwords still travel in clear \
         text between the pods of these services.";

    ShutOut = "S0406", Warning, "network policies that let nobody in from outside",
        "With `endpoints.domain` and no `endpoints.gateway`, something of your own leads from the public names to the \
         services, and nobody but you knows where its pods run. With `global.networkPolicies` only pods of the cloud \
         reach the services then. Write the namespace of those pods in `global.networkPolicies.gatewayNamespace`.";

    SameIdTwice = "S0501", Error, "two components make the same object",
        "An object is made by exactly one component. Two objects with the same kind, namespace and name would \
         overwrite each other in the cluster. Most often a record that was given makes what a built-in one \
         makes: give its object another name.";
    Unkeepable = "S0502", Error, "a text that kustomize cannot keep",
        "The output must pass through kustomize unchanged. A few characters, the key `<<`, and maps whose keys \
         have no order in kustomize's own sorting do not survive it. Write the text in another way, or rename \
         the key.";
    BadObjectName = "S0503", Error, "an object's name is not one that Kubernetes accepts",
        "Names are composed from the control plane's name and the component's. The result must still be a DNS \
         name of at most 253 bytes, and at most 63 where it becomes a label or a Service. Choose a shorter \
         name, of small letters, digits and `-`.";
    Dangling = "S0505", Error, "an object names something that nothing makes",
        "A name of a Secret, an issuer, a database, a role or anything else in an object leads to an \
         object of the same cloud, to what an operator makes of one (ExternalSecret and Certificate make \
         Secrets, PushSecret makes paths in the store), or to what its record declares under `external`: \
         a thing that must exist first, which `strata requirements` then lists. What a person writes in \
         `extraConfig`, `overrides`, `patches` or settings of pods counts as declared.";
    MadeTwice = "S0506", Error, "two objects make the same secret",
        "Two producers of one Secret, or of one path in the store, overwrite each other, and which value its \
         readers see changes from minute to minute. A Secret has one producer and any number of readers. \
         Remove one of the two, or let it make a Secret of another name.";
    SecretInText = "S0507", Error, "a secret in plain text",
        "Whoever can read the repository, the artifact or a log could read it. Templates of Secrets and \
         configurations have their secrets from the store: `{{ .password }}` in an ExternalSecret is filled in \
         inside the cluster. A setting is taken for a secret by its name (`password`, `secret`, `token`, a key) and \
         an address by the password in it. One that was written down is known to others already: change it \
         where it is in use.";

    FloatingChart = "S0504", Error, "a chart or a source that can change its meaning",
        "A range such as `>=1.2` or `1.x`, `latest`, a branch, or no version at all installs something else tomorrow: \
         what the reviewer saw is then not what runs. A chart is named by one exact version, and a repository by \
         a commit, a digest or the tag of one version.";

    NotAResourceList = "S0601", Error, "standard input is not a ResourceList",
        "Called without arguments, strata is a KRM function: it reads a ResourceList \
         (config.kubernetes.io/v1) on standard input. People want `strata render PATH`.";
    LeftBehind = "S0602", Warning, "objects of a control plane that is no longer in the input",
        "They were rendered earlier and are passed through. Delete their files if the control plane is \
         gone for good; mind that Flux then prunes what they made, except what holds state.";

    BadSource = "S0700", Error, "a source that Flux could not fetch from",
        "`delivery.source` says where Flux fetches the tree from, and each kind of source has fields of its \
         own: a GitRepository a url with a branch, tag or commit, an OCIRepository a url with a tag or \
         digest, a Bucket a bucket. The kind is that of `sourceRef`, or the one that the address speaks of.";
    SameStage = "S0701", Error, "two control planes give Flux a Kustomization of the same name",
        "In the tree each component becomes a Kustomization called `<control plane>-<component>`, all in one \
         namespace. Two of the same name would undo each other's work, each pruning what the other applied. \
         Give one control plane another name, or another `delivery.namespace`.";
    SplitTree = "S0702", Error, "clouds of one tree that are delivered in different ways",
        "A tree lies in one place of one repository: `delivery.path` of all its clouds is the same. Two that \
         bring the same source must say the same of it. Write `delivery` once, in Defaults, or render the \
         clouds into trees of their own.";
    StateRemoved = "S0703", Error, "what holds state is no longer rendered",
        "The tree that stands has it, the new one has not. Flux prunes nothing that carries \
         `kustomize.toolkit.fluxcd.io/prune: disabled`, so the data stays in the cluster and nobody looks \
         after it; what holds state without that mark is deleted with its data. Say which component may go \
         with `--allow-removal NAME`; a control plane goes as a whole by its own name.";
    Removed = "S0704", Warning, "objects that Flux will delete",
        "The tree that stands has them, the new one has not: with the next revision Flux deletes them from the \
         cluster. Nothing among them holds state, or its removal was allowed. If they are still wanted, look \
         for what was switched off or renamed in the spec.";
    StateMoved = "S0705", Error, "what holds state moves to another Kustomization",
        "The component that it left may prune it before the one that it joins applies it: it would be deleted \
         with its data and made anew, empty. Keep it where it is, mark it with \
         `kustomize.toolkit.fluxcd.io/prune: disabled` in a revision before the move, or allow it with \
         `--allow-removal NAME`.";
    Moved = "S0706", Warning, "objects move to another Kustomization",
        "The one that they left may prune them before the one that they join applies them: they can be deleted \
         and made again. Those marked `kustomize.toolkit.fluxcd.io/prune: disabled` are handed over as they are.";
    Shrinks = "S0707", Error, "a volume cannot become smaller",
        "Kubernetes can enlarge a volume and never shrink one; the operators refuse the change, and the \
         component is not ready from then on. To shrink one, move the data to a new one by hand. A tree that no \
         cluster has followed yet has no data to lose: delete its folder and render anew.";
    FewerMembers = "S0708", Error, "members cannot be taken away",
        "The operator does not support fewer members: it refuses the change, or would leave the data of those \
         that go. Nothing of a cluster of members is removed by a smaller number. Keep the number that stands; \
         to have fewer, restore a backup into a new cluster.";
    Unchangeable = "S0709", Error, "a field that cannot be changed later",
        "The operator takes it once, when the object is made, and refuses every change: the component would \
         not be ready from then on. Write what stands in the tree; to have another value, make a new one \
         beside it and move the data. A tree that no cluster has followed yet has nothing to keep: delete its \
         folder and render anew.";
    NoSentinel = "S0710", Error, "the stream holds no cloud",
        "Strata puts an object into every cloud that it renders, the ConfigMap `strata-<control plane>`: it \
         carries the plan and how the tree is delivered. Without it, kustomize did not run Strata, or a patch \
         took the object out. Run `kustomize build --enable-alpha-plugins --enable-exec`, and see what it \
         prints.";
    PlainSecret = "S0711", Error, "a Secret in plain text",
        "Whoever can read the repository or the artifact could read it. Encrypt it with SOPS and name the key \
         in `delivery.decryption`, or let External Secrets fetch it from the store.";
    NotStaged = "S0712", Error, "a document of the stream is no object",
        "Every document that kustomize prints has an apiVersion, a kind and a name. What has not cannot be \
         applied, and has no file to go to. Stage the output of `kustomize build` as it is, and nothing else.";
    NothingToAllow = "S0713", Error, "a removal is allowed of what does not go",
        "`--allow-removal NAME` names a component or a control plane that leaves the tree with this step, or \
         loses objects. A name that matches nothing is most often a slip of the finger; one that is left \
         in a script would allow a later removal that nobody has looked at.";
    CredentialsMoved = "S0714", Error, "credentials are looked for in another place of the store",
        "A path in the store is made of `secrets.store.prefix`, the namespace and the name of the control plane. If \
         one of them changes, or the store, nothing lies there: new passwords are made and handed to the services, \
         while databases, brokers and Keystone go on with the old ones, and the whole cloud is locked out. Copy the \
         secrets to the new place first; then `--allow-removal NAME`, with the name that the control plane had, lets \
         the old place go.";
    Downgrade = "S0715", Error, "the release is older than the one that stands",
        "Services migrate their databases to the schema of their release when they start, and no service of \
         OpenStack has a way back. An older one finds tables that it does not know, and fails or spoils \
         them. Go back by restoring a backup into a new cloud. `--allow-removal NAME` with the name of the control \
         plane lets it happen, for a cloud whose data may be lost.";
}
