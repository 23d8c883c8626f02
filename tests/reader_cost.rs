//! Reading takes time in proportion to the text, whatever the text is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use strata::yaml::read::read;

/// A head, what is repeated, and a tail.
const REPEATED: [(&str, &str, &str); 40] = [
    ("", "a", ""),
    ("", "a ", ""),
    ("", "a\n", ""),
    ("", " ", ""),
    ("", "\n", ""),
    ("", "\t", ""),
    ("", "# comment\n", ""),
    ("", "- a\n", ""),
    ("", "- ", "x"),
    ("", "? ", ""),
    ("", ": ", ""),
    ("", "a: ", ""),
    ("", "a:\n", ""),
    ("", "? a\n", ""),
    ("", "[", ""),
    ("[", "[],", "]"),
    ("[", "a,", "]"),
    ("[", "a: b,", "]"),
    ("[", "a\n", "]"),
    ("", "{", ""),
    ("{", "a,", "}"),
    ("{", "? a,", "}"),
    ("[", "]", ""),
    ("\"", "a\n\n", "\""),
    ("\"", "\\n", "\""),
    ("'", "''", "'"),
    ("", "\"", ""),
    ("a: |\n", "  x\n", ""),
    ("a: |\n", "\n", ""),
    ("a: >\n", "  x\n\n", ""),
    ("", "---\n", ""),
    ("", "--- a\n", ""),
    ("", "--- [\n", ""),
    ("", "--- \"\n", ""),
    ("", "---\na:\n\tb: 1\n", ""),
    ("", "%TAG !a! b\n", ""),
    ("[", "&a a,", "]"),
    ("[&a a,", "*a,", "]"),
    ("", "&a ", "x"),
    ("", "!!str ", "x"),
];

#[test]
fn four_times_of_anything_takes_four_times_as_long() {
    for (head, body, tail) in REPEATED {
        let text = |bytes: usize| format!("{head}{}{tail}", body.repeat(bytes / body.len()));
        check_linear(&format!("{body:?} repeated"), |size| text(size * 6));
    }
}

#[test]
fn four_times_the_keys_anchors_and_merges_take_four_times_as_long() {
    let check = |name: &str, line: fn(usize) -> String| {
        check_linear(name, |size| (0..size).map(line).collect());
    };
    check("different keys", |n| format!("key{n}: {n}\n"));
    check("each key twice", |n| format!("key{}: {n}\n", n / 2));
    check("different anchors", |n| format!("- &a{n} x\n- *a{n}\n"));
    check("growing merges", |n| format!("- &a{n} {{<<: *a{}, k{n}: 1}}\n", n.saturating_sub(1)));
    check("missing anchors", |n| format!("- *a{n}\n"));
    check("different tags", |n| format!("- !a{n} x\n"));
    check("control characters", |_| "- \u{1}\n".to_owned());
    check("documents with faults", |n| format!("--- {{a: 1, a: {n}}}\n"));
    let nested: String = (0..99).map(|n| format!("&a{n} [")).collect();
    let closed = "]".repeat(99);
    check_linear("nested anchors", |size| format!("{nested}{}{closed}", "x, ".repeat(size / 10)));
}

/// Linear is a ratio of 4, quadratic one of 16. Other work on the machine can only make a
/// measurement longer, so the shortest of several counts.
fn check_linear(name: &str, text: impl Fn(usize) -> String) {
    const SIZE: usize = 8_000;
    let (small_text, large_text) = (text(SIZE), text(4 * SIZE));
    let small = (0..4).map(|_| time(&small_text)).min().unwrap();
    let measured: Vec<_> = (0..3)
        .map_while(|_| {
            let large = time(&large_text);
            (large > Duration::from_millis(40) && large > small * 9).then_some(large)
        })
        .collect();
    assert!(measured.len() < 3, "{name} is not linear: {small:?}, then {measured:?}");
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    read(text);
    start.elapsed()
}
