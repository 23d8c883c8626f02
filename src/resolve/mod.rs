//! Decides everything that the spec left open. What comes out is a cloud in which nothing is
//! optional by accident: every size, release, name and reference is there, and later steps cannot
//! fail for want of one.

mod account;
mod claim;
mod component;
mod defaults;
mod delivery;
mod endpoint;
mod hatches;
mod identity;
mod namespaces;
mod offered;
mod pinned;
mod plain_http;
mod policies;
mod pools;
mod release;
mod rotation;
mod store;
mod switch;
mod tag;
mod trust;

pub use account::{Account, Grant, Sort};
pub use component::{Component, Image, Scaled};
pub use delivery::{Delivery, FLUX};
pub use endpoint::{Public, Way};
pub use hatches::{Hatches, Operation, Patch};
pub use identity::{ADMIN_CREDENTIAL, DOMAIN, PROJECT, ROLES};
pub use policies::{Operator, Policies};
pub use pools::Consumed;
pub use rotation::{APPLICATION_CREDENTIAL, Keys, Rhythm, Rotation};
pub use store::{Store, Vault};

use crate::Options;
use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::pools::Pools;
use crate::record::Record;
use crate::schema::nearest;
use crate::spec::{ControlPlaneSpec, Distribution, IssuerRef, Size};
use crate::value::Map;
use crate::yaml::tree::Node;

#[derive(Debug)]
pub struct Cloud<'a> {
    /// What was written, for the place of a finding.
    pub written: &'a Written<'a>,
    /// All records, those of components that it does not have among them.
    pub catalogue: &'a Catalogue,
    pub name: String,
    pub namespace: String,
    pub region: String,
    pub release: String,
    pub size: Size,
    pub distribution: Distribution,
    pub tls: bool,
    /// Who issues certificates for public names, if there are any.
    pub issuer: Option<IssuerRef>,
    pub monitoring: bool,
    /// How the cloud is reached from outside; none if it is not.
    pub public: Option<Public>,
    pub store: Store,
    /// The pools it consumes.
    pub pools: Consumed<'a>,
    /// How Flux follows the rendered tree.
    pub delivery: Delivery,
    pub components: Vec<Component<'a>>,
    /// What people want in Keystone of their own.
    pub accounts: Vec<Account>,
    /// Whether services log in with application credentials; with passwords if not.
    pub application_credentials: bool,
    pub rotation: Rotation,
    /// Who may speak to whom is said where this is.
    pub policies: Option<Policies>,
}

impl Cloud<'_> {
    pub fn component(&self, name: &str) -> Option<&Component<'_>> {
        self.components.iter().find(|component| component.record.component == name)
    }

    /// The path of a secret in the store. It names the cloud, so that no two clouds share one.
    pub fn secret_path(&self, secret: &str) -> String {
        format!("{}/{}/{}/{secret}", self.store.prefix, self.namespace, self.name)
    }
}

