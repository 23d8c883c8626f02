//! The way from the operator to the API server. It fails once in so many requests, in six manners, and
//! notes which rights were missing, and every write that would land on whatever is there.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use http::{Method, Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kube::Client;
use serde_json::Value;
use tokio::net::TcpListener;

use super::Draws;
use super::blind;
use super::gate::Gate;
use super::whose::{Whose, whose};

type Fault = Box<dyn std::error::Error + Send + Sync>;
type Answer = Response<UnsyncBoxBody<Bytes, Fault>>;

/// Group, resource with subresource, verb.
pub type Use = (String, String, String);

pub struct Way {
    upstream: Client,
    /// Of so many requests one fails; of none, if it is 0.
    pub one_in: AtomicU32,
    draws: Mutex<Draws>,
    /// So many reads of Secrets to come are answered without the end.
    pub torn: AtomicU32,
    pub requests: AtomicU64,
    pub faults: AtomicU64,
    /// But for the Lease, which is renewed for ever.
    pub writes: AtomicU64,
    pub kinds_of_writes: Mutex<BTreeMap<String, u64>>,
    pub kinds_of_reads: Mutex<BTreeMap<String, u64>>,
    pub writes_of: Mutex<HashMap<Whose, u64>>,
    /// How often each rotation was looked at.
    pub looks_at: Mutex<HashMap<Whose, u64>>,
    /// Held there, a write is on its way while its writer may be asleep.
    pub gate: Gate,
    /// Writes without a precondition.
    pub blind: Mutex<Vec<String>>,
    /// With the names of the objects that it was missed for.
    pub denied: Mutex<BTreeMap<Use, BTreeSet<String>>>,
    /// With the names of the objects that it was of use for.
    pub used: Mutex<BTreeMap<Use, BTreeSet<String>>>,
    /// So many writes with this text in them are refused as too late.
    pub too_late: Mutex<(u32, &'static str)>,
}

impl Way {
    pub fn new(upstream: Client, one_in: u32) -> Self {
        Self {
            upstream,
            one_in: AtomicU32::new(one_in),
            draws: Mutex::new(Draws::new(7)),
            torn: AtomicU32::default(),
            requests: AtomicU64::default(),
            faults: AtomicU64::default(),
            writes: AtomicU64::default(),
            kinds_of_writes: Mutex::default(),
            kinds_of_reads: Mutex::default(),
            writes_of: Mutex::default(),
            looks_at: Mutex::default(),
            gate: Gate::default(),
            blind: Mutex::default(),
            denied: Mutex::default(),
            used: Mutex::default(),
            too_late: Mutex::default(),
        }
    }

    /// Every write named what it was made for, and there were some of each verb.
    pub fn expect_no_blind_write(&self) {
        let blind = self.blind.lock().unwrap();
        assert!(blind.is_empty(), "{} writes without a precondition: {blind:#?}", blind.len());
        let kinds = self.kinds_of_writes.lock().unwrap();
        for verb in ["create", "update", "patch", "delete"] {
            assert!(kinds.keys().any(|kind| kind.starts_with(verb)), "no {verb} in {kinds:?}");
        }
    }

    fn note(&self, method: &Method, path: &str, used: &Use, body: &[u8]) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let body = serde_json::from_slice(body).unwrap_or(Value::Null);
        if let Some(what) = blind::lacks(method, used, &body) {
            self.blind.lock().unwrap().push(format!("{method} {path} lacks {what}"));
        }
        if method == Method::GET {
            let kind = format!("{} {}", used.2, used.1);
            *self.kinds_of_reads.lock().unwrap().entry(kind).or_default() += 1;
        }
        let of = || whose(path, &body).unwrap_or_default();
        let counted = match (method, used.1.as_str()) {
            (&Method::GET, "credentialrotations") => &self.looks_at,
            (&Method::GET, _) | (_, "leases") => return,
            _ => {
                self.writes.fetch_add(1, Ordering::Relaxed);
                let kind = format!("{} {}", used.2, used.1);
                *self.kinds_of_writes.lock().unwrap().entry(kind).or_default() += 1;
                &self.writes_of
            }
        };
        *counted.lock().unwrap().entry(of()).or_default() += 1;
    }

    fn draw(&self) -> Option<u32> {
        let one_in = self.one_in.load(Ordering::Relaxed);
        if one_in == 0 {
            return None;
        }
        let mut draws = self.draws.lock().unwrap();
        let fault = (draws.below(one_in) == 0).then(|| draws.below(6));
        self.faults.fetch_add(u64::from(fault.is_some()), Ordering::Relaxed);
        fault
    }

