//! How services log in, what is made anew from time to time, and how often.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::record::Phase;
use crate::resolve::switch::is_on;
use crate::resolve::{Cloud, Component};
use crate::spec::{self, KeyRotation, PasswordRotation};
use crate::value::Value;

/// What rotates, as far as the spec alone says it.
#[derive(Clone, Debug)]
pub struct Rotation {
    /// Of application credentials.
    pub credentials: Rhythm,
    /// The keys that the companion operator rotates.
    pub keys: Vec<Keys>,
    /// None where each service has one user and one password.
    pub database_passwords: Option<Rhythm>,
    pub messaging_passwords: Option<Rhythm>,
}

#[derive(Clone, Copy, Debug)]
pub struct Rhythm {
    pub interval_days: i32,
    pub pre_rotation_days: i32,
    pub grace_period_days: i32,
}

/// A ring of keys.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The rotation type, and the field of `rotation`.
    pub kind: &'static str,
    /// The last part of the names of its Secrets.
    pub name: &'static str,
    /// None for when the service's own settings say it.
    pub interval_days: Option<i32>,
}

pub const APPLICATION_CREDENTIAL: &str = "applicationCredential";
const DATABASE_PASSWORD: &str = "databasePassword";
const MESSAGING_PASSWORD: &str = "messagingPassword";

impl Rhythm {
    /// The longest that the operator takes: for what is made once and never replaced.
    const NEVER: Rhythm =
        Rhythm { interval_days: 3650, pre_rotation_days: 0, grace_period_days: 1 };

    /// A quarter of a year, a week to hand the new one out, and a day more for the old one; less where the interval is
    /// too short for that.
    fn of(interval: Option<i32>, pre: Option<i32>, grace: Option<i32>) -> Self {
        let interval_days = interval.unwrap_or(90);
        let within = |usual: i32, other: i32| usual.min(interval_days - 1 - other).max(0);
        let grace_period_days = grace.unwrap_or_else(|| within(1, pre.unwrap_or(0)));
        let pre_rotation_days = pre.unwrap_or_else(|| within(7, grace_period_days));
        Rhythm { interval_days, pre_rotation_days, grace_period_days }
    }

    /// The next one is made before the end of the interval, and when the one before the last is gone.
    fn checked(self, path: &Path, written: &Written, findings: &mut Findings) -> Self {
        let Rhythm { interval_days, pre_rotation_days, grace_period_days } = self;
        let taken = pre_rotation_days + grace_period_days;
        if taken >= interval_days {
            let (grace, pre) = ("gracePeriodDays", "preRotationDays");
            let longer =
                if grace_period_days > pre_rotation_days { [grace, pre] } else { [pre, grace] };
            let field = longer
                .into_iter()
                .chain(["intervalDays"])
                .find(|field| written.get(&path.key(*field)).is_some());
            let shown = |field: &str| written.shown(&path.key(field));
            findings.push(
                Code::NoTimeToRotate
                    .at(written.place(&field.map_or(path.clone(), |field| path.key(field))))
                    .because(format!(
                        "preRotationDays {pre_rotation_days} and gracePeriodDays {grace_period_days} are \
                         {taken} days together, and a new one is due every {interval_days} (intervalDays)"
                    ))
                    .remedy(format!(
                        "write `{}: {}` or more, or let {pre} and {grace} be {} together at most",
                        shown("intervalDays"),
                        taken + 1,
                        interval_days - 1
                    )),
            );
        }
        self
    }
}

/// What settings of a rotation come to that is off.
const STILL: &str = "it does not rotate unless it is switched on";

