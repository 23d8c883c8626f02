//! What reading gives: values, places and faults.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use strata::yaml::place::line_column;
use strata::yaml::read::{Limits, Reading, read, read_bytes, read_within};
use strata::yaml::tree::{Data, FaultKind, Node, Span};

#[test]
fn a_document_becomes_a_tree() {
    check(
        "a: 1\nb: [x, true, ~, 1.5]\nc:\n  d: \"no\"\n  e: |\n    two\n    lines\n",
        "{a: 1, b: ['x', true, null, 1.5], c: {d: 'no', e: 'two\\nlines\\n'}}",
    );
}

#[test]
fn empty_documents_are_none() {
    check("", "");
    check("# only a comment\n", "");
    check("---\n---\n# c\n---\n...\n", "");
    check("---\na: 1\n---\n", "{a: 1}");
    check("---\nnull\n", "null");
}

#[test]
fn documents_are_split_only_where_yaml_splits_them() {
    check("a: |\n  x\n  ---\n  y\n---\nb: 2\n", "{a: 'x\\n---\\ny\\n'}\n{b: 2}");
    check("a: ---x\n--- b\n", "{a: '---x'}\n'b'");
    check("--- {a: 1}\n...\n%YAML 1.1\n---\nb: 2\n", "{a: 1}\n{b: 2}");
}

#[test]
fn quoted_and_block_scalars_are_text() {
    check(
        "- '1'\n- \"true\"\n- |-\n  1\n- >-\n  no\n- ''\n- \"\"\n",
        "['1', 'true', '1', 'no', '', '']",
    );
}

#[test]
fn core_tags_are_honoured() {
    check(
        "[!!str 012, !!int \"5\", !!float 5, !!bool \"yes\", !!null \"\", !!str , !!map {a: !!seq []}]",
        "['012', 5, 5.0, true, null, '', {a: []}]",
    );
    check("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1\n", "'1'");
}

#[test]
fn other_tags_are_refused_at_the_tag() {
    check_faults(
        "a: !!binary aGk=\n",
        "Unsupported 1:4 Kubernetes knows no tag `!!binary`; remove it",
    );
    check_faults("a: !foo\n  b: 1\n", "Unsupported 1:4 Kubernetes knows no tag `!foo`; remove it");
    check_faults(
        "--- !ruby/object:X\na: 1\n",
        "Unsupported 1:5 Kubernetes knows no tag `!ruby/object:X`; remove it",
    );
    check_faults("a: !!int x\n", "Unsupported 1:4 this is no `!!int`");
    check_faults("a: !!map []\n", "Unsupported 1:4 this is no `!!map`");
}

#[test]
fn aliases_and_merge_keys_are_expanded() {
    check("a: &x {b: 1}\nc: *x\n", "{a: {b: 1}, c: {b: 1}}");
    check("a: &x k\n*x : 1\n", "{a: 'k', k: 1}");
    check("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", "{a: {b: 1, c: 2}, d: {c: 3, b: 1}}");
    check("a: {c: 3, <<: {b: 1, c: 2}}\n", "{a: {c: 3, b: 1}}");
    check("<<: [{a: 1}, {a: 2, b: 2}]\n", "{a: 1, b: 2}");
    check("\"<<\": {a: 1}\nb: <<\n", "{<<: {a: 1}, b: '<<'}");
    check("a: &x 1\n---\nb: 2\n", "{a: 1}\n{b: 2}");
}

#[test]
fn an_alias_carries_the_place_of_its_anchor() {
    let text = "a: &x {b: oops}\nc: *x\n";
    let reading = read(text);
    let node = reading.documents[0].root.get("c").unwrap().get("b").unwrap();
    assert_eq!(line_column(text, node.at.start), (1, 11));
}

