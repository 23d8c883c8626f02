//! `/healthz`, `/readyz` and `/metrics`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::metrics::Metrics;

#[derive(Debug, Default)]
pub struct Health {
    /// The lease is held and kept.
    pub alive: AtomicBool,
    /// Rotations are being looked at.
    pub ready: AtomicBool,
}

pub async fn serve(
    address: SocketAddr,
    health: Arc<Health>,
    metrics: Arc<Metrics>,
) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let (health, metrics) = (Arc::clone(&health), Arc::clone(&metrics));
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = answer(request.uri().path(), &health, &metrics);
            async move { Ok::<_, Infallible>(answer) }
        });
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            // Whoever asks and says nothing does not keep a connection.
            builder.timer(TokioTimer::new()).header_read_timeout(std::time::Duration::from_secs(5));
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(path: &str, health: &Health, metrics: &Metrics) -> Response<Full<Bytes>> {
    let (status, body) = match path {
        "/healthz" => (state(&health.alive), String::new()),
        "/readyz" => (state(&health.ready), String::new()),
        "/metrics" => (StatusCode::OK, metrics.text()),
        _ => (StatusCode::NOT_FOUND, String::new()),
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
}

fn state(flag: &AtomicBool) -> StatusCode {
    match flag.load(Ordering::Relaxed) {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    }
}
