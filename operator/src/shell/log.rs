//! What may be said in the log: one JSON object per line, on standard error.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// It prints an answer whole if it cannot read it, and answers have Secrets in them.
const QUOTES_ANSWERS: &str = "kube_client::client";

pub fn begin() {
    let asked = EnvFilter::try_from_default_env();
    let asked = asked.unwrap_or_else(|_| EnvFilter::new("info,kube=warn"));
    let lines = tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr);
    // Beside what is asked for and not among it, so that no RUST_LOG brings it back.
    let no_answers = filter_fn(|metadata| metadata.target() != QUOTES_ANSWERS);
    tracing_subscriber::registry().with(asked).with(no_answers).with(lines).init();
}
