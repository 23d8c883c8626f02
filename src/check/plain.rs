//! No secret stands in an output as itself: what becomes a Secret or a configuration has passwords from the
//! store, by a template. Records cannot do otherwise; a person with a patch could.

use crate::check::assignments::assignments;
use crate::check::texts::{Extent, Setting, is_service, settings};
use crate::finding::Path;
use crate::object::Object;
use crate::schema::secret::{has_login, is_literal, is_object_name, is_secret};

/// The texts that hold a secret, and what it is called there; never the secret itself.
pub(super) fn secrets(object: &Object, extent: Extent) -> Vec<(Path, String)> {
    let mut found = Vec::new();
    // The long texts of a cloud are all in these, and the records' own hold dashboards and plans.
    if object.kind() == "ConfigMap" && extent == Extent::Configuration {
        return found;
    }
    settings(object, extent, &mut |setting| {
        if let Some(name) = in_setting(setting) {
            found.push((setting.path(), name.to_owned()));
        }
    });
    found
}

/// A template has a place for what is in the store, and a field for the name of a Secret; options of a
/// service's own file have neither.
pub(super) fn remedy(object: &Object) -> &'static str {
    match object.kind() {
        _ if is_service(object) => {
            "take it out, and change it where it is in use; the service's operator reads its credentials from Secrets of the cloud"
        }
        "ConfigMap" | "ExternalSecret" | "PushSecret" => {
            "take it out, and change it where it is in use; keep it in the store, and name it here as `{{ .password }}`"
        }
        "HelmRelease" => {
            "take it out, and change it where it is in use; keep it in the store, and name its Secret in `spec.valuesFrom`"
        }
        _ => {
            "take it out, and change it where it is in use; keep it in the store, and name its Secret where the object takes one"
        }
    }
}

/// Under a name of its own, or in a line of a file.
fn in_setting<'a>(setting: &Setting<'a>) -> Option<&'a str> {
    let Setting { name, text, is_field, is_held, .. } = *setting;
    let is_reference = is_field && name == "secret" && is_object_name(text);
    if !text.trim().contains('\n') && !is_reference && is_secret(name, text) {
        return Some(name);
    }
    if is_held && is_literal(text) {
        return Some(name);
    }
    if text.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    if is_secret_manifest(text) {
        return Some("the contents of a Secret");
    }
    text.lines().find_map(|line| {
        if has_login(line) {
            return Some("a password in an address");
        }
        assignments(line).find(|(name, value)| is_secret(name, value)).map(|(name, _)| name)
    })
}

