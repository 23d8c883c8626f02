//! Every valid fixture, by every way.

use super::programs::{kubectl, kustomize, kustomize_with_plugin, render};
use super::*;
use strata::value::Value;

struct Fixture {
    name: String,
    files: Vec<PathBuf>,
}

fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    for entry in fs::read_dir(repository().join("fixtures")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        if !folder.is_dir() || name.starts_with("invalid-") {
            continue;
        }
        let entries = walkdir::WalkDir::new(&folder).sort_by_file_name();
        let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
        let files = paths.filter(|path| path.extension().is_some_and(|end| end == "yaml"));
        found.push(Fixture { name, files: files.collect() });
    }
    assert!(found.len() >= 2, "fixtures/ is nearly empty");
    found
}

impl Fixture {
    /// Every document in a file of its own, all of them named in the kustomization: as generators
    /// if each speaks for itself, else the first as a transformer over the others.
    fn kustomization(&self, prepare: fn(&str) -> String) -> tempfile::TempDir {
        let mut documents = Vec::new();
        for file in &self.files {
            let text = fs::read_to_string(file).unwrap();
            let parts = strata::yaml::read::read(&text).documents;
            documents.extend(parts.iter().map(|part| block(&named(part.root.to_value()))));
        }
        documents.sort_by_key(|document| !document.contains("\nkind: ControlPlane\n"));
        let all_alone =
            documents.iter().all(|document| document.contains("\nkind: ControlPlane\n"));
        let mut kustomization = String::new();
        let mut files = Vec::new();
        for (number, document) in documents.iter().enumerate() {
            let name = format!("{number}.yaml");
            let key = match number {
                _ if all_alone => "generators",
                0 => "transformers",
                _ => "resources",
            };
            if !kustomization.contains(key) {
                kustomization.push_str(&format!("{key}:\n"));
            }
            kustomization.push_str(&format!("- {name}\n"));
            let is_configuration = key != "resources";
            files.push((name, if is_configuration { prepare(document) } else { document.clone() }));
        }
        files.push(("kustomization.yaml".into(), kustomization));
        let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
        folder(&files)
    }
}

/// kustomize takes no resource without a name. A record needs none elsewhere, but may have one.
fn named(mut object: Value) -> Value {
    let component = object.at(&["component"]).and_then(Value::as_str).map(str::to_owned);
    if let (Some(name), Some(map)) = (component, object.as_map_mut()) {
        map.insert("metadata", strata::map! { "name" => name });
    }
    object
}

/// As block YAML, so that annotations can be put in.
fn block(object: &Value) -> String {
    let mut text = String::new();
    strata::yaml::write::write(object, &mut text);
    text
}

#[test]
fn render_kustomize_and_kubectl_print_the_same_bytes() {
    for fixture in fixtures() {
        let name = &fixture.name;
        let expected = render(&fixture.files).text();
        let function = fixture.kustomization(as_function);
        check_same(&format!("{name}, kustomize"), &expected, &kustomize(function.path()).text());
        let plugin = fixture.kustomization(str::to_owned);
        check_same(&format!("{name}, kubectl"), &expected, &kubectl(plugin.path()).text());
        let legacy = kustomize_with_plugin(plugin.path()).text();
        check_same(&format!("{name}, kustomize with the plugin"), &expected, &legacy);
    }
}

#[test]
fn our_output_goes_through_both_unchanged() {
    for fixture in fixtures() {
        let name = &fixture.name;
        let expected = render(&fixture.files).text();
        let folder =
            folder(&[("kustomization.yaml", "resources: [all.yaml]\n"), ("all.yaml", &expected)]);
        check_same(&format!("{name}, kustomize"), &expected, &kustomize(folder.path()).text());
        check_same(&format!("{name}, kubectl"), &expected, &kubectl(folder.path()).text());
    }
}
