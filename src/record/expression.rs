//! Expressions inside records. A plain path (`cloud.region`) is a walk through the scope, decided
//! when the record is read; anything more is left to MiniJinja.

use std::borrow::Cow;

use minijinja::{Environment, UndefinedBehavior};

use crate::record::List;
use crate::schema::Schedule;
use crate::value::Text;
use crate::yaml::tree::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Path(List<Text>),
    /// The text, and the dotted names it reads, so that only these are handed to the evaluation.
    Computed {
        text: Text,
        reads: List<Text>,
        at: Span,
    },
}

impl Expression {
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn parse(text: &str, at: Span) -> Result<Self, String> {
        let text = text.trim();
        if is_path(text) {
            let steps: Vec<Text> =
                text.split('.').map(|step| Cow::Owned(step.to_owned())).collect();
            return Ok(Expression::Path(Cow::Owned(steps)));
        }
        let environment = environment();
        let compiled = environment.compile_expression(text).map_err(|error| describe(&error))?;
        let mut reads = compiled.undeclared_variables(true);
        // MiniJinja leaves out what is sliced.
        if let Ok(unsliced) = environment.compile_expression(&without_slices(text)) {
            reads.extend(unsliced.undeclared_variables(true));
        }
        let mut reads: Vec<Text> = reads.into_iter().map(Cow::Owned).collect();
        reads.sort();
        Ok(Expression::Computed { text: Cow::Owned(text.to_owned()), reads: Cow::Owned(reads), at })
    }

    /// Whether it reads a dotted name, a part of it or all that it is part of.
    pub fn touches(&self, name: &str) -> bool {
        let within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.reads().iter().any(|read| within(read, name) || within(name, read))
    }

    /// The dotted names it reads.
    pub fn reads(&self) -> Vec<String> {
        match self {
            Expression::Path(steps) => vec![steps.join(".")],
            Expression::Computed { reads, .. } => {
                reads.iter().map(|name| name.to_string()).collect()
            }
        }
    }
}

/// The one way MiniJinja is set up, when records are read and when they are evaluated.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_filter("mebibytes", mebibytes);
    environment.add_filter("most_within", most_within);
    environment
}

/// How many times of a schedule can lie within so many hours.
fn most_within(schedule: &str, hours: u32) -> Result<u32, minijinja::Error> {
    match Schedule::parse(schedule) {
        Some(schedule) => Ok(schedule.most_within(hours.saturating_mul(60))),
        None => {
            let message = format!("`{schedule}` is no schedule");
            Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, message))
        }
    }
}

/// `1Gi` is 1024: for servers that count their memory in whole mebibytes.
fn mebibytes(quantity: &str) -> Result<i64, minijinja::Error> {
    let refuse = || {
        let message = format!("`{quantity}` is no quantity of memory");
        minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, message)
    };
    let digits = quantity.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().map_err(|_| refuse())?;
    let bytes = match &quantity[digits.len()..] {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "Ki" => 1024.0,
        "Mi" => f64::from(1 << 20),
        "Gi" => f64::from(1 << 30),
        "Ti" => 1024.0 * f64::from(1 << 30),
        _ => return Err(refuse()),
    };
    #[expect(clippy::cast_possible_truncation, reason = "rounded down, and far below 2^53")]
    Ok((number * bytes / f64::from(1 << 20)) as i64)
}

pub fn describe(error: &minijinja::Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), str::to_owned)
}

/// With an index for each slice.
fn without_slices(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    // Where brackets were opened, and whether a colon was seen directly in them.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for c in text.chars() {
        match c {
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != c),
            '"' | '\'' => quote = Some(c),
            '[' | '{' | '(' => open.push((out.len(), false)),
            ':' => open.iter_mut().next_back().into_iter().for_each(|bracket| bracket.1 = true),
            ']' | '}' | ')' => {
                if let Some((at, true)) = open.pop()
                    && c == ']'
                {
                    out.truncate(at);
                    out.push_str("[0");
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

fn is_path(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "true", "false", "none", "True", "False", "None", "not", "and", "or", "in", "is", "if",
        "else",
    ];
    text.split('.').all(|step| {
        step.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && step.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }) && !WORDS.contains(&text)
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    fn check(text: &str, reads: &[&str]) {
        let parsed = Expression::parse(text, Span::default()).expect("it is an expression");
        assert_eq!(parsed.reads(), reads, "{text}");
    }

    #[test]
    fn what_is_sliced_is_read() {
        check("cloud.name[:61]", &["cloud.name"]);
        check("(cloud.name ~ '[:')[1:size.most]", &["cloud.name", "size.most"]);
        check("names[0][{'a': 1}['a']:]", &["names"]);
        check("{'a': region}", &["region"]);
    }
}
