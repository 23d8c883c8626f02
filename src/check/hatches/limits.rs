//! Fields of objects that a rule of their component is about, so that a change by hand does not get around
//! the rule. A table: a rule of a record that a single field of an object can break has a row here.

use super::Changed;
use crate::check::quantity::{amount, text};
use crate::finding::{Code, Findings, Path};
use crate::resolve::Cloud;
use crate::schema::Schedule;
use crate::value::Value;

struct Row {
    group: &'static str,
    kind: &'static str,
    field: &'static str,
    code: Code,
    /// Why a value of the field is refused and what to write, seen with the whole spec around it.
    refuse: fn(&Value, &Value) -> Option<Refused>,
}

type Refused = (String, String);

const fn row(
    (group, kind): (&'static str, &'static str),
    field: &'static str,
    code: Code,
    refuse: fn(&Value, &Value) -> Option<Refused>,
) -> Row {
    Row { group, kind, field, code, refuse }
}

const KEYSTONE: (&str, &str) = ("keystone.openstack.c5c3.io", "Keystone");
const MARIADB: (&str, &str) = ("k8s.mariadb.com", "MariaDB");
const MEMCACHED: (&str, &str) = ("memcached.c5c3.io", "Memcached");
const OVN: (&str, &str) = ("ovn.c5c3.io", "OVNCluster");
const RABBITMQ: (&str, &str) = ("rabbitmq.com", "RabbitmqCluster");
const RELEASE: (&str, &str) = ("helm.toolkit.fluxcd.io", "HelmRelease");
const VALKEY: (&str, &str) = ("cache.cs.sap.com", "Valkey");

const ROWS: &[Row] = &[
    row(MARIADB, "replicas", Code::EvenGalera, even_galera),
    row(MARIADB, "storage.size", Code::RuleBroken, small_volume),
    row(RABBITMQ, "replicas", Code::EvenBroker, even_broker),
    row(RABBITMQ, "persistence.storage", Code::RuleBroken, small_volume),
    row(VALKEY, "replicas", Code::RuleBroken, even_sentinels),
    row(OVN, "northbound.replicas", Code::RuleBroken, even_raft),
    row(OVN, "southbound.replicas", Code::RuleBroken, even_raft),
    row(RELEASE, "values.server.ha.replicas", Code::RuleBroken, even_openbao),
    row(MEMCACHED, "replicas", Code::RuleBroken, many_caches),
    row(MEMCACHED, "memcached.maxMemoryMB", Code::RuleBroken, large_cache),
    row(MEMCACHED, "memcached.maxMemoryMB", Code::MemoryTooSmall, small_cache),
    row(MEMCACHED, "memcached.maxMemoryMB", Code::MemoryTooSmall, tight_limit),
    row(MEMCACHED, "resources.limits.memory", Code::MemoryTooSmall, tight_limit),
    row(KEYSTONE, "fernet.maxActiveKeys", Code::TooFewKeys, few_keys),
    row(KEYSTONE, "fernet.rotationSchedule", Code::TooFewKeys, few_keys),
    row(KEYSTONE, "fernet.rotationSchedule", Code::TooFewKeys, rotates_too_often),
];

pub fn check(changed: &Changed, cloud: &Cloud, findings: &mut Findings) {
    let object = changed.object;
    let group = object.api_version().split_once('/').map_or("", |(group, _)| group);
    let Some(spec) = object.body().at(&["spec"]) else { return };
    let is_about = |row: &&Row| (row.group, row.kind) == (group, object.kind());
    for Row { field, code, refuse, .. } in ROWS.iter().filter(is_about) {
        let refused = at(spec, field).and_then(|value| refuse(value, spec));
        let Some((because, remedy)) = refused else { continue };
        // What settings made of it, the rule itself has spoken of.
        let Some(origin) = changed.origin(&Path::from(format!("spec.{field}").as_str())) else {
            continue;
        };
        let (kind, name) = (object.kind(), object.name().escape_debug());
        findings.push(
            code.at(cloud.written.place(&origin))
                .because(format!("{kind} {name}, spec.{field}: {because}"))
                .remedy(remedy),
        );
    }
}

fn at<'a>(spec: &'a Value, field: &str) -> Option<&'a Value> {
    field.split('.').try_fold(spec, |value, key| value.at(&[key]))
}

/// The number, if a majority of so many is no larger than of one fewer.
fn even(value: &Value) -> Option<i64> {
    value.as_int().filter(|number| number % 2 == 0)
}

fn odd_beside(number: i64) -> String {
    match number {
        ..=0 => "write 1 or 3".to_owned(),
        _ => format!("write {} or {}", number - 1, number + 1),
    }
}

fn even_galera(replicas: &Value, spec: &Value) -> Option<Refused> {
    at(spec, "galera.enabled").and_then(Value::as_bool).filter(|enabled| *enabled)?;
    let members = even(replicas)?;
    let half = members / 2;
    Some((
        format!(
            "with {members} members a split leaves two halves of {half}, and neither may write"
        ),
        odd_beside(members),
    ))
}

