//! The tree everything we emit is made of: ordered pairs, not a hash map, so that building it is
//! cheap and its order is ours to decide.

use std::borrow::Cow;

/// Text that is either part of the program (a record's literal) or made while rendering.
pub type Text = Cow<'static, str>;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Text),
    List(Vec<Value>),
    Map(Map),
}

/// Pairs in the order they were inserted; a key stands once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(Vec<(Text, Value)>);

impl Map {
    pub const fn new() -> Self {
        Map(Vec::new())
    }

    pub fn with_capacity(pairs: usize) -> Self {
        Map(Vec::with_capacity(pairs))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Replaces the value of a key that is there, in its place; appends one that is not.
    pub fn insert(&mut self, key: impl Into<Text>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        match self.get_mut(&key) {
            Some(slot) => *slot = value,
            None => self.0.push((key, value)),
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(index).1)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, (Text, Value)> {
        self.0.iter()
    }

    pub fn pairs(&self) -> &[(Text, Value)] {
        &self.0
    }

    pub fn pairs_mut(&mut self) -> &mut [(Text, Value)] {
        &mut self.0
    }

    /// For pairs whose keys are known to differ, as those of a literal are.
    pub fn from_pairs(pairs: Vec<(Text, Value)>) -> Self {
        Map(pairs)
    }
}

impl IntoIterator for Map {
    type Item = (Text, Value);
    type IntoIter = std::vec::IntoIter<(Text, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Value {
    /// The value at a path of keys, if every step of it is a map that has the key.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self, |value, key| value.as_map()?.get(key))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    pub fn as_map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Bool(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Value::Str(Cow::Borrowed(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Str(Cow::Owned(text))
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Value::Str(text)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Value::Map(map)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

/// A map written as it looks: `map! { "name" => "nova", "replicas" => 3 }`.
#[macro_export]
macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {
        $crate::value::Map::from_pairs(vec![$(($key.into(), $value.into())),*])
    };
}
