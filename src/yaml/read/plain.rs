//! What a plain scalar means: exactly what it means to kubectl, which is YAML 1.1 as go-yaml 2
//! understands it. `no` is a boolean and `012` is ten, because that is what a cluster would see.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plain {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text,
    /// An integer beyond 63 bits: Go would round it to a float, without a word.
    TooBig,
    /// `.inf` and `.nan`: JSON, and with it every Kubernetes API, has no such number.
    NotFinite,
}

pub fn resolve(text: &str) -> Plain {
    match text.as_bytes().first() {
        None => Plain::Null,
        Some(b'~' | b'n' | b'N' | b'y' | b'Y' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => {
            word(text)
        }
        Some(b'.') => fraction(text),
        Some(b'0'..=b'9' | b'+' | b'-') => number(text),
        Some(_) => Plain::Text,
    }
}

fn word(text: &str) -> Plain {
    match text {
        "~" | "null" | "Null" | "NULL" => Plain::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Plain::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Plain::Bool(false)
        }
        _ => Plain::Text,
    }
}

fn number(text: &str) -> Plain {
    let digits = without_underscores(text);
    special_float(text)
        .or_else(|| integer(&digits))
        .or_else(|| float(&digits))
        .or_else(|| signed_after_prefix(&digits))
        .unwrap_or(Plain::Text)
}

/// Here Go's own rule holds instead of YAML's: an underscore stands between two digits.
fn fraction(text: &str) -> Plain {
    let bytes = text.as_bytes();
    let between_digits = |index: usize| {
        let digit_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        digit_at(index.wrapping_sub(1)) && digit_at(index + 1)
    };
    let digits = without_underscores(text);
    let separated = text.match_indices('_').all(|(index, _)| between_digits(index));
    special_float(text)
        .or_else(|| if separated { float(&digits) } else { None })
        .unwrap_or(Plain::Text)
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

fn special_float(text: &str) -> Option<Plain> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let special =
        matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN");
    special.then_some(Plain::NotFinite)
}

fn integer(text: &str) -> Option<Plain> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (radix, digits) = match unsigned.get(..2) {
        Some("0x" | "0X") => (16, unsigned.get(2..)?),
        Some("0o" | "0O") => (8, unsigned.get(2..)?),
        Some("0b" | "0B") => (2, unsigned.get(2..)?),
        // The octal of C; `08` is none, and becomes a float below.
        Some(start) if start.starts_with('0') => (8, unsigned.get(1..)?),
        _ => (10, unsigned),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| char::from(digit).is_digit(radix)) {
        return None;
    }
    let prefixed = unsigned.len() - digits.len() == 2;
    let number = match u64::from_str_radix(digits, radix) {
        Ok(magnitude) if negative => 0i64.checked_sub_unsigned(magnitude),
        Ok(magnitude) => i64::try_from(magnitude).ok(),
        // Go finds no number of 64 bits here, and no float that starts with `0x`: text.
        Err(_) if prefixed => return None,
        Err(_) => None,
    };
    match number {
        Some(number) => Some(Plain::Int(number)),
        None if prefixed && negative => None,
        None => Some(Plain::TooBig),
    }
}

/// go-yaml also takes the sign after `0b`.
fn signed_after_prefix(text: &str) -> Option<Plain> {
    let signed = text.strip_prefix("0b")?;
    let digits = signed.strip_prefix(['+', '-'])?;
    if !digits.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return None;
    }
    i64::from_str_radix(signed, 2).ok().map(Plain::Int)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it is finite: `1e400` is text.
fn float(text: &str) -> Option<Plain> {
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = split_digits(rest);
    let rest = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = split_digits(rest);
            if whole.is_empty() && fraction.is_empty() {
                return None;
            }
            rest
        }
        None if whole.is_empty() => return None,
        None => rest,
    };
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let (digits, rest) = split_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
        if digits.is_empty() || !rest.is_empty() {
            return None;
        }
    } else if !rest.is_empty() {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    // JSON has no negative zero that would survive a reader.
    let number = if number == 0.0 { 0.0 } else { number };
    number.is_finite().then_some(Plain::Float(number))
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// A float as the name of a key. sigs.k8s.io/yaml prints it as Go's `%g` of 32 bits, so `1.50` is
/// the key `1.5` and `123456789.5` is the key `1.2345679e+08`.
pub fn float_key(number: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "losing digits is what Go does here")]
    let number = number as f32;
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(-4..=5) | Err(_) => number.to_string(),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}