#[test]
fn aliases_that_lead_nowhere_are_refused() {
    check_faults("a: *x\n", "Unsupported 1:4 no anchor `&x` stands above this alias");
    check_faults("a: &x [*x]\n", "Unsupported 1:8 this alias stands inside of what it refers to");
    check_faults("&x 1\n---\n*x\n", "Unsupported 3:1 no anchor `&x` stands above this alias");
    check_faults(
        "<<: 3\n",
        "Unsupported 1:5 `<<` merges a map or a list of maps, and this is neither",
    );
    check_faults(
        "<<: {a: 1}\n<<: {b: 1}\n",
        "DuplicateKey 2:1 the key `<<` stands twice; first at line 1",
    );
}

#[test]
fn keys_are_named_as_kubectl_names_them() {
    check(
        "{on: 1, 12: 2, 012: 3, 1.50: 4, no: 5, 2024-01-01: 6, 1e3: 7, 123456789.5: 8, 1e-7: 9}",
        "{true: 1, 12: 2, 10: 3, 1.5: 4, false: 5, 2024-01-01: 6, 1000: 7, 1.2345679e+08: 8, 1e-07: 9}",
    );
    check_faults("~: 1\n", "Unsupported 1:1 a key must be text, and this one is empty or null");
    check_faults(
        "? [a]\n: 1\n",
        "Unsupported 1:3 a key must be text, and this one is a list or a map",
    );
}

#[test]
fn every_duplicate_key_is_reported_and_the_first_value_is_kept() {
    let text = "a: 1\nb:\n  c: 1\n  c: 2\na: 2\na: 3\n";
    check_faults(
        text,
        "DuplicateKey 4:3 the key `c` stands twice; first at line 3\n\
         DuplicateKey 5:1 the key `a` stands twice; first at line 1\n\
         DuplicateKey 6:1 the key `a` stands twice; first at line 1",
    );
    assert_eq!(documents(&read(text)), "{a: 1, b: {c: 1}}");
    check_faults(
        "on: 1\ntrue: 2\n",
        "DuplicateKey 2:1 the key `true` stands twice; first at line 1",
    );
    let many: String = (0..100).chain(50..51).map(|n| format!("k{n}: {n}\n")).collect();
    check_faults(&many, "DuplicateKey 101:1 the key `k50` stands twice; first at line 51");
}

#[test]
fn numbers_that_would_lose_digits_are_refused() {
    let beyond = "this number is beyond 63 bits; quote it if it is text";
    check_faults("9223372036854775808", &format!("Unsupported 1:1 {beyond}"));
    check_faults("a: 18446744073709551616", &format!("Unsupported 1:4 {beyond}"));
    check_faults("- -9223372036854775809", &format!("Unsupported 1:3 {beyond}"));
    check_faults("0xFFFFFFFFFFFFFFFF", &format!("Unsupported 1:1 {beyond}"));
    check_faults("a: .inf", "Unsupported 1:4 JSON knows no such number; quote it if it is text");
    check_faults("a: .NaN", "Unsupported 1:4 JSON knows no such number; quote it if it is text");
    check(
        "[9223372036854775807, -9223372036854775808]",
        "[9223372036854775807, -9223372036854775808]",
    );
}

#[test]
fn a_broken_document_does_not_hide_the_next() {
    let text = "a: [1\n---\nb: 2\n---\nc: \"x\n---\nd: 4\nd: 5\n";
    assert_eq!(documents(&read(text)), "{b: 2}\n{d: 4}");
    check_faults(
        text,
        "Syntax 1:4 this `[` is never closed\n\
         Syntax 6:1 a quote above is still open here; close it, or indent what belongs to it\n\
         DuplicateKey 8:1 the key `d` stands twice; first at line 7",
    );
}

