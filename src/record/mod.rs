//! Generator records: one YAML file says all there is to say about one component. The build turns
//! the checked records into static data; records given at run time take the same way.

mod check;
mod class;
mod decode;
mod expression;
mod patches;
pub mod pods;
mod schema;
mod template;

use std::borrow::Cow;

pub use check::{SCOPE, check, place};
pub use class::{Class, Needs};
pub use decode::decode;
pub use expression::{Expression, environment};
pub use pods::PodPlace;
pub use schema::{CONTAINERS, PLATFORM, complete_object, graft, settings_schema};
pub use template::{Leaf, Part, Template};

use crate::finding::Code;
use crate::schema::{Literal, Schema};
use crate::value::Text;
use crate::yaml::tree::Span;

pub const API_VERSION: &str = "strata.c5c3.io/v1alpha1";
pub const KIND: &str = "Component";

/// What a record says of readiness and of time, if it says nothing.
pub const HEALTH: &str = "ready";
pub const TIMEOUT: &str = "10m";

/// A list that may be part of the program.
pub type List<T> = Cow<'static, [T]>;

#[derive(Clone, Debug)]
pub struct Record {
    pub component: Text,
    pub phase: Phase,
    pub summary: Text,
    /// Whether a cloud has it unless its spec says otherwise.
    pub enabled: bool,
    /// Whether a cloud has it only where its settings are written.
    pub where_set: bool,
    /// Whether a cloud has it only where it has something that needs it.
    pub where_needed: bool,
    /// Whether a cloud has it only where something rotates.
    pub where_rotated: bool,
    /// The rotations that it renders. A cloud has it only where it asks for one of them.
    pub rotates: List<Text>,
    /// The name its objects bear, if not the component's own.
    pub object_name: Text,
    /// The namespace of its pods; empty for that of the cloud.
    pub namespace: Text,
    /// Where its settings stand below `spec`: `services.nova`, `infrastructure.mariadb`, `cortex`.
    pub settings: Text,
    /// Options of it that others may read before it is there.
    pub announces: List<Text>,
    /// What must be ready before it starts.
    pub needs: List<Text>,
    /// What a cloud that has it must have, too, in whichever order.
    pub alongside: List<Text>,
    /// What it comes after where the cloud has it.
    pub after: List<Text>,
    /// Whom it speaks to over the network; no order follows from it.
    pub talks_to: List<Text>,
    /// The component whose operator it is; empty for most.
    pub serves: Text,
    /// The distribution that component must come from; empty for any.
    pub distribution: Text,
    /// What it is to a cluster, if it is an operator or brings kinds in another way.
    pub operator: Option<Operator>,
    /// The image repository; empty where the operator decides.
    pub image: Text,
    /// Its version in each OpenStack series.
    pub releases: List<(Text, Text)>,
    /// Its version, if that does not follow OpenStack's series.
    pub version: Text,
    /// What differs where it comes from one distribution.
    pub distributions: List<Variant>,
    /// What sort of program it is, which says what a replica needs; empty where that is unknown.
    pub class: Text,
    /// Scaling of a component that is one process.
    pub scale: Option<Process>,
    /// Scaling of each process of a component that is several.
    pub processes: List<Process>,
    pub identity: Option<Identity>,
    /// What people reach from outside beside what the catalog has.
    pub doors: List<Door>,
    /// The first has a fixed name, which is the one expressions read.
    pub databases: List<Named>,
    /// Its virtual hosts on the broker; the first has a fixed name.
    pub queues: List<Named>,
    pub secrets: List<Credential>,
    /// The Services its certificate is for; none if it needs no certificate.
    pub certificate: List<Named>,
    /// Its pods by the name of each sort: their labels, and who reaches which port.
    pub network: List<(Text, Template)>,
    /// What else a person may write in its settings.
    pub options: List<(Text, Schema)>,
    /// What options come to at sizes other than medium, where nothing is written.
    pub sizes: List<(Text, OtherSizes)>,
    /// What other components may read of it.
    pub provides: List<(Text, Template)>,
    pub rules: List<Rule>,
    /// What its objects name and no record makes.
    pub external: List<Outside>,
    /// Whether deleting its objects would lose data.
    pub stateful: bool,
    /// How long Flux waits for it.
    pub timeout: Text,
    /// How the readiness of its own kinds is read: `ready`, `applied`, or an expression in CEL.
    pub health: Text,
    pub objects: List<ObjectRecord>,
    /// Where a record given at run time was read; none for one of the program's own.
    pub source: Option<usize>,
    /// Where its name stands there.
    pub at: Span,
    /// Where each of `needs`, then of `talksTo`, of `after` and `serves` stands there.
    pub mentions: List<Span>,
}

/// The layers of a cloud, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Platform,
    Infrastructure,
    Identity,
    Catalog,
    Core,
    Compute,
    Extras,
    Scheduler,
    Testing,
}

