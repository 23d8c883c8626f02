//! The name of the file an object belongs in, below the folder of its cloud.

use std::collections::HashMap;

use crate::deliver::Rendered;
use crate::generate::Made;

/// What a file is named after.
#[derive(Clone, Copy)]
struct Named<'a> {
    /// Files of different clouds never meet.
    cloud: &'a str,
    component: &'a str,
    api_version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

/// Where each object belongs below the folder of its cloud.
pub fn paths(objects: &[Rendered]) -> Vec<String> {
    let named = objects.iter().map(|object| Named {
        cloud: &object.cloud,
        component: &object.component,
        api_version: &object.api_version,
        kind: &object.kind,
        namespace: &object.namespace,
        name: &object.name,
    });
    name_files(&named.collect::<Vec<_>>())
}

/// The same for objects of one cloud that are not written yet.
pub fn of_made(made: &[Made]) -> Vec<String> {
    let named = made.iter().map(|Made { component, object }| Named {
        cloud: "",
        component,
        api_version: object.api_version(),
        kind: object.kind(),
        namespace: object.namespace(),
        name: object.name(),
    });
    name_files(&named.collect::<Vec<_>>())
}

/// `keystone/keystone-keystone.yaml`. Kinds of the same word and objects of the same name in
/// another namespace are told apart only where they meet, since short names are easier to read.
fn name_files(objects: &[Named]) -> Vec<String> {
    let forms: [fn(&Named) -> String; 3] = [
        |object| format!("{}-{}.yaml", object.kind.to_lowercase(), object.name),
        |object| format!("{}-{}.yaml", kind_and_group(object), object.name),
        // No name holds `_`, so this cannot be mistaken for another object's.
        |object| format!("{}-{}_{}.yaml", kind_and_group(object), object.name, object.namespace),
    ];
    let path = |object: &Named, form: fn(&Named) -> String| {
        format!("{}/{}", object.component, form(object))
    };
    let mut paths: Vec<String> = objects.iter().map(|object| path(object, forms[0])).collect();
    for form in &forms[1..] {
        let ids = || objects.iter().map(|object| object.cloud).zip(&paths);
        let mut uses: HashMap<(&str, &String), usize> = HashMap::with_capacity(paths.len());
        for id in ids() {
            *uses.entry(id).or_default() += 1;
        }
        let met: Vec<bool> = ids().map(|id| uses.get(&id) > Some(&1)).collect();
        if !met.contains(&true) {
            break;
        }
        for ((object, name), _) in objects.iter().zip(&mut paths).zip(met).filter(|(_, met)| *met) {
            *name = path(object, *form);
        }
    }
    paths
}

fn kind_and_group(object: &Named) -> String {
    let kind = object.kind.to_lowercase();
    match object.api_version.split_once('/') {
        Some((group, _)) => format!("{kind}.{group}"),
        None => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_cloud<'a>(
        cloud: &'a str,
        (api_version, kind, namespace, name): (&'a str, &'a str, &'a str, &'a str),
    ) -> Named<'a> {
        Named { cloud, component: "keystone", api_version, kind, namespace, name }
    }

    #[test]
    fn objects_that_would_share_a_file_are_told_apart() {
        let objects = [
            in_cloud("os", ("a.example/v1", "User", "os", "nova")),
            in_cloud("os", ("b.example/v1", "User", "os", "nova")),
            in_cloud("os", ("b.example/v1", "User", "os", "glance")),
            in_cloud("os", ("v1", "ConfigMap", "os", "x")),
            in_cloud("os", ("v1", "ConfigMap", "other", "x")),
        ];
        insta::assert_snapshot!(name_files(&objects).join("\n"), @r"
        keystone/user.a.example-nova.yaml
        keystone/user.b.example-nova.yaml
        keystone/user-glance.yaml
        keystone/configmap-x_os.yaml
        keystone/configmap-x_other.yaml
        ");
    }

    #[test]
    fn objects_of_different_clouds_never_meet() {
        let id = ("v1", "ConfigMap", "shared", "x");
        assert_eq!(
            name_files(&[in_cloud("a", id), in_cloud("b", id)]),
            ["keystone/configmap-x.yaml"; 2]
        );
    }
}