#[test]
fn faults_of_syntax_say_what_to_do() {
    let tab = "this line is indented with a tab; YAML wants spaces";
    check_faults("a:\n\tb: 1\n", &format!("Syntax 2:1 {tab}"));
    check_faults("a:\n  b: 1\n\tc: 2\n", &format!("Syntax 3:1 {tab}"));
    check_faults("a:\n  \tb: 1\n", &format!("Syntax 2:3 {tab}"));
    check("{\n\t\"a\": 1\n}\n", "{a: 1}");
    check("a:\t1\n", "{a: 1}");
    check_faults(
        "a: b: c\n",
        "Syntax 1:5 this `:` makes a second key where a value stands; quote the value, or put the key on its own line with the right indentation",
    );
    check_faults("a: 'x", "Syntax 1:4 this quote is never closed");
    check_faults("a: @x\n", "Syntax 1:4 no value may start with `@`; quote it if it is text");
    check_faults("a: {b: 1]\n", "Syntax 1:4 this `{` is closed by a `]`");
    check_faults(
        "a: 1\n  - b\n - c\nd\n",
        "Syntax 4:1 expected `key: value` on one line (a key has up to 1,024 characters)",
    );
}

#[test]
fn characters_that_yaml_forbids_lose_their_document_only() {
    check_faults(
        "a: \0x\0\n---\nb: 1\n---\nc: \u{2028}\n",
        "Syntax 1:4 the control character U+0000 may not stand in YAML; remove it, or write it as \"\\u0000\" in double quotes\n\
         Unsupported 5:4 the character U+2028 is a line break to some readers and none to others; write it as \"\\u2028\" in double quotes",
    );
    assert_eq!(documents(&read("a: \0x\0\n---\nb: 1\n---\nc: \u{2028}\n")), "{b: 1}");
    check_faults(
        "a: x\0y\nb: 1\n",
        "Syntax 1:5 the control character U+0000 may not stand in YAML; remove it, or write it as \"\\u0000\" in double quotes",
    );
    check_faults(
        "# \u{7f}\n\u{feff}a: 1\n",
        "Syntax 1:3 the control character U+007F may not stand in YAML; remove it, or write it as \"\\u007F\" in double quotes\n\
         Syntax 2:1 a byte order mark stands inside the text; remove it",
    );
    check("\u{feff}a: 1\n", "{a: 1}");
    check("a: \"\\u0000\\u2028é→😀\"\n", "{a: '\\0\\u{2028}é→😀'}");
}

#[test]
fn bytes_that_are_no_utf_8_are_refused_with_their_place() {
    let utf16: Vec<u8> = "a: 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xFF, 0xFE][..], &utf16].concat();
    for bytes in [&utf16, &with_mark] {
        assert_eq!(read_bytes(bytes).faults[0].message, "this file is UTF-16; save it as UTF-8");
    }
    let fault = &read_bytes(b"a: 1\nb: \xE9t\xE9\n").faults[0];
    assert_eq!(fault.message, "the byte 0xE9 is no UTF-8; save the file as UTF-8");
    assert_eq!(fault.at, Span { start: 8, end: 9 });
}

#[test]
fn spans_cover_exactly_what_is_written() {
    let text = "# c\nmap: # c\n  key: 'x''y'  # c\n  e:\n\n  list:\n  - a\n  - {b: [1, 2 ]} # c\n  # c\ntext: |\n  é\n  z\n\n# c\n";
    let root = &read(text).documents[0].root;
    let of = |node: &Node| &text[node.at.start..node.at.end];
    let map = root.get("map").unwrap();
    assert!(of(root).starts_with("map:") && of(root).ends_with("  z"));
    assert!(of(map).starts_with("key:") && of(map).ends_with("2 ]}"));
    assert_eq!(of(map.get("key").unwrap()), "'x''y'");
    assert_eq!(of(map.get("e").unwrap()), "");
    let list = map.get("list").unwrap();
    assert_eq!(of(list), "a\n  - {b: [1, 2 ]}");
    assert_eq!(of(root.get("text").unwrap()), "é\n  z");
    let key = root.entry("text").unwrap().0.at;
    assert_eq!(&text[key.start..key.end], "text");
}

