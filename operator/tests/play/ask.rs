//! What the operator serves to those who ask how it is.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// An address of this machine that nobody listens on.
pub fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    free.unwrap().to_string()
}

/// The status and all of the answer; nothing while nobody listens.
pub fn ask(address: &str, path: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split_whitespace().nth(1)?.parse().ok()?;
    Some((status, answer))
}
