//! How Flux follows the tree: every name, path and time decided, in the form that Flux takes.

use crate::finding::{Code, Findings, Path};
use crate::map;
use crate::resolve::Written;
use crate::spec::{self, DeliverySource, SourceKind};
use crate::value::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Where the tree lies in its source; empty for the root.
    pub path: String,
    /// The namespace of Flux's own objects.
    pub namespace: String,
    pub interval: String,
    pub retry_interval: String,
    /// The `sourceRef` of every Kustomization: one source, so that an upgrade moves in lockstep.
    pub source_ref: Map,
    /// The source itself, if the tree brings it.
    pub source: Option<Map>,
    /// What else every Kustomization has: account, decryption, the way to another cluster.
    pub with: Map,
}

/// What `flux bootstrap` makes.
pub const FLUX: &str = "flux-system";

pub(super) fn resolve(written: &Written, findings: &mut Findings) -> Delivery {
    let given = written.spec.delivery.clone().unwrap_or_default();
    let with = with(&given);
    let namespace = given.namespace.unwrap_or_else(|| FLUX.to_owned());
    let (kind, name, home) = match (given.source_ref, &given.source) {
        (Some(named), _) => (named.kind, named.name, named.namespace),
        (None, Some(source)) => (kind_of(source), written.name.clone(), None),
        (None, None) => (SourceKind::default(), FLUX.to_owned(), None),
    };
    let mut source_ref = map! { "kind" => name_of(kind), "name" => name.clone() };
    let home = home.filter(|home| *home != namespace);
    if let Some(home) = &home {
        source_ref.insert("namespace", home.clone());
    }
    let source = given.source.and_then(|source| {
        let spec = source_spec(kind, &source, written, findings)?;
        Some(map! {
            "apiVersion" => "source.toolkit.fluxcd.io/v1",
            "kind" => name_of(kind),
            "metadata" => map! {
                "name" => name,
                "namespace" => home.unwrap_or_else(|| namespace.clone()),
            },
            "spec" => spec,
        })
    });
    Delivery {
        path: given.path.unwrap_or_default(),
        namespace,
        interval: given.interval.unwrap_or_else(|| "10m".to_owned()),
        retry_interval: given.retry_interval.unwrap_or_else(|| "1m".to_owned()),
        source_ref,
        source,
        with,
    }
}

impl Delivery {
    /// What leads to the cluster that the cloud comes to; nothing leads to the one that Flux runs in.
    pub fn cluster(&self) -> String {
        let secret = |field: &str| self.with.get("kubeConfig")?.at(&["secretRef", field])?.as_str();
        match (secret("name"), secret("key")) {
            (Some(name), key) => format!("{}/{name}/{}", self.namespace, key.unwrap_or_default()),
            (None, _) => String::new(),
        }
    }
}

fn with(given: &spec::Delivery) -> Map {
    let mut with = Map::new();
    if let Some(account) = &given.service_account_name {
        with.insert("serviceAccountName", account.clone());
    }
    if let Some(decryption) = &given.decryption {
        let mut value = map! { "provider" => "sops" };
        if let Some(secret) = &decryption.secret_ref {
            value.insert("secretRef", map! { "name" => secret.name.clone() });
        }
        with.insert("decryption", value);
    }
    if let Some(config) = &given.kube_config {
        let mut secret = map! { "name" => config.secret_ref.name.clone() };
        if let Some(key) = &config.secret_ref.key {
            secret.insert("key", key.clone());
        }
        with.insert("kubeConfig", map! { "secretRef" => secret });
    }
    with
}

fn name_of(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::GitRepository => "GitRepository",
        SourceKind::OCIRepository => "OCIRepository",
        SourceKind::Bucket => "Bucket",
    }
}

/// The kind that an address speaks of.
fn kind_of(source: &DeliverySource) -> SourceKind {
    match &source.url {
        _ if source.bucket.is_some() => SourceKind::Bucket,
        Some(url) if url.starts_with("oci://") => SourceKind::OCIRepository,
        _ => SourceKind::GitRepository,
    }
}

