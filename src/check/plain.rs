//! No secret stands in an output as itself: what becomes a Secret or a configuration has passwords from the
//! store, by a template. Records cannot do otherwise; a person with a patch could.

use crate::check::texts::{is_service, texts};
use crate::finding::Path;
use crate::object::Object;
use crate::value::Value;

/// What a setting that holds a secret is called, or ends with.
const SECRET: &[&str] =
    &["password", "passwd", "passphrase", "_pass", "secret", "token", "_key", "kek"];

/// Keys that are no secrets: the names and places of some, and those that everybody may know.
const KNOWN: &[&str] = &["public_key", "ssh_key", "host_key"];

/// The texts that hold a secret, and what it is called there; never the secret itself.
pub(super) fn secrets(object: &Object, is_foreign: impl Fn() -> bool) -> Vec<(Path, &str)> {
    // The long texts of a cloud are all in these, and the records' own hold dashboards and plans.
    if object.kind() == "ConfigMap" && !is_foreign() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (path, texts) in texts(object) {
        for (key, text) in texts.iter() {
            let Value::Str(text) = text else { continue };
            if let Some(name) = in_text(key, text) {
                let at = path.iter().fold(Path::root(), |path, step| path.key(*step));
                found.push((at.key(key.as_ref()), name));
            }
        }
    }
    found
}

/// A template has a place for what is in the store; options of a service's own file have none.
pub(super) fn remedy(object: &Object) -> &'static str {
    if is_service(object) {
        "take it out, and change it where it is in use; the service's operator reads its credentials from Secrets of the cloud"
    } else {
        "take it out, and change it where it is in use; keep it in the store, and name it here as `{{ .password }}`"
    }
}

/// Under a key of its own, or in a line of a file.
fn in_text<'a>(key: &'a str, text: &'a str) -> Option<&'a str> {
    if !text.trim().contains('\n') && is_secret(key, text) {
        return Some(key);
    }
    text.lines().find_map(|line| {
        if has_login(line) {
            return Some("a password in an address");
        }
        let (name, value) = line.split_once([':', '='])?;
        let name = name.trim_start_matches("export ").trim_matches([' ', '\t', '-', '"', '\'']);
        (!name.starts_with(['#', ';']) && is_secret(name, value)).then_some(name)
    })
}

/// Whether the name is that of a secret, and the value one.
fn is_secret(name: &str, value: &str) -> bool {
    let ends = |end: &&str| {
        let from = name.len().checked_sub(end.len());
        let tail = from.and_then(|from| name.as_bytes().get(from..));
        tail.is_some_and(|tail| {
            tail.iter().zip(end.bytes()).all(|(is, end)| match end {
                b'_' => matches!(is, b'_' | b'-' | b'.'),
                _ => is.eq_ignore_ascii_case(&end),
            })
        })
    };
    SECRET.iter().any(ends) && !KNOWN.iter().any(ends) && is_literal(value)
}

/// Whether a value says something by itself. What a program fills in later, a switch and a number say
/// nothing that is worth hiding.
fn is_literal(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    let is_filled = value.contains("{{") || value.starts_with(['$', '%', '<', '/', '{', '[']);
    let is_switch = matches!(value, "" | "null" | "~" | "true" | "false" | "True" | "False");
    !is_filled && !is_switch && value.parse::<u16>().is_err()
}

/// `rabbit://nova:hunter2@host`: a password between the colon and the at sign.
fn has_login(line: &str) -> bool {
    let Some((_, rest)) = line.split_once("://") else { return false };
    let host = rest.split(['/', ' ', '?']).next().unwrap_or(rest);
    let login = host.rsplit_once('@').and_then(|(login, _)| login.split_once(':'));
    login.is_some_and(|(_, password)| is_literal(password))
}

#[cfg(test)]
mod tests {
    use super::in_text;

    #[test]
    fn a_secret_is_told_by_its_name_and_by_what_it_says() {
        for (key, text) in [
            ("password", "hunter2"),
            ("admin-password", "hunter2\n"),
            ("rootPassword", "hunter2"),
            ("fernet.key", "c2VjcmV0"),
            ("nova.conf", "[keystone_authtoken]\npassword = hunter2\n"),
            ("clouds.yaml", "clouds:\n  c:\n    auth:\n      password: 'hunter2'\n"),
            ("env", "export OS_PASSWORD=hunter2"),
            ("connection", "mysql+pymysql://nova:hunter2@db:3306/nova"),
            ("glance.conf", "[database]\nconnection = mysql+pymysql://nova:hunter2@db/nova\n"),
        ] {
            assert!(in_text(key, text).is_some(), "{key}: {text}");
        }
        for (key, text) in [
            ("password", "{{ .password }}"),
            ("password", ""),
            ("username", "nova"),
            ("nova.conf", "[neutron]\npassword = {{ .password }}\n"),
            ("nova.conf", "# password = hunter2\n"),
            ("keystone.conf", "[token]\nexpiration = 3600\nallow_expired_token = true\n"),
            ("clouds.yaml", "auth_url: https://keystone:5000/v3\n"),
            ("connection", "mysql+pymysql://{{ .username }}:{{ .password }}@db:3306/nova"),
            ("env", "PASSWORD=$(OTHER)"),
            ("ssl_key", "/etc/tls/tls.key"),
            ("public_key", "ssh-ed25519 AAAA"),
        ] {
            assert_eq!(in_text(key, text), None, "{key}: {text}");
        }
    }
}
