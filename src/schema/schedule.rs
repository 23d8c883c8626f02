//! How often a cron schedule comes round. Only how close its times can lie is asked, never when the
//! next one is: a render knows no clock.

const DAY: u32 = 24 * 60;

/// After 28 years the weekdays fall on the same dates again, leap years included (1901 to 2099).
const YEARS: u32 = 28;
const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTH_NAMES: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_NAMES: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// A schedule as sets of numbers, one bit each.
#[derive(Debug, PartialEq)]
pub struct Schedule {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Cron takes a day that fits either field, unless one of them is `*`.
    either: bool,
}

impl Schedule {
    /// Five fields, or one of the words that stand for them; none if it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        let text = match text {
            "@hourly" => "0 * * * *",
            "@daily" => "0 0 * * *",
            "@weekly" => "0 0 * * 0",
            "@monthly" => "0 0 1 * *",
            "@yearly" => "0 0 1 1 *",
            fields => fields,
        };
        let fields: Vec<&str> = text.split(' ').collect();
        let [minutes, hours, days, months, weekdays] = fields.as_slice() else { return None };
        let sundays = field(weekdays, 0, 7, &DAY_NAMES)?;
        Some(Schedule {
            minutes: field(minutes, 0, 59, &[])?,
            hours: field(hours, 0, 23, &[])?,
            days: field(days, 1, 31, &[])?,
            months: field(months, 1, 12, &MONTH_NAMES)?,
            // Sunday is 0 and 7.
            weekdays: (sundays | sundays >> 7) & 0x7f,
            either: !days.starts_with('*') && !weekdays.starts_with('*'),
        })
    }

    /// The most times that lie in any span of so many minutes which begins with one of them.
    pub fn most_within(&self, minutes: u32) -> u32 {
        let times: Vec<u32> = (0..DAY)
            .filter(|minute| has(self.hours, minute / 60) && has(self.minutes, minute % 60))
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
        let mut days = Vec::new();
        let mut weekday = 0;
        for year in 0..YEARS {
            for (month, &length) in (1..).zip(&MONTHS) {
                let leap = u32::from(month == 2 && year % 4 == 0);
                for day in 1..=length + leap {
                    days.push(has(self.months, month) && self.takes(day, weekday));
                    weekday = (weekday + 1) % 7;
                }
            }
        }
        days
    }

    fn takes(&self, day: u32, weekday: u32) -> bool {
        let (by_date, by_weekday) = (has(self.days, day), has(self.weekdays, weekday));
        if self.either { by_date || by_weekday } else { by_date && by_weekday }
    }
}

fn has(set: u64, number: u32) -> bool {
    set >> number & 1 == 1
}

/// `*`, `5`, `1-5`, `mon-fri`, each with `/step`, and lists of these.
fn field(text: &str, least: u32, most: u32, names: &[&str]) -> Option<u64> {
    let number = |text: &str| {
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let number = match named {
            Some(index) => u32::try_from(index).ok()? + least,
            None => text.parse().ok()?,
        };
        (least..=most).contains(&number).then_some(number)
    };
    let mut set = 0;
    for part in text.split(',') {
        let (range, step) = part.split_once('/').map_or((part, None), |(r, s)| (r, Some(s)));
        let step: usize =
            step.map_or(Some(1), |step| step.parse().ok().filter(|&step| step > 0))?;
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (least, most),
            Some((first, last)) => (number(first)?, number(last)?),
            // `5/10` goes on to the end of the field.
            None if part.contains('/') => (number(range)?, most),
            None => (number(range)?, number(range)?),
        };
        set |= (first..=last).step_by(step).fold(0, |set, number| set | 1 << number);
    }
    (set != 0).then_some(set)
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
            // A day that no month has.
            ("0 0 31 2 *", 0),
        ] {
            assert_eq!(most(schedule), Some(expected), "{schedule}");
        }
    }

    #[test]
    fn what_is_no_schedule_is_none() {
        for text in ["", "0 0 * *", "60 * * * *", "0 0 0 * *", "* * * * 8", "@never", "5-1 * * * *"]
        {
            assert_eq!(Schedule::parse(text), None, "{text}");
        }
    }
}