/// None if anything in the spec cannot be; the findings say what.
pub fn resolve<'a>(
    written: &'a Written<'a>,
    pools: &'a Pools<'a>,
    catalogue: &'a Catalogue,
    options: &Options,
    findings: &mut Findings,
) -> Option<Cloud<'a>> {
    let errors = findings.errors();
    namespaces::check(written, catalogue, findings);
    let ControlPlaneSpec { distribution, size, global, .. } = &written.spec;
    let global = global.clone().unwrap_or_default();
    let release = release::choose(written, catalogue, options, findings)?;
    let region = global.region.unwrap_or_else(|| "RegionOne".to_owned());
    let mut cloud = Cloud {
        written,
        catalogue,
        name: written.name.clone(),
        namespace: written.namespace.clone(),
        pools: pools::consume(written, pools, &region, findings),
        region,
        release,
        size: size.unwrap_or_default(),
        distribution: distribution.unwrap_or_default(),
        tls: global.tls.as_ref().and_then(|tls| tls.enabled).unwrap_or(true),
        issuer: global.tls.and_then(|tls| tls.issuer_ref),
        monitoring: global.monitoring.and_then(|monitoring| monitoring.enabled).unwrap_or(true),
        store: store::resolve(written, findings),
        public: endpoint::public(written, findings),
        delivery: delivery::resolve(written, findings),
        components: Vec::new(),
        accounts: Vec::new(),
        application_credentials: false,
        rotation: Rotation::of(written, findings),
        policies: policies::resolve(global.network_policies, written, catalogue, findings),
    };
    add_components(&mut cloud, catalogue, |record| !record.where_rotated, findings);
    cloud.application_credentials = rotation::application_credentials(&cloud, findings);
    // Known last: what rotates depends on which components there are.
    add_components(&mut cloud, catalogue, |record| record.where_rotated, findings);
    rotation::check(&cloud, catalogue, findings);
    cloud.accounts = account::accounts(&cloud, catalogue, findings);
    offered::check(&cloud, catalogue, findings);
    pinned::check(&cloud, findings);
    needs_are_on(&cloud, catalogue, findings);
    issuer_is_known(&cloud, findings);
    policies::let_in(&cloud, findings);
    settings_of_what_runs_elsewhere(&cloud, findings);
    without_effect(&cloud, written, findings);
    plain_http::check(&cloud, findings);
    trust::check(&cloud, findings);
    claim::check(&cloud, findings);
    (findings.errors() == errors).then_some(cloud)
}

fn add_components<'a>(
    cloud: &mut Cloud<'a>,
    catalogue: &'a Catalogue,
    which: impl Fn(&Record) -> bool,
    findings: &mut Findings,
) {
    let written = cloud.written;
    for record in catalogue.records().filter(|record| which(record)) {
        let settings = Settings::of(record, written);
        if settings.enabled(record, cloud, written, catalogue) {
            let component = component::resolve(record, &settings, cloud, findings);
            cloud.components.push(component);
        } else {
            settings.of_something_off(record, cloud, findings);
        }
    }
}

/// What a person wrote about one component.
#[derive(Debug)]
pub(crate) struct Settings {
    values: Map,
    /// Where it stands, or would stand.
    path: Path,
    is_written: bool,
}

impl Settings {
    fn of(record: &Record, written: &Written) -> Self {
        let path = Path::from(format!("spec.{}", record.settings).as_str());
        let node = (!record.settings.is_empty()).then(|| written.get(&path)).flatten();
        Settings {
            values: node.map(Node::to_map).unwrap_or_default(),
            path,
            is_written: node.is_some(),
        }
    }
}

impl Settings {
    /// Whoever sets up a component that is off by default most often means to have it.
    fn of_something_off(&self, record: &Record, cloud: &Cloud, findings: &mut Findings) {
        // Defaults are for whoever has the component.
        let is_own = self.is_written && cloud.written.is_own(&self.path);
        if self.values.get("enabled").is_some() || !is_own {
            return;
        }
        findings.push(
            Code::SetButOff
                .at(cloud.written.place(&self.path))
                .because(format!(
                    "{} is off unless it is switched on, so this has no effect",
                    record.component
                ))
                .remedy(switch::REMEDY),
        );
    }
}

/// A component that is on must not need one that is off.
fn needs_are_on(cloud: &Cloud, catalogue: &Catalogue, findings: &mut Findings) {
    for off in catalogue.records().filter(|record| cloud.component(&record.component).is_none()) {
        let needing = || {
            let needs_it = |component: &&Component| {
                let mut needs = component.needs().chain(component.record.alongside.iter());
                needs.any(|need| *need == off.component)
            };
            cloud.components.iter().filter(needs_it)
        };
        if needing().next().is_none() {
            continue;
        }
        let names: Vec<&str> = needing().map(Component::name).collect();
        let settings: Vec<&str> =
            needing().map(|component| component.record.settings.as_ref()).collect();
        let name = &off.component;
        let settings_of_it = Settings::of(off, cloud.written).path;
        let elsewhere = match off.options.iter().any(|(option, _)| option == "external") {
            true => format!(", say where it runs (`{}`)", settings_of_it.key("external")),
            false => String::new(),
        };
        let path = settings_of_it.key("enabled");
        findings.push(
            Code::SwitchedOffNeed
                .at(cloud.written.place(&path))
                .because(format!("{name} is off and needed by {}", names.join(", ")))
                .remedy(format!(
                    "switch {name} on{elsewhere}, or switch off all that need it: {}",
                    settings.join(", ")
                )),
        );
    }
}

