//! The objects of a cloud: what each record says, and what its facts come to through builders that
//! all components share.

mod accounts;
mod alternating;
mod application_credential;
mod catalog;
mod certificate;
pub mod connections;
mod credential;
mod database;
pub(crate) mod evaluate;
mod external;
mod facts;
pub(crate) mod korc;
mod marks;
mod messaging;
mod missed;
pub(crate) mod network;
pub(crate) mod patch;
pub(crate) mod pods;
pub(crate) mod rights;
mod rotation;
mod route;
pub(crate) mod scope;
pub(crate) mod sentinel;
mod store;

pub use evaluate::Evaluator;
pub use facts::object_name;

use crate::finding::{Code, Finding, Findings, Path, Place};
use crate::links::External;
use crate::object::{Object, Refusal};
use crate::plan::Plan;
use crate::record::{Leaf, ObjectRecord, Rule, Template, place};
use crate::resolve::{Cloud, Component};
use crate::spec::Distribution;
use crate::value::{Map, Value};
use crate::yaml::tree::Span;
use facts::Facts;
use scope::{Scope, Shared};

/// Annotation by which Flux leaves an object alone when it is no longer rendered.
pub const PRUNE: &str = "kustomize.toolkit.fluxcd.io/prune";
/// Annotation that names the control plane an object was rendered for.
pub const OWNER: &str = "strata.c5c3.io/owner";
/// Label that names the component an object belongs to.
pub const COMPONENT: &str = "strata.c5c3.io/component";

/// Annotation, with `false`, of what Flux does not wait for, because it may become ready much later or
/// never. So with users that take turns: the one that is not in use has no password before its first turn.
pub const AWAITED: &str = "strata.c5c3.io/awaited";

/// Makes objects of facts that a record declares, the same for every component.
#[derive(Debug)]
pub(crate) struct Builder {
    pub name: &'static str,
    /// The facts it reads, as records call them.
    pub facts: &'static [&'static str],
    /// What its objects are for, to follow "makes".
    pub purpose: &'static str,
    pub objects: fn(&Given) -> Vec<Map>,
}

/// What builders read.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    pub cloud: &'a Cloud<'a>,
    pub component: &'a Component<'a>,
    pub facts: &'a Facts<'a>,
    pub scope: &'a Scope<'a>,
    pub pods: &'a [network::Pods],
}

pub(crate) const BUILDERS: &[Builder] = &[
    Builder {
        name: "database",
        facts: &["databases"],
        purpose: "the databases of a component, the user that owns them and its grants",
        objects: |given| database::objects(given.component, given.facts, given.scope),
    },
    Builder {
        name: "messaging",
        facts: &["queue"],
        purpose: "the virtual host of a component on the broker, its user and its permission",
        objects: |given| messaging::objects(given.facts, given.scope),
    },
    Builder {
        name: "certificate",
        facts: &["certificate"],
        purpose: "a certificate for the Services of a component, from the cloud's own authority",
        objects: |given| certificate::objects(given.cloud, given.component, &given.facts.services),
    },
    Builder {
        name: "route",
        facts: &["identity", "port"],
        purpose: "what leads from outside to a service of the catalog",
        objects: |given| route::objects(given.cloud, given.component),
    },
    Builder {
        name: "network",
        facts: &["network", "needs", "talksTo"],
        purpose: "policies of who may reach the pods of a component",
        objects: |Given { cloud, component, pods, .. }| {
            let nothing = network::nothing(cloud, component).into_iter();
            nothing.chain(network::objects(cloud, component, pods)).collect()
        },
    },
    Builder {
        name: "credential",
        facts: &["secrets", "databases", "queue"],
        purpose: "credentials that the store makes once and delivers",
        objects: |given| credential::objects(given.cloud, given.facts, given.scope),
    },
    Builder {
        name: "alternating users",
        facts: &["databases", "queue"],
        purpose: "passwords that rotate by two users that take turns",
        objects: |given| {
            alternating::objects(given.cloud, given.component, given.facts, given.scope)
        },
    },
    Builder {
        name: "application credential",
        facts: &["identity"],
        purpose: "all of an application credential but the credential itself",
        objects: |given| application_credential::objects(given.cloud, given.component),
    },
    Builder {
        name: "catalog",
        facts: &["identity"],
        purpose: "what Keystone knows of a component",
        objects: |given| catalog::objects(given.cloud, given.component),
    },
    Builder {
        name: "accounts",
        facts: &[],
        purpose: "what people want in Keystone of their own",
        objects: |given| accounts::objects(given.cloud, given.component),
    },
];

/// An object and the component it belongs to.
#[derive(Debug)]
pub struct Made<'a> {
    pub component: &'a str,
    pub object: Object,
}

/// What a cloud consists of, and what it takes as given.
#[derive(Debug)]
pub struct Contents<'a> {
    /// Component by component, in the order of the plan.
    pub objects: Vec<Made<'a>>,
    /// Those that were changed by hand, as they were before; each with its number among the objects.
    pub rendered: Vec<(usize, Object)>,
    pub external: Vec<External<'a>>,
}

