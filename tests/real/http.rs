//! As much HTTP as talking to `kubectl proxy` and to Keystone takes. Through the proxy one request
//! costs a few milliseconds, where one run of kubectl costs a few hundred, and each object gets its own
//! answer.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::Value;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub fn message(&self) -> String {
        match &self.json()["message"] {
            Value::String(message) => message.clone(),
            _ => String::from_utf8_lossy(&self.body).into_owned(),
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(':'));
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// Asks `kubectl proxy`.
pub fn request(
    socket: &Path,
    method: &str,
    path: &str,
    content: &str,
    body: &str,
) -> std::io::Result<Answer> {
    exchange(UnixStream::connect(socket)?, method, path, &[("Content-Type", content)], body)
}

/// Version 1.0, in which the server ends its answer by closing: nothing has to be put together again.
pub fn exchange(
    mut stream: impl Read + Write,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> std::io::Result<Answer> {
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let broken = || std::io::Error::other("the answer is not HTTP");
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").ok_or_else(broken)?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or_else(broken)?;
    Ok(Answer { status, head, body: bytes.split_off(end + 4) })
}