impl Rotation {
    pub(super) fn of(written: &Written, findings: &mut Findings) -> Self {
        let given = written.spec.rotation.clone().unwrap_or_default();
        let path = Path::from("spec.rotation");
        let spec::Rotation { interval_days, pre_rotation_days, grace_period_days, .. } = given;
        let plain = Rhythm::of(interval_days, pre_rotation_days, grace_period_days)
            .checked(&path, written, findings);
        let mut passwords = |field: &str, own: Option<PasswordRotation>| {
            let own = own?;
            let says_more = own.interval_days.or(own.pre_rotation_days).or(own.grace_period_days);
            let at = (&path.key(field), STILL);
            is_on(own.enabled, says_more.is_some(), at, written, findings).then(|| {
                let rhythm = Rhythm::of(
                    own.interval_days.or(interval_days),
                    own.pre_rotation_days.or(pre_rotation_days),
                    own.grace_period_days.or(grace_period_days),
                );
                // One that has all its numbers from `rotation` was looked at there.
                match says_more {
                    Some(_) => rhythm.checked(&path.key(field), written, findings),
                    None => rhythm,
                }
            })
        };
        let database_passwords = passwords("databasePasswords", given.database_passwords);
        let messaging_passwords = passwords("messagingPasswords", given.messaging_passwords);
        let mut keys =
            |kind: &'static str, name, own: Option<KeyRotation>, otherwise| {
                let own = own?;
                let at = (&path.key(kind), STILL);
                is_on(own.enabled, own.interval_days.is_some(), at, written, findings)
                    .then(|| Keys { kind, name, interval_days: own.interval_days.or(otherwise) })
            };
        let fernet = keys("fernetKeys", "fernet-keys", given.fernet_keys, None);
        let usual = Some(plain.interval_days);
        let credential = keys("credentialKeys", "credential-keys", given.credential_keys, usual);
        Rotation {
            credentials: if given.enabled == Some(false) { Rhythm::NEVER } else { plain },
            keys: fernet.into_iter().chain(credential).collect(),
            database_passwords,
            messaging_passwords,
        }
    }

    /// Whether the spec asks for the rotation of keys of this type.
    pub(super) fn has_keys(&self, kind: &str) -> bool {
        self.keys.iter().any(|keys| keys.kind == kind)
    }
}

impl Cloud<'_> {
    /// The types of all rotations that are rendered.
    pub fn rotations(&self) -> Vec<&'static str> {
        let rotation = &self.rotation;
        let credentials = self.application_credentials.then_some(APPLICATION_CREDENTIAL);
        let databases = rotation.database_passwords.map(|_| DATABASE_PASSWORD);
        let messaging = rotation.messaging_passwords.map(|_| MESSAGING_PASSWORD);
        let keys = rotation.keys.iter().map(|keys| keys.kind);
        keys.chain(credentials).chain(databases).chain(messaging).collect()
    }
}

/// Whether the spec asks for application credentials; says who cannot have one.
pub(super) fn application_credentials(cloud: &Cloud, findings: &mut Findings) -> bool {
    let Some(path) = asked_for_credentials(cloud) else { return false };
    // Keystone itself, before the catalog, has no account.
    let unable = |component: &&Component| {
        component.is_cobaltcore()
            && component.identity().is_some()
            && component.record.phase > Phase::Catalog
    };
    let names = names(cloud, unable);
    if !names.is_empty() {
        findings.push(
            Code::NoApplicationCredential
                .at(cloud.written.place(&path))
                .because(format!("cobaltcore's operators log in with passwords: {names}"))
                .remedy("write password, or take these services from another distribution"),
        );
    }
    true
}

/// The setting that asks for application credentials, if any does.
fn asked_for_credentials(cloud: &Cloud) -> Option<Path> {
    let catalog = cloud.component("catalog")?;
    let chosen = catalog.options.get("credentials").and_then(Value::as_str);
    (chosen == Some(APPLICATION_CREDENTIAL)).then(|| catalog.path.key("credentials"))
}