fn even_broker(replicas: &Value, _: &Value) -> Option<Refused> {
    let members = even(replicas)?;
    Some((
        format!(
            "quorum queues decide by majority, and {members} members tolerate no more failures than one fewer"
        ),
        odd_beside(members),
    ))
}

fn even_sentinels(replicas: &Value, spec: &Value) -> Option<Refused> {
    at(spec, "sentinel.enabled").and_then(Value::as_bool).filter(|enabled| *enabled)?;
    by_majority("Sentinel", replicas)
}

fn even_raft(replicas: &Value, _: &Value) -> Option<Refused> {
    by_majority("Raft", replicas)
}

fn by_majority(who: &str, replicas: &Value) -> Option<Refused> {
    let members = even(replicas)?;
    let because = format!("{who} decides by majority, and an even member adds cost and no safety");
    Some((because, odd_beside(members)))
}

fn even_openbao(replicas: &Value, spec: &Value) -> Option<Refused> {
    at(spec, "chart.spec.chart").filter(|chart| chart.as_str() == Some("openbao"))?;
    even_raft(replicas, spec)
}

const MEBIBYTE: f64 = 1024.0 * 1024.0;

fn small_volume(size: &Value, _: &Value) -> Option<Refused> {
    amount(size).filter(|bytes| *bytes < 1024.0 * MEBIBYTE)?;
    let because = format!("{} does not hold even an empty server's files", text(size));
    Some((because, "write 1Gi or more".to_owned()))
}

/// As Memcached's CRD has it.
fn many_caches(replicas: &Value, _: &Value) -> Option<Refused> {
    let replicas = replicas.as_int().filter(|replicas| *replicas > 64)?;
    let because =
        format!("the operator runs at most 64 of one cache, and this asks for {replicas}");
    Some((because, "write 64 or fewer, and give each more memory".to_owned()))
}

/// As Memcached's CRD has it.
fn large_cache(memory: &Value, _: &Value) -> Option<Refused> {
    let mebibytes = memory.as_int().filter(|mebibytes| *mebibytes > 65_536)?;
    let because =
        format!("the operator gives a cache at most 64Gi, and this asks for {mebibytes}Mi");
    Some((because, "write 65536 or less, and have more replicas".to_owned()))
}

fn small_cache(memory: &Value, _: &Value) -> Option<Refused> {
    let mebibytes = memory.as_int().filter(|mebibytes| *mebibytes < 64)?;
    Some((format!("memcached cannot work with {mebibytes}Mi"), "write 64 or more".to_owned()))
}

/// The operator's webhook demands 32Mi beside the cache.
fn tight_limit(_: &Value, spec: &Value) -> Option<Refused> {
    const BESIDE: i64 = 32;
    let cache = at(spec, "memcached.maxMemoryMB")?.as_int()?;
    let limit = at(spec, "resources.limits.memory")?;
    let least = cache + BESIDE;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    amount(limit).filter(|bytes| *bytes < least as f64 * MEBIBYTE)?;
    Some((
        format!(
            "a cache of {cache}Mi needs {BESIDE}Mi beside it, and the limit is {}",
            text(limit)
        ),
        format!("let the limit be {least}Mi or more, or the cache smaller"),
    ))
}

/// As the rules in Keystone's record: an hour of life, and two days to finish what was begun.
const HOURS: u32 = 49;
/// As many as its setting takes.
const MOST_KEYS: i64 = 100;

/// One key is staged and one signs; each of the others outlives one rotation.
const BESIDE_OLD_KEYS: i64 = 2;

fn few_keys(_: &Value, spec: &Value) -> Option<Refused> {
    let keys = at(spec, "fernet.maxActiveKeys")?.as_int()?;
    let times = rotations(spec)?;
    let least = times + BESIDE_OLD_KEYS;
    if keys >= least || least > MOST_KEYS {
        return None;
    }
    Some((
        format!(
            "keys can rotate {times} times within {HOURS} hours, and with {keys} a key is gone after {}",
            keys - BESIDE_OLD_KEYS
        ),
        format!("keep {least} or more, or rotate less often"),
    ))
}

/// More keys would be no remedy.
fn rotates_too_often(_: &Value, spec: &Value) -> Option<Refused> {
    let keys = at(spec, "fernet.maxActiveKeys")?.as_int()?;
    let times = rotations(spec)?;
    let most = MOST_KEYS - BESIDE_OLD_KEYS;
    // By hand, a person may keep more than the setting takes.
    if times <= most || keys >= times + BESIDE_OLD_KEYS {
        return None;
    }
    Some((
        format!(
            "keys can rotate {times} times within {HOURS} hours, and not even the {MOST_KEYS} keys that the setting takes last that long"
        ),
        format!("rotate at most {most} times within {HOURS} hours, such as hourly"),
    ))
}

/// How often keys rotate while a token is of use.
fn rotations(spec: &Value) -> Option<i64> {
    let schedule = Schedule::parse(at(spec, "fernet.rotationSchedule")?.as_str()?)?;
    Some(i64::from(schedule.most_within(HOURS * 60)))
}