/// Who serves kinds of custom resources.
#[derive(Clone, Debug)]
pub struct Operator {
    /// What people call it.
    pub name: Text,
    /// API groups, or `Kind.group` for one kind of a group.
    pub kinds: List<Text>,
}

/// Image and versions of one distribution.
#[derive(Clone, Debug)]
pub struct Variant {
    pub distribution: Text,
    /// Empty for the record's own.
    pub image: Text,
    pub releases: List<(Text, Text)>,
    pub version: Text,
}

#[derive(Clone, Debug)]
pub struct Process {
    /// Empty for the one process of a component that has no more.
    pub name: Text,
    pub replicas: PerSize,
    pub workers: PerSize,
    pub port: Option<i64>,
    /// As that of a record.
    pub class: Text,
}

/// How many there are at each size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerSize {
    pub small: i64,
    pub medium: i64,
    pub large: i64,
    pub xlarge: i64,
}

/// An option's default at sizes other than medium; that one is in its schema.
#[derive(Clone, Debug)]
pub struct OtherSizes {
    pub small: Literal,
    pub large: Literal,
    pub xlarge: Literal,
}

/// What Keystone knows of the component.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The service type in the catalog; empty for a component that only authenticates.
    pub service_type: Text,
    pub user: Text,
    pub roles: List<Text>,
    /// Behind host and port in its endpoints.
    pub path: Text,
    /// The distribution whose objects log in; empty for all.
    pub distribution: Text,
    /// Roles that it gives to people, and that Keystone's own start does not make.
    pub own_roles: List<Text>,
    pub domain: Option<OwnDomain>,
}

/// A domain in which a service makes users of its own.
#[derive(Clone, Debug)]
pub struct OwnDomain {
    pub name: Text,
    /// Who administers it: the service logs in as this user there.
    pub user: Text,
}

/// A way in from outside.
#[derive(Clone, Debug)]
pub struct Door {
    /// What stands before the public domain.
    pub host: Text,
    /// The Service behind it.
    pub service: Text,
    pub port: i64,
    /// The port where it is not encrypted, if that is another.
    pub plain_port: Option<i64>,
    /// A further service type in the catalog, with what stands behind host and port; empty for what no
    /// catalog has.
    pub service_type: Text,
    pub path: Text,
    /// The distribution that has it; empty for all.
    pub distribution: Text,
}

/// A secret that the store holds: a user name that is known and a password that is not.
#[derive(Clone, Debug)]
pub struct Credential {
    pub key: Text,
    pub name: Text,
    pub username: Text,
    /// Further keys of the Secret, with `<username>` and `<password>` in their text.
    pub keys: List<(Text, Text)>,
    /// The distribution whose objects read it; empty for all.
    pub distribution: Text,
    pub when: Option<Leaf>,
}

/// A name, or one for each of a list; none where it is optional and undefined.
#[derive(Clone, Debug)]
pub struct Named {
    pub each: Option<Leaf>,
    pub name: Template,
}

impl Named {
    fn visit<'a>(&'a self, found: &mut dyn FnMut(&'a Leaf)) {
        self.each.iter().for_each(&mut *found);
        self.name.visit(found);
    }
}

/// Something that settings must not say together.
#[derive(Clone, Debug)]
pub struct Rule {
    pub refuse: Leaf,
    /// The setting to point at, below the component's own.
    pub at: Text,
    pub code: Code,
    pub because: Template,
    pub remedy: Template,
}

/// Something that must be there before the component is.
#[derive(Clone, Debug)]
pub struct Outside {
    pub kind: Text,
    pub named: Named,
    pub why: Text,
    /// What a Secret must hold, by the keys of its data.
    pub keys: List<Text>,
}

#[derive(Clone, Debug)]
pub struct ObjectRecord {
    /// The distribution it belongs to; empty for all.
    pub distribution: Text,
    /// Made where the component runs elsewhere, and only there.
    pub external: bool,
    pub when: Option<Leaf>,
    pub each: Option<Leaf>,
    /// Never pruned by Flux: it holds state.
    pub keep: bool,
    /// Whether no published operator serves the kind as it is made here.
    pub unserved: bool,
    /// Where settings of its pods stand in it.
    pub pods: List<PodPlace>,
    pub object: Template,
    pub at: Span,
}

impl Phase {
    pub const ALL: &[Phase] = &[
        Phase::Platform,
        Phase::Infrastructure,
        Phase::Identity,
        Phase::Catalog,
        Phase::Core,
        Phase::Compute,
        Phase::Extras,
        Phase::Scheduler,
        Phase::Testing,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Phase::Platform => "platform",
            Phase::Infrastructure => "infrastructure",
            Phase::Identity => "identity",
            Phase::Catalog => "catalog",
            Phase::Core => "core",
            Phase::Compute => "compute",
            Phase::Extras => "extras",
            Phase::Scheduler => "scheduler",
            Phase::Testing => "testing",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Phase::ALL.iter().copied().find(|phase| phase.name() == name)
    }
}

