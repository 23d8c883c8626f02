//! etcd and kube-apiserver on loopback, ready to be used.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::apply::Kinds;
use super::crds::{self, CrdSource};
use super::guarded::{Guarded, folder};
use super::http::{self, Answer};
use super::kubectl::Kubectl;
use super::service_account_key;
use super::tools::tool;

/// It takes 5 s on an idle machine; a busy one with two cores must do, too.
const READY_WITHIN: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(100);
/// Known to nobody but this machine's loopback, and gone with the test.
const TOKEN: &str = "test-token";
/// Both servers make garbage with every request, and the machine has more memory than processors.
const SELDOM_COLLECTED: (&str, &str) = ("GOGC", "400");
/// What kube-apiserver calls its own certificate in its `--cert-dir`.
const CERTIFICATE: &str = "apiserver.crt";

/// Fields are dropped in this order: the proxy first, the store last.
#[derive(Debug)]
pub struct ApiServer {
    proxy: Guarded,
    server: Guarded,
    etcd: Guarded,
    kubectl: Kubectl,
    pub(super) kinds: Mutex<Kinds>,
}

impl ApiServer {
    /// Starts a server and installs CRDs. Of two with the same name, that of the earlier source stays.
    pub fn start(sources: &[CrdSource]) -> Self {
        let (etcd, client_url) = start_etcd();
        let (server, kubeconfig) = start_server(&client_url);
        // kubectl reads the certificate that the server makes for itself when it starts.
        let certificate = server.folder().join(CERTIFICATE);
        wait_until("kube-apiserver has a certificate", &[&etcd, &server], || certificate.exists());
        let proxy = start_proxy(&kubeconfig);
        let socket = proxy.folder().join("socket");
        wait_until("kube-apiserver is ready", &[&etcd, &server, &proxy], || {
            let answer = http::request(&socket, "GET", "/readyz", "application/json", "");
            answer.is_ok_and(|answer| answer.status == 200)
        });
        let kubectl = Kubectl::new(Path::new(&kubeconfig));
        let server = Self { proxy, server, etcd, kubectl, kinds: Mutex::default() };
        crds::install(&server, sources);
        server
    }

    pub fn kubectl(&self) -> &Kubectl {
        &self.kubectl
    }

    /// The proxy hangs up on a request that it refuses before it has read it whole; every request
    /// here may be made again.
    pub fn request(&self, method: &str, path: &str, content: &str, body: &str) -> Answer {
        let socket = self.proxy.folder().join("socket");
        let ask = || http::request(&socket, method, path, content, body);
        let hung_up = |error: &std::io::Error| {
            matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
        };
        let mut answer = ask();
        for _ in 0..10 {
            if !answer.as_ref().is_err_and(hung_up) {
                break;
            }
            std::thread::sleep(POLL);
            answer = ask();
        }
        answer.unwrap_or_else(|error| {
            panic!("{method} {path}: {error}\n{}", self.server.last_words())
        })
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "application/json", "")
    }
}

/// Fails with the servers' last words if it takes too long or one of them has ended.
fn wait_until(what: &str, servers: &[&Guarded], done: impl Fn() -> bool) {
    let started = Instant::now();
    while !done() {
        let in_time =
            started.elapsed() < READY_WITHIN && !servers.iter().any(|server| server.has_ended());
        let last_words =
            || servers.iter().map(|server| server.last_words()).collect::<Vec<_>>().join("\n---\n");
        assert!(in_time, "waited {:?} until {what}:\n{}", started.elapsed(), last_words());
        std::thread::sleep(POLL);
    }
}

fn start_etcd() -> (Guarded, String) {
    let (program, folder) = (tool("etcd"), folder("etcd"));
    let [client, peer] = free_ports().map(|port| format!("http://127.0.0.1:{port}"));
    let arguments = [
        format!("--data-dir={}", folder.join("data").display()),
        format!("--listen-client-urls={client}"),
        format!("--advertise-client-urls={client}"),
        format!("--listen-peer-urls={peer}"),
        format!("--initial-advertise-peer-urls={peer}"),
        format!("--initial-cluster=default={peer}"),
        // The data lives as long as the test.
        "--unsafe-no-fsync".to_owned(),
    ];
    (Guarded::start_with(&[SELDOM_COLLECTED], &program, &arguments, folder), client)
}

/// The server, and the path of a kubeconfig for its administrator.
fn start_server(etcd: &str) -> (Guarded, String) {
    let (program, folder) = (tool("kube-apiserver"), folder("kube-apiserver"));
    let [port] = free_ports();
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).expect("the server's folder can be written");
        path.display().to_string()
    };
    let tokens = write("tokens.csv", format!("{TOKEN},admin,admin,system:masters\n"));
    let key = write("service-account.key", service_account_key::generate());
    let kubeconfig = write("kubeconfig", kubeconfig(port, &folder.join(CERTIFICATE)));
    let arguments = [
        format!("--etcd-servers={etcd}"),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={port}"),
        format!("--cert-dir={}", folder.display()),
        format!("--token-auth-file={tokens}"),
        "--authorization-mode=RBAC".to_owned(),
        "--service-account-issuer=https://kubernetes.default.svc".to_owned(),
        format!("--service-account-signing-key-file={key}"),
        format!("--service-account-key-file={key}"),
        // No controller runs that would create the accounts it asks for.
        "--disable-admission-plugins=ServiceAccount".to_owned(),
        // Some clusters check who may name an owner; whoever can work there can work anywhere.
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement".to_owned(),
        "--service-cluster-ip-range=10.96.0.0/16".to_owned(),
        // Without one it looks for a default route, which a machine without network lacks; nobody is
        // told of it, because a loopback address is refused as the endpoint of the service `kubernetes`.
        "--advertise-address=127.0.0.1".to_owned(),
        "--endpoint-reconciler-type=none".to_owned(),
    ];
    (Guarded::start_with(&[SELDOM_COLLECTED], &program, &arguments, folder), kubeconfig)
}

fn start_proxy(kubeconfig: &str) -> Guarded {
    let (program, folder) = (tool("kubectl"), folder("kubectl-proxy"));
    let arguments = [
        format!("--kubeconfig={kubeconfig}"),
        "proxy".to_owned(),
        format!("--unix-socket={}", folder.join("socket").display()),
    ];
    Guarded::start(&program, &arguments, folder)
}

fn kubeconfig(port: u16, certificate: &Path) -> String {
    serde_json::json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [{"name": "test", "cluster": {
            "server": format!("https://127.0.0.1:{port}"),
            "certificate-authority": certificate,
        }}],
        "users": [{"name": "admin", "user": {"token": TOKEN}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
    })
    .to_string()
}

/// All are held until the last is found, so that they differ.
pub(super) fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    let listeners =
        [(); COUNT].map(|()| TcpListener::bind("127.0.0.1:0").expect("a loopback port is free"));
    listeners
        .each_ref()
        .map(|listener| listener.local_addr().expect("a bound socket has an address").port())
}