/// All objects of a cloud.
pub fn generate<'a>(
    cloud: &'a Cloud,
    plan: &'a Plan,
    evaluator: &mut Evaluator,
    findings: &mut Findings,
) -> Contents<'a> {
    let mut made: Vec<Made> = Vec::new();
    let mut rendered = Vec::new();
    let mut external = external::of_spec(cloud);
    let mut shared = Shared::new(cloud, evaluator);
    let pods = network::pods(cloud, &shared, evaluator, findings);
    for component in plan.components(cloud) {
        let mut batch = Batch { cloud, component, evaluator, findings, objects: Vec::new() };
        let scope = Scope::new(&shared, cloud, component);
        batch.rules(&scope);
        batch.record(&scope);
        for object in shared_by_all(cloud, plan, component) {
            batch.push(object);
        }
        let facts = batch.facts(&scope);
        let given = Given { cloud, component, facts: &facts, scope: &scope, pods: &pods };
        for builder in BUILDERS {
            for object in (builder.objects)(&given) {
                batch.push(object);
            }
        }
        batch.belong();
        marks::apply(&mut batch);
        let before = patch::apply(&mut batch);
        rendered.extend(before.into_iter().map(|(number, object)| (made.len() + number, object)));
        let provided = batch.provides(&scope);
        external.extend(batch.external(&scope));
        made.extend(batch.finish());
        shared.provide(component.name(), provided);
    }
    rights::limit(cloud, &mut made);
    unserved(cloud, plan, findings);
    Contents { objects: made, rendered, external }
}

/// What stands once in a cloud and belongs to no record.
pub(crate) fn shared_by_all(cloud: &Cloud, plan: &Plan, component: &Component) -> Vec<Map> {
    if component.name() != sentinel::HOME {
        return Vec::new();
    }
    let mut objects = vec![sentinel::sentinel(cloud, plan), credential::password_generator()];
    objects.extend(store::objects(cloud));
    objects
}

/// What the facts of a component come to, for those who only look.
pub(crate) fn facts_of<'a>(
    cloud: &'a Cloud,
    component: &'a Component,
    evaluator: &mut Evaluator,
    scope: &Scope,
) -> Facts<'a> {
    let findings = &mut Findings::default();
    Batch { cloud, component, evaluator, findings, objects: Vec::new() }.facts(scope)
}

/// Says in one warning which objects nobody acts on, and what would serve them.
fn unserved(cloud: &Cloud, plan: &Plan, findings: &mut Findings) {
    let nobody = |component: &&Component| component.objects().any(|object| object.unserved);
    let components: Vec<&Component> = plan.components(cloud).filter(nobody).collect();
    if components.is_empty() {
        return;
    }
    let names = |components: &[&Component]| {
        components.iter().map(|component| component.name()).collect::<Vec<_>>().join(", ")
    };
    let mut remedy = "run operators that serve them".to_owned();
    for other in [Distribution::Cobaltcore, Distribution::OpenstackHelm] {
        let offered = |component: &&&Component| {
            component.record.objects.iter().any(|object| object.distribution == other.name())
        };
        let there: Vec<&Component> = components.iter().filter(offered).copied().collect();
        if !there.is_empty() {
            remedy.push_str(&format!("; `distribution: {}` has {}", other.name(), names(&there)));
        }
    }
    findings.push(
        Code::NoController
            .at(cloud.written.place(&Path::from("spec.distribution")))
            .because(format!("no published operator serves the objects of: {}", names(&components)))
            .remedy(remedy),
    );
}

/// The objects of one component while they are made.
struct Batch<'a, 'b, 'e> {
    cloud: &'a Cloud<'a>,
    component: &'a Component<'a>,
    evaluator: &'b mut Evaluator<'e>,
    findings: &'b mut Findings,
    objects: Vec<Object>,
}

impl<'a> Batch<'a, '_, '_> {
    /// What the record itself says.
    fn record(&mut self, scope: &Scope) {
        for object in self.component.objects() {
            if !self.holds(object.when.as_ref(), scope) {
                continue;
            }
            match &object.each {
                None => self.object(scope, object),
                Some(each) => {
                    for item in self.list(each, scope) {
                        self.object(&scope.with_item(item), object);
                    }
                }
            }
        }
    }

    fn holds(&mut self, when: Option<&Leaf>, scope: &Scope) -> bool {
        let Some(when) = when else { return true };
        match self.evaluator.leaf(when, scope) {
            Ok(value) => value.as_ref().is_some_and(is_true),
            Err(trouble) => {
                self.findings.push(trouble.finding(self.component.record));
                false
            }
        }
    }

    fn object(&mut self, scope: &Scope, record: &ObjectRecord) {
        match self.evaluator.template(&record.object, scope) {
            Ok(Some(Value::Map(body))) => {
                let Some(mut object) = self.accept(body, record.at) else { return };
                if record.keep {
                    object.annotate(PRUNE, "disabled");
                }
                pods::apply(&mut object, &record.pods, &self.component.hatches);
                self.objects.push(object);
            }
            Ok(_) => {}
            Err(troubles) => {
                for trouble in troubles {
                    self.findings.push(trouble.finding(self.component.record));
                }
            }
        }
    }

