//! Text that Go's YAML reader takes for a point in time.

/// `YYYY-M-D`, alone or followed by a time: `T` and a zone, or spaces and no zone. Fields but the
/// year have one or two digits, and the day must exist.
pub fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    date(&mut rest).is_some() && (rest.0.is_empty() || time(&mut rest).is_some())
}

fn date(rest: &mut Rest) -> Option<()> {
    let (year, tail) = rest.0.split_first_chunk::<4>()?;
    let year = year.iter().try_fold(0u32, |sum, digit| {
        digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0'))
    })?;
    rest.0 = tail;
    rest.skip(b"-")?;
    let month = rest.field(1, 12)?;
    rest.skip(b"-")?;
    rest.field(1, days(year, month)).map(|_| ())
}

fn time(rest: &mut Rest) -> Option<()> {
    let zoned = rest.skip(b"Tt").is_some();
    if !zoned {
        rest.skip(b" ")?;
        while rest.skip(b" ").is_some() {}
    }
    rest.field(0, 23)?;
    rest.skip(b":")?;
    rest.field(0, 59)?;
    rest.skip(b":")?;
    rest.field(0, 59)?;
    rest.fraction();
    if zoned && rest.skip(b"Z").is_none() {
        rest.skip(b"+-")?;
        // Go lets an offset of 24 hours or 60 minutes pass, and wants two digits of each.
        rest.pair(24)?;
        rest.skip(b":")?;
        rest.pair(60)?;
    }
    rest.0.is_empty().then_some(())
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn skip(&mut self, any_of: &[u8]) -> Option<()> {
        let (first, tail) = self.0.split_first()?;
        any_of.contains(first).then(|| self.0 = tail)
    }

    fn digit(&mut self) -> Option<u32> {
        let (first, tail) = self.0.split_first()?;
        first.is_ascii_digit().then(|| {
            self.0 = tail;
            u32::from(first - b'0')
        })
    }

    fn field(&mut self, least: u32, most: u32) -> Option<u32> {
        let first = self.digit()?;
        let number = self.digit().map_or(first, |second| first * 10 + second);
        (least..=most).contains(&number).then_some(number)
    }

    fn pair(&mut self, most: u32) -> Option<()> {
        let number = self.digit()? * 10 + self.digit()?;
        (number <= most).then_some(())
    }

    fn fraction(&mut self) {
        if let [b'.' | b',', b'0'..=b'9', ..] = self.0 {
            self.0 = &self.0[1..];
            while self.digit().is_some() {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(is_timestamp(text), expect, "{text:?}");
        }
    }

    #[test]
    fn dates_and_times_that_exist() {
        check(true, &["2024-01-01", "2024-1-2", "0000-02-29", "2024-02-29", "2000-2-29"]);
        check(
            true,
            &["2024-01-01T1:2:3Z", "2024-01-01t01:02:03.5+24:60", "2024-01-01T00:00:00,25-01:30"],
        );
        check(true, &["2024-01-01 1:2:3", "2024-01-01   01:02:03.123456789012"]);
    }

    #[test]
    fn what_only_looks_like_one() {
        check(
            false,
            &[
                "",
                "2024",
                "2024-",
                "2024-13-1",
                "2024-00-1",
                "2023-02-29",
                "1900-2-29",
                "2024-4-31",
            ],
        );
        check(false, &["24-01-01", "02024-01-01", "2024-001-1", "2024-01-01 ", "2024-01-01T"]);
        check(
            false,
            &[
                "2024-01-01T1:2:3",
                "2024-01-01 1:2:3Z",
                "2024-01-01T24:00:00Z",
                "2024-01-01T0:60:0Z",
            ],
        );
        check(
            false,
            &[
                "2024-01-01T0:0:0+25:00",
                "2024-01-01T0:0:0+1:00",
                "2024-01-01T0:0:0.Z",
                "2024-01-01T0:0Z",
            ],
        );
    }
}
