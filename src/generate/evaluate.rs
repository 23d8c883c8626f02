//! Evaluates the leaves of templates. A leaf keeps the type of what it evaluates to, and an
//! undefined one is an error unless its record marks it optional: dropping it in silence would
//! hide every slip of the finger.

use std::borrow::Cow;
use std::sync::Arc;

use minijinja::value::{Object, ValueKind};
use minijinja::{Environment, Value as Computed};

use crate::finding::{Code, Finding};
use crate::generate::scope::Scope;
use crate::json_text;
use crate::quick_hash::QuickMap;
use crate::record::{Expression, Leaf, Part, Record, Template, place};
use crate::value::{Map, Text, Value};
use crate::yaml::tree::Span;

/// Holds the expressions that were compiled, so that a thousand clouds compile each once.
pub struct Evaluator<'e> {
    environment: &'e Environment<'static>,
    compiled: QuickMap<String, minijinja::Expression<'e, 'static>>,
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Evaluator")
            .field("compiled", &self.compiled.len())
            .finish_non_exhaustive()
    }
}

/// Why a leaf could not be evaluated.
#[derive(Debug)]
pub struct Trouble {
    because: String,
    at: Span,
}

impl Trouble {
    pub fn at(because: impl Into<String>, at: Span) -> Self {
        Trouble { because: because.into(), at }
    }

    pub fn finding(self, record: &Record) -> Finding {
        Code::BadExpression.at(place(record, self.at)).because(self.because).remedy(
            "correct the expression; if the value may be absent, end it with `| optional` and the key is left out",
        )
    }
}

impl<'e> Evaluator<'e> {
    pub fn new(environment: &'e Environment<'static>) -> Self {
        Evaluator { environment, compiled: QuickMap::default() }
    }

    /// A whole tree; none if it is an optional leaf that is undefined.
    ///
    /// # Errors
    /// Everything in it that could not be evaluated.
    pub fn template(
        &mut self,
        template: &Template,
        scope: &Scope,
    ) -> Result<Option<Value>, Vec<Trouble>> {
        let mut troubles = Vec::new();
        let value = self.build(template, scope, &mut troubles);
        if troubles.is_empty() { Ok(value) } else { Err(troubles) }
    }

    fn build(
        &mut self,
        template: &Template,
        scope: &Scope,
        troubles: &mut Vec<Trouble>,
    ) -> Option<Value> {
        Some(match template {
            Template::Null => Value::Null,
            Template::Bool(flag) => Value::Bool(*flag),
            Template::Int(number) => Value::Int(*number),
            Template::Float(number) => Value::Float(*number),
            Template::Str(text) => Value::Str(text.clone()),
            Template::Leaf(leaf) => match self.leaf(leaf, scope) {
                Ok(value) => return value,
                Err(trouble) => {
                    troubles.push(trouble);
                    return None;
                }
            },
            Template::Mixed(parts) => return self.mixed(parts, scope, troubles),
            Template::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match item {
                        Template::Repeated(each, item) => {
                            self.repeated(each, item, scope, troubles, &mut list);
                        }
                        item => list.extend(self.build(item, scope, troubles)),
                    }
                }
                // All of it was conditional, and none of it is there: neither is the list.
                if list.is_empty() && !items.is_empty() && items.iter().all(Template::is_marked) {
                    return None;
                }
                Value::List(list)
            }
            // It stands in lists alone, where it is taken care of.
            Template::Repeated(..) => return None,
            Template::Map(entries) => self.map(entries, scope, troubles),
            Template::Guarded(condition, entries) => match self.leaf(condition, scope) {
                Ok(Some(Value::Bool(true))) => self.map(entries, scope, troubles),
                Ok(_) => return None,
                Err(trouble) => {
                    troubles.push(trouble);
                    return None;
                }
            },
            Template::Json(tree) => {
                let tree = self.build(tree.first()?, scope, troubles)?;
                Value::Str(Cow::Owned(json_text::text(&tree)))
            }
        })
    }

    fn repeated(
        &mut self,
        each: &Leaf,
        item: &[Template],
        scope: &Scope,
        troubles: &mut Vec<Trouble>,
        list: &mut Vec<Value>,
    ) {
        match self.leaf(each, scope) {
            Ok(Some(Value::List(items))) => {
                for value in items {
                    let scope = scope.with_item(value);
                    list.extend(item.iter().filter_map(|item| self.build(item, &scope, troubles)));
                }
            }
            Ok(None) => {}
            Ok(Some(_)) => troubles.push(Trouble::at("`$each` did not come to a list", each.at)),
            Err(trouble) => troubles.push(trouble),
        }
    }

    fn map(
        &mut self,
        entries: &[(Text, Template)],
        scope: &Scope,
        troubles: &mut Vec<Trouble>,
    ) -> Value {
        let mut map = Vec::with_capacity(entries.len());
        for (key, entry) in entries {
            if let Some(value) = self.build(entry, scope, troubles) {
                map.push((key.clone(), value));
            }
        }
        Value::Map(Map::from_pairs(map))
    }

    fn mixed(
        &mut self,
        parts: &[Part],
        scope: &Scope,
        troubles: &mut Vec<Trouble>,
    ) -> Option<Value> {
        let mut text = String::new();
        for part in parts {
            let hole = match part {
                Part::Text(literal) => {
                    text.push_str(literal);
                    continue;
                }
                Part::Hole(leaf) => leaf,
            };
            match self.leaf(hole, scope) {
                Ok(Some(Value::Str(part))) => text.push_str(&part),
                Ok(Some(Value::Int(number))) => text.push_str(&number.to_string()),
                Ok(Some(Value::Bool(flag))) => text.push_str(if flag { "true" } else { "false" }),
                Ok(None) => return None,
                Ok(Some(_)) => troubles.push(Trouble::at(
                    "only text, whole numbers and truth values can stand inside text",
                    hole.at,
                )),
                Err(trouble) => troubles.push(trouble),
            }
        }
        Some(Value::Str(Cow::Owned(text)))
    }

    /// One leaf; none if it is optional and undefined.
    ///
    /// # Errors
    /// If it is undefined and not optional, or cannot be evaluated.
    pub fn leaf(&mut self, leaf: &Leaf, scope: &Scope) -> Result<Option<Value>, Trouble> {
        let value = match &leaf.expression {
            Expression::Path(steps) => scope.get(steps),
            Expression::Computed { text, reads, at } => {
                self.computed(text, reads, scope).map_err(|because| Trouble::at(because, *at))?
            }
        };
        if value.is_none() && !leaf.optional {
            let shown = match &leaf.expression {
                Expression::Path(steps) => steps.join("."),
                Expression::Computed { text, .. } => text.to_string(),
            };
            return Err(Trouble::at(format!("`{shown}` is undefined here"), leaf.at));
        }
        Ok(value)
    }

    fn computed(
        &mut self,
        text: &Text,
        reads: &[Text],
        scope: &Scope,
    ) -> Result<Option<Value>, String> {
        if !self.compiled.contains_key(text.as_ref()) {
            let compiled = self
                .environment
                .compile_expression_owned(text.to_string())
                .map_err(|error| describe(&error))?;
            self.compiled.insert(text.to_string(), compiled);
        }
        let Some(compiled) = self.compiled.get(text.as_ref()) else { return Ok(None) };
        let known = Known::of(reads, scope);
        let value =
            compiled.eval(Computed::from_object(known)).map_err(|error| describe(&error))?;
        from_computed(&value)
    }
}

