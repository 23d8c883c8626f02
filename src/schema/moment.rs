//! Moments as RFC 3339 writes them, which is how Kubernetes does: `2026-05-01T00:00:00Z`.

pub fn is_moment(text: &str) -> bool {
    let Some((day, time)) = text.split_once('T') else { return false };
    is_day(day)
        && time.find(['Z', '+', '-']).is_some_and(|zone| {
            let (clock, zone) = time.split_at(zone);
            is_clock(clock) && is_zone(zone)
        })
}

fn is_day(day: &str) -> bool {
    let Some([year, month, day]) = numbers(day, '-', [4, 2, 2]) else { return false };
    let leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leaps),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_clock(clock: &str) -> bool {
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let numbers = numbers(clock, ':', [2, 2, 2]);
    is_fraction
        && numbers.is_some_and(|[hour, minute, second]| hour < 24 && minute < 60 && second < 60)
}

fn is_zone(zone: &str) -> bool {
    let numbers = || numbers(zone.get(1..)?, ':', [2, 2]);
    zone == "Z" || numbers().is_some_and(|[hour, minute]| hour < 24 && minute < 60)
}

/// So many numbers with a mark between them, of so many digits each.
fn numbers<const N: usize>(text: &str, mark: char, digits: [usize; N]) -> Option<[u32; N]> {
    let mut parts = text.split(mark);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits)?;
        *number = part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(numbers)
}
