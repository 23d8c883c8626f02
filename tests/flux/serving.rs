//! Archives on loopback, as a source of Flux serves them.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone)]
pub struct Archives {
    url: String,
    files: Arc<Mutex<HashMap<String, Vec<u8>>>>,
}

impl Archives {
    pub fn serve() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        let url = format!("http://{}", listener.local_addr().unwrap());
        let files: Arc<Mutex<HashMap<String, Vec<u8>>>> = Arc::default();
        let served = Arc::clone(&files);
        // Ends with the test program.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut request = [0; 2048];
                let length = stream.read(&mut request).unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..length]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let file = served.lock().unwrap().get(&path).cloned();
                let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
                let body = file.unwrap_or_default();
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Archives { url, files }
    }

    /// Puts an archive under a path, and gives its address.
    pub fn put(&self, path: &str, bytes: Vec<u8>) -> String {
        let path = format!("/{path}");
        let url = format!("{}{path}", self.url);
        self.files.lock().unwrap().insert(path, bytes);
        url
    }
}