/// cert-manager has two kinds of issuers, and other groups have theirs.
fn issuer_is_known(cloud: &Cloud, findings: &mut Findings) {
    const KNOWN: &[&str] = &["ClusterIssuer", "Issuer"];
    let Some(IssuerRef { kind: Some(kind), group, .. }) = &cloud.issuer else { return };
    let is_own = group.as_ref().is_none_or(|group| group == "cert-manager.io");
    if is_own && !KNOWN.contains(&kind.as_str()) {
        let meant = nearest(kind, KNOWN.iter().copied());
        findings.push(
            Code::NotAllowed
                .at(cloud.written.place(&Path::from("spec.global.tls.issuerRef.kind")))
                .because(format!("cert-manager has no issuers of the kind {kind}"))
                .remedy(match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "write Issuer or ClusterIssuer, or name the API group of that kind in `group`".to_owned(),
                }),
        );
    }
}

/// Who names a server that runs elsewhere cannot say here how that one runs.
fn settings_of_what_runs_elsewhere(cloud: &Cloud, findings: &mut Findings) {
    const READ: &[&str] = &["enabled", "external", "extraConfig", "patches"];
    for component in cloud.components.iter().filter(|component| component.is_external()) {
        let name = component.name();
        if !cloud.components.iter().any(|other| other.waits_for().any(|need| need == name)) {
            findings.push(
                Code::NoEffect
                    .at(cloud.written.place(&component.path.key("external")))
                    .because(format!("nothing in this cloud needs {name}, so nothing speaks to it"))
                    .remedy(format!(
                        "leave it out, and write `{}.enabled: false` to have no {name} at all",
                        cloud.written.shown(&component.path)
                    )),
            );
        }
        let settings = Settings::of(component.record, cloud.written);
        for (key, _) in settings.values.iter().filter(|(key, _)| !READ.contains(&key.as_ref())) {
            findings.push(
                Code::NoEffect
                    .at(cloud.written.place(&component.path.key(key.as_ref())))
                    .because(format!(
                        "{} runs elsewhere, so this changes nothing",
                        component.name()
                    ))
                    .remedy("leave it out, or remove `external`"),
            );
        }
    }
}

/// Settings that change nothing without others beside them: said, not swallowed.
fn without_effect(cloud: &Cloud, written: &Written, findings: &mut Findings) {
    let spec = &written.spec;
    let issuer = spec.global.as_ref().and_then(|global| global.tls.as_ref()?.issuer_ref.as_ref());
    let outside = spec.endpoints.as_ref().and_then(|endpoints| endpoints.domain.as_ref());
    if issuer.is_some() && outside.is_none() {
        findings.push(
            Code::NoEffect
                .at(written.place(&Path::from("spec.global.tls.issuerRef")))
                .because("the issuer is for public names, and the cloud has none")
                .remedy("add `endpoints: {domain: …}` to be reached from outside; names inside have the cloud's own authority"),
        );
    }
    if spec.rotation.is_some() && cloud.rotations().is_empty() {
        findings.push(
            Code::NoEffect
                .at(written.place(&Path::from("spec.rotation")))
                .because("nothing in this cloud rotates: services log in with passwords, and no keys or passwords are asked for")
                .remedy("write `korc: {credentials: applicationCredential}`, or switch one of its parts on"),
        );
    }
}
