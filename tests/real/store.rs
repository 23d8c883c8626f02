//! A store of secrets on loopback that External Secrets speaks to through its `vault` provider: the
//! KV v2 engine's contract, and login by token or by a service account. No real one can be had from a
//! registry of packages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::kv::{Kv, Reply};

/// Where the engine is mounted.
pub const MOUNT: &str = "kv-v2";
/// Known to nobody but this machine's loopback, and gone with the test.
pub const TOKEN: &str = "store-token";
/// The role that a service account may log in to.
pub const ROLE: &str = "external-secrets";

/// A client that says nothing must not hold its thread for ever.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
struct Contents {
    kv: Kv,
    /// How many service accounts have logged in.
    logins: usize,
}

#[derive(Debug)]
pub struct Store {
    port: u16,
    contents: Arc<Mutex<Contents>>,
}

#[derive(Debug)]
struct Request {
    method: String,
    path: String,
    query: String,
    token: String,
    body: Value,
}

impl Store {
    /// Serves until the test program ends.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        let port = listener.local_addr().expect("a bound socket has an address").port();
        let contents = Arc::new(Mutex::new(Contents::default()));
        let served = Arc::clone(&contents);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = Arc::clone(&served);
                thread::spawn(move || serve(stream, &served));
            }
        });
        Self { port, contents }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn kv<T>(&self, look: impl FnOnce(&Kv) -> T) -> T {
        look(&lock(&self.contents).kv)
    }

    pub fn logins(&self) -> usize {
        lock(&self.contents).logins
    }
}

/// A thread that panicked has left the contents as they were: each request changes them in one step.
fn lock(contents: &Mutex<Contents>) -> MutexGuard<'_, Contents> {
    contents.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One request per connection: the client opens the next by itself.
fn serve(stream: TcpStream, contents: &Mutex<Contents>) {
    let timeouts =
        stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
    // A client that went away is no concern of the store's.
    let _ = timeouts.and_then(|()| read(&stream)).and_then(|request| {
        let (status, body) = answer(&request, &mut lock(contents));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        write!(
            &stream,
            "HTTP/1.1 {status} \r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        )
    });
}

fn read(stream: &TcpStream) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let header = |name: &str| {
        let mut headers = head.iter().skip(1).filter_map(|line| line.split_once(':'));
        let found = headers.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let mut body = vec![0; header("Content-Length").parse().unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let first = head.first().cloned().unwrap_or_default();
    let mut words = first.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Ok(Request {
        method,
        path: path.trim_start_matches("/v1/").to_owned(),
        query: query.to_owned(),
        token: header("X-Vault-Token"),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    })
}

fn answer(request: &Request, contents: &mut Contents) -> Reply {
    if let Some(method) = request.path.strip_prefix("auth/").and_then(|p| p.strip_suffix("/login"))
    {
        return login(method, &request.body, contents);
    }
    if request.token != TOKEN {
        return denied();
    }
    if let Some(path) = request.path.strip_prefix(&format!("{MOUNT}/data/")) {
        return data(request, path, &mut contents.kv);
    }
    if let Some(path) = request.path.strip_prefix(&format!("{MOUNT}/metadata/")) {
        return metadata(request, path, &mut contents.kv);
    }
    match request.path.as_str() {
        // A token without an end, as a root token is.
        "auth/token/lookup-self" => {
            (200, json!({"data": {"type": "service", "ttl": 0, "expire_time": null}}))
        }
        "auth/token/revoke-self" => (204, Value::Null),
        _ => unsupported(request),
    }
}

/// That the service account's token is signed is the real store's to check, with the API server.
fn login(method: &str, body: &Value, contents: &mut Contents) -> Reply {
    let signed = body["jwt"].as_str().is_some_and(|token| token.split('.').count() == 3);
    if method != "kubernetes" || body["role"] != ROLE || !signed {
        return denied();
    }
    contents.logins += 1;
    (200, json!({"auth": {"client_token": TOKEN, "lease_duration": 3600, "renewable": true}}))
}

fn data(request: &Request, path: &str, kv: &mut Kv) -> Reply {
    match request.method.as_str() {
        "GET" => {
            let version = request.query.strip_prefix("version=");
            kv.read(path, version.and_then(|version| version.parse().ok()))
        }
        "PUT" | "POST" => kv.write(path, &request.body),
        "DELETE" => kv.delete(path),
        _ => unsupported(request),
    }
}

fn metadata(request: &Request, path: &str, kv: &mut Kv) -> Reply {
    match (request.method.as_str(), request.query.as_str()) {
        ("LIST", _) | ("GET", "list=true") => kv.list(path),
        ("GET", _) => kv.read_metadata(path),
        ("PUT" | "POST", _) => kv.write_metadata(path, &request.body),
        ("DELETE", _) => kv.delete(path),
        _ => unsupported(request),
    }
}

fn denied() -> Reply {
    (403, json!({"errors": ["permission denied"]}))
}

fn unsupported(request: &Request) -> Reply {
    let what = format!("{} {} is not modelled by the tests' store", request.method, request.path);
    (405, json!({"errors": [what]}))
}
