//! From a field of an object to the leaf of the template that made it.

use crate::explain::facts::Context;
use crate::explain::fields::{Fields, leaves};
use crate::explain::{Layer, Origin, Source};
use crate::finding::{Path, Step};
use crate::generate::Evaluator;
use crate::generate::scope::Scope;
use crate::record::{Expression, Leaf, Part, Template};
use crate::value::Value;
use crate::yaml::tree::Span;

pub struct Walk<'a, 'b, 'e> {
    pub context: Context<'a>,
    pub evaluator: &'b mut Evaluator<'e>,
    pub scope: &'b Scope<'b>,
    pub fields: &'b mut Fields,
    /// Where the object stands in its record.
    pub at: Span,
}

impl<'a> Walk<'a, '_, '_> {
    /// `from` is the path in the record, `to` the one in the object.
    pub fn template(&mut self, template: &'a Template, from: Path, to: &Path, value: &Value) {
        match (template, value) {
            (Template::Map(entries) | Template::Guarded(_, entries), Value::Map(map)) => {
                if map.is_empty() {
                    self.literal(&from, to);
                }
                for (key, entry) in entries.iter() {
                    if let Some(value) = map.get(key) {
                        self.template(entry, from.key(key.as_ref()), &to.key(key.as_ref()), value);
                    }
                }
            }
            (Template::List(templates), Value::List(items)) => {
                if items.is_empty() {
                    self.literal(&from, to);
                }
                // What came to nothing has no place in the list.
                let mut items = items.iter().enumerate();
                for (number, template) in templates.iter().enumerate() {
                    if let Template::Repeated(each, tree) = template {
                        self.repeated(each, tree, &from.index(number), to, &mut items);
                    } else if matches!(self.evaluator.template(template, self.scope), Ok(Some(_)))
                        && let Some((index, item)) = items.next()
                    {
                        self.template(template, from.index(number), &to.index(index), item);
                    }
                }
            }
            (Template::Leaf(leaf), value) => self.leaf(leaf, &from, to, value),
            (Template::Mixed(parts), _) => {
                let holes: Vec<&Leaf> = parts
                    .iter()
                    .filter_map(|part| match part {
                        Part::Hole(leaf) => Some(leaf),
                        Part::Text(_) => None,
                    })
                    .collect();
                self.set(&from, to, &mixed(parts), &holes, &[]);
            }
            (Template::Json(_), _) => {
                let mut read = Vec::new();
                template.visit(&mut |leaf| read.push(leaf));
                self.set(&from, to, "a tree written down as JSON", &read, &[]);
            }
            _ => self.literal(&from, to),
        }
    }

    /// The items of a list that one template made of another list.
    fn repeated<'v>(
        &mut self,
        each: &'a Leaf,
        tree: &'a [Template],
        from: &Path,
        to: &Path,
        made: &mut dyn Iterator<Item = (usize, &'v Value)>,
    ) {
        let Ok(Some(Value::List(list))) = self.evaluator.leaf(each, self.scope) else { return };
        for (number, value) in list.into_iter().enumerate() {
            let scope = self.scope.with_item(value);
            for template in tree {
                if !matches!(self.evaluator.template(template, &scope), Ok(Some(_))) {
                    continue;
                }
                let Some((index, item)) = made.next() else { return };
                let mut walk = Walk {
                    context: Context { each: Some((each, number)), ..self.context },
                    evaluator: self.evaluator,
                    scope: &scope,
                    fields: self.fields,
                    at: self.at,
                };
                walk.template(template, from.clone(), &to.index(index), item);
            }
        }
    }

    /// A leaf may come to a whole tree, of which each part has an origin of its own.
    fn leaf(&mut self, leaf: &Leaf, from: &Path, to: &Path, value: &Value) {
        let text = format!("{{{{ {} }}}}", written(leaf));
        let mut found = Vec::new();
        leaves(value, &Path::root(), &mut |path, _| found.push(path.clone()));
        for path in found {
            self.set(from, &path.below(to), &text, &[leaf], path.steps());
        }
    }

    fn literal(&mut self, from: &Path, to: &Path) {
        let origins = vec![said(self.source(from, self.at))];
        self.fields.set(to.clone(), None, origins);
    }

    /// A text with expressions; `below` leads into what the one of them comes to.
    fn set(&mut self, from: &Path, to: &Path, text: &str, read: &[&Leaf], below: &[Step]) {
        let source = self.source(from, read.first().map_or(self.at, |leaf| leaf.at));
        let mut origins: Vec<Origin> = Vec::new();
        for origin in read.iter().flat_map(|leaf| self.context.leaf(leaf, below)) {
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        // An expression over nothing but words of its own is said by the record.
        if read.iter().all(|leaf| leaf.expression.reads().is_empty()) {
            origins.push(said(source.clone()));
        }
        self.fields.set(to.clone(), Some(source.with_text(text.to_owned())), origins);
    }

    fn source(&self, path: &Path, at: Span) -> Source {
        let record = self.context.component.record;
        Source::of(record, path.clone()).nearer(record, at)
    }
}

fn said(source: Source) -> Origin {
    Origin {
        layer: Layer::BuiltIn,
        written: None,
        source: Some(source),
        why: "the record says it as it stands".to_owned(),
    }
}

fn written(leaf: &Leaf) -> String {
    match &leaf.expression {
        Expression::Path(steps) => steps.join("."),
        Expression::Computed { text, .. } => text.to_string(),
    }
}

fn mixed(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.to_string(),
            Part::Hole(leaf) => format!("{{{{ {} }}}}", written(leaf)),
        })
        .collect()
}
