//! Quantities as Kubernetes writes them: `500m`, `100Gi`.

use crate::value::Value;

/// A number, or a quantity; nothing for what is neither.
pub(super) fn amount(value: &Value) -> Option<f64> {
    let text = text(value);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok()?;
    let power = |base: f64, suffix: &str, units: &str| {
        units.find(suffix).map(|place| base.powi(i32::try_from(place).unwrap_or(0) + 1))
    };
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "m" => 0.001,
        binary if binary.ends_with('i') => power(1024.0, &binary[..1], "KMGTPE")?,
        decimal => power(1000.0, decimal, "kMGTPE")?,
    };
    Some(number * factor)
}

/// A scalar as a sentence has it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_compared_by_what_they_mean() {
        let of = |text: &str| amount(&Value::from(text.to_owned()));
        assert!(of("100Gi") > of("100G"));
        assert!(of("1Ti") > of("1000Gi"));
        assert_eq!(of("1024Mi"), of("1Gi"));
        assert_eq!(of("1k"), of("1000"));
        assert_eq!(of("500m"), Some(0.5));
        assert_eq!(of("much"), None);
        assert_eq!(amount(&Value::Int(3)), Some(3.0));
    }
}