    fn is_too_late(&self, body: &[u8]) -> bool {
        let mut left = self.too_late.lock().unwrap();
        let is_one = left.0 > 0 && String::from_utf8_lossy(body).contains(left.1);
        left.0 -= u32::from(is_one);
        is_one
    }

    fn tears(&self, used: &Use) -> bool {
        let left = |left: u32| left.checked_sub(1);
        let is_secret = (used.1.as_str(), used.2.as_str()) == ("secrets", "get");
        is_secret && self.torn.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok()
    }

    async fn pass(&self, request: Request<Incoming>) -> Result<Answer, Fault> {
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let used = right(&head.method, &head.uri);
        self.note(&head.method, head.uri.path(), &used, &body);
        if self.is_too_late(&body) {
            return Ok(refused(409));
        }
        let fault = self.draw();
        match fault {
            Some(0) => return Ok(refused(500)),
            Some(1) => return Ok(refused(503)),
            Some(2) => return Ok(refused(409)),
            Some(3) => return Err("it never arrived".into()),
            _ => {}
        }
        let name = head.uri.path().split('/').skip_while(|part| *part != "namespaces").nth(3);
        let name = name.unwrap_or_default().to_owned();
        let is_write = head.method != Method::GET && used.1 != "leases";
        let mut forwarded = Request::builder().method(head.method).uri(head.uri);
        for name in [http::header::ACCEPT, http::header::CONTENT_TYPE] {
            if let Some(value) = head.headers.get(&name) {
                forwarded = forwarded.header(name, value);
            }
        }
        let forwarded = forwarded.body(kube::client::Body::from(body))?;
        let held = is_write && self.gate.wait().await;
        let answer = self.upstream.send(forwarded).await?;
        if held {
            self.gate.answered(&used, &name, answer.status().as_u16());
        }
        let is_read = ["get", "list"].contains(&used.2.as_str()) && answer.status().is_success();
        match fault {
            Some(5) if is_read => return without_end(answer).await,
            Some(_) => return Err("the answer got lost".into()),
            None if is_read && self.tears(&used) => return without_end(answer).await,
            None => {}
        }
        let noted = if answer.status() == 403 { &self.denied } else { &self.used };
        noted.lock().unwrap().entry(used).or_default().insert(name);
        Ok(answer.map(|body| UnsyncBoxBody::new(body.map_err(Fault::from))))
    }
}

fn refused(code: u16) -> Answer {
    let status = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code,
        "reason": "Drawn", "message": "a fault of the test",
    });
    let body = Full::new(Bytes::from(status.to_string())).map_err(Fault::from);
    let mut answer = Response::new(UnsyncBoxBody::new(body));
    *answer.status_mut() = http::StatusCode::from_u16(code).unwrap();
    answer
}

/// All of it but what closes the object, as if no more had been sent: the contents are in it.
async fn without_end(answer: Response<kube::client::Body>) -> Result<Answer, Fault> {
    let (mut head, body) = answer.into_parts();
    let body = body.collect().await?.to_bytes();
    head.headers.remove(http::header::CONTENT_LENGTH);
    let body = Full::new(body.slice(..body.len().saturating_sub(2))).map_err(Fault::from);
    Ok(Response::from_parts(head, UnsyncBoxBody::new(body)))
}

/// The right that a request needs, from its path.
fn right(method: &Method, uri: &http::Uri) -> Use {
    let parts: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
    let (group, rest) = match parts.as_slice() {
        ["api", _, rest @ ..] => ("", rest),
        ["apis", group, _, rest @ ..] => (*group, rest),
        other => ("", other),
    };
    let rest = match rest {
        ["namespaces", _, rest @ ..] => rest,
        other => other,
    };
    let (resource, named) = match rest {
        [resource] => ((*resource).to_owned(), false),
        [resource, _] => ((*resource).to_owned(), true),
        [resource, _, part, ..] => (format!("{resource}/{part}"), true),
        [] => (String::new(), false),
    };
    let watches = uri.query().is_some_and(|query| query.contains("watch=true"));
    let verb = match method.as_str() {
        "GET" if watches => "watch",
        "GET" if named => "get",
        "GET" => "list",
        "POST" => "create",
        "PUT" => "update",
        "PATCH" => "patch",
        "DELETE" => "delete",
        other => other,
    };
    (group.to_owned(), resource, verb.to_owned())
}

pub async fn serve(way: Arc<Way>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let way = Arc::clone(&way);
            let service = service_fn(move |request| {
                let way = Arc::clone(&way);
                async move { way.pass(request).await }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    url
}
