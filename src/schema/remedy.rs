//! What to write in place of a number that is nearly right.

use crate::schema::{Format, Literal, Schema};

/// A number from which on nobody means Mi: so many of them are a terabyte.
const TOO_MANY: f64 = 1e6;

/// What to write for a size that is a number alone. In quotes it would be so many bytes, which nobody means.
pub(super) fn of_size(number: f64, schema: &Schema) -> String {
    if !(number > 0.0 && number < TOO_MANY) {
        return format!("write {}", Format::Quantity.wanted());
    }
    // The unit that comes nearer to what the setting usually is: of a cache, 2 are Gi and 512 are Mi.
    let is_gi = |usual: f64| number * 1024.0 / usual < usual / number;
    match usual(schema) {
        Some(usual) if is_gi(usual) => format!("add a unit, such as {number}Gi"),
        Some(_) => format!("add a unit, such as {number}Mi"),
        None => format!("add a unit, such as {number}Mi or {number}Gi"),
    }
}

/// The default of a size, in Mi.
fn usual(schema: &Schema) -> Option<f64> {
    let Some(Literal::Str(text)) = &schema.default else { return None };
    let (number, factor) = match text.strip_suffix("Gi") {
        Some(number) => (number, 1024.0),
        None => (text.strip_suffix("Mi")?, 1.0),
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_gets_the_unit_that_is_usual_there() {
        let check = |number: f64, usual: Option<&'static str>, expect: &str| {
            let default = usual.map(|usual| Literal::Str(usual.into()));
            let remedy = of_size(number, &Schema { default, ..Schema::default() });
            assert!(remedy.ends_with(expect), "{number}, usually {usual:?}: {remedy}");
        };
        check(64.0, Some("1Gi"), " such as 64Mi");
        check(2.0, Some("1Gi"), " such as 2Gi");
        check(100.0, Some("100Gi"), " such as 100Gi");
        check(0.5, Some("20Gi"), " such as 0.5Gi");
        check(300.0, Some("256Mi"), " such as 300Mi");
        check(50.0, None, " such as 50Mi or 50Gi");
        check(0.0, Some("1Gi"), Format::Quantity.wanted());
        check(1_073_741_824.0, Some("1Gi"), Format::Quantity.wanted());
    }
}
