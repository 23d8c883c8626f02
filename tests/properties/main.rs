//! What holds of every input, tried on random ones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod broken;
mod changes;
#[path = "../drive/mod.rs"]
mod drive;
mod endpoints;
mod inputs;
mod invariants;
mod neighbours;
mod own_crds;
mod references;
mod shuffle;
mod spec;
mod sweep;
mod values;
mod versions;

use drive::Answer;
use proptest::prelude::*;
use spec::Document;
use strata::value::Value;
use strata::yaml::read::read_bytes;
use strata::yaml::unfit::unfit;
use strata::yaml::write::write;

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn what_is_written_is_read_back(value in values::map(values::any())) {
        prop_assume!(unfit(&value).is_empty());
        let text = written(&value);
        let reading = read_bytes(text.as_bytes());
        prop_assert!(reading.faults.is_empty(), "{:?}\n{text}", reading.faults);
        prop_assert_eq!(reading.documents.len(), 1, "{}", text);
        let read = Value::from(reading.documents[0].root.clone());
        prop_assert_eq!(values::sorted(&read), values::sorted(&value), "{}", text);
        prop_assert_eq!(written(&read), text);
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn rendering_twice_gives_the_same(control_plane in spec::control_plane("production")) {
        let first = render(std::slice::from_ref(&control_plane));
        // Rules of components refuse some of what the schema allows.
        prop_assume!(!first.outcome.findings.has_errors());
        let second = render(std::slice::from_ref(&control_plane));
        prop_assert_eq!(first.stream(), second.stream());
        prop_assert_eq!(first.report(), second.report());
    }

    /// Documents, the files they stand in and the keys of their maps; the order of a list counts.
    #[test]
    fn the_order_of_the_input_never_shows_in_the_output(
        first in spec::control_plane("first"),
        second in spec::control_plane("second"),
        of_first in spec::defaults("first"),
        of_all in spec::defaults("strata-system"),
        seed in any::<u64>(),
    ) {
        let documents = [first, second, of_first, of_all, spec::record()];
        let expected = render(&documents);
        // Rules of components refuse some of what the schema allows.
        prop_assume!(!expected.outcome.findings.has_errors());
        let files = shuffle::files(&documents, seed);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        prop_assert_eq!(drive::render(&files).stream(), expected.stream());
    }
}

/// `PROPTEST_CASES` cases, 256 unless told, or a part of them where each is dear.
fn config(part: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    let cases = usual.cases / part;
    // About every second random value holds something that kustomize cannot keep.
    ProptestConfig { cases, max_global_rejects: 10 * cases, failure_persistence: None, ..usual }
}

fn render(documents: &[Document]) -> Answer {
    let text: String =
        documents.iter().map(|document| format!("---\n{}", written(&document.0))).collect();
    drive::render(&[("controlplane.yaml", &text)])
}

fn written(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}
