//! The real Keystone on loopback, with a database of its own.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::authority::Authority;
use super::guarded::{Guarded, folder};
use super::http::{self, Answer};
use super::server::free_ports;
use super::tools::tool;
use super::waiting::{last_words, wait_for};

const SERVE: &str = include_str!("python/serve.py");
const REPLICA: &str = include_str!("python/replica.py");
const MANAGE: &str = include_str!("python/manage.py");
const AUTHORITY: &str = "ca.crt";
const READY_WITHIN: Duration = Duration::from_secs(90);
/// With the usual twelve rounds a login takes a quarter of a second of a core, and tests log in ten times a
/// second.
const CHEAP: &str = "[identity]\npassword_hash_rounds = 4\n";

#[derive(Debug)]
pub struct Keystone {
    server: Guarded,
    plain: u16,
    secure: u16,
}

/// A token, and what Keystone says of it.
#[derive(Debug)]
pub struct Token {
    pub id: String,
    pub about: Value,
}

/// One of several Keystones that share a database. Its keys are brought to it by somebody else.
#[derive(Debug, Clone)]
pub struct Replica {
    /// Where its keys are, and all that it writes; removed with it.
    pub folder: PathBuf,
    pub database: PathBuf,
    /// How long the tokens live that it makes, in seconds.
    pub token_life: u64,
}

impl Keystone {
    /// Installs and bootstraps it as an operator would: with the administrator's password that it was
    /// given, in the cloud's region, and with a certificate of the cloud's authority.
    pub fn start(admin_password: &str, region: &str, authority: &Authority) -> Self {
        let folder = folder("keystone");
        let [plain, secure] = free_ports();
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).expect("Keystone's folder can be written");
            path
        };
        write(AUTHORITY, &authority.certificate);
        let certificate = write("server.crt", &authority.server_certificate);
        let key = write("server.key", &authority.server_key);
        let config = write("keystone.conf", &(configuration(&folder) + CHEAP));
        manage(&config, &["db_sync"]);
        manage(&config, &["fernet_setup"]);
        manage(&config, &["credential_setup"]);
        let url = format!("https://127.0.0.1:{secure}/v3");
        let mut bootstrap = vec!["bootstrap", "--bootstrap-password", admin_password];
        bootstrap.extend(["--bootstrap-region-id", region]);
        bootstrap.extend(["--bootstrap-internal-url", &url, "--bootstrap-public-url", &url]);
        manage(&config, &bootstrap);
        let mut arguments = ["-c", SERVE].map(str::to_owned).to_vec();
        arguments.extend([plain, secure].map(|port| port.to_string()));
        arguments.extend([certificate, key].map(|path| path.display().to_string()));
        let config = config.display().to_string();
        let environment = [("OS_KEYSTONE_CONFIG_FILES", config.as_str())];
        let server = Guarded::start_with(&environment, &tool("keystone"), &arguments, folder);
        Self { server, plain, secure }.ready()
    }

    /// A database with an administrator in it, for replicas to start with.
    pub fn database(admin_password: &str) -> Vec<u8> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let config = folder.path().join("keystone.conf");
        // So that logging in costs little: the tests do it all the time.
        let text = configuration(folder.path()) + "[identity]\npassword_hash_rounds = 4\n";
        fs::write(&config, text).expect("Keystone's folder can be written");
        manage(&config, &["db_sync"]);
        // Keys that nobody uses: without any, it does not bootstrap.
        manage(&config, &["fernet_setup"]);
        manage(&config, &["bootstrap", "--bootstrap-password", admin_password]);
        let database = folder.path().join("keystone.db");
        // So that those who read and those who write do not lock each other out.
        let mode =
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA journal_mode=WAL')";
        let changed = Command::new(tool("keystone")).args(["-c", mode]).arg(&database).status();
        assert!(changed.is_ok_and(|status| status.success()), "the database's mode");
        fs::read(database).expect("Keystone has made its database")
    }

    /// It is not waited for: several start at once.
    pub fn start_replica(replica: &Replica) -> Self {
        let folder = replica.folder.clone();
        let config = folder.join("keystone.conf");
        fs::write(&config, replica.configuration()).expect("Keystone's folder can be written");
        let [plain] = free_ports();
        let (port, database) = (plain.to_string(), replica.database.display().to_string());
        let arguments = ["-c", REPLICA, &port, &database].map(str::to_owned);
        let config = config.display().to_string();
        let environment = [("OS_KEYSTONE_CONFIG_FILES", config.as_str())];
        let server = Guarded::start_with(&environment, &tool("keystone"), &arguments, folder);
        Self { server, plain, secure: 0 }
    }

    /// Waits until it answers.
    #[must_use]
    pub fn ready(self) -> Self {
        wait_for(
            "Keystone",
            READY_WITHIN,
            || self.last_words(),
            || match self.connect() {
                Ok(_) => Vec::new(),
                Err(error) => vec![format!("its port: {error}")],
            },
        );
        self
    }

    /// Where everybody but the test reaches it.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}/v3", self.secure)
    }

    pub fn last_words(&self) -> String {
        last_words("Keystone", &self.server)
    }

    fn connect(&self) -> std::io::Result<TcpStream> {
        TcpStream::connect(("127.0.0.1", self.plain))
    }

    pub fn request(&self, method: &str, path: &str, token: &str, body: &str) -> Answer {
        let headers = [("Content-Type", "application/json"), ("X-Auth-Token", token)];
        self.connect()
            .and_then(|stream| http::exchange(stream, method, path, &headers, body))
            .unwrap_or_else(|error| panic!("{method} {path}: {error}\n{}", self.last_words()))
    }

    /// A token for a user of the default domain in one of its projects; else what Keystone said.
    pub fn token(&self, user: &str, password: &str, project: &str) -> Result<Token, String> {
        let scope = json!({"project": {"name": project, "domain": {"id": "default"}}});
        self.token_of((user, "default"), password, &scope)
    }

    /// A token for a user of a domain, by that one's id, for what the scope says.
    pub fn token_of(
        &self,
        (user, domain): (&str, &str),
        password: &str,
        scope: &Value,
    ) -> Result<Token, String> {
        let user = json!({"name": user, "password": password, "domain": {"id": domain}});
        let body = json!({"auth": {
            "identity": {"methods": ["password"], "password": {"user": user}},
            "scope": scope,
        }});
        let answer = self.request("POST", "/v3/auth/tokens", "", &body.to_string());
        match answer.header("X-Subject-Token") {
            Some(id) => Ok(Token { id: id.to_owned(), about: answer.json()["token"].clone() }),
            None => Err(format!("{}: {}", answer.status, answer.message())),
        }
    }

    /// What Keystone says against a token that asks about itself.
    pub fn validate(&self, token: &str) -> Result<(), String> {
        let headers = [("X-Auth-Token", token), ("X-Subject-Token", token)];
        let path = "/v3/auth/tokens?nocatalog";
        let answer =
            self.connect().and_then(|stream| http::exchange(stream, "GET", path, &headers, ""));
        let answer =
            answer.unwrap_or_else(|error| panic!("{path}: {error}\n{}", self.last_words()));
        if answer.status == 200 {
            Ok(())
        } else {
            Err(format!("{}: {}", answer.status, answer.message()))
        }
    }

    /// All of a collection, as in `users`.
    pub fn list(&self, collection: &str, token: &Token) -> Vec<Value> {
        let answer = self.request("GET", &format!("/v3/{collection}"), &token.id, "");
        assert!(answer.status == 200, "{collection}: {}", answer.message());
        answer.json()[collection].as_array().cloned().unwrap_or_default()
    }

    /// What the command `openstack` prints for a user of the project, as JSON: it takes the way that
    /// people take, through TLS and the catalog.
    pub fn openstack(&self, user: &str, password: &str, project: &str, words: &[&str]) -> Value {
        let output = Command::new(tool("keystone"))
            .args(["-m", "openstackclient.shell", "--os-auth-url", &self.url()])
            .arg("--os-cacert")
            .arg(self.server.folder().join(AUTHORITY))
            .args(["--os-username", user, "--os-user-domain-id", "default"])
            .args(["--os-project-name", project, "--os-project-domain-id", "default"])
            .args(["--os-identity-api-version", "3", "--os-interface", "internal"])
            .args(words)
            .args(["--format", "json"])
            .env("OS_PASSWORD", password)
            .output()
            .expect("Python starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openstack {}: {complaint}", words.join(" "));
        serde_json::from_slice(&output.stdout).expect("openstack prints JSON")
    }
}

