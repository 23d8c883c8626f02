//! Days, as ISO 8601 writes them: the one that a person names, and today. The library never asks which it is: what
//! is rendered depends on no clock.

use k8s_openapi::jiff::Timestamp;
use k8s_openapi::jiff::civil::Date;
use k8s_openapi::jiff::tz::TimeZone;

/// For `--as-of`.
pub fn named(text: &str) -> Result<String, String> {
    let day = text.parse::<Date>().map(|day| day.to_string());
    day.ok().filter(|day| day == text).ok_or_else(|| "write the day as 2026-11-16".to_owned())
}

/// In UTC, or the day of `SOURCE_DATE_EPOCH`, by which builds are repeated.
pub fn today() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let given = given.and_then(|seconds| Timestamp::from_second(seconds).ok());
    given.unwrap_or_else(Timestamp::now).to_zoned(TimeZone::UTC).date().to_string()
}
