//! How often a cron schedule comes round. Only how close its times can lie is asked, never when the
//! next one is: a render knows no clock.

use strata_rotation::Time;
use strata_rotation::cron::Cron;

const DAY: u32 = 24 * 60;

/// After 28 years the weekdays fall on the same dates again, leap years included (1901 to 2099).
const YEARS: u32 = 28;
const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A schedule as the companion operator reads it.
#[derive(Debug, PartialEq)]
pub struct Schedule(Cron);

impl Schedule {
    /// Five fields, or one of the words that stand for them; none if it is neither, or if no year has such a day.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|cron: &Cron| cron.after(Time(0)).is_some()).map(Self)
    }

    /// The most times that lie in any span of so many minutes which begins with one of them.
    pub fn most_within(&self, minutes: u32) -> u32 {
        let times: Vec<u32> = (0..DAY)
            .filter(|minute| has(self.0.hours, minute / 60) && has(self.0.minutes, minute % 60))
            .collect();
        let days = self.calendar();
        // Which of the following days have times: the same few patterns come again and again.
        let reach = minutes.div_ceil(DAY).min(63) as usize;
        let mut patterns: Vec<u64> = (0..days.len())
            .filter(|&day| days[day])
            .map(|day| {
                let ahead = (0..=reach).filter(|&step| days[(day + step) % days.len()]);
                ahead.fold(0, |bits, step| bits | 1 << step)
            })
            .collect();
        patterns.sort_unstable();
        patterns.dedup();
        let count = |pattern: u64, start: u32| {
            let within = |day: u32| {
                let begin = if day == 0 { start } else { 0 };
                let end = (start + minutes).saturating_sub(day * DAY);
                times.iter().filter(|&&time| time >= begin && time < end).count()
            };
            (0..64).filter(|&day| has(pattern, day)).map(within).sum::<usize>()
        };
        let starts =
            patterns.iter().flat_map(|&pattern| times.iter().map(move |&at| (pattern, at)));
        let most = starts.map(|(pattern, start)| count(pattern, start)).max();
        u32::try_from(most.unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// On which days it comes round, for all weekdays and dates that fall together.
    fn calendar(&self) -> Vec<bool> {
        let every_date =
            self.0.days == 0xffff_fffe && self.0.months == 0x1ffe && !self.0.either_day;
        if every_date {
            return (0..7).map(|weekday| has(self.0.weekdays, weekday)).collect();
        }
        let mut days = Vec::new();
        let mut weekday = 0;
        for year in 0..YEARS {
            for (month, &length) in (1..).zip(&MONTHS) {
                let leap = u32::from(month == 2 && year % 4 == 0);
                for day in 1..=length + leap {
                    days.push(has(self.0.months, month) && self.takes(day, weekday));
                    weekday = (weekday + 1) % 7;
                }
            }
        }
        days
    }

    fn takes(&self, day: u32, weekday: u32) -> bool {
        let (by_date, by_weekday) = (has(self.0.days, day), has(self.0.weekdays, weekday));
        if self.0.either_day { by_date || by_weekday } else { by_date && by_weekday }
    }
}

fn has(set: u64, number: u32) -> bool {
    set >> number & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    /// As long as a key is needed that no longer signs.
    const TWO_DAYS_AND_AN_HOUR: u32 = 49 * 60;

    fn most(text: &str) -> Option<u32> {
        Some(Schedule::parse(text)?.most_within(TWO_DAYS_AND_AN_HOUR))
    }

    #[test]
    fn the_most_times_within_two_days_and_an_hour() {
        for (schedule, expected) in [
            ("0 0 * * 0", 1),
            ("@weekly", 1),
            ("0 0 * * *", 3),
            ("0 0 * * mon-fri", 3),
            ("0 0 * * mon,wed,fri", 2),
            ("0 0 */3 * *", 2),
            ("0 */12 * * *", 5),
            ("@hourly", 49),
            ("* * * * *", 49 * 60),
            ("0 0 1 * *", 1),
            // The last day of a month and the first of the next.
            ("0 0 1,31 * *", 2),
            // Either of the two days, which may be neighbours.
            ("0 0 13 * 5", 2),
            ("0 0 29 2 *", 1),
            ("0 0 * * 7", 1),
            ("0 12 * * 6-7", 2),
        ] {
            assert_eq!(most(schedule), Some(expected), "{schedule}");
        }
    }

    #[test]
    fn what_is_no_schedule_is_none() {
        // The last is a day that no month has.
        for text in [
            "",
            "0 0 * *",
            "60 * * * *",
            "0 0 0 * *",
            "* * * * 8",
            "@never",
            "5-1 * * * *",
            "0 0 31 2 *",
        ] {
            assert_eq!(Schedule::parse(text), None, "{text}");
        }
    }
}