    fn accept(&mut self, body: Map, at: Span) -> Option<Object> {
        match Object::new(body) {
            Ok(object) => Some(object),
            Err(refusal) => {
                let at = place(self.component.record, at);
                self.findings.push(refused(self.component.name(), &refusal, at));
                None
            }
        }
    }

    /// Adds what a builder made.
    fn push(&mut self, body: Map) {
        if let Some(object) = self.accept(body, self.component.record.at) {
            self.objects.push(object);
        }
    }

    fn rules(&mut self, scope: &Scope) {
        for rule in self.component.record.rules.iter() {
            // What nobody wrote has no effect that anybody could miss.
            if rule.code == Code::NoEffect && self.cloud.written.get(&self.path(rule)).is_none() {
                continue;
            }
            match self.evaluator.leaf(&rule.refuse, scope) {
                Ok(value) if value.as_ref().is_some_and(is_true) => {
                    let finding = self.broken(rule, scope);
                    self.findings.push(finding);
                }
                Ok(_) => {}
                Err(trouble) => self.findings.push(trouble.finding(self.component.record)),
            }
        }
    }

    fn broken(&mut self, rule: &Rule, scope: &Scope) -> Finding {
        let mut text = |template: &Template| match self.evaluator.template(template, scope) {
            Ok(Some(Value::Str(text))) => text.into_owned(),
            _ => String::new(),
        };
        let (because, remedy) = (text(&rule.because), text(&rule.remedy));
        rule.code.at(self.cloud.written.place(&self.path(rule))).because(because).remedy(remedy)
    }

    /// The setting that a rule is about.
    fn path(&self, rule: &Rule) -> Path {
        let steps = rule.at.split('.').filter(|step| !step.is_empty());
        steps.fold(self.component.path.clone(), |path, step| path.key(step))
    }

    /// What others may read of this component.
    fn provides(&mut self, scope: &Scope) -> Map {
        let mut provided = Map::new();
        for (key, template) in self.component.record.provides.iter() {
            match self.evaluator.template(template, scope) {
                Ok(Some(value)) => provided.insert(key.clone(), value),
                Ok(None) => {}
                Err(troubles) => {
                    for trouble in troubles {
                        self.findings.push(trouble.finding(self.component.record));
                    }
                }
            }
        }
        provided
    }

    fn list(&mut self, each: &Leaf, scope: &Scope) -> Vec<Value> {
        let record = self.component.record;
        match self.evaluator.leaf(each, scope) {
            Ok(Some(Value::List(items))) => items,
            Ok(None) => Vec::new(),
            Ok(Some(_)) => {
                let trouble = evaluate::Trouble::at("`each` did not come to a list", each.at);
                self.findings.push(trouble.finding(record));
                Vec::new()
            }
            Err(trouble) => {
                self.findings.push(trouble.finding(record));
                Vec::new()
            }
        }
    }

    /// Marks every object with where it belongs, before a person changes anything: what they see
    /// rendered is what their patches meet.
    fn belong(&mut self) {
        let owner = format!("{}/{}", self.cloud.namespace, self.cloud.name);
        for object in &mut self.objects {
            belong(object, self.cloud, self.component, &owner);
        }
    }

    fn finish(self) -> impl Iterator<Item = Made<'a>> {
        let component = self.component.name();
        self.objects.into_iter().map(move |object| Made { component, object })
    }
}

pub(crate) fn belong(object: &mut Object, cloud: &Cloud, component: &Component, owner: &str) {
    if !is_cluster_scoped(object) && object.namespace().is_empty() {
        object.set_namespace(&cloud.namespace);
    }
    object.mark_all(
        "labels",
        [
            ("app.kubernetes.io/managed-by".into(), "strata".into()),
            ("app.kubernetes.io/part-of".into(), cloud.name.clone().into()),
            (COMPONENT.into(), component.record.component.clone()),
        ],
    );
    object.annotate(OWNER, owner.to_owned());
}

/// The kinds we make that belong to no namespace.
fn is_cluster_scoped(object: &Object) -> bool {
    matches!(
        object.kind(),
        "Namespace" | "ClusterSecretStore" | "ClusterIssuer" | "CustomResourceDefinition"
    )
}

pub(crate) fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

fn refused(component: &str, refusal: &Refusal, at: Place) -> Finding {
    let (because, remedy) = match refusal {
        Refusal::Incomplete(field) => (
            format!("this makes an object of {component} without {field}"),
            "every object has an apiVersion, a kind and a name",
        ),
        Refusal::Renamed(field) => {
            return Code::ChangedIdentity
                .at(at)
                .because(format!("this changes {field} of an object of {component}"))
                .remedy("leave it as it is; another object of your own is a record of your own");
        }
        Refusal::HoldsSecrets => (
            format!("this makes an object of {component} a Secret with contents"),
            "name the credential under `secrets` of the record; the store then makes and keeps it",
        ),
    };
    Code::NotAnObject.at(at).because(because).remedy(remedy)
}
