//! The same input in another order.

use strata::value::{Map, Value};

use crate::spec::Document;

/// Documents in any order, over one or two files, every map's keys in any order. The texts are
/// JSON, which is YAML: our own writer would put the keys in order again.
pub fn files(documents: &[Document], seed: u64) -> Vec<(String, String)> {
    let mut random = Random::new(seed);
    let mut documents: Vec<String> =
        documents.iter().map(|document| json(&shuffled(&document.0, &mut random))).collect();
    random.shuffle(&mut documents);
    let (left, right) = documents.split_at(random.below(documents.len() + 1));
    [("z.yaml", left), ("a.yaml", right)]
        .into_iter()
        .map(|(name, documents)| (name.to_owned(), documents.join("\n---\n")))
        .collect()
}

fn shuffled(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::List(items) => {
            Value::List(items.iter().map(|item| shuffled(item, random)).collect())
        }
        Value::Map(map) => {
            let mut pairs: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), shuffled(value, random))).collect();
            random.shuffle(&mut pairs);
            Value::Map(Map::from_pairs(pairs))
        }
        other => other.clone(),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => serde_json::to_string(number).unwrap(),
        Value::Str(text) => serde_json::to_string(text).unwrap(),
        Value::List(items) => {
            format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => {
            let pair = |(key, value): &(strata::value::Text, Value)| {
                format!("{}: {}", serde_json::to_string(key).unwrap(), json(value))
            };
            format!("{{{}}}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// xorshift64 (Marsaglia, 2003): enough to shuffle, and the seed is proptest's.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).unwrap() % limit
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
