//! What is not ours comes back as it was.

use super::*;

const FOREIGN: &str = "\
# about the first
- # Copyright of someone
  #
  # with a licence
  kind: ConfigMap   # before the apiVersion
  apiVersion: v1
  metadata: {name: first, annotations: {a: 'yes'}}

  data:
    one: \"1\"
    text: |+
      # not a comment

    folded: >-
      some
      words
    # at the end
# about the second
- {apiVersion: v1, kind: Secret, metadata: {name: second}}
-
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: third
    annotations: &marks
      kept: \"on\"
    labels: *marks

# about the fourth
- apiVersion: example.com/v1
  kind: Odd
  \"quoted key\": [1, 0x10, 1.50, ~,
    last]
";

fn with_items(items: &str) -> String {
    let config = CONTROL_PLANE.trim_end().replace('\n', "\n  ");
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{items}\
         # about the configuration\nfunctionConfig:\n  {config}\n"
    )
}

#[track_caller]
fn check_verbatim(items: &str) {
    let text = answer(&with_items(items));
    let start = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
    let rest = text.strip_prefix(start).unwrap();
    assert!(rest.starts_with(items), "{}", similar_lines(items, rest));
    let behind = &rest[items.len()..];
    assert!(behind.trim_start().starts_with("- apiVersion: v1\n"), "{behind}");
    parse(&text);
}

fn similar_lines(one: &str, other: &str) -> String {
    similar::TextDiff::from_lines(one, other).unified_diff().to_string()
}

#[test]
fn lines_are_copied_with_their_comments_and_styles() {
    check_verbatim(FOREIGN);
}

#[test]
fn whatever_the_indentation() {
    for spaces in [1, 2, 4] {
        let indent = " ".repeat(spaces);
        let moved: String = FOREIGN
            .lines()
            .map(|line| if line.is_empty() { "\n".into() } else { format!("{indent}{line}\n") })
            .collect();
        check_verbatim(&moved);
    }
}

#[test]
fn whatever_the_line_ends() {
    check_verbatim(&FOREIGN.replace('\n', "\r\n"));
}

#[test]
fn comments_of_the_configuration_are_not_taken_for_the_last_items() {
    assert!(!answer(&with_items(FOREIGN)).contains("about the configuration"));
}

#[test]
fn items_at_the_end_of_the_text_are_copied_too() {
    for end in ["", "\n", "\n\n", "\n# the end\n", "\n...\n"] {
        let item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: last # !";
        let config = CONTROL_PLANE.trim_end().replace('\n', "\n  ");
        let text = answer(&format!(
            "kind: ResourceList\napiVersion: config.kubernetes.io/v1\nfunctionConfig:\n  {config}\n\
             items:\n{item}{end}"
        ));
        assert!(text.contains(&format!("items:\n{item}\n")), "{text}");
        assert_eq!(names(&text)[..2], ["ConfigMap last", "Namespace openstack"]);
    }
}

/// Copied lines would miss what the alias stands for.
#[test]
fn an_item_that_needs_another_is_written_out() {
    let items = "\
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
  data: &data {x: 'no'}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b}
  data: *data
";
    let text = answer(&with_items(items));
    assert!(text.contains("  data: &data {x: 'no'}\n"), "{text}");
    assert_eq!(field(&super::items(&text)[1], &["data", "x"]), "no");
    assert!(!text.contains("*data"));
}

#[test]
fn json_is_read_and_answered_in_yaml() {
    let input = r#"{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList",
 "functionConfig": {"apiVersion": "c5c3.io/v1alpha1", "kind": "ControlPlane",
  "metadata": {"name": "cp", "namespace": "openstack"}, "spec": {}},
 "items": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
  "data": {"no": "on", "lines": "a\n\nb\n"}}]}"#;
    let text = answer(input);
    let item = &items(&text)[0];
    assert_eq!(field(item, &["data", "no"]), "on");
    assert_eq!(field(item, &["data", "lines"]), "a\n\nb\n");
    assert!(
        text.contains("  data:\n    lines: |\n      a\n\n      b\n    \"no\": \"on\"\n"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_written_anew_is_refused() {
    let long = "k".repeat(2000);
    let items =
        format!("[{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, ? {long} : 1}}]");
    let config = CONTROL_PLANE.trim_end().replace('\n', "\n  ");
    let input = format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {items}\n\
         functionConfig:\n  {config}\n"
    );
    check_refused(&input, Code::Unkeepable, "");
}

#[test]
fn the_older_version_of_the_format_is_answered_in_itself() {
    let input = list(CONTROL_PLANE, &[&config_map("a")]);
    let older = input.replacen("config.kubernetes.io/v1\n", "config.kubernetes.io/v1beta1\n", 1);
    let text = answer(&older);
    assert!(text.starts_with("apiVersion: config.kubernetes.io/v1beta1\nkind: ResourceList\n"));
    assert_eq!(items(&text), items(&answer(&input)));
}
