//! Files of the corpus and the fixtures, mutated: whatever comes out, nothing panics, and what is
//! read keeps its promises. `PROPTEST_CASES` says how often.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use strata::resource_list::{Answer, function, plugin};
use strata::yaml::read::{Limits, read_bytes};
use strata::yaml::tree::{Data, Node, Span};

/// Everything in the library that takes input from outside. A new entry belongs here.
fn feed(bytes: &[u8]) {
    check_reader(bytes);
    check_resource_list(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_do_no_harm(seed in any::<Index>(), steps in mutations()) {
        let mut bytes = seed.get(&SEEDS[..]).clone();
        for step in steps {
            step.apply(&mut bytes);
        }
        feed(&bytes);
    }

    #[test]
    fn tokens_in_any_order_do_no_harm(tokens in prop::collection::vec(select(&TOKENS[..]), 0..60)) {
        feed(tokens.concat().as_bytes());
    }

    #[test]
    fn any_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        feed(&bytes);
    }
}

/// A few kilobytes each at most: many small inputs find more than a few large ones.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = ["tests/corpus", "fixtures", "generators"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)).into_iter().flatten())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    paths.sort();
    let seeds = paths.iter().map(|path| fs::read(path).unwrap());
    seeds.filter(|bytes| bytes.len() <= 8 << 10).collect()
});

const TOKENS: [&str; 52] = [
    "\n",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "\r\n",
    "\t",
    " ",
    "  ",
    "- ",
    "? ",
    ": ",
    ":",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "a",
    "b: ",
    "a: ",
    "\"",
    "'",
    "\\",
    "|\n",
    ">-\n",
    "|2+\n",
    "&a ",
    "*a",
    "*a ",
    "<<: ",
    "!!str ",
    "!!int ",
    "!x ",
    "!<y> ",
    "%YAML 1.2\n",
    "\n---\n",
    "\n--- ",
    "\n...\n",
    "# c\n",
    "1",
    "012",
    "-0x1F",
    "1e999",
    ".inf",
    "no",
    "~",
    "99999999999999999999",
    "\0",
    "é",
    "\u{feff}",
    "\u{2028}",
];

#[derive(Clone, Debug)]
enum Mutation {
    Flip { at: Index, bit: u8 },
    Insert { at: Index, token: &'static str },
    Remove { at: Index, length: usize },
    Repeat { at: Index, length: usize, times: usize },
    SwapLines { one: Index, other: Index },
    IndentLine { line: Index, spaces: usize },
    Cut { at: Index },
    Splice { at: Index, other: Index },
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let at = any::<Index>;
    let one = prop_oneof![
        (at(), 0..8u8).prop_map(|(at, bit)| Mutation::Flip { at, bit }),
        (at(), select(&TOKENS[..])).prop_map(|(at, token)| Mutation::Insert { at, token }),
        (at(), 1..40usize).prop_map(|(at, length)| Mutation::Remove { at, length }),
        (at(), 1..40usize, 1..200usize).prop_map(|(at, length, times)| Mutation::Repeat {
            at,
            length,
            times
        }),
        (at(), at()).prop_map(|(one, other)| Mutation::SwapLines { one, other }),
        (at(), 0..12usize).prop_map(|(line, spaces)| Mutation::IndentLine { line, spaces }),
        at().prop_map(|at| Mutation::Cut { at }),
        (at(), at()).prop_map(|(at, other)| Mutation::Splice { at, other }),
    ];
    prop::collection::vec(one, 1..8)
}

impl Mutation {
    fn apply(self, bytes: &mut Vec<u8>) {
        let offset = |at: Index, bytes: &[u8]| at.index(bytes.len() + 1);
        match self {
            Mutation::Flip { at, bit } if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
            Mutation::Flip { .. } => {}
            Mutation::Insert { at, token } => {
                let at = offset(at, bytes);
                bytes.splice(at..at, token.bytes());
            }
            Mutation::Remove { at, length } => {
                let at = offset(at, bytes);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Mutation::Repeat { at, length, times } => {
                let at = offset(at, bytes);
                let part = bytes[at..(at + length).min(bytes.len())].repeat(times);
                bytes.splice(at..at, part);
            }
            Mutation::SwapLines { one, other } => on_lines(bytes, |lines| {
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
            }),
            Mutation::IndentLine { line, spaces } => on_lines(bytes, |lines| {
                let line = line.index(lines.len());
                lines[line] =
                    [" ".repeat(spaces).as_bytes(), lines[line].trim_ascii_start()].concat();
            }),
            Mutation::Cut { at } => bytes.truncate(offset(at, bytes)),
            Mutation::Splice { at, other } => {
                let at = offset(at, bytes);
                bytes.splice(at..at, other.get(&SEEDS[..]).iter().copied());
            }
        }
    }
}

fn on_lines(bytes: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut lines: Vec<_> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut lines);
    *bytes = lines.join(&b'\n');
}

/// Places lie inside the text and on characters; faults come in order; depth keeps its limit.
fn check_reader(bytes: &[u8]) {
    let reading = read_bytes(bytes);
    assert!(reading.faults.is_sorted_by_key(|fault| fault.at.start));
    for fault in &reading.faults {
        assert!(fault.at.start <= fault.at.end && fault.at.end <= bytes.len(), "{fault:?}");
        assert!(!fault.message.is_empty() && !fault.message.ends_with('.'), "{fault:?}");
        assert!(!fault.message.contains("this is no YAML ("), "without words of ours: {fault:?}");
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(reading.documents.is_empty() && reading.faults.len() == 1);
        return;
    };
    let mut end = 0;
    for document in &reading.documents {
        assert!(end <= document.span.start, "documents overlap");
        end = document.span.end;
        check_span(document.span, text);
        check_node(&document.root, text, Limits::default().depth);
        let value = document.root.to_value();
        assert_eq!(value, document.root.clone().into());
    }
}

/// An error leaves no output, and an output is a ResourceList that can be read.
fn check_resource_list(bytes: &[u8]) {
    let Answer { text, findings } = function(bytes);
    assert_eq!(text.is_empty(), findings.has_errors(), "{findings:?}");
    assert!(read_bytes(text.as_bytes()).faults.is_empty(), "{text}");
    let Answer { text, findings } = plugin(bytes, b"");
    assert_eq!(text.is_empty(), findings.has_errors(), "{findings:?}");
    plugin(b"", bytes);
}

fn check_node(node: &Node, text: &str, depth_left: usize) {
    check_span(node.at, text);
    match &node.data {
        Data::List(items) => {
            assert!(depth_left > 0, "too deep");
            items.iter().for_each(|item| check_node(item, text, depth_left - 1));
        }
        Data::Map(entries) => {
            assert!(depth_left > 0, "too deep");
            let mut names: Vec<_> = entries.iter().map(|(key, _)| &key.name).collect();
            names.sort();
            assert!(names.is_sorted_by(|one, other| one < other), "a key stands twice");
            for (key, value) in entries {
                check_span(key.at, text);
                check_node(value, text, depth_left - 1);
            }
        }
        Data::Float(number) => assert!(number.is_finite()),
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Str(_) => {}
    }
}

fn check_span(span: Span, text: &str) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} of {} bytes", text.len());
}
