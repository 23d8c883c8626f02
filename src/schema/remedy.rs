//! What to write in place of a text or number that is nearly right.

use crate::schema::walk::shorten;
use crate::schema::{Format, Literal, Schema};

/// A number from which on nobody means Mi: so many of them are a terabyte.
const TOO_MANY: f64 = 1e6;

/// What to write for a text that does not have its form.
pub(super) fn of_form(format: Format, text: &str) -> String {
    if let Some((scheme, name)) = name_in_address(format, text) {
        return format!("leave off `{scheme}://` and write the name alone: {}", shorten(name));
    }
    if let Some((name, port)) = port_behind_name(format, text) {
        return format!(
            "write the name alone, {}; the port {port} has a field of its own, if it can be chosen",
            shorten(name)
        );
    }
    match format.meant(text) {
        Some(meant) => format!("did you mean `{}`?", shorten(&meant)),
        None => format!("write {}", format.wanted()),
    }
}

/// The scheme and the host of an address that stands where a name belongs.
fn name_in_address(format: Format, text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once("://").filter(|_| format == Format::DnsName)?;
    let host = rest.split(['/', ':']).next()?;
    (matches!(scheme, "http" | "https") && format.accepts(host)).then_some((scheme, host))
}

fn port_behind_name(format: Format, text: &str) -> Option<(&str, u16)> {
    let (name, port) = text.rsplit_once(':').filter(|_| format == Format::DnsName)?;
    Some((name, port.parse().ok()?)).filter(|_| format.accepts(name))
}

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

    #[test]
    fn an_address_is_no_name_and_holds_one() {
        let check = |text: &str, expect: &str| assert_eq!(of_form(Format::DnsName, text), expect);
        let name = "leave off `https://` and write the name alone: a.example.com";
        check("https://a.example.com", name);
        check("https://a.example.com:443/x", name);
        check("https://", &format!("write {}", Format::DnsName.wanted()));
        check("A_b", "did you mean `a-b`?");
        check(
            "db.example.com:3306",
            "write the name alone, db.example.com; the port 3306 has a field of its own, if it can be chosen",
        );
    }
}
