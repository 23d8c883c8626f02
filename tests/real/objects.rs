//! Objects as they were rendered: the text, and what must be known of it to address the object.

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Object {
    pub api_version: String,
    pub kind: String,
    pub namespace: Option<String>,
    pub name: String,
    /// What is sent to the server: the bytes as they were rendered.
    pub text: String,
}

/// A field that no kind has.
pub const UNKNOWN_FIELD: &str = "strataNegativeControl";

impl Object {
    /// The objects of a stream of YAML documents.
    pub fn read_all(stream: &str) -> Vec<Self> {
        documents(stream).into_iter().map(Self::read).collect()
    }

    fn read(text: String) -> Self {
        let value = parse(&text);
        let string = |value: &Value| value.as_str().map(str::to_owned);
        let required = |value: &Value| {
            string(value).unwrap_or_else(|| panic!("no apiVersion, kind or name in:\n{text}"))
        };
        Self {
            api_version: required(&value["apiVersion"]),
            kind: required(&value["kind"]),
            name: required(&value["metadata"]["name"]),
            namespace: string(&value["metadata"]["namespace"]),
            text,
        }
    }

    /// Group and kind, as in `MariaDB.k8s.mariadb.com`.
    pub fn qualified_kind(&self) -> String {
        match self.api_version.split_once('/') {
            Some((group, _)) => format!("{}.{group}", self.kind),
            None => self.kind.clone(),
        }
    }

    pub fn label(&self) -> String {
        let namespace =
            self.namespace.as_deref().map(|name| format!("{name}/")).unwrap_or_default();
        format!("{} {namespace}{}", self.qualified_kind(), self.name)
    }

    pub fn value(&self) -> Value {
        parse(&self.text)
    }

    /// The same object with one field that its kind does not have: inside the spec where there is one,
    /// because that is where people mistype.
    pub fn with_unknown_field(&self) -> Self {
        let mut value = parse(&self.text);
        let place = match value.get("spec").is_some_and(Value::is_object) {
            true => &mut value["spec"],
            false => &mut value,
        };
        place[UNKNOWN_FIELD] = Value::from("unknown");
        Self { text: value.to_string(), ..self.clone() }
    }
}

fn parse(text: &str) -> Value {
    let reading = strata::yaml::read::read(text);
    assert!(reading.faults.is_empty() && reading.documents.len() == 1, "no document:\n{text}");
    strata::spec::to_json(&reading.documents[0].root)
}

/// Splits a stream at its `---` lines, leaving out documents that hold nothing.
pub fn documents(stream: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in stream.lines() {
        match (line.trim_end() == "---" || line.starts_with("--- "), documents.last_mut()) {
            (false, Some(document)) => *document += &format!("{line}\n"),
            _ => documents.push(String::new()),
        }
    }
    documents.retain(|text| text.lines().any(|line| !line.is_empty() && !line.starts_with('#')));
    documents
}
