//! The name of the file an object belongs in, below the folder of its cloud.

use std::collections::HashMap;

use crate::generate::Made;
use crate::object::Object;

/// `keystone/keystone-keystone.yaml`. Kinds of the same word and objects of the same name in
/// another namespace are told apart only where they meet, since short names are easier to read.
pub fn paths(made: &[Made]) -> Vec<String> {
    let forms: [fn(&Object) -> String; 3] = [
        |object| format!("{}-{}.yaml", object.kind().to_lowercase(), object.name()),
        |object| format!("{}-{}.yaml", kind_and_group(object), object.name()),
        // No name holds `_`, so this cannot be mistaken for another object's.
        |object| {
            format!("{}-{}_{}.yaml", kind_and_group(object), object.name(), object.namespace())
        },
    ];
    let path = |made: &Made, form: fn(&Object) -> String| {
        format!("{}/{}", made.component, form(&made.object))
    };
    let mut paths: Vec<String> = made.iter().map(|made| path(made, forms[0])).collect();
    for form in &forms[1..] {
        let mut uses: HashMap<&str, usize> = HashMap::with_capacity(paths.len());
        for path in &paths {
            *uses.entry(path).or_default() += 1;
        }
        let met: Vec<bool> = paths.iter().map(|path| uses.get(path.as_str()) > Some(&1)).collect();
        if !met.contains(&true) {
            break;
        }
        for ((made, name), _) in made.iter().zip(&mut paths).zip(met).filter(|(_, met)| *met) {
            *name = path(made, *form);
        }
    }
    paths
}

fn kind_and_group(object: &Object) -> String {
    let kind = object.kind().to_lowercase();
    match object.api_version().split_once('/') {
        Some((group, _)) => format!("{kind}.{group}"),
        None => kind,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::map;

    fn made((api_version, kind, namespace, name): (&str, &str, &str, &str)) -> Made<'static> {
        let object = Object::new(map! {
            "apiVersion" => api_version.to_owned(),
            "kind" => kind.to_owned(),
            "metadata" => map! { "name" => name.to_owned(), "namespace" => namespace.to_owned() },
        });
        Made { component: "keystone", object: object.unwrap() }
    }

    #[test]
    fn objects_that_would_share_a_file_are_told_apart() {
        let made = [
            made(("a.example/v1", "User", "os", "nova")),
            made(("b.example/v1", "User", "os", "nova")),
            made(("b.example/v1", "User", "os", "glance")),
            made(("v1", "ConfigMap", "os", "x")),
            made(("v1", "ConfigMap", "other", "x")),
        ];
        insta::assert_snapshot!(paths(&made).join("\n"), @r"
        keystone/user.a.example-nova.yaml
        keystone/user.b.example-nova.yaml
        keystone/user-glance.yaml
        keystone/configmap-x_os.yaml
        keystone/configmap-x_other.yaml
        ");
    }
}
