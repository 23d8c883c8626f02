//! The store of the tests keeps the rules that the others rely on.

use serde_json::json;

use crate::real::Kv;

fn wrote(kv: &mut Kv, path: &str, seen: u64, value: &str) -> u16 {
    kv.write(path, &json!({"data": {"key": value}, "options": {"cas": seen}})).0
}

#[test]
fn a_write_that_saw_another_version_is_refused() {
    let mut kv = Kv::default();
    assert_eq!(wrote(&mut kv, "a", 1, "early"), 400);
    assert_eq!(wrote(&mut kv, "a", 0, "first"), 200);
    assert_eq!(wrote(&mut kv, "a", 0, "again"), 400);
    assert_eq!(wrote(&mut kv, "a", 1, "second"), 200);
    assert_eq!(kv.write("a", &json!({"data": {"key": "blind"}})).0, 400);
    assert_eq!(kv.newest("a").unwrap()["key"], "second");
    assert_eq!(kv.read("a", Some(1)).1["data"]["data"]["key"], "first");
    assert_eq!(kv.read("a", Some(3)).0, 404);
    assert_eq!(kv.writes().len(), 2);
}

#[test]
fn what_is_said_about_a_path_is_no_version_of_it() {
    let mut kv = Kv::default();
    kv.write_metadata("a/b", &json!({"custom_metadata": {"managed-by": "external-secrets"}}));
    assert_eq!(kv.read("a/b", None).0, 404);
    assert_eq!(kv.read_metadata("a/b").1["data"]["current_version"], 0);
    assert_eq!(wrote(&mut kv, "a/b", 0, "first"), 200);
    let about = kv.read_metadata("a/b").1;
    assert_eq!(about["data"]["custom_metadata"]["managed-by"], "external-secrets");
    assert_eq!(about["data"]["current_version"], 1);
    assert_eq!(kv.list("").1["data"]["keys"], json!(["a/"]));
    assert_eq!(kv.list("a").1["data"]["keys"], json!(["b"]));
}
