//! The origins of an object's fields while it is made, one step after the other.

use crate::explain::{Field, Origin, Source};
use crate::finding::Path;
use crate::value::Value;

#[derive(Debug, Default)]
pub struct Fields(Vec<Known>);

#[derive(Debug)]
struct Known {
    path: Path,
    template: Option<Source>,
    origins: Vec<Origin>,
}

impl Fields {
    pub fn set(&mut self, path: Path, template: Option<Source>, origins: Vec<Origin>) {
        self.0.retain(|known| known.path != path);
        self.0.push(Known { path, template, origins });
    }

    /// Gives every leaf that a step added or altered the origin that belongs to its path.
    pub fn changed(&mut self, before: &Value, after: &Value, origin: &dyn Fn(&Path) -> Origin) {
        leaves(after, &Path::root(), &mut |path, leaf| {
            if find(before, path) != Some(leaf) {
                self.set(path.clone(), None, vec![origin(path)]);
            }
        });
    }

    /// What is known of the leaves that are there in the end.
    pub fn finish(mut self, body: &Value) -> Vec<Field> {
        let mut fields = Vec::new();
        leaves(body, &Path::root(), &mut |path, leaf| {
            let known = self.0.iter().position(|known| known.path == *path);
            let known = known.map(|index| self.0.swap_remove(index));
            let (template, origins) =
                known.map_or((None, Vec::new()), |known| (known.template, known.origins));
            fields.push(Field { path: path.clone(), value: leaf.clone(), template, origins });
        });
        fields.sort_by_key(|field| rank(&field.path));
        fields
    }
}

/// What an object is, then what it is called, then the rest as it stands.
fn rank(path: &Path) -> usize {
    let shown = path.to_string();
    ["apiVersion", "kind", "metadata"]
        .iter()
        .position(|first| shown.starts_with(first))
        .unwrap_or(usize::MAX)
}

/// Everything that holds no more fields: scalars, and maps and lists that are empty.
pub fn leaves(value: &Value, path: &Path, visit: &mut dyn FnMut(&Path, &Value)) {
    match value {
        Value::Map(map) if !map.is_empty() => {
            for (key, value) in map.iter() {
                leaves(value, &path.key(key.as_ref()), visit);
            }
        }
        Value::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &path.index(index), visit);
            }
        }
        _ => visit(path, value),
    }
}

fn find<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    use crate::finding::Step;
    path.steps().iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_map()?.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}
