//! Text that would be read as something other than text if it stood without quotes.
//!
//! The rules are those of the YAML 1.1 reader that kustomize writes for (go-yaml v2), which are
//! wider than YAML's own: numbers in Go's notations, any spelling of yes and no, dates.

use super::timestamp::is_timestamp;
use std::borrow::Cow;

pub fn resolves(text: &str) -> bool {
    match text.as_bytes().first() {
        None => true,
        Some(b'~') => text.len() == 1,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => is_word(text),
        Some(b'.') => is_named_float(text) || is_fraction(text),
        Some(b'0'..=b'9' | b'+' | b'-') => is_number(text) || is_timestamp(text),
        Some(_) => false,
    }
}

#[rustfmt::skip]
fn is_word(text: &str) -> bool {
    text.len() <= 5
        && matches!(
            text,
            "y" | "Y" | "yes" | "Yes" | "YES" | "n" | "N" | "no" | "No" | "NO"
                | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
                | "on" | "On" | "ON" | "off" | "Off" | "OFF"
                | "null" | "Null" | "NULL"
        )
}

fn is_named_float(text: &str) -> bool {
    matches!(text, ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF")
}

/// Behind a point Go's own rule holds for `_`: it stands between digits.
fn is_fraction(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut underscores = text.match_indices('_').map(|(at, _)| at);
    underscores.all(|at| is_digit(at - 1) && is_digit(at + 1))
        && is_decimal(&without_underscores(text))
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || is_sexagesimal(unsigned) {
        return true;
    }
    let plain = without_underscores(text);
    is_integer(&plain) || is_decimal(&plain)
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    match text.contains('_') {
        true => Cow::Owned(text.replace('_', "")),
        false => Cow::Borrowed(text),
    }
}

/// `190:20:30`, a number to the base of 60 in YAML 1.1. No reader of ours takes it for one, but
/// kustomize quotes it for those that do.
fn is_sexagesimal(unsigned: &str) -> bool {
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut parts = whole.split(':');
    let head = parts.next().unwrap_or_default();
    let is_tail = |part: &str| match part.as_bytes() {
        [digit] | [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    whole.len() > head.len()
        && head.starts_with(|first: char| first.is_ascii_digit())
        && [head, fraction].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b'_'))
        && parts.all(is_tail)
}

/// What Go's `ParseInt` and `ParseUint` accept with base 0 and 64 bits.
fn is_integer(plain: &str) -> bool {
    const MOST: u64 = i64::MAX as u64;
    let (most, digits) = match plain.as_bytes() {
        [b'-', digits @ ..] => (MOST + 1, digits),
        [b'+', digits @ ..] => (MOST, digits),
        digits => (u64::MAX, digits),
    };
    match digits {
        // Seen by a second look only, at a text that begins with `0b` and without a sign.
        [b'0', b'b', b'-', bits @ ..] if most == u64::MAX => fits(bits, 2, MOST + 1),
        [b'0', b'b', b'+', bits @ ..] if most == u64::MAX => fits(bits, 2, MOST),
        [b'0', b'b' | b'B', digits @ ..] => fits(digits, 2, most),
        [b'0', b'o' | b'O', digits @ ..] => fits(digits, 8, most),
        [b'0', b'x' | b'X', digits @ ..] => fits(digits, 16, most),
        // A leading zero means octal; what is no octal number is a decimal one, see below.
        digits => fits(digits, 10, most),
    }
}

fn fits(digits: &[u8], base: u32, most: u64) -> bool {
    let number = digits.iter().try_fold(0u64, |sum, digit| {
        let digit = char::from(*digit).to_digit(base)?;
        sum.checked_mul(u64::from(base))?.checked_add(u64::from(digit))
    });
    !digits.is_empty() && number.is_some_and(|number| number <= most)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, unless it is beyond a float's range.
/// This includes every row of decimal digits, however long.
fn is_decimal(plain: &str) -> bool {
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(plain);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_exponent = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && is_digits(digits)
    };
    !(whole.is_empty() && fraction.is_empty())
        && is_digits(whole)
        && is_digits(fraction)
        && exponent.is_none_or(is_exponent)
        && plain.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(resolves(text), expect, "{text:?}");
        }
    }

    #[test]
    fn words() {
        check(
            true,
            &["", "~", "null", "Null", "NULL", "y", "N", "yes", "No", "ON", "off", "True", "FALSE"],
        );
        check(false, &["nULL", "yEs", "oN", "tRUE", "~~", "yess", "<<", "none", "nil", "t", "f"]);
    }

    #[test]
    fn integers() {
        check(
            true,
            &[
                "0", "-0", "+1", "007", "08", "0o17", "0O17", "0x1F", "0XfF", "0b11", "0B1",
                "1_000", "1_", "+_1",
            ],
        );
        check(
            true,
            &[
                "0b-1",
                "0b+1",
                "-0b1",
                "+0x1",
                "18446744073709551615",
                "0xFFFFFFFFFFFFFFFF",
                "-0x8000000000000000",
            ],
        );
        check(true, &["99999999999999999999999", "-99999999999999999999999"]);
        check(
            false,
            &[
                "-",
                "+",
                "0x",
                "0b",
                "0b2",
                "0o8",
                "0xG",
                "0x+1",
                "-0b-1",
                "0B-1",
                "0x10000000000000000",
                "+0xFFFFFFFFFFFFFFFF",
            ],
        );
        check(false, &["1a", "3Gi", "500m", "10.0.0.0/8", "_1", "--1", "1-2", "-_"]);
    }

    #[test]
    fn floats() {
        check(
            true,
            &[
                "1.", "1.5", ".5", "-.5", "+1e3", "1E-3", "1.e5", ".5e3", "1_0.5_0", "08.5",
                "1e-999", ".5_0", ".5_0e1_0",
            ],
        );
        check(true, &[".nan", ".NAN", ".Inf", "-.inf", "+.INF"]);
        check(
            false,
            &[
                ".", "1e", "e5", "1e+", ".e5", "1.2.3", "1e400", ".5e400", "._5", ".5_", ".5__0",
                ".5_e1", "-.nan", ".iNF", "nan", "inf", "0x1p4",
            ],
        );
    }

    #[test]
    fn base_sixty() {
        check(true, &["1:00", "190:20:30", "-1_0:59", "12:30.5_", "0:0", "22:22:22."]);
        check(false, &["1:60", "1:", ":1", "1:2:", "1:000", "a:1", "12:30.a", "1:2x", "1:2.3.4"]);
    }

    #[test]
    fn points_in_time() {
        check(true, &["2024-01-01", "2024-01-01T00:00:00Z"]);
        check(false, &["2024-13-01", "2024.01.01-1"]);
    }
}
