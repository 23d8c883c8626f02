//! What must be there before a cloud: objects that its own name, nodes that they select, public names,
//! authorities that are trusted, paths in the store, and the operators that serve its kinds.

mod nodes;
mod operators;
mod show;

pub use operators::{By, Served};

use std::collections::{BTreeMap, BTreeSet};

use crate::check::connections::of_all;
use crate::generate::Contents;
use crate::links::{
    External, Makers, Reference, SECRET, STORE_PATH, Step, TRUST, excuse, is_always_there, reasons,
    references,
};
use crate::object::Object;
use crate::resolve::{Cloud, Component};

/// The component whose server services connect to.
const DATABASE: &str = "mariadb";
/// Kinds that always have a namespace: where nothing says which, that of who asks for them.
const IN_A_NAMESPACE: &[&str] =
    &[SECRET, TRUST, "ConfigMap", "PersistentVolumeClaim", "ServiceAccount"];
/// By the labels that objects select.
pub(crate) const NODE: &str = "Node";
const STORE: &str = "ClusterSecretStore";
/// Whose objects read and write it.
const SECRETS: &str = "external-secrets.io/";

#[derive(Debug)]
pub struct Requirements {
    pub cloud: String,
    /// All that have objects.
    pub components: BTreeSet<String>,
    /// Kind and name of the store.
    pub store: (String, String),
    pub objects: Vec<Needed>,
    /// Secrets with an authority that somebody outside of the cloud must trust.
    pub trusted: Vec<Needed>,
    /// Every path in the store, and what is done there.
    pub paths: BTreeMap<String, Access>,
    pub operators: Vec<Served>,
    /// Whether the catalog has addresses for those outside that lead nowhere there.
    pub is_inward: bool,
    /// How many connections a database that runs elsewhere must take, and where that is.
    pub connections: Option<(String, i64)>,
}

/// Something that must exist.
#[derive(Debug)]
pub struct Needed {
    pub kind: String,
    /// With the namespace before it, where it has one.
    pub name: String,
    pub why: String,
    /// What a Secret must hold, as far as that is known: a person who names one of their own knows more.
    pub keys: BTreeSet<String>,
    /// The components whose objects name it, or who asked for it.
    pub by: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub read: bool,
    pub written: bool,
}

pub fn requirements(cloud: &Cloud, contents: &Contents) -> Requirements {
    let makers = Makers::of(&contents.objects);
    let components: BTreeSet<&str> = contents.objects.iter().map(|made| made.component).collect();
    let mut needed: BTreeMap<(String, String), Needed> = BTreeMap::new();
    let mut paths: BTreeMap<String, Access> = BTreeMap::new();
    let mut readers: BTreeSet<&str> = BTreeSet::new();
    for (path, _) in makers.of_kind(STORE_PATH) {
        paths.entry(path.name.to_string()).or_default().written = true;
    }
    for made in &contents.objects {
        references(&made.object, &mut |reference| {
            if reference.kind == STORE && made.object.api_version().starts_with(SECRETS) {
                readers.insert(made.object.namespace());
            }
            if reference.kind == STORE_PATH {
                // What another store is asked for is no path of this one.
                if store(&made.object) != Some(&cloud.store.name) {
                    return;
                }
                paths.entry(reference.name.to_owned()).or_default().read = true;
            }
            let is_ours = reference.generated || makers.of_reference(&reference).is_some();
            if is_ours || is_always_there(&reference) {
                return;
            }
            let component = cloud.component(made.component);
            let what = (reference.kind, reference.name);
            let mut why = reasons(what, made.component, &contents.external);
            if why.is_empty() {
                why.extend(excuse(&reference, &contents.external, component));
            }
            let declared = contents.external.iter().filter(|external| {
                external.kind == reference.kind && external.name == reference.name
            });
            let mut keys: Vec<&str> =
                declared.flat_map(|external| external.keys.iter().map(AsRef::as_ref)).collect();
            keys.extend(key(&made.object, &reference));
            let name = match reference.namespace {
                "" => reference.name.to_owned(),
                namespace => format!("{namespace}/{}", reference.name),
            };
            add(&mut needed, (reference.kind, name), &why, &keys, [made.component]);
        });
        nodes::selected(&made.object, &mut |labels, place| {
            let (kind, name) = (made.object.kind(), made.object.name());
            let why = format!("run {place} of {kind} {name}");
            add(&mut needed, (NODE, labels), &[&why], &[], [made.component]);
        });
    }
    // Those that objects name; of the others, several components may ask for the same.
    let named: BTreeSet<(String, String)> = needed.keys().cloned().collect();
    for external in &contents.external {
        let is_named = named.iter().any(|(kind, name)| {
            *kind == external.kind && name.rsplit('/').next() == Some(external.name.as_str())
        });
        // A store of the user's own by default, and one of ours where `platform.openbao` makes it.
        let is_ours = makers.of_kind(&external.kind).any(|(id, _)| id.name == external.name);
        if !is_named && !is_ours && external.kind != STORE_PATH {
            let name = match namespace(external, cloud) {
                Some(namespace) => format!("{namespace}/{}", external.name),
                None => external.name.clone(),
            };
            let keys: Vec<&str> = external.keys.iter().map(AsRef::as_ref).collect();
            let (what, why) = ((external.kind.as_str(), name), [external.why.as_ref()]);
            match external.reader {
                // It stands between Flux and every component.
                Some(_) => add(&mut needed, what, &why, &keys, components.iter().copied()),
                None => add(&mut needed, what, &why, &keys, [external.component]),
            }
        }
    }
    // A store for the whole cluster may be kept to some of it.
    if let Some(store) = needed.values_mut().find(|needed| needed.kind == STORE) {
        let namespaces = Vec::from_iter(readers).join(", ");
        store.why.push_str(&format!("; if it is kept to some namespaces, then with {namespaces}"));
    }
    let (trusted, objects) = needed.into_values().partition(|needed| needed.kind == TRUST);
    Requirements {
        cloud: format!("{}/{}", cloud.namespace, cloud.name),
        components: components.into_iter().map(str::to_owned).collect(),
        store: (format!("{:?}", cloud.store.kind), cloud.store.name.clone()),
        objects,
        trusted,
        paths,
        operators: operators::served(cloud, &contents.objects),
        is_inward: is_inward(cloud),
        connections: connections(cloud, contents),
    }
}