fn source_spec(
    kind: SourceKind,
    source: &DeliverySource,
    written: &Written,
    findings: &mut Findings,
) -> Option<Map> {
    let text = |field: &Option<String>| field.clone().map(Value::from);
    // What a source of each kind may have, and the first of them it must have.
    let (url, schemes): (_, &[&str]) = match kind {
        SourceKind::GitRepository => {
            (&["url", "branch", "tag", "commit"][..], &["https", "http", "ssh"])
        }
        SourceKind::OCIRepository => (&["url", "tag", "digest"][..], &["oci"]),
        SourceKind::Bucket => (&["bucket"][..], &[]),
    };
    let given = [
        ("url", source.url.is_some()),
        ("branch", source.branch.is_some()),
        ("tag", source.tag.is_some()),
        ("commit", source.commit.is_some()),
        ("digest", source.digest.is_some()),
        ("bucket", source.bucket.is_some()),
    ];
    let path = Path::from("spec.delivery.source");
    let mut refuse = |code: Code, field: Option<&str>, because: String, remedy: String| {
        let path = field.map_or_else(|| path.clone(), |field| path.key(field));
        let place = written.place(&path);
        findings.push(code.at(place).because(because).remedy(remedy));
        None
    };
    let name = name_of(kind);
    if let Some((field, _)) = given.iter().find(|(field, given)| *given && !url.contains(field)) {
        return refuse(
            Code::BadSource,
            Some(field),
            format!("the kind {name} has no {field}"),
            format!("write of: {}; or name another kind in `sourceRef`", url.join(", ")),
        );
    }
    if !given.iter().any(|(field, given)| *given && *field == url[0]) {
        return refuse(
            Code::BadSource,
            None,
            format!("the kind {name} needs `{}`, and it is missing here", url[0]),
            format!("add `{}`, or leave `source` out if the {name} exists", url[0]),
        );
    }
    let (scheme, rest) =
        source.url.as_deref().and_then(|url| url.split_once("://")).unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    // What is before the `@` is never repeated: it would be in reports, too.
    if authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')) {
        return refuse(
            Code::SecretInText,
            Some("url"),
            "a password in an address would be in everything that is rendered".to_owned(),
            "take it out, and name a Secret with it in `secretRef`".to_owned(),
        );
    }
    if let Some(url) = &source.url
        && (!schemes.contains(&scheme) || authority.is_empty())
    {
        return refuse(
            Code::BadSource,
            Some("url"),
            format!("{url} is no address for the kind {name}"),
            format!("write an address that begins with {}://", schemes.join(":// or ")),
        );
    }
    let mut spec =
        map! { "interval" => source.interval.clone().unwrap_or_else(|| "5m".to_owned()) };
    if let Some(secret) = &source.secret_ref {
        spec.insert("secretRef", map! { "name" => secret.name.clone() });
    }
    if let Some(bucket) = &source.bucket {
        spec.insert("bucketName", bucket.name.clone());
        spec.insert("endpoint", bucket.endpoint.clone());
        if let Some(region) = &bucket.region {
            spec.insert("region", region.clone());
        }
        if let Some(provider) = bucket.provider {
            spec.insert("provider", format!("{provider:?}").to_lowercase());
        }
        return Some(spec);
    }
    let mut reference = Map::new();
    for (key, value) in [
        ("branch", text(&source.branch)),
        ("tag", text(&source.tag)),
        ("commit", text(&source.commit)),
        ("digest", text(&source.digest)),
    ] {
        if let Some(value) = value {
            reference.insert(key, value);
        }
    }
    if reference.pairs().is_empty() {
        let (key, value) = match kind {
            SourceKind::GitRepository => ("branch", "main"),
            _ => ("tag", "latest"),
        };
        reference.insert(key, value);
    }
    spec.insert("url", source.url.clone().unwrap_or_default());
    spec.insert("ref", reference);
    Some(spec)
}
