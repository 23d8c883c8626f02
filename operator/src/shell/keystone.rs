//! Asks Keystone itself: does this credential work, and which ones are there?

use std::time::Duration;

use http::{Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::access::Access;
use super::outcome::Trouble;
use crate::api::{KeyOfSecret, Login};
use crate::core::generations::Proof;

/// Longer than a healthy Keystone takes, shorter than anyone waits for a rotation.
const PATIENCE: Duration = Duration::from_secs(15);

pub struct Keystone {
    client: Client,
    login: Login,
    password: Zeroizing<String>,
}

/// A token of the user itself, in health: what it is told is true.
pub struct Session<'a> {
    keystone: &'a Keystone,
    token: Zeroizing<String>,
    user: String,
}

impl std::fmt::Debug for Keystone {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Keystone({})", self.login.auth_url)
    }
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Session({})", self.user)
    }
}

async fn key(access: &Access, of: &KeyOfSecret) -> Result<Zeroizing<Vec<u8>>, Trouble> {
    let missing = || Trouble::Unfit(format!("Secret {} has no {}", of.name, of.key));
    let data = access.secret(&of.name).await?.and_then(|secret| secret.data).ok_or_else(missing)?;
    data.get(&of.key).map(|value| Zeroizing::new(value.0.clone())).ok_or_else(missing)
}

impl Keystone {
    pub async fn of(access: &Access, login: &Login) -> Result<Self, Trouble> {
        let unfit = |why: &str| Trouble::Unfit(format!("{}: {why}", login.auth_url));
        let password = key(access, &login.password_secret_ref).await?;
        let password =
            String::from_utf8(password.to_vec()).map_err(|_| unfit("the password is no text"))?;
        let url = login.auth_url.trim_end_matches('/').trim_end_matches("/v3");
        let url = url.parse().map_err(|_| unfit("it is no URL"))?;
        let mut config = kube::Config::new(url);
        config.connect_timeout = Some(PATIENCE);
        config.read_timeout = Some(PATIENCE);
        config.root_cert = match &login.ca_secret_ref {
            Some(authority) => Some(certificates(&key(access, authority).await?)),
            // Reading every authority that the system trusts, at each look, takes more room than the look.
            None if config.cluster_url.scheme_str() == Some("http") => Some(Vec::new()),
            None => None,
        };
        let client =
            Client::try_from(config).map_err(|_| unfit("no connection can be made of it"))?;
        Ok(Self { client, login: login.clone(), password: Zeroizing::new(password) })
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
    ) -> Result<(Response<()>, Value), Trouble> {
        let failed = || Trouble::Unreachable(format!("Keystone: {method} {path}"));
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("Content-Type", "application/json");
        if let Some(token) = token {
            request = request.header("X-Auth-Token", token);
        }
        let body = body.map_or_else(Vec::new, |body| body.to_string().into_bytes());
        let request = request.body(Body::from(body)).map_err(|_| failed())?;
        let answer = tokio::time::timeout(PATIENCE, async {
            let (head, body) = self.client.send(request).await.map_err(|_| failed())?.into_parts();
            let body = body.collect().await.map_err(|_| failed())?.to_bytes();
            Ok((
                Response::from_parts(head, ()),
                serde_json::from_slice(&body).unwrap_or(Value::Null),
            ))
        });
        answer.await.unwrap_or_else(|_| Err(failed()))
    }

    pub async fn log_in(&self) -> Result<Session<'_>, Trouble> {
        let Login { username, user_domain_name, project_name, project_domain_name, .. } =
            &self.login;
        let user = json!({
            "name": username, "domain": {"name": user_domain_name}, "password": self.password.as_str(),
        });
        let body = json!({"auth": {
            "identity": {"methods": ["password"], "password": {"user": user}},
            "scope": {"project": {"name": project_name, "domain": {"name": project_domain_name}}},
        }});
        let (head, answer) = self.ask("POST", "/v3/auth/tokens", None, Some(body)).await?;
        let token = head.headers().get("X-Subject-Token").and_then(|token| token.to_str().ok());
        match (token, answer["token"]["user"]["id"].as_str()) {
            (Some(token), Some(user)) if head.status() == 201 => {
                let token = Zeroizing::new(token.to_owned());
                Ok(Session { keystone: self, token, user: user.to_owned() })
            }
            _ => Err(Trouble::Refused(format!(
                "Keystone: logging in as {username}: {}",
                head.status()
            ))),
        }
    }

    /// Names and ids of the user's credentials.
    pub async fn credentials(&self) -> Result<Vec<(String, String)>, Trouble> {
        self.log_in().await?.credentials().await
    }

    /// Logs in with a credential.
    pub async fn prove(&self, id: &str, secret: &str) -> Proof {
        let credential = json!({"id": id, "secret": secret});
        let body = json!({"auth": {"identity": {
            "methods": ["application_credential"], "application_credential": credential,
        }}});
        match self.ask("POST", "/v3/auth/tokens", None, Some(body)).await {
            Ok((head, _)) if head.status() == 201 => Proof::Works,
            // Keystone says 401 to what it does not know; all else is a fault of its own.
            Ok((head, _)) if head.status() == 401 || head.status() == 404 => Proof::Refused,
            _ => Proof::Unknown,
        }
    }
}

impl Session<'_> {
    async fn credentials(&self) -> Result<Vec<(String, String)>, Trouble> {
        let path = format!("/v3/users/{}/application_credentials", self.user);
        let (head, answer) = self.keystone.ask("GET", &path, Some(&self.token), None).await?;
        let list = answer["application_credentials"].as_array();
        let Some(list) = list.filter(|_| head.status() == 200) else {
            return Err(Trouble::Refused(format!("Keystone: GET {path}: {}", head.status())));
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(list.iter().map(|entry| (text(&entry["name"]), text(&entry["id"]))).collect())
    }

    pub async fn revoke(&self, id: &str) -> Result<(), Trouble> {
        let path = format!("/v3/users/{}/application_credentials/{id}", self.user);
        let (head, _) = self.keystone.ask("DELETE", &path, Some(&self.token), None).await?;
        match head.status().as_u16() {
            204 | 404 => Ok(()),
            other => Err(Trouble::Refused(format!("Keystone: DELETE {path}: {other}"))),
        }
    }
}

/// The certificates of a PEM text.
fn certificates(pem: &[u8]) -> Vec<Vec<u8>> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    let text = String::from_utf8_lossy(pem).into_owned();
    let bodies = text.split(BEGIN).skip(1).filter_map(|part| part.split("-----END").next());
    bodies.map(decode).collect()
}

/// RFC 4648; what is no letter of it is left out.
fn decode(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        (bits, count) = (bits << 6 | u32::from(digit), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_taken_out_of_their_text() {
        let pem = "x\n-----BEGIN CERTIFICATE-----\nZm9v\nYmFy\n-----END CERTIFICATE-----\n\
                   -----BEGIN CERTIFICATE-----\nZg==\n-----END CERTIFICATE-----\n";
        assert_eq!(certificates(pem.as_bytes()), [b"foobar".to_vec(), b"f".to_vec()]);
    }
}
