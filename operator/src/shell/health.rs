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
use super::missed::Missed;

#[derive(Debug, Default)]
pub struct Health {
    /// Rights without which a part of the work is not done, and that no object can tell.
    pub missed: Arc<Missed>,
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

    /// Why it is not ready, a line each.
    fn unready(&self) -> Vec<String> {
        let mut reasons = self.missed.untold();
        if !(self.answered.load(Ordering::Relaxed) && self.is_alive()) {
            reasons.push("the API server does not say who leads".to_owned());
        }
        reasons
    }
}

pub async fn serve(
    address: SocketAddr,
    health: Arc<Health>,
    metrics: Arc<Metrics>,
) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many connections, say: that passes, and the work goes on meanwhile.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
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
        "/readyz" => {
            let reasons = health.unready();
            (state(reasons.is_empty()), reasons.join("\n"))
        }
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
    use crate::shell::missed::Teller;
    use crate::shell::outcome::Trouble;

    #[test]
    fn it_is_well_while_the_lease_is_asked_for() {
        let health = Health::default();
        let is_ready = || health.unready().is_empty();
        assert!(health.is_alive() && !is_ready());
        health.beat(false);
        assert!(health.is_alive() && !is_ready());
        health.beat(true);
        assert!(is_ready());
        let long_ago = Instant::now().checked_sub(2 * SILENCE);
        *health.beat.lock().unwrap_or_else(PoisonError::into_inner) = long_ago;
        assert!(!health.is_alive() && !is_ready());
    }

    #[test]
    fn who_misses_a_right_that_nobody_else_tells_is_not_ready() {
        let health = Health::default();
        health.beat(true);
        let denied = Trouble::Denied("list credentialrotations".to_owned());
        health.missed.note("openstack", Teller::Readiness, &denied);
        assert_eq!(health.unready(), ["not allowed: list credentialrotations in openstack"]);
        assert!(health.is_alive(), "a restart would give it no right");
    }
}
