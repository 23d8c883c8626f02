//! Every object of every valid fixture is accepted by a real kube-apiserver that has the real CRDs.
#![allow(clippy::expect_used, reason = "a failing test may panic")]

mod real;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use real::{ApiServer, CrdSource, Object, Verdict, report};

/// What the server said of one fixture's objects.
struct Judged {
    fixture: String,
    objects: Vec<Object>,
    first: Vec<Verdict>,
    second: Vec<Verdict>,
    /// Objects whose unknown field was not refused.
    lenient: Vec<String>,
}

/// Judged once, for all tests of this file: starting the server takes longer than all of them.
static FIXTURES: LazyLock<Vec<Judged>> = LazyLock::new(|| {
    let (cobaltcore, others): (Vec<Rendered>, Vec<Rendered>) =
        valid_fixtures().into_iter().map(Rendered::of).partition(Rendered::is_cobaltcore);
    let judge_all = |sources: &[CrdSource], fixtures: Vec<Rendered>| -> Vec<Judged> {
        if fixtures.is_empty() {
            return Vec::new();
        }
        let server = ApiServer::start(sources);
        fixtures.into_iter().map(|fixture| judge(&server, fixture)).collect()
    };
    let mut judged = judge_all(CrdSource::ALL, others);
    judged.extend(judge_all(CrdSource::COBALTCORE, cobaltcore));
    judged
});

/// A fixture and what it renders to.
struct Rendered {
    fixture: String,
    objects: Vec<Object>,
}

impl Rendered {
    fn of(fixture: String) -> Self {
        let objects = Object::read_all(&render(&fixture));
        Self { fixture, objects }
    }

    /// The sentinel says whose kinds a cloud has: two distributions have kinds of the same names.
    fn is_cobaltcore(&self) -> bool {
        let says_so = |object: &Object| {
            object.kind == "ConfigMap" && object.text.contains("\n  distribution: cobaltcore\n")
        };
        self.objects.iter().any(says_so)
    }
}

fn judge(server: &ApiServer, Rendered { fixture, objects }: Rendered) -> Judged {
    let first = server.apply_all(&objects);
    let second = server.apply_all(&objects);
    let lenient =
        objects.iter().filter_map(|object| server.refuses_unknown_field(object).err()).collect();
    // Two fixtures may render the same name with other immutable fields.
    server.delete_all(&objects);
    Judged { fixture, objects, first, second, lenient }
}

fn valid_fixtures() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = fs::read_dir(&folder).expect("there is a folder fixtures/");
    let folders = entries
        .map(|entry| entry.expect("fixtures/ can be listed"))
        .filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let valid: BTreeSet<String> = names.filter(|name| !name.starts_with("invalid-")).collect();
    assert!(!valid.is_empty(), "there is no valid fixture in fixtures/");
    valid.into_iter().collect()
}

fn render(fixture: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_strata"))
        .args(["render", &format!("fixtures/{fixture}")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("strata starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "strata render fixtures/{fixture}: {complaint}");
    String::from_utf8(output.stdout).expect("strata writes UTF-8")
}

#[test]
fn every_object_is_accepted() {
    let mut judged = (0, BTreeSet::new());
    let mut unjudged: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused = Vec::new();
    for fixture in FIXTURES.iter() {
        assert!(!fixture.objects.is_empty(), "fixtures/{} renders nothing", fixture.fixture);
        for (object, verdict) in fixture.objects.iter().zip(&fixture.first) {
            if *verdict == Verdict::NotJudged {
                *unjudged.entry(object.qualified_kind()).or_default() += 1;
                continue;
            }
            judged.0 += 1;
            judged.1.insert(object.qualified_kind());
            if let Verdict::Refused(why) = verdict {
                refused.push(format!("{}: {}: {why}", fixture.fixture, object.label()));
            }
        }
    }
    report(&format!("judged: {} objects of {} kinds by kube-apiserver", judged.0, judged.1.len()));
    if !unjudged.is_empty() {
        let kinds: Vec<&str> = unjudged.keys().map(String::as_str).collect();
        let count: usize = unjudged.values().sum();
        report(&format!(
            "not judged: {count} objects of kinds {} (their CRDs: STRATA_CRDS)",
            kinds.join(", ")
        ));
    }
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
    assert!(judged.0 > 0, "no object was judged");
}

/// A CRD can make the server drop what it does not know without a word, strict or not.
#[test]
fn what_is_stored_holds_all_that_was_sent() {
    let mut compared = 0;
    let mut lost = Vec::new();
    for fixture in FIXTURES.iter() {
        for (object, verdict) in fixture.objects.iter().zip(&fixture.first) {
            let Verdict::Accepted(stored) = verdict else { continue };
            let place = format!("{}: {}", fixture.fixture, object.label());
            missing(&object.value(), stored, &place, &mut lost);
            compared += 1;
        }
    }
    assert!(lost.is_empty(), "sent and not stored:\n{}", lost.join("\n"));
    assert!(compared > 1_000, "only {compared} objects were compared");
}

/// Names what is sent and differs in what is stored, which may have more in its maps.
fn missing(sent: &Value, stored: &Value, place: &str, lost: &mut Vec<String>) {
    match (sent, stored) {
        (Value::Object(sent), Value::Object(stored)) => {
            for (key, value) in sent {
                let found = stored.get(key).unwrap_or(&Value::Null);
                missing(value, found, &format!("{place}.{key}"), lost);
            }
        }
        (Value::Array(sent), Value::Array(stored)) if sent.len() == stored.len() => {
            for (index, (sent, stored)) in sent.iter().zip(stored).enumerate() {
                missing(sent, stored, &format!("{place}[{index}]"), lost);
            }
        }
        _ if sent == stored => {}
        _ => lost.push(format!("{place}: {sent} became {stored}")),
    }
}

#[test]
fn a_second_apply_changes_nothing() {
    for fixture in FIXTURES.iter() {
        for ((object, first), second) in
            fixture.objects.iter().zip(&fixture.first).zip(&fixture.second)
        {
            assert_eq!(first, second, "{}: {}", fixture.fixture, object.label());
        }
    }
}

#[test]
fn an_unknown_field_is_refused_in_every_object() {
    for fixture in FIXTURES.iter() {
        assert!(fixture.lenient.is_empty(), "{}:\n{}", fixture.fixture, fixture.lenient.join("\n"));
    }
}
