//! Which day it is, for what ends on a day. The library never asks: what is rendered depends on no clock.

use std::time::{Duration, SystemTime};

/// Today in UTC, or the day of `SOURCE_DATE_EPOCH`, by which builds are repeated.
pub fn today() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let since = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    day(given.map_or_else(since, Duration::from_secs))
}

fn day(since_1970: Duration) -> String {
    // Years begin in March here, so that the day that some years have more is their last, and eras of 400 years
    // are all 146,097 days long. 719,468 days lie between March of the year 0 and 1970.
    let days = since_1970.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months are 153 days in five from March on.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::day;

    fn check(seconds: u64, expect: &str) {
        assert_eq!(day(Duration::from_secs(seconds)), expect);
    }

    #[test]
    fn seconds_are_days() {
        check(0, "1970-01-01");
        check(951_782_399, "2000-02-28");
        check(951_782_400, "2000-02-29");
        check(951_868_800, "2000-03-01");
        check(1_798_761_599, "2026-12-31");
        check(1_798_761_600, "2027-01-01");
        check(4_107_542_400, "2100-03-01");
    }
}