/// What the names stand for that an expression reads. They are few, so that looking through them costs
/// less than a table of them.
#[derive(Debug)]
struct Known(Vec<(Text, Computed)>);

impl Known {
    fn of(reads: &[Text], scope: &Scope) -> Self {
        let mut known: Vec<(Text, Computed)> = Vec::with_capacity(reads.len());
        for name in reads {
            let root = root(name);
            // They are sorted.
            if known.last().is_none_or(|(last, _)| *last != root) {
                known.extend(scope.computed(&root).map(|value| (root, value)));
            }
        }
        Known(known)
    }
}

impl Object for Known {
    fn get_value(self: &Arc<Self>, key: &Computed) -> Option<Computed> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Computed> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    }
}

/// The first step of a dotted name.
fn root(name: &Text) -> Text {
    let end = name.find('.').unwrap_or(name.len());
    match name {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(text) => Cow::Owned(text[..end].to_owned()),
    }
}

fn describe(error: &minijinja::Error) -> String {
    let kind = error.kind();
    error.detail().map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}"))
}

fn from_computed(value: &Computed) -> Result<Option<Value>, String> {
    let list = |value: &Computed| -> Result<Value, String> {
        let mut items = Vec::new();
        for item in value.try_iter().map_err(|error| describe(&error))? {
            items.extend(from_computed(&item)?);
        }
        Ok(Value::List(items))
    };
    Ok(Some(match value.kind() {
        ValueKind::Undefined => return Ok(None),
        ValueKind::None => Value::Null,
        ValueKind::Bool => Value::Bool(value.is_true()),
        // `as_i64` answers for 2.0 as well, which would turn a division into a whole number.
        ValueKind::Number if value.is_integer() => {
            Value::Int(value.as_i64().ok_or_else(|| format!("{value} is beyond 64 bits"))?)
        }
        ValueKind::Number => {
            let number = f64::try_from(value.clone()).map_err(|error| describe(&error))?;
            if !number.is_finite() {
                return Err(format!("{value} is no finite number"));
            }
            Value::Float(number)
        }
        ValueKind::String => Value::Str(Cow::Owned(value.as_str().unwrap_or_default().to_owned())),
        ValueKind::Seq | ValueKind::Iterable => list(value)?,
        ValueKind::Map => {
            let mut map = Map::new();
            for key in value.try_iter().map_err(|error| describe(&error))? {
                let entry = value.get_item(&key).map_err(|error| describe(&error))?;
                if let Some(entry) = from_computed(&entry)? {
                    map.insert(key.to_string(), entry);
                }
            }
            Value::Map(map)
        }
        other => return Err(format!("an expression cannot come to {other}")),
    }))
}
