//! One Kubernetes object to emit. It always has an apiVersion, a kind and a name, and it cannot
//! hold secret material: a Secret with contents does not become an [`Object`].

use crate::value::{Map, Text, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Always a map.
    body: Value,
}

/// Why a map is no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The field that is missing or no text.
    Incomplete(&'static str),
    HoldsSecrets,
    /// The part of its identity that a change would alter.
    Renamed(&'static str),
}

impl Object {
    /// # Errors
    /// If a part of its identity is missing, or it would carry secret material.
    pub fn new(body: Map) -> Result<Self, Refusal> {
        let object = Object { body: Value::Map(body) };
        for (field, value) in [
            ("apiVersion", object.api_version()),
            ("kind", object.kind()),
            ("metadata.name", object.name()),
        ] {
            if value.is_empty() {
                return Err(Refusal::Incomplete(field));
            }
        }
        let is_secret = object.api_version() == "v1" && object.kind() == "Secret";
        if is_secret
            && ["data", "stringData"].iter().any(|field| object.body.at(&[field]).is_some())
        {
            return Err(Refusal::HoldsSecrets);
        }
        Ok(object)
    }

    /// An object that is only looked at, whatever it holds; none if a part of its identity is missing.
    pub fn any(body: Map) -> Option<Self> {
        let object = Object { body: Value::Map(body) };
        let identity = [object.api_version(), object.kind(), object.name()];
        identity.iter().all(|part| !part.is_empty()).then_some(object)
    }

    pub fn api_version(&self) -> &str {
        self.text(&["apiVersion"])
    }

    /// Empty for the kinds of Kubernetes' own core.
    pub fn group(&self) -> &str {
        self.api_version().split_once('/').map_or("", |(group, _)| group)
    }

    pub fn kind(&self) -> &str {
        self.text(&["kind"])
    }

    pub fn name(&self) -> &str {
        self.text(&["metadata", "name"])
    }

    /// Empty for an object of the whole cluster.
    pub fn namespace(&self) -> &str {
        self.text(&["metadata", "namespace"])
    }

    fn text(&self, path: &[&str]) -> &str {
        self.body.at(path).and_then(Value::as_str).unwrap_or_default()
    }

    /// The text of a field at the top, without a copy if it is a record's literal.
    pub fn shared_text(&self, field: &str) -> Text {
        match self.body.at(&[field]) {
            Some(Value::Str(text)) => text.clone(),
            _ => Text::default(),
        }
    }

    pub fn body(&self) -> &Value {
        &self.body
    }

    fn metadata(&mut self) -> Option<&mut Map> {
        self.body.as_map_mut()?.get_mut("metadata")?.as_map_mut()
    }

    pub fn set_namespace(&mut self, namespace: &str) {
        if let Some(metadata) = self.metadata() {
            metadata.insert("namespace", namespace.to_owned());
        }
    }

    pub fn label(&mut self, key: &'static str, value: impl Into<Text>) {
        self.mark("labels", key, value.into());
    }

    pub fn annotate(&mut self, key: &'static str, value: impl Into<Text>) {
        self.mark("annotations", key, value.into());
    }

    /// Adds a label or annotation, by the key of metadata that holds it.
    pub fn mark(&mut self, group: &'static str, key: impl Into<Text>, value: Text) {
        self.mark_all(group, [(key.into(), value)]);
    }

    /// The same for several at once.
    pub fn mark_all<const N: usize>(&mut self, group: &'static str, marks: [(Text, Text); N]) {
        let Some(metadata) = self.metadata() else { return };
        let there = match metadata.get_mut(group).and_then(Value::as_map_mut) {
            Some(there) => there,
            None => {
                metadata.insert(group, Map::with_capacity(N));
                match metadata.get_mut(group).and_then(Value::as_map_mut) {
                    Some(there) => there,
                    None => return,
                }
            }
        };
        for (key, value) in marks {
            there.insert(key, value);
        }
    }

    /// The object with its body changed.
    ///
    /// # Errors
    /// If the result is no object any more, or another one.
    pub fn changed(&self, body: Value) -> Result<Self, Refusal> {
        let Value::Map(body) = body else { return Err(Refusal::Incomplete("kind")) };
        let changed = Object::new(body)?;
        let altered = changed.id().into_iter().zip(self.id()).find(|(now, before)| now != before);
        match altered.map(|((field, _), _)| field) {
            Some(field) => Err(Refusal::Renamed(field)),
            None => Ok(changed),
        }
    }

    fn id(&self) -> [(&'static str, &str); 4] {
        [
            ("apiVersion", self.api_version()),
            ("kind", self.kind()),
            ("metadata.name", self.name()),
            ("metadata.namespace", self.namespace()),
        ]
    }

    /// Puts a value at a path of keys; maps are merged into what is there.
    pub fn put(&mut self, path: &str, value: &Value) {
        let Some(mut at) = self.body.as_map_mut() else { return };
        let mut steps = path.split('.').peekable();
        while let Some(step) = steps.next() {
            if steps.peek().is_none() {
                match (at.get_mut(step), value) {
                    (Some(Value::Map(there)), Value::Map(more)) => merge(there, more),
                    _ => at.insert(step.to_owned(), value.clone()),
                }
                return;
            }
            if at.get(step).and_then(Value::as_map).is_none() {
                at.insert(step.to_owned(), Map::new());
            }
            match at.get_mut(step).and_then(Value::as_map_mut) {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    /// Labels or annotations, by the key of metadata that holds them.
    pub fn marks(&self, group: &str) -> Option<&Map> {
        self.body.at(&["metadata", group])?.as_map()
    }
}

/// A JSON merge patch (RFC 7386).
pub fn merge(target: &mut Map, patch: &Map) {
    for (key, value) in patch.iter() {
        match (value, target.get_mut(key)) {
            (Value::Null, _) => {
                target.remove(key);
            }
            (Value::Map(patch), Some(Value::Map(target))) => merge(target, patch),
            (Value::Map(patch), _) => {
                let mut fresh = Map::new();
                merge(&mut fresh, patch);
                target.insert(key.clone(), fresh);
            }
            (value, _) => target.insert(key.clone(), value.clone()),
        }
    }
}
