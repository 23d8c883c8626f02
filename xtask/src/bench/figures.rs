//! Measured figures, the bounds they must keep, and how they are shown.

use serde_json::{Value, json};

use crate::failure::Failure;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    None,
    Below(f64),
    AtLeast(f64),
}

#[derive(Debug)]
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    bound: Bound,
}

impl Figure {
    fn kept(&self) -> bool {
        match self.bound {
            Bound::None => true,
            Bound::Below(limit) => self.value < limit,
            Bound::AtLeast(limit) => self.value >= limit,
        }
    }

    fn verdict(&self) -> String {
        let word = if self.kept() { "pass" } else { "FAIL" };
        match self.bound {
            Bound::None => String::new(),
            Bound::Below(limit) => format!("{word} (below {limit} {})", self.unit),
            Bound::AtLeast(limit) => format!("{word} (at least {limit} {})", self.unit),
        }
    }

    fn json(&self) -> Value {
        let bound = match self.bound {
            Bound::None => Value::Null,
            Bound::Below(limit) => json!({"below": limit}),
            Bound::AtLeast(limit) => json!({"atLeast": limit}),
        };
        json!({"name": self.name, "value": self.value, "unit": self.unit, "bound": bound, "pass": self.kept()})
    }
}

#[derive(Debug, Default)]
pub struct Figures(Vec<Figure>);

impl Figures {
    /// Shown at once, too: the whole takes minutes.
    pub fn add(&mut self, name: &str, value: f64, unit: &'static str, bound: Bound) {
        eprintln!("{name}: {} {unit}", number(value));
        self.0.push(Figure { name: name.to_owned(), value, unit, bound });
    }

    pub fn json(&self, machine: &str) -> String {
        let figures: Vec<Value> = self.0.iter().map(Figure::json).collect();
        format!("{:#}\n", json!({"machine": machine, "figures": figures}))
    }

    pub fn table(&self) -> String {
        let width = self.0.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0);
        let rows = self.0.iter().map(|figure| {
            let value = format!("{:>14} {:<3}", number(figure.value), figure.unit);
            format!("{:<width$} {value} {}", figure.name, figure.verdict()).trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    pub fn verdict(&self) -> Result<(), Failure> {
        let failed: Vec<&str> = self
            .0
            .iter()
            .filter(|figure| !figure.kept())
            .map(|figure| figure.name.as_str())
            .collect();
        match failed.is_empty() {
            true => Ok(()),
            false => Err(Failure::new(format!("bounds not kept: {}", failed.join("; ")))),
        }
    }
}

/// Whole numbers in groups of three digits, small ones with two decimals.
fn number(value: f64) -> String {
    if value < 1000.0 && value.fract() != 0.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_read_them() {
        assert_eq!(number(1_234_567.4), "1,234,567");
        assert_eq!(number(999.0), "999");
        assert_eq!(number(4.256), "4.26");
        assert_eq!(number(1000.0), "1,000");
    }

    #[test]
    fn a_bound_that_is_not_kept_is_a_failure() {
        let mut figures = Figures::default();
        figures.add("fast", 4.9, "ms", Bound::Below(5.0));
        figures.add("ratio", 100.0, "×", Bound::AtLeast(100.0));
        assert!(figures.verdict().is_ok());
        figures.add("slow", 5.0, "ms", Bound::Below(5.0));
        assert!(figures.verdict().is_err());
        assert!(figures.table().contains("FAIL (below 5 ms)"));
    }
}
