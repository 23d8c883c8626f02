//! Five fields as cron has them: minute, hour, day of month, month, day of week; in UTC.

use std::str::FromStr;

use super::schedule::DAY;
use super::seen::Time;

/// A bit per value that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cron {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// As in cron: when both are restricted, one of them is enough.
    either_day: bool,
}

/// What a field may be, in the order of the fields.
const RANGES: [(&str, u32, u32); 5] =
    [("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7)];

/// Leap years come back after 28 years, but for the turn of most centuries.
const HORIZON_DAYS: i64 = 40 * 366;

impl FromStr for Cron {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields[..] else {
            return Err(format!("a schedule has five fields, this one has {}", fields.len()));
        };
        let mut sets = [0_u64; 5];
        for (set, (field, range)) in
            sets.iter_mut().zip([minute, hour, day, month, weekday].into_iter().zip(RANGES))
        {
            *set = parse(field, range)?;
        }
        let [minutes, hours, days, months, weekdays] = sets;
        // Sunday is 0 and 7.
        let weekdays = (weekdays | weekdays >> 7) & 0x7f;
        let either_day = !day.starts_with('*') && !weekday.starts_with('*');
        Ok(Self { minutes, hours, days, months, weekdays, either_day })
    }
}

fn parse(field: &str, (name, low, high): (&str, u32, u32)) -> Result<u64, String> {
    let wrong = |part: &str| format!("{part} is no {name}: it goes from {low} to {high}");
    let mut set = 0;
    for part in field.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, step.parse::<u32>().map_err(|_| wrong(part))?),
            None => (part, 1),
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong(part));
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (number(from)?, number(to)?),
            None if part.contains('/') => (number(range)?, high),
            None => (number(range)?, number(range)?),
        };
        if step == 0 || from < low || to > high || from > to {
            return Err(wrong(part));
        }
        (from..=to).step_by(step as usize).for_each(|value| set |= 1 << value);
    }
    Ok(set)
}

impl Cron {
    /// The first minute after this time that fits.
    pub fn after(&self, last: Time) -> Option<Time> {
        let start = (last.0.div_euclid(60) + 1) * 60;
        let first_day = start.div_euclid(DAY);
        for day in first_day..first_day + HORIZON_DAYS {
            if !self.fits_day(day) {
                continue;
            }
            let from = if day == first_day { start.rem_euclid(DAY) / 60 } else { 0 };
            let minute = (from..1440).find(|minute| {
                self.hours >> (minute / 60) & 1 == 1 && self.minutes >> (minute % 60) & 1 == 1
            });
            if let Some(minute) = minute {
                return Some(Time(day * DAY + minute * 60));
            }
        }
        None
    }

    fn fits_day(&self, day: i64) -> bool {
        let (_, month, day_of_month) = date(day);
        // 1970-01-01 was a Thursday.
        let weekday = (day + 4).rem_euclid(7);
        let by_day = self.days >> day_of_month & 1 == 1;
        let by_weekday = self.weekdays >> weekday & 1 == 1;
        let fits = if self.either_day { by_day || by_weekday } else { by_day && by_weekday };
        self.months >> month & 1 == 1 && fits
    }
}

/// Year, month and day of a day since 1970, by the Gregorian calendar: eras of 400 years that start in
/// March, so that the leap day is the last of its year.
pub fn date(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day_of_month)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn next(cron: &str, last: i64) -> i64 {
        cron.parse::<Cron>().unwrap().after(Time(last)).unwrap().0
    }

    #[test]
    fn the_next_time_is_found() {
        // 2026-11-16 15:00:00 UTC, a Monday.
        let monday = 1_794_841_200;
        assert_eq!(date(monday / DAY), (2026, 11, 16));
        assert_eq!(next("* * * * *", monday), monday + 60);
        assert_eq!(next("30 3 * * *", monday), monday + 12 * 3600 + 1800);
        assert_eq!(next("0 15 * * 1", monday), monday + 7 * DAY);
        assert_eq!(next("0 0 1 * *", monday), monday + 15 * DAY - 15 * 3600);
        assert_eq!(date(next("0 0 29 2 *", monday) / DAY), (2028, 2, 29));
        // Sunday by its other number, and either of two restricted days.
        assert_eq!(next("0 0 1 * 7", monday), next("0 0 * * 0", monday));
    }

    #[test]
    fn a_day_that_never_comes_has_no_time() {
        assert_eq!("0 0 30 2 *".parse::<Cron>().unwrap().after(Time(0)), None);
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in [
            "",
            "* * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "*/0 * * * *",
            "5-1 * * * *",
            "x * * * *",
        ] {
            assert!(text.parse::<Cron>().is_err(), "{text}");
        }
    }
}