#[test]
fn documents_span_from_their_marker_to_the_next() {
    let text = "# c\na: 1\n# d\n---\nb: 2\n...\n# e\n";
    let spans: Vec<_> =
        read(text).documents.iter().map(|d| &text[d.span.start..d.span.end]).collect();
    assert_eq!(spans, ["# c\na: 1\n# d\n", "---\nb: 2\n...\n# e\n"]);
}

#[test]
fn windows_line_ends_change_nothing() {
    let text = "a:\n  b: |\n    x\n    y\n  c: \"1\n    2\"\nd: 3\n";
    assert_eq!(documents(&read(&text.replace('\n', "\r\n"))), documents(&read(text)));
}

#[test]
fn depth_is_limited_in_flow_block_and_by_aliases() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&flow(100)).faults.is_empty());
    assert_eq!(only_kind(&read(&flow(101))), FaultKind::TooLarge);
    assert_eq!(only_kind(&read(&"[".repeat(1_000_000))), FaultKind::TooLarge);
    assert!(read(&("- ".repeat(100) + "x")).faults.is_empty());
    assert_eq!(only_kind(&read(&("- ".repeat(101) + "x"))), FaultKind::TooLarge);
    assert_eq!(only_kind(&read(&format!("{}{}", "- ".repeat(60), flow(60)))), FaultKind::TooLarge);
    assert_eq!(
        only_kind(&read(&format!("- &a {}\n- {}*a", flow(60), "- ".repeat(60)))),
        FaultKind::TooLarge
    );
}

#[test]
fn budgets_hold_over_all_documents() {
    let limits =
        Limits { nodes: 10, documents: 3, bytes: 200, alias_nodes: 3, ..Limits::default() };
    let read = |text: &str| read_within(text, &limits);
    assert_eq!(only_kind(&read("[1, 2, 3, 4, 5]\n---\n[1, 2, 3, 4, 5]\n")), FaultKind::TooLarge);
    assert_eq!(only_kind(&read("a\n--- b\n--- c\n--- d\n")), FaultKind::TooLarge);
    assert_eq!(only_kind(&read(&"a".repeat(201))), FaultKind::TooLarge);
    assert_eq!(only_kind(&read("[&a [1], *a, *a]\n")), FaultKind::TooLarge);
    let big = "x".repeat(80);
    assert_eq!(only_kind(&read(&format!("[&a {big}, *a, *a]\n"))), FaultKind::TooLarge);
    assert!(read("[&a [1], *a]\n").faults.is_empty());
}

fn check(text: &str, expected: &str) {
    let reading = read(text);
    assert_eq!(faults(text, &reading), "", "faults in {text:?}");
    assert_eq!(documents(&reading), expected, "documents of {text:?}");
}

fn check_faults(text: &str, expected: &str) {
    assert_eq!(faults(text, &read(text)), expected, "faults in {text:?}");
}

fn only_kind(reading: &Reading) -> FaultKind {
    assert_eq!(reading.faults.len(), 1, "{:?}", reading.faults);
    reading.faults[0].kind
}

fn faults(text: &str, reading: &Reading) -> String {
    let line = |fault: &strata::yaml::tree::Fault| {
        let (line, column) = line_column(text, fault.at.start);
        format!("{:?} {line}:{column} {}", fault.kind, fault.message)
    };
    reading.faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn documents(reading: &Reading) -> String {
    reading.documents.iter().map(|document| short(&document.root)).collect::<Vec<_>>().join("\n")
}

/// On one line, and with text in single quotes wherever it is a value.
fn short(node: &Node) -> String {
    match &node.data {
        Data::Null => "null".to_owned(),
        Data::Bool(flag) => flag.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => format!("{number:?}"),
        Data::Str(text) => format!("'{}'", text.escape_debug()),
        Data::List(items) => {
            format!("[{}]", items.iter().map(short).collect::<Vec<_>>().join(", "))
        }
        Data::Map(entries) => {
            let pair = |(key, node): &(strata::yaml::tree::Key, Node)| {
                format!("{}: {}", key.name, short(node))
            };
            format!("{{{}}}", entries.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}
