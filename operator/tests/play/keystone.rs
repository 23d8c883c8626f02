//! The few calls of Keystone that the operator makes. The real one is in other tests; this one has
//! ten thousand users.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::Draws;

/// In everything that nobody may find in a log.
pub const CANARY: &str = "c4n4ry";

pub struct Keystone {
    pub url: Mutex<String>,
    one_in: u32,
    draws: Mutex<Draws>,
    pub credentials: Mutex<HashMap<String, Credentials>>,
}

/// Of a user, by the id: name and secret.
type Credentials = HashMap<String, (String, String)>;

impl Keystone {
    pub fn new(one_in: u32) -> Self {
        Self {
            url: Mutex::default(),
            one_in,
            draws: Mutex::new(Draws::new(11)),
            credentials: Mutex::default(),
        }
    }

    pub fn works(&self, user: &str, id: &str, secret: &str) -> bool {
        let credentials = self.credentials.lock().unwrap();
        credentials.get(user).and_then(|own| own.get(id)).is_some_and(|(_, own)| own == secret)
    }

    fn answer(&self, method: &str, path: &str, body: &Value) -> (u16, Value, Option<String>) {
        if self.one_in > 0 && self.draws.lock().unwrap().below(self.one_in) == 0 {
            return (503, Value::Null, None);
        }
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match (method, parts.as_slice()) {
            ("POST", ["v3", "auth", "tokens"]) => self.log_in(&body["auth"]["identity"]),
            ("GET", ["v3", "users", user, "application_credentials"]) => {
                let credentials = self.credentials.lock().unwrap();
                let own = credentials.get(*user).into_iter().flatten();
                let list: Vec<Value> =
                    own.map(|(id, (name, _))| json!({"id": id, "name": name})).collect();
                (200, json!({"application_credentials": list}), None)
            }
            ("DELETE", ["v3", "users", user, "application_credentials", id]) => {
                let mut credentials = self.credentials.lock().unwrap();
                let gone = credentials.get_mut(*user).and_then(|own| own.remove(*id));
                (if gone.is_some() { 204 } else { 404 }, Value::Null, None)
            }
            _ => (404, Value::Null, None),
        }
    }

    fn log_in(&self, identity: &Value) -> (u16, Value, Option<String>) {
        let credential = &identity["application_credential"];
        let user = match (credential["id"].as_str(), credential["secret"].as_str()) {
            (Some(id), Some(secret)) => {
                // Ids are made of the user's name, so that nobody has to be searched for.
                let user = id.split(':').next().unwrap_or_default();
                self.works(user, id, secret).then(|| user.to_owned())
            }
            _ => identity["password"]["user"]["name"].as_str().map(str::to_owned),
        };
        match user {
            Some(user) => (
                201,
                json!({"token": {"user": {"id": user}}}),
                Some(format!("{CANARY}-token-{user}")),
            ),
            None => (401, Value::Null, None),
        }
    }
}

pub async fn serve(keystone: Arc<Keystone>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v3", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let keystone = Arc::clone(&keystone);
            let service = service_fn(move |request: Request<Incoming>| {
                let keystone = Arc::clone(&keystone);
                async move {
                    let (head, body) = request.into_parts();
                    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
                    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                    let (status, value, token) =
                        keystone.answer(head.method.as_str(), head.uri.path(), &body);
                    let mut answer = Response::builder().status(status);
                    if let Some(token) = token {
                        answer = answer.header("X-Subject-Token", token);
                    }
                    let body = Full::new(Bytes::from(value.to_string()));
                    Ok::<_, Infallible>(answer.body(body).unwrap())
                }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    url
}
