//! A certificate authority that the test makes, in cert-manager's place, and a certificate of it for
//! loopback. All texts are PEM.

use std::process::Command;

use serde_json::Value;

use super::tools::tool;

const SCRIPT: &str = include_str!("python/authority.py");

#[derive(Debug)]
pub struct Authority {
    pub certificate: String,
    pub key: String,
    pub server_certificate: String,
    pub server_key: String,
}

impl Authority {
    /// Made by a library that Keystone brings along.
    pub fn make() -> Self {
        let output =
            Command::new(tool("keystone")).args(["-c", SCRIPT]).output().expect("Python starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "making an authority: {complaint}");
        let made: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
        let text =
            |name: &str| made[name].as_str().expect("the script prints four texts").to_owned();
        Self {
            certificate: text("ca.crt"),
            key: text("ca.key"),
            server_certificate: text("server.crt"),
            server_key: text("server.key"),
        }
    }
}
