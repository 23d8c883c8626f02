//! Texts with expressions in them: what stands between `{{` and `}}` is evaluated by MiniJinja, and what comes of it
//! is text, never looked at again. As in the generator's records a name that nothing has is an error; what records
//! have beyond that (`optional`, and filters for sizes and schedules) is of no use for the values of Secrets.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior, Value};

use super::material::Data;

/// The values that are text, each under its key, and all of them under `values`. A key with dots reads as a
/// path does: `ca.crt` is `crt` of `ca`.
#[derive(Debug)]
pub struct Scope {
    environment: Environment<'static>,
    names: Value,
}

impl Scope {
    pub fn of(data: &Data) -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let text = |value: &[u8]| std::str::from_utf8(value).ok().map(Value::from);
        let texts = data.iter().filter_map(|(key, value)| Some((key.clone(), text(&value.0)?)));
        let values: BTreeMap<String, Value> = texts.collect();
        let mut names = nested(&values);
        names.insert("values".to_owned(), Value::from(values));
        Self { environment, names: Value::from(names) }
    }

    /// # Errors
    /// Why it could not be filled in, without any value: an error of MiniJinja's may quote one.
    pub fn fill(&self, text: &str) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("{{") {
            let (expression, after) = after.split_once("}}").ok_or("a {{ has no }}")?;
            let expression = expression.trim();
            let unfit = |why: &str| format!("`{expression}` {why}");
            let compiled = self.environment.compile_expression(expression);
            let compiled = compiled.map_err(|_| unfit("is no expression"))?;
            let value = compiled.eval(&self.names).map_err(|_| unfit("cannot be evaluated"))?;
            if value.is_undefined() || value.is_none() {
                return Err(unfit("is in no source, or is no text"));
            }
            out.push_str(before);
            out.push_str(&value.to_string());
            rest = after;
        }
        Ok(out + rest)
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
}
