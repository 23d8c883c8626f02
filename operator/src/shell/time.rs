//! Between the wall clock, RFC 3339 and the core's seconds.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use k8s_openapi::jiff::Timestamp;

use crate::core::Time;
use crate::core::cron::date;
use crate::core::schedule::DAY;

/// A file with seconds by which the wall clock is put forward. Tokens live for hours and keys for days,
/// and tests on real servers cannot wait for them; nobody else names one.
static PUT_FORWARD: OnceLock<PathBuf> = OnceLock::new();

/// Only the first file that is named counts.
pub fn put_forward_by(file: PathBuf) {
    let _ = PUT_FORWARD.set(file);
}

pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_secs()).unwrap_or(i64::MAX)).plus(put_forward())
}

fn put_forward() -> i64 {
    let text = PUT_FORWARD.get().and_then(|file| fs::read_to_string(file).ok());
    text.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

pub fn text(time: Time) -> String {
    let (year, month, day) = date(time.0.div_euclid(DAY));
    let second = time.0.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// As Kubernetes and `text` write it.
pub fn parse(text: &str) -> Option<Time> {
    text.parse::<Timestamp>().ok().map(|time| Time(time.as_second()))
}

/// How long, as kubectl has it in its tables.
pub fn short(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / DAY);
    match seconds {
        0..120 => format!("{seconds}s"),
        120..10_800 => format!("{minutes}m"),
        10_800..172_800 => format!("{hours}h"),
        _ => format!("{days}d"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_is_told_by_its_largest_part() {
        let told = [-1, 119, 120, 10_799, 10_800, 172_799, 172_800].map(short);
        assert_eq!(told, ["0s", "119s", "2m", "179m", "3h", "47h", "2d"]);
    }

    #[test]
    fn a_time_reads_as_people_write_it() {
        assert_eq!(text(Time(0)), "1970-01-01T00:00:00Z");
        assert_eq!(text(Time(1_794_841_261)), "2026-11-16T15:01:01Z");
        assert_eq!(parse("2026-11-16T15:01:01Z"), Some(Time(1_794_841_261)));
        assert_eq!(parse("tomorrow"), None);
    }
}
