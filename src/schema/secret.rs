//! How a secret is told from any other setting: by its name and by what it says.

/// What a setting that holds a secret is called, or ends with; `_` is any sign between words.
const SECRET: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "_pass",
    "_pwd",
    "secret",
    "token",
    "_key",
    "accesskey",
    "apikey",
    "encryptionkey",
    "privatekey",
    "signingkey",
    "kek",
    // What members of a broker, and of a database, show each other.
    "erlang_cookie",
    "sst_auth",
    // HashiCorp's Vault, and the profiler.
    "secret_id",
    "token_id",
    "hmac_keys",
];

/// Keys that are no secrets: the names and places of some, and those that everybody may know.
const KNOWN: &[&str] = &["public_key", "ssh_key", "host_key", "ssl_key", "password_key"];

/// Fields that end like `existingSecret` and hold a secret, not the name of one.
const HELD: &[&str] = &["clientsecret", "sharedsecret", "consumersecret"];

/// Whether the name is that of a secret, and the value one.
pub fn is_secret(name: &str, value: &str) -> bool {
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
    let is_called =
        SECRET.iter().any(ends) || name.eq_ignore_ascii_case("pass") || name.ends_with("Pass");
    // Kubernetes' and charts' way to name the object that holds it: `existingSecret`, `tlsSecret`.
    let is_reference = name.strip_suffix("Secret").is_some_and(|name| !name.is_empty())
        && !HELD.iter().any(ends)
        && is_object_name(value);
    // Of all that is called so, only a password may be a number.
    let is_number = value.len() >= 4 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_value = is_literal(value) || (is_number && ["password", "passwd"].iter().any(ends));
    is_called && !is_reference && !KNOWN.iter().any(ends) && is_value
}

/// The same of a field that is nobody's: what people think that a spec takes. One that ends with `secretKey` has many
/// meanings where it is known.
pub fn is_stray_secret(name: &str, value: &str) -> bool {
    let is_name = is_object_name(value) && name.to_ascii_lowercase().contains("secret");
    let is_key = name.to_ascii_lowercase().ends_with("secretkey") && is_literal(value);
    !is_name && (is_key || is_secret(name, value))
}

/// Whether an object could be called so.
pub fn is_object_name(value: &str) -> bool {
    value.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
}

/// Whether a value says something by itself. What a program fills in later, a switch, a class of Python and a number
/// say nothing that is worth hiding.
pub fn is_literal(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    let is_switch =
        matches!(value, "" | "null" | "~" | "None" | "true" | "false" | "True" | "False");
    !is_filled(value) && !is_switch && !is_class(value) && value.parse::<u16>().is_err()
}

/// A template, a variable, a place to fill in, the path of a file, or the begin of a list or map.
fn is_filled(value: &str) -> bool {
    let is_word =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match value.split_at_checked(1) {
        _ if value.contains("{{") => !is_quoted_template(value),
        Some(("$", rest)) => rest.starts_with(['(', '{']) || is_word(rest),
        Some(("%", rest)) => rest.starts_with(['(', '{']),
        Some(("<", rest)) => rest.ends_with('>'),
        Some(("/", rest)) => rest.contains('/'),
        Some(("{" | "[", _)) => true,
        _ => false,
    }
}

/// `{{ "hunter2" }}`, which a template gives as it stands.
fn is_quoted_template(value: &str) -> bool {
    let inner = value.split_once("{{").and_then(|(_, rest)| rest.split_once("}}"));
    inner.is_some_and(|(inner, _)| {
        let inner = inner.trim_matches(['-', ' ']);
        inner.starts_with(['"', '`']) && inner.ends_with(['"', '`']) && !inner.contains('|')
    })
}

/// `keystone.auth.plugins.password.Password`, as plugins are named.
fn is_class(value: &str) -> bool {
    let mut parts = value.rsplit('.');
    let class = parts.next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()));
    let is_module = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    class
        && value.matches('.').count() >= 2
        && parts.all(|part| !part.is_empty() && is_module(part))
}

/// `rabbit://nova:hunter2@host`: a password between the colon and the at sign.
pub fn has_login(line: &str) -> bool {
    line.split("://").skip(1).any(|rest| {
        let login = authority(rest).rsplit_once('@').and_then(|(login, _)| login.split_once(':'));
        login.is_some_and(|(_, password)| is_literal(password))
    })
}

/// Who and where in an address. A template in it may have spaces.
fn authority(rest: &str) -> &str {
    let ends = rest.match_indices(['/', ' ', '?', '"', '\'']).map(|(at, _)| at);
    let is_outside = |at: &usize| {
        let before = rest.get(..*at).unwrap_or_default();
        before.matches("{{").count() == before.matches("}}").count()
    };
    let end = ends.into_iter().find(is_outside);
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::is_stray_secret;

    #[test]
    fn a_field_of_nobody_is_known_as_a_secret() {
        for (name, value) in [
            ("password", "hunter2"),
            ("secretKey", "wJalrXUtnFEMI"),
            ("token", "abc"),
            ("adminPass", "x"),
        ] {
            assert!(is_stray_secret(name, value), "{name}: {value}");
        }
        for (name, value) in [
            ("secret", "db-credentials"),
            ("secretKey", "password"),
            ("passwordSecret", "db"),
            ("password", "{{ .password }}"),
            ("replicas", "hunter2"),
        ] {
            assert!(!is_stray_secret(name, value), "{name}: {value}");
        }
    }
}