impl Record {
    /// Whether it stands once in a cluster, whichever clouds that has.
    pub fn is_platform(&self) -> bool {
        self.settings.split_once('.').is_some_and(|(container, _)| container == PLATFORM)
    }

    /// What it comes after, must it be there or not.
    pub fn waits_for(&self) -> impl Iterator<Item = &Text> {
        self.needs.iter().chain(self.after.iter())
    }

    /// All its processes, the single unnamed one included.
    pub fn all_processes(&self) -> impl Iterator<Item = &Process> {
        self.scale.iter().chain(self.processes.iter())
    }

    /// Every expression in it.
    pub fn leaves(&self) -> Vec<&Leaf> {
        let mut leaves = self.made_of(|_| true);
        for outside in self.external.iter() {
            outside.named.visit(&mut |leaf| leaves.push(leaf));
        }
        for rule in self.rules.iter() {
            leaves.push(&rule.refuse);
            rule.because.visit(&mut |leaf| leaves.push(leaf));
            rule.remedy.visit(&mut |leaf| leaves.push(leaf));
        }
        leaves
    }

    /// The expressions in what is made of it, with these of its objects.
    fn made_of(&self, wanted: impl Fn(&ObjectRecord) -> bool) -> Vec<&Leaf> {
        let mut leaves: Vec<&Leaf> = Vec::new();
        for (_, template) in self.provides.iter().chain(self.network.iter()) {
            template.visit(&mut |leaf| leaves.push(leaf));
        }
        for object in self.objects.iter().filter(|object| wanted(object)) {
            leaves.extend(object.when.iter().chain(object.each.iter()));
            object.object.visit(&mut |leaf| leaves.push(leaf));
        }
        for named in self.databases.iter().chain(self.queues.iter()).chain(self.certificate.iter())
        {
            named.visit(&mut |leaf| leaves.push(leaf));
        }
        leaves.extend(self.secrets.iter().filter_map(|secret| secret.when.as_ref()));
        leaves
    }

    /// Whether any expression reads a dotted name, a part of it or all that it is part of.
    pub fn reads(&self, name: &str) -> bool {
        self.leaves().iter().any(|leaf| leaf.expression.touches(name))
    }

    /// Whether what is made of it for a distribution reads an option; rules only judge it, and what must exist
    /// outside is named for others.
    pub fn uses(&self, option: &str, distribution: &str) -> bool {
        let is_for = |object: &ObjectRecord| {
            object.distribution.is_empty() || object.distribution == distribution
        };
        // Where all of it is, the record was checked when it was read.
        self.objects.iter().all(is_for) || {
            let name = format!("options.{option}");
            self.made_of(is_for).iter().any(|leaf| leaf.expression.touches(&name))
        }
    }

    /// Whether a person can say how many workers a process has: where an object has a place for it.
    pub fn takes_workers(&self, process: &Process) -> bool {
        match process.name.as_ref() {
            "" => self.reads("workers"),
            name => self.reads(&format!("processes.{name}.workers")),
        }
    }

    /// Its version in a series, or the one it has in all of them.
    pub fn version(&self, release: &str, distribution: &str) -> Option<&Text> {
        let (releases, version) = self.versions(distribution);
        let known = releases.iter().find(|(series, _)| series == release);
        known.map(|(_, version)| version).or(Some(version).filter(|version| !version.is_empty()))
    }

    /// The series it has a version in.
    pub fn series(&self, distribution: &str) -> impl Iterator<Item = &str> {
        self.versions(distribution).0.iter().map(|(series, _)| series.as_ref())
    }

    /// The image repository; empty where the operator decides.
    pub fn image(&self, distribution: &str) -> &Text {
        let own = self.variant(distribution).map(|variant| &variant.image);
        own.filter(|image| !image.is_empty()).unwrap_or(&self.image)
    }

    /// A distribution that has versions of its own has no others.
    fn versions(&self, distribution: &str) -> (&[(Text, Text)], &Text) {
        match self.variant(distribution) {
            Some(own) if !own.releases.is_empty() || !own.version.is_empty() => {
                (&own.releases, &own.version)
            }
            _ => (&self.releases, &self.version),
        }
    }

    fn variant(&self, distribution: &str) -> Option<&Variant> {
        self.distributions.iter().find(|variant| variant.distribution == distribution)
    }

    /// The port clients speak to: the component's own, or that of its `api` process.
    pub fn port(&self) -> Option<i64> {
        let api = |process: &&Process| process.name.is_empty() || process.name == "api";
        self.all_processes().find(api).and_then(|process| process.port)
    }
}
