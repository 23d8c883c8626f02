//! Floats as kustomize writes them: it turns them into JSON and back on the way.

use std::fmt::Write;

/// Whole numbers of 64 bits lose their fraction in the JSON between and come out as integers. The
/// others are Go's shortest `%g`, which takes an exponent below 1e-4 and from 1e6 (the precision
/// it assumes when asked for the shortest form).
pub fn push_float(out: &mut String, number: f64) {
    if number.is_nan() {
        return out.push_str(".nan");
    }
    if number.is_infinite() {
        return out.push_str(if number < 0.0 { "-.inf" } else { ".inf" });
    }
    let decimal = number.to_string();
    if let Ok(integer) = decimal.parse::<i64>() {
        // Not the decimal itself: a negative zero loses its sign.
        let _ = write!(out, "{integer}");
    } else if decimal.parse::<u64>().is_ok() || (1e-4..1e6).contains(&number.abs()) {
        out.push_str(&decimal);
    } else {
        let shortest = format!("{number:e}");
        let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let _ =
            write!(out, "{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
}

/// How many digits it takes to tell the number from its neighbours.
pub fn significant_digits(number: f64) -> usize {
    let shortest = format!("{number:e}");
    shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: f64, expect: &str) {
        let mut out = String::new();
        push_float(&mut out, number);
        assert_eq!(out, expect);
    }

    #[test]
    fn whole_numbers_are_integers() {
        check(0.0, "0");
        check(-0.0, "0");
        check(1.0, "1");
        check(-1e6, "-1000000");
        check(1e18, "1000000000000000000");
        check(1e19, "10000000000000000000");
        check(-1e19, "-1e+19");
        check(1e20, "1e+20");
    }

    #[test]
    fn others_take_an_exponent_outside_of_six_digits() {
        check(0.5, "0.5");
        check(-0.0001, "-0.0001");
        check(0.00001, "1e-05");
        check(1.5e-7, "1.5e-07");
        check(999999.5, "999999.5");
        check(1234567.5, "1.2345675e+06");
        check(1e-100, "1e-100");
        check(f64::INFINITY, ".inf");
        check(f64::NEG_INFINITY, "-.inf");
        check(f64::NAN, ".nan");
    }

    #[test]
    fn digits_are_counted_without_zeros_around() {
        assert_eq!(significant_digits(0.1), 1);
        assert_eq!(significant_digits(1200.0), 2);
        assert_eq!(significant_digits(0.1 + 0.2), 17);
    }
}