impl Replica {
    pub fn fernet_keys(&self) -> PathBuf {
        self.folder.join("fernet-keys")
    }

    pub fn credential_keys(&self) -> PathBuf {
        self.folder.join("credential-keys")
    }

    /// What needs no key is remembered, which makes an answer ten times as fast; tokens and credentials
    /// are decrypted anew each time (a token that is made would be remembered even so, hence the last
    /// setting of its group).
    fn configuration(&self) -> String {
        let (database, life) = (self.database.display(), self.token_life);
        let (fernet, credential) = (self.fernet_keys(), self.credential_keys());
        let (fernet, credential) = (fernet.display(), credential.display());
        format!(
            "[database]\nconnection = sqlite:///{database}?timeout=30\n\
             [fernet_tokens]\nkey_repository = {fernet}\n\
             [fernet_receipts]\nkey_repository = {fernet}\n\
             [credential]\nkey_repository = {credential}\ncaching = false\n\
             [token]\nexpiration = {life}\nallow_expired_window = 0\ncaching = false\ncache_on_issue = false\n\
             [identity]\npassword_hash_rounds = 4\n\
             [cache]\nenabled = true\nbackend = dogpile.cache.memory\n"
        )
    }
}

/// The folders of keys are below /etc unless they are named.
fn configuration(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "[database]\nconnection = sqlite:///{folder}/keystone.db\n\
         [fernet_tokens]\nkey_repository = {folder}/fernet-keys\n\
         [fernet_receipts]\nkey_repository = {folder}/fernet-keys\n\
         [credential]\nkey_repository = {folder}/credential-keys\n"
    )
}

fn manage(config: &Path, arguments: &[&str]) {
    manage_with(&[], config, arguments)
        .unwrap_or_else(|complaint| panic!("keystone-manage {}: {complaint}", arguments[0]));
}

/// Runs `keystone-manage` with more in its environment; else what it complained of.
pub fn manage_with(
    environment: &[(String, String)],
    config: &Path,
    arguments: &[&str],
) -> Result<(), String> {
    let output = Command::new(tool("keystone"))
        .args(["-c", MANAGE, "--config-file"])
        .arg(config)
        .args(arguments)
        .envs(environment.iter().cloned())
        .output()
        .expect("Python starts");
    if output.status.success() {
        return Ok(());
    }
    // What goes wrong before logging is set up is on the one, everything else on the other.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{}: {}\n{}", output.status, text(&output.stderr), text(&output.stdout)))
}
