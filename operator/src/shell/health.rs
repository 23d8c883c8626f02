//! `/healthz`, `/readyz` and `/metrics`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    /// When the lease was last asked for. The process may live while that hangs.
    beat: Mutex<Option<Instant>>,
    /// The server has said who leads; one of several does, and the others are as well as they can be.
    answered: AtomicBool,
}

/// Several times as long as asking for the lease may take.
const SILENCE: Duration = Duration::from_secs(60);

impl Health {
    pub fn beat(&self, answered: bool) {
        *self.beat.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.answered.fetch_or(answered, Ordering::Relaxed);
    }

    /// Before the first beat it is starting.
    fn is_alive(&self) -> bool {
        let beat = *self.beat.lock().unwrap_or_else(PoisonError::into_inner);
        beat.is_none_or(|beat| beat.elapsed() < SILENCE)
    }

    fn is_ready(&self) -> bool {
        self.answered.load(Ordering::Relaxed) && self.is_alive()
    }
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
            builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(5));
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(path: &str, health: &Health, metrics: &Metrics) -> Response<Full<Bytes>> {
    let (status, body) = match path {
        "/healthz" => (state(health.is_alive()), String::new()),
        "/readyz" => (state(health.is_ready()), String::new()),
        "/metrics" => (StatusCode::OK, metrics.text()),
        _ => (StatusCode::NOT_FOUND, String::new()),
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
}

fn state(well: bool) -> StatusCode {
    match well {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_well_while_the_lease_is_asked_for() {
        let health = Health::default();
        assert!(health.is_alive() && !health.is_ready());
        health.beat(false);
        assert!(health.is_alive() && !health.is_ready());
        health.beat(true);
        assert!(health.is_ready());
        let long_ago = Instant::now().checked_sub(2 * SILENCE);
        *health.beat.lock().unwrap_or_else(PoisonError::into_inner) = long_ago;
        assert!(!health.is_alive() && !health.is_ready());
    }
}