/// A manifest in a text, as patches of Flux's Kustomizations are.
fn is_secret_manifest(text: &str) -> bool {
    let is_kind = text.contains("kind: Secret") || text.contains(r#""kind":"Secret""#);
    is_kind && (text.contains("stringData") || text.contains("data:") || text.contains(r#""data""#))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Extent, secrets};
    use crate::map;
    use crate::object::Object;
    use crate::value::{Map, Value};

    /// What is found in a spec that somebody wrote.
    fn found(kind: &'static str, spec: Map) -> Vec<String> {
        let metadata = map! { "name" => "it" };
        let api = "example.com/v1";
        let body =
            map! { "apiVersion" => api, "kind" => kind, "metadata" => metadata, "spec" => spec };
        let object = Object::new(body).unwrap();
        let found = secrets(&object, Extent::Whole).into_iter();
        found.map(|(path, name)| format!("{path}: {name}")).collect()
    }

    /// In a template of a Secret.
    fn in_text(key: &'static str, text: &'static str) -> Vec<String> {
        let template = map! { "data" => map! { key => text } };
        found("ExternalSecret", map! { "target" => map! { "template" => template } })
    }

    #[test]
    fn a_secret_is_told_by_its_name_and_by_what_it_says() {
        for (key, text) in [
            ("password", "hunter2"),
            ("admin-password", "hunter2\n"),
            ("rootPassword", "hunter2"),
            ("secret", "hunter2"),
            ("fernet.key", "c2VjcmV0"),
            ("tls.key", "-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n"),
            ("nova.conf", "[keystone_authtoken]\npassword = hunter2\n"),
            ("clouds.yaml", "clouds:\n  c:\n    auth:\n      password: 'hunter2'\n"),
            ("clouds.json", r#"{"auth": {"username": "nova", "password": "hunter2"}}"#),
            ("env", "export OS_PASSWORD=hunter2"),
            ("connection", "mysql+pymysql://nova:hunter2@db:3306/nova"),
            ("connection", "mysql+pymysql://{{ .username }}:hunter2@db:3306/nova"),
            ("glance.conf", "[database]\nconnection = mysql+pymysql://nova:hunter2@db/nova\n"),
            ("rabbitmq.conf", "default_user = a\ndefault_pass = hunter2\n"),
            ("advanced.config", "[{rabbit, [{default_pass, <<\"hunter2\">>}]}]."),
            ("rabbitmq-env.conf", "ERLANG_COOKIE=hunter2"),
            ("my.cnf", "[client]\npassword=hunter2\n"),
            ("my.cnf", "[mariadb]\nwsrep-sst-auth=backup:hunter2\n"),
            ("password", "$ecret-hunter2"),
            ("password", "/hunter2!x"),
            ("password", "<hunter2"),
            ("password", "%hunter2"),
            ("password", "4711"),
            ("password", "{{ \"hunter2\" }}"),
            ("barbican.conf", "approle_secret_id = hunter2\n"),
        ] {
            assert_eq!(in_text(key, text).len(), 1, "{key}: {text}");
        }
        for (key, text) in [
            ("password", "{{ .password }}"),
            ("password", ""),
            ("username", "nova"),
            ("nova.conf", "[neutron]\npassword = {{ .password }}\n"),
            ("nova.conf", "# password = hunter2\n"),
            ("keystone.conf", "[token]\nexpiration = 3600\nallow_expired_token = true\n"),
            ("keystone.conf", "password_expires_days = 90\nmax_password_length = 72\n"),
            ("clouds.yaml", "auth_url: https://keystone:5000/v3\n"),
            ("clouds.json", r#"{"password": "", "user": "nova"}"#),
            ("connection", "mysql+pymysql://{{ .username }}:{{ .password }}@db:3306/nova"),
            ("env", "PASSWORD=$(OTHER)"),
            ("env", "PASSWORD=$OTHER"),
            ("password", "<your password>"),
            ("password", "%(password)s"),
            ("keystone.conf", "[auth]\npassword = keystone.auth.plugins.password.Password\n"),
            ("ssl_key", "/etc/tls/tls.key"),
            ("my.cnf", "ssl-key = server.pem\n"),
            ("public_key", "ssh-ed25519 AAAA"),
        ] {
            assert_eq!(in_text(key, text), Vec::<String>::new(), "{key}: {text}");
        }
    }

    #[test]
    fn a_secret_is_found_in_every_list_and_map() {
        let variable =
            |name: &'static str, value: &'static str| map! { "name" => name, "value" => value };
        for (spec, expected) in [
            (
                map! { "env" => vec![variable("A", "b"), variable("DB_PASSWORD", "hunter2")] },
                "spec.env[1].value: DB_PASSWORD",
            ),
            (map! { "env" => vec!["A=b", "DB_PASSWORD=hunter2"] }, "spec.env[1]: DB_PASSWORD"),
            (map! { "args" => vec!["--password=hunter2"] }, "spec.args[0]: password"),
            (map! { "args" => vec!["--password", "hunter2"] }, "spec.args[1]: password"),
            (
                map! { "users" => vec![map! { "password" => "hunter2" }] },
                "spec.users[0].password: password",
            ),
            (
                map! { "values" => map! { "auth" => map! { "rootPassword" => "hunter2" } } },
                "spec.values.auth.rootPassword: rootPassword",
            ),
            (
                map! { "values" => map! { "password" => vec!["hunter2"] } },
                "spec.values.password[0]: password",
            ),
            (
                map! { "values" => map! { "password" => 12_345_678_i64 } },
                "spec.values.password: password",
            ),
            (
                map! { "values" => map! { "clientSecret" => "hunter2" } },
                "spec.values.clientSecret: clientSecret",
            ),
            (
                map! { "values" => map! { "dbSecret" => "Hunter_2" } },
                "spec.values.dbSecret: dbSecret",
            ),
            (map! { "values" => map! { "apiKey" => "hunter2" } }, "spec.values.apiKey: apiKey"),
            (
                map! { "values" => map! { "rabbitPass" => "hunter2" } },
                "spec.values.rabbitPass: rabbitPass",
            ),
            (map! { "myCnf" => "[client]\npassword=hunter2\n" }, "spec.myCnf: password"),
            (
                map! { "extraObjects" => vec![
                    map! { "kind" => "Secret", "stringData" => map! { "dsn" => "hunter2" } },
                ] },
                "spec.extraObjects[0].stringData.dsn: dsn",
            ),
            (
                map! { "patch" => "kind: Secret\nstringData: {dsn: hunter2}\n" },
                "spec.patch: the contents of a Secret",
            ),
        ] {
            assert_eq!(found("HelmRelease", spec.clone()), [expected], "{spec:?}");
        }
    }

    #[test]
    fn the_name_of_a_secret_or_of_its_key_is_none() {
        let reference = || map! { "name" => "db", "key" => "password" };
        for (field, value) in [
            ("passwordSecretKeyRef", Value::from(reference())),
            ("env", vec![map! { "name" => "DB_PASSWORD", "valueFrom" => reference() }].into()),
            ("env", vec![map! { "name" => "DB_PASSWORD", "value" => "$(OTHER)" }].into()),
            ("data", vec![map! { "secretKey" => "password" }].into()),
            ("args", vec!["--password-file", "hunter2", "--token", "$(TOKEN)"].into()),
            ("secretName", "db".into()),
            ("secret", "db".into()),
            ("existingSecret", "db-credentials".into()),
            ("passwordKey", "password".into()),
            ("existingSecretPasswordKey", "password".into()),
            ("topologyKey", "zone".into()),
            ("imagePullSecrets", vec!["registry"].into()),
            ("automountServiceAccountToken", false.into()),
            ("minPassword", 8_i64.into()),
            ("password_expires_days", 90_i64.into()),
            ("password", Value::Null),
        ] {
            let spec = map! { field => value };
            assert_eq!(found("HelmRelease", spec.clone()), Vec::<String>::new(), "{spec:?}");
        }
    }
}