/// A cloud without a domain is right for those who only look, so nothing warns of it, and this is where one finds out.
fn is_inward(cloud: &Cloud) -> bool {
    let is_in_catalog = |component: &Component| {
        let identity = component.identity();
        identity.is_some_and(|identity| !identity.service_type.is_empty())
            && component.record.port().is_some()
    };
    cloud.public.is_none() && cloud.components.iter().any(is_in_catalog)
}

/// A server of the cloud's own is told; one that runs elsewhere, somebody has to tell.
fn connections(cloud: &Cloud, contents: &Contents) -> Option<(String, i64)> {
    let server = cloud.component(DATABASE)?.options.get("external")?;
    let host = server.at(&["host"])?.as_str()?.to_owned();
    Some((host, of_all(contents, cloud)))
}

/// Where something has to be that only a record speaks of: an operator's is beside the operator.
fn namespace<'a>(external: &External, cloud: &'a Cloud) -> Option<&'a str> {
    let asks = cloud.component(external.component).map(|it| it.record.namespace.as_ref());
    let own = asks.filter(|namespace| !namespace.is_empty() && external.kind != TRUST);
    let is_said = external.name.contains('/');
    let has_one = IN_A_NAMESPACE.contains(&external.kind.as_str());
    (has_one && !is_said).then(|| own.unwrap_or(&cloud.namespace))
}

/// The store that an object reads.
fn store(object: &Object) -> Option<&str> {
    object.body().at(&["spec", "secretStoreRef", "name"])?.as_str()
}

/// The key that stands beside the name of a Secret.
fn key<'a>(object: &'a Object, reference: &Reference) -> Option<&'a str> {
    let (_, above) = reference.path.split_last().filter(|_| reference.kind == SECRET)?;
    let holder = above.iter().try_fold(object.body(), |value, step| match step {
        Step::Key(key) => value.at(&[key]),
        Step::Item(index) => value.as_list()?.get(*index),
    })?;
    holder.at(&["key"])?.as_str()
}

fn add<'a>(
    needed: &mut BTreeMap<(String, String), Needed>,
    (kind, name): (&str, String),
    why: &[&str],
    keys: &[&str],
    by: impl IntoIterator<Item = &'a str>,
) {
    let entry = needed.entry((kind.to_owned(), name.clone())).or_insert_with(|| Needed {
        kind: kind.to_owned(),
        name,
        why: String::new(),
        keys: BTreeSet::new(),
        by: BTreeSet::new(),
    });
    // Components may need the same for different reasons, and each is said once.
    for why in why {
        if entry.why.is_empty() {
            (*why).clone_into(&mut entry.why);
        } else if !entry.why.contains(why) {
            entry.why.push_str(&format!("; {why}"));
        }
    }
    entry.keys.extend(keys.iter().map(|key| (*key).to_owned()));
    entry.by.extend(by.into_iter().map(str::to_owned));
}
