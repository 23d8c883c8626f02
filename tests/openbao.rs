//! The script that brings a new OpenBao up, with a kubectl of the test's own that writes down how it is called.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Says what the files beside it say, and adds every call and what was read to `calls`.
const KUBECTL: &str = r#"#!/bin/sh
here=$(dirname "$0")
echo "$*" >>"$here/calls"
case "$*" in
*"get pods"*) printf openbao-0; exit 0 ;;
*" status "*) cat "$here/status"; exit 2 ;;
*"secrets list"*) cat >>"$here/read"; cat "$here/secrets"; exit 0 ;;
*"auth list"*) cat >>"$here/read"; cat "$here/auth"; exit 0 ;;
*"operator init"*) echo '{"root_token":"made"}'; exit 0 ;;
*"sys/unseal"*) echo '{"sealed": false}' >"$here/status" ;;
esac
cat >>"$here/read"
"#;

const SECRET: &str = "very-secret";

struct Desk(PathBuf);

impl Desk {
    fn new(name: &str, status: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("openbao-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let desk = Desk(folder);
        desk.write("kubectl", KUBECTL);
        fs::set_permissions(desk.0.join("kubectl"), fs::Permissions::from_mode(0o755)).unwrap();
        desk.write("status", status);
        desk.write("secrets", "{}");
        desk.write("auth", "{}");
        desk.write("read", "");
        desk
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("flux/openbao.sh");
        let path = format!("{}:{}", self.0.display(), std::env::var("PATH").unwrap());
        let mut child = Command::new(script)
            .args(arguments)
            .current_dir(&self.0)
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed early by commands that ask for nothing.
        let _ = child.stdin.take().unwrap().write_all(format!("{SECRET}\n").as_bytes());
        child.wait_with_output().unwrap()
    }
}

const FRESH: &str = r#"{"initialized": false, "sealed": true}"#;
const SEALED: &str = r#"{"initialized": true, "sealed": true}"#;

#[test]
fn keys_are_made_once_and_only_their_owner_reads_them() {
    let desk = Desk::new("init", FRESH);
    assert!(desk.run(&["init", "keys.json"]).status.success());
    assert_eq!(desk.read("keys.json"), "{\"root_token\":\"made\"}\n");
    let mode = fs::metadata(desk.0.join("keys.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // The file stands; and then OpenBao has keys.
    assert!(!desk.run(&["init", "keys.json"]).status.success());
    desk.write("status", SEALED);
    assert!(!desk.run(&["init", "other.json"]).status.success());
    assert_eq!(desk.read("calls").matches("operator init").count(), 1);
    assert!(!desk.0.join("other.json").exists());
}

#[test]
fn no_key_and_no_token_stands_in_an_argument() {
    let desk = Desk::new("arguments", SEALED);
    for command in ["unseal", "configure", "revoke"] {
        let output = desk.run(&[command]);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(desk.read("read").contains(SECRET), "it was never handed over");
    assert!(!desk.read("calls").contains(SECRET), "{}", desk.read("calls"));
}

#[test]
fn configuring_again_makes_nothing_twice() {
    let desk = Desk::new("again", SEALED);
    desk.write("secrets", r#"{"kv-v2/": {}}"#);
    desk.write("auth", r#"{"kubernetes/": {}}"#);
    assert!(desk.run(&["configure"]).status.success());
    let calls = desk.read("calls");
    assert!(!calls.contains(" enable "), "{calls}");
    assert!(calls.contains("policy write"), "{calls}");
}

/// What the script makes is what the ClusterSecretStore names.
#[test]
fn mount_role_and_prefix_are_those_of_the_store() {
    let desk = Desk::new("names", SEALED);
    assert!(desk.run(&["configure"]).status.success());
    let (calls, read) = (desk.read("calls"), desk.read("read"));
    let spec = "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: a, namespace: a}\n\
                spec: {platform: {openbao: {enabled: true}}}\n";
    let answer = drive::render(&[("spec.yaml", spec)]);
    let store = &answer.object("ClusterSecretStore", "openbao-cluster-store").yaml;
    let named = |key: &str| {
        let line = store.lines().find(|line| line.trim_start().starts_with(key)).unwrap();
        line.split_once(": ").unwrap().1.to_owned()
    };
    assert!(calls.contains(&format!("secrets enable -path={} ", named("path:"))), "{calls}");
    assert!(calls.contains(&format!("auth/kubernetes/role/{} ", named("role:"))), "{calls}");
    let pushed = &answer.object("PushSecret", "keystone-db-credentials").yaml;
    let prefix = read.lines().find_map(|line| line.strip_prefix("path \"kv-v2/data/")).unwrap();
    let prefix = prefix.split('*').next().unwrap();
    assert!(pushed.contains(&format!("remoteKey: {prefix}")), "{prefix} in {pushed}");
}
