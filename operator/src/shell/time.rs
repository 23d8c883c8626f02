//! Between the wall clock, RFC 3339 and the core's seconds.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::core::Time;
use crate::core::cron::date;
use crate::core::schedule::DAY;

pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

pub fn text(time: Time) -> String {
    let (year, month, day) = date(time.0.div_euclid(DAY));
    let second = time.0.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_as_people_write_it() {
        assert_eq!(text(Time(0)), "1970-01-01T00:00:00Z");
        assert_eq!(text(Time(1_794_841_261)), "2026-11-16T15:01:01Z");
    }
}