/// Says which rotations cannot be, and that somebody must make what rotates.
pub(super) fn check(cloud: &Cloud, catalogue: &Catalogue, findings: &mut Findings) {
    let asked = |field: &str| Path::from("spec.rotation").key(field).key("enabled");
    for keys in &cloud.rotation.keys {
        let renders = |rotates: &[crate::value::Text]| rotates.iter().any(|it| *it == keys.kind);
        if cloud.components.iter().any(|component| renders(&component.record.rotates)) {
            continue;
        }
        let Some(able) = catalogue.records().find(|record| renders(&record.rotates)) else {
            continue;
        };
        let served = cloud.component(&able.serves);
        let chosen = served.map_or(cloud.distribution, |served| served.distribution);
        findings.push(
            Code::RotatedByOthers
                .at(cloud.written.place(&asked(keys.kind)))
                .because(format!(
                    "{} comes from {}, whose operator rotates its keys itself",
                    able.serves,
                    chosen.name()
                ))
                .remedy(format!(
                    "leave it out, or take {} from {}",
                    able.serves, able.distribution
                )),
        );
    }
    let unable = |component: &&Component| {
        component.is_cobaltcore() && !component.record.databases.is_empty()
    };
    let names = names(cloud, unable);
    if cloud.rotation.database_passwords.is_some() && !names.is_empty() {
        findings.push(
            Code::NoSecondUser
                .at(cloud.written.place(&asked("databasePasswords")))
                .because(format!(
                    "nobody can tell which user the pods of cobaltcore's operators have: {names}"
                ))
                .remedy("leave it out, or take these services from another distribution"),
        );
    }
    agents(cloud, findings);
    companion(cloud, findings);
}

/// Agents on hypervisors are no pods of this cluster, so whoever revokes cannot see what they have.
fn agents(cloud: &Cloud, findings: &mut Findings) {
    if cloud.pools.hypervisors.is_empty() || cloud.component("nova").is_none() {
        return;
    }
    let passwords = Path::from("spec.rotation").key("messagingPasswords").key("enabled");
    let broker = cloud.rotation.messaging_passwords.map(|_| (passwords, "on the broker"));
    let identity = asked_for_credentials(cloud).map(|path| (path, "in Keystone"));
    for (path, place) in broker.into_iter().chain(identity) {
        let pools: Vec<&str> = cloud.pools.hypervisors.iter().map(|pool| &*pool.name).collect();
        findings.push(
            Code::AgentsOutside
                .at(cloud.written.place(&path))
                .because(format!(
                    "what Nova has {place} is replaced, and nobody waits until the agents of {} have the new one",
                    pools.join(", ")
                ))
                .remedy(
                    "give the agents a user of their own that does not rotate, before the first rotation, or leave \
                     this out",
                ),
        );
    }
}

/// What rotates is made by an operator. Where this tree does not bring it, somebody else must.
fn companion(cloud: &Cloud, findings: &mut Findings) {
    let rotations = cloud.rotations();
    let Some(first) = rotations.first() else { return };
    if cloud.components.iter().any(|component| component.record.where_rotated) {
        return;
    }
    let rotation = Path::from("spec.rotation");
    let place = match *first {
        DATABASE_PASSWORD => rotation.key("databasePasswords"),
        MESSAGING_PASSWORD => rotation.key("messagingPasswords"),
        kind => asked_for_credentials(cloud)
            .filter(|_| kind == APPLICATION_CREDENTIAL)
            .unwrap_or_else(|| rotation.key(kind)),
    };
    findings.push(
        Code::CompanionNeeded
            .at(cloud.written.place(&place))
            .because(format!(
                "services wait until strata-operator has made what they log in with: {}",
                rotations.join(", ")
            ))
            .remedy(
                "write `platform: {strata-operator: {enabled: true}}`, or see that one of the cluster \
                 looks after this namespace",
            ),
    );
}

fn names(cloud: &Cloud, which: impl Fn(&&Component) -> bool) -> String {
    let names: Vec<&str> = cloud.components.iter().filter(which).map(Component::name).collect();
    names.join(", ")
}
