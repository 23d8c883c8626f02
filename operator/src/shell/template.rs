//! Texts with expressions in them: what stands between `{{` and `}}` is evaluated by MiniJinja, and what comes of it
//! is text, never looked at again. As in the generator's records a name that nothing has is an error; what records
//! have beyond that (`optional`, and filters for sizes and schedules) is of no use for the values of Secrets.
//!
//! Whoever may write an aggregate writes the expressions, and one process serves all clouds. So there is nothing in them
//! by which much could come of little: `'ab' * 50000000` is one step and more memory than the process has.

use std::cell::Cell;
use std::collections::BTreeMap;

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, filters};

use super::material::Data;

/// As much as a Secret holds, in bytes.
pub const LONGEST: usize = 1 << 20;
/// Far more than names, filters and an `if` take.
const LONGEST_EXPRESSION: usize = 1024;
/// A list takes much more memory than the text it was made of.
const MOST_PARTS: usize = 1000;
/// In bytes that all expressions together may go through, which takes a few seconds at most. Meanwhile nothing else is
/// done, and a lease is lost after fifteen.
const MOST_WORK: usize = 128 << 20;

/// The values that are text, each under its key, and all of them under `values`. A key with dots reads as a
/// path does: `ca.crt` is `crt` of `ca`.
#[derive(Debug)]
pub struct Scope {
    environment: Environment<'static>,
    names: Value,
    /// Of all values.
    size: usize,
    /// What is left of [`MOST_WORK`].
    left: Cell<usize>,
}

impl Scope {
    pub fn of(data: &Data) -> Self {
        let mut environment = environment();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let text = |value: &[u8]| std::str::from_utf8(value).ok().map(Value::from);
        let texts = data.iter().filter_map(|(key, value)| Some((key.clone(), text(&value.0)?)));
        let values: BTreeMap<String, Value> = texts.collect();
        let mut names = nested(&values);
        names.insert("values".to_owned(), Value::from(values));
        let size = data.values().map(|value| value.0.len()).sum();
        Self { environment, names: Value::from(names), size, left: Cell::new(MOST_WORK) }
    }

    /// # Errors
    /// Why it could not be filled in, without any value: an error of MiniJinja's may quote one.
    pub fn fill(&self, text: &str) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("{{") {
            let (expression, after) = after.split_once("}}").ok_or("a {{ has no }}")?;
            let expression = expression.trim();
            if expression.len() > LONGEST_EXPRESSION {
                return Err(format!("an expression has more than {LONGEST_EXPRESSION} bytes"));
            }
            let unfit = |why: &str| format!("`{expression}` {why}");
            if let Some(operator) = growing(expression) {
                return Err(unfit(&format!(
                    "has the operator {operator}, by which texts grow: write one expression beside the other"
                )));
            }
            self.work(expression)?;
            let compiled = self.environment.compile_expression(expression);
            let compiled = compiled.map_err(|_| unfit("is no expression"))?;
            let value = compiled.eval(&self.names).map_err(|_| unfit("cannot be evaluated"))?;
            if !matches!(value.kind(), ValueKind::String | ValueKind::Number | ValueKind::Bool) {
                return Err(unfit("is in no source, or is no text"));
            }
            add(&mut out, before)?;
            add(&mut out, &value.to_string())?;
            rest = after;
        }
        add(&mut out, rest)?;
        Ok(out)
    }
}

impl Scope {
    /// A filter or a slice goes through what it is given: no more than all values, or than a text may grow to.
    fn work(&self, expression: &str) -> Result<(), String> {
        let steps = 1 + expression.matches(['|', '[']).count();
        let grows = ["replace", "indent"].iter().any(|filter| expression.contains(filter));
        let longest = if grows { LONGEST } else { self.size };
        let left = self.left.get().checked_sub(steps.saturating_mul(longest));
        let left = left.ok_or_else(|| {
            format!(
                "the expressions go through more than {} MiB of values together: use fewer filters, or fewer values",
                MOST_WORK >> 20
            )
        })?;
        self.left.set(left);
        Ok(())
    }
}

fn add(out: &mut String, text: &str) -> Result<(), String> {
    if out.len() + text.len() > LONGEST {
        return Err(format!("the text has more than {LONGEST} bytes"));
    }
    out.push_str(text);
    Ok(())
}

/// The first operator outside quotes that makes one text of two, or many of one.
fn growing(expression: &str) -> Option<char> {
    let (mut quote, mut letters) = (None, expression.chars());
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '*' | '+' | '~') => return Some(letter),
            (None, _) => {}
        }
    }
    None
}

/// No functions, and of filters those whose result is no longer than what they are given, or is measured first.
fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.add_filter("upper", filters::upper);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("capitalize", filters::capitalize);
    environment.add_filter("title", filters::title);
    environment.add_filter("trim", filters::trim);
    environment.add_filter("default", filters::default);
    environment.add_filter("length", filters::length);
    environment.add_filter("first", filters::first);
    environment.add_filter("last", filters::last);
    environment.add_filter("int", filters::int);
    environment.add_filter("float", filters::float);
    environment.add_filter("bool", filters::bool);
    environment.add_filter("replace", replace);
    environment.add_filter("indent", indent);
    environment.add_filter("split", split);
    environment.add_test("defined", minijinja::tests::is_defined);
    environment.add_test("undefined", minijinja::tests::is_undefined);
    environment.add_test("startingwith", minijinja::tests::is_startingwith);
    environment.add_test("endingwith", minijinja::tests::is_endingwith);
    environment
}

fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let more = text.matches(from).count().saturating_mul(to.len());
    within(text.len().saturating_add(more), LONGEST)?;
    Ok(text.replace(from, to))
}

/// Every line but the first, and but for empty ones, as texts in YAML need it.
fn indent(text: &str, width: Option<usize>) -> Result<String, Error> {
    let width = width.unwrap_or(4);
    let more = text.lines().count().saturating_mul(width);
    within(text.len().saturating_add(more).max(width), LONGEST)?;
    let (mut out, room) = (String::new(), " ".repeat(width));
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            out.push('\n');
            out.push_str(if line.is_empty() { "" } else { &room });
        }
        out.push_str(line);
    }
    Ok(out)
}

fn split(text: &str, by: &str) -> Result<Vec<String>, Error> {
    within(text.matches(by).count(), MOST_PARTS)?;
    Ok(text.split(by).map(str::to_owned).collect())
}

fn within(size: usize, most: usize) -> Result<(), Error> {
    match size <= most {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::InvalidOperation, "too much would come of it")),
    }
}

fn nested(values: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let mut below: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for (key, value) in values {
        match key.split_once('.') {
            Some((first, rest)) if !first.is_empty() => {
                below.entry(first).or_default().insert(rest.to_owned(), value.clone());
            }
            _ => drop(names.insert(key.clone(), value.clone())),
        }
    }
    for (first, inner) in below {
        // A plain key of that name comes first; the others are still among `values`.
        names.entry(first.to_owned()).or_insert_with(|| Value::from(nested(&inner)));
    }
    names
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use k8s_openapi::ByteString;

    use super::*;

    fn scope(pairs: &[(&str, &[u8])]) -> Scope {
        let pair = |(key, value): &(&str, &[u8])| ((*key).to_owned(), ByteString(value.to_vec()));
        Scope::of(&pairs.iter().map(pair).collect())
    }

    #[test]
    fn values_are_taken_as_they_are() {
        let scope = scope(&[("id", b"7f"), ("secret", b"{{ id }}"), ("tls.crt", b"PEM")]);
        for (text, filled) in [
            ("a {{ id }} b {{secret}}", "a 7f b {{ id }}"),
            ("plain", "plain"),
            ("{{ values['tls.crt'] }}", "PEM"),
            ("{{ tls.crt }}", "PEM"),
            ("{{ id | upper }}", "7F"),
            ("{{ 'x' if id == '7f' else 'y' }}", "x"),
            ("{{ 'a + b' }} {{ other | default('*') }}", "a + b *"),
            ("{{ 'it\\'s ~' | replace('~', '-') }}", "it's -"),
            ("{{ id | length }} {{ 'a:b:c' | split(':') | last }}", "2 c"),
            ("{{ 'a\\n\\nb\\n' | indent(2) }}", "a\n\n  b"),
            ("{{ 'x' if tls is defined and id is startingwith('7') else 'y' }}", "x"),
        ] {
            assert_eq!(scope.fill(text).unwrap(), filled, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_filled_in_names_no_value() {
        let scope = scope(&[("password", b"canary"), ("key", &[0xff])]);
        for text in [
            "{{ other }}",
            "{{ other.deep }}",
            "{{ password",
            "{{ password | }}",
            "{{ key }}",
            "{{ none }}",
            "{{ password | int }}",
            "{{ password.field.deeper }}",
        ] {
            let why = scope.fill(text).unwrap_err();
            assert!(!why.contains("canary"), "{why}");
        }
    }

    #[test]
    fn no_template_keeps_the_process_busy() {
        let large = vec![b'a'; 1000];
        let scope = scope(&[("large", &large)]);
        let fits = |left: usize, text: &str| {
            scope.left.set(left);
            scope.fill(text).map_err(|why| assert!(why.contains("128 MiB"), "{why}")).is_ok()
        };
        // The value itself, and two filters.
        let text = "{{ large | upper | length }}";
        assert!(fits(3000, text) && !fits(2999, text));
        assert!(fits(6000, &text.repeat(2)) && !fits(5999, &text.repeat(2)));
        assert!(!fits(2999, "{{ large[1:][1:] }}"), "slices count as well");
        let grown = "{{ 'a' | indent(1000000) | length }}";
        assert!(fits(3 * LONGEST, grown) && !fits(2 * LONGEST, grown), "longer than the values");
    }

    #[test]
    fn little_does_not_become_much() {
        let long = vec![b'\n'; 1000];
        let scope = scope(&[("password", b"canary"), ("long", &long)]);
        for text in [
            "{{ 'ab' * 50000000 }}",
            "{{ password * 50000000 }}",
            "{{ password ~ password }}",
            "{{ password + password }}",
            "{{ '\\'' * 9 }}",
            "{{ 2 ** 60 }}",
            "{{ range(100000000) }}",
            "{{ long | indent(100000000) }}",
            "{{ '' | indent(100000000) }}",
            "{{ long | replace('\n', long) | replace('\n', long) }}",
            "{{ long | split('') | length }}",
            "{{ [password, password] }}",
            "{{ [password, password] | join(long) }}",
            "{{ '%1000000000d' | format(1) }}",
            "{{ password | batch(100000000, 'x') }}",
        ] {
            let why = scope.fill(text).unwrap_err();
            assert!(!why.contains("canary"), "{why}");
        }
        let many = "{{ long }}".repeat(LONGEST / long.len() + 1);
        assert!(scope.fill(&many).is_err(), "it is longer than any Secret");
        let expression = format!("{{{{ {} }}}}", "not ".repeat(LONGEST_EXPRESSION));
        assert!(scope.fill(&expression).is_err(), "it is longer than anybody needs");
    }
}
