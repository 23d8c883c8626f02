//! Five fields as cron has them: minute, hour, day of month, month, day of week; in UTC. The generator
//! reads schedules with it, too: what it lets pass, the operator can follow.

use std::str::FromStr;

use super::schedule::DAY;
use super::seen::Time;

/// A bit per value that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cron {
    pub minutes: u64,
    pub hours: u64,
    pub days: u64,
    pub months: u64,
    pub weekdays: u64,
    /// As in cron: when both are restricted, one of them is enough.
    pub either_day: bool,
}

struct Field {
    name: &'static str,
    low: u32,
    high: u32,
    /// Words for the numbers from `low` on.
    words: &'static [&'static str],
}

const fn field(name: &'static str, low: u32, high: u32) -> Field {
    Field { name, low, high, words: &[] }
}

const MONTHS: &[&str] =
    &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// What a field may be, in the order of the fields.
const FIELDS: [Field; 5] = [
    field("minute", 0, 59),
    field("hour", 0, 23),
    field("day", 1, 31),
    Field { name: "month", low: 1, high: 12, words: MONTHS },
    Field { name: "weekday", low: 0, high: 7, words: WEEKDAYS },
];

/// Words that stand for all five fields.
const WORDS: &[(&str, &str)] = &[
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
];

/// Leap years come back after 28 years, but for the turn of most centuries.
const HORIZON_DAYS: i64 = 40 * 366;

impl FromStr for Cron {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = WORDS.iter().find(|(word, _)| *word == text);
        let text = word.map_or(text, |(_, fields)| *fields);
        let fields: Vec<&str> = text.split(' ').collect();
        let [_, _, day, _, weekday] = fields[..] else {
            return Err(format!("a schedule has five fields, this one has {}", fields.len()));
        };
        let mut sets = [0_u64; 5];
        for ((set, text), field) in sets.iter_mut().zip(&fields).zip(&FIELDS) {
            *set = field.parse(text)?;
        }
        let [minutes, hours, days, months, weekdays] = sets;
        // Sunday is 0 and 7.
        let weekdays = (weekdays | weekdays >> 7) & 0x7f;
        let either_day = !day.starts_with('*') && !weekday.starts_with('*');
        Ok(Self { minutes, hours, days, months, weekdays, either_day })
    }
}

impl Field {
    /// `*`, `5`, `1-5`, `mon-fri`, each with `/step`, and lists of these.
    fn parse(&self, text: &str) -> Result<u64, String> {
        let Self { name, low, high, words } = self;
        let mut set = 0;
        for part in text.split(',') {
            let wrong = || format!("{part} is no {name}: it goes from {low} to {high}");
            let number = |text: &str| {
                let word = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                let number = match word {
                    Some(place) => u32::try_from(place).ok().map(|place| place + low),
                    None => text.parse().ok(),
                };
                number.filter(|number| (*low..=*high).contains(number)).ok_or_else(wrong)
            };
            let (range, step) = part.split_once('/').unwrap_or((part, "1"));
            let step = step.parse().ok().filter(|step| *step > 0).ok_or_else(wrong)?;
            let (from, to) = match range.split_once('-') {
                _ if range == "*" => (*low, *high),
                Some((from, to)) => (number(from)?, number(to)?),
                // `5/10` goes on to the end of the field.
                None if part.contains('/') => (number(range)?, *high),
                None => (number(range)?, number(range)?),
            };
            if from > to {
                return Err(wrong());
            }
            (from..=to).step_by(step).for_each(|value| set |= 1 << value);
        }
        Ok(set)
    }
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
        assert_eq!(next("0 0 * * Tue-fri", monday), next("@daily", monday));
        assert_eq!(next("0 0 1 jan *", monday), next("@yearly", monday));
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
            "jan * * * *",
            "@never",
        ] {
            assert!(text.parse::<Cron>().is_err(), "{text}");
        }
    }
}
