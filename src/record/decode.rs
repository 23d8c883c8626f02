//! A record's tree becomes a [`Record`], or findings that point into it.

use std::borrow::Cow;

use crate::finding::{Code, Findings, Path, Place};
use crate::record::pods::{self, PodPlace};
use crate::record::template::Trouble;
use crate::record::{
    Credential, Door, HEALTH, Identity, Leaf, List, Named, ObjectRecord, Operator, OtherSizes,
    Outside, OwnDomain, PerSize, Phase, Process, Record, Rule, TIMEOUT, Template, Variant,
};
use crate::schema::{self, Literal, Schema, nearest};
use crate::value::Text;
use crate::yaml::tree::{Data, Key, Node, Span};

/// `record_schema` is what `strata schema generator` prints; `source` is where the record stands.
pub fn decode(
    node: &Node,
    record_schema: &Schema,
    source: Option<usize>,
    findings: &mut Findings,
) -> Option<Record> {
    let errors_before = findings.errors();
    let place = |path: &Path, span: Span| Place {
        source,
        span: Some(span),
        path: path.clone(),
        object: node
            .get("component")
            .and_then(Node::as_str)
            .map(|name| format!("Component {name}"))
            .unwrap_or_default(),
    };
    schema::walk(node, record_schema, &Path::root(), &place, findings);
    if findings.errors() > errors_before {
        return None;
    }
    let mut decoder = Decoder { findings, place: &|span| place(&Path::root(), span) };
    let record = decoder.record(node, source);
    decoder.names_are_names(&record, node);
    (findings.errors() == errors_before).then_some(record)
}

struct Decoder<'a> {
    findings: &'a mut Findings,
    place: &'a dyn Fn(Span) -> Place,
}

impl Decoder<'_> {
    fn record(&mut self, node: &Node, source: Option<usize>) -> Record {
        let component = text(node, "component");
        // Folders that a tree has beside those of its components.
        if matches!(component.as_ref(), "flux" | "extra") {
            self.refuse(
                node.get("component").map_or(node.at, |component| component.at),
                format!("every tree has a folder `{component}` of its own"),
                "give the component another name",
            );
        }
        let phase = Phase::named(&text(node, "phase")).unwrap_or(Phase::Extras);
        let home = match phase {
            Phase::Platform | Phase::Infrastructure => phase.name(),
            _ => "services",
        };
        let needs = needs(node, phase);
        Record {
            object_name: node.get("name").and_then(Node::as_str).map_or(component.clone(), owned),
            settings: match node.get("settings").and_then(Node::as_str) {
                Some(settings) => owned(settings),
                None => Cow::Owned(format!("{home}.{component}")),
            },
            phase,
            namespace: text(node, "namespace"),
            summary: text(node, "summary"),
            enabled: flag(node, "enabled", true),
            where_set: flag(node, "whereSet", false),
            where_needed: flag(node, "whereNeeded", false),
            where_rotated: flag(node, "whereRotated", false),
            announces: texts(node, "announces"),
            rotates: texts(node, "rotates"),
            needs: needs.iter().map(|(need, _)| need.clone()).collect(),
            alongside: texts(node, "alongside"),
            after: texts(node, "after"),
            talks_to: texts(node, "talksTo"),
            serves: text(node, "serves"),
            distribution: text(node, "for"),
            operator: node.get("operator").map(|operator| Operator {
                name: text(operator, "name"),
                kinds: texts(operator, "kinds"),
            }),
            image: text(node, "image"),
            releases: releases(node),
            version: text(node, "version"),
            distributions: entries(node, "distributions")
                .map(|(key, value)| Variant {
                    distribution: owned(&key.name),
                    image: text(value, "image"),
                    releases: releases(value),
                    version: text(value, "version"),
                })
                .collect(),
            class: text(node, "class"),
            scale: node.get("replicas").map(|_| self.process("", node)),
            processes: entries(node, "processes")
                .map(|(key, value)| self.process(&key.name, value))
                .collect(),
            identity: node.get("identity").map(|identity| Identity {
                service_type: text(identity, "type"),
                user: text(identity, "user"),
                roles: texts(identity, "roles"),
                path: text(identity, "path"),
                distribution: text(identity, "for"),
                own_roles: texts(identity, "ownRoles"),
                domain: identity.get("domain").map(|domain| OwnDomain {
                    name: text(domain, "name"),
                    user: text(domain, "user"),
                }),
            }),
            doors: items(node, "public")
                .map(|door| Door {
                    host: text(door, "host"),
                    service: text(door, "service"),
                    port: port(door).unwrap_or_default(),
                    plain_port: number(door, "plainPort"),
                    service_type: text(door, "type"),
                    path: text(door, "path"),
                    distribution: text(door, "for"),
                })
                .collect(),
            databases: items(node, "databases").map(|name| self.named(name)).collect(),
            queues: self.queues(node),
            certificate: items(node, "certificate").map(|name| self.named(name)).collect(),
            secrets: entries(node, "secrets")
                .map(|(key, value)| Credential {
                    key: owned(&key.name),
                    name: text(value, "name"),
                    username: text(value, "username"),
                    keys: entries(value, "keys")
                        .filter_map(|(key, text)| Some((owned(&key.name), owned(text.as_str()?))))
                        .collect(),
                    distribution: text(value, "for"),
                    when: self.leaf(value, "when"),
                })
                .collect(),
            network: entries(node, "network")
                .map(|(key, value)| (owned(&key.name), self.template(value)))
                .collect(),
            options: entries(node, "options")
                .map(|(key, value)| (owned(&key.name), self.option(value)))
                .collect(),
            sizes: self.sizes(node),
            provides: entries(node, "provides")
                .map(|(key, value)| (owned(&key.name), self.template(value)))
                .collect(),
            rules: items(node, "rules").map(|rule| self.rule(rule)).collect(),
            external: items(node, "external").map(|outside| self.outside(outside)).collect(),
            stateful: flag(node, "stateful", false),
            timeout: node.get("timeout").and_then(Node::as_str).map_or(TIMEOUT.into(), owned),
            health: node.get("health").and_then(Node::as_str).map_or(HEALTH.into(), owned),
            objects: items(node, "objects").map(|object| self.object(object)).collect(),
            component,
            source,
            at: node.get("component").map_or(node.at, |component| component.at),
            mentions: needs
                .iter()
                .map(|(_, at)| *at)
                .chain(
                    items(node, "talksTo")
                        .chain(items(node, "after"))
                        .chain(node.get("serves"))
                        .chain(items(node, "alongside"))
                        .filter(|name| name.as_str().is_some())
                        .map(|name| name.at),
                )
                .collect(),
        }
    }

    fn process(&mut self, name: &str, node: &Node) -> Process {
        Process {
            name: owned(name),
            replicas: self.per_size(node, "replicas"),
            workers: self.per_size(node, "workers"),
            port: port(node),
            class: text(node, "class"),
        }
    }

    fn per_size(&mut self, node: &Node, key: &str) -> PerSize {
        let all = |number| PerSize { small: number, medium: number, large: number, xlarge: number };
        let Some(node) = node.get(key) else { return all(1) };
        let size = |name| match node.get(name).map(|value| &value.data) {
            Some(Data::Int(number)) if *number > 0 => Some(*number),
            _ => None,
        };
        match (&node.data, size("small"), size("medium"), size("large"), size("xlarge")) {
            (Data::Int(number), ..) if *number > 0 => all(*number),
            (_, Some(small), Some(medium), Some(large), Some(xlarge)) => {
                PerSize { small, medium, large, xlarge }
            }
            _ => {
                self.refuse(
                    node.at,
                    format!("{key} is neither one number nor a number for each size"),
                    "write 3, or {small: 1, medium: 3, large: 3, xlarge: 5}",
                );
                all(1)
            }
        }
    }

    fn sizes(&mut self, node: &Node) -> List<(Text, OtherSizes)> {
        let mut sizes = Vec::new();
        for (key, value) in entries(node, "sizes") {
            let options = || entries(node, "options").map(|(option, _)| option.name.as_str());
            if !options().any(|option| option == key.name) {
                let remedy = match nearest(&key.name, options()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "name one of its options".to_owned(),
                };
                self.refuse(key.at, format!("the record has no option `{}`", key.name), remedy);
            }
            let at = |size| value.get(size).map_or(Literal::Null, Literal::from_node);
            let defaults =
                OtherSizes { small: at("small"), large: at("large"), xlarge: at("xlarge") };
            sizes.push((owned(&key.name), defaults));
        }
        sizes.into()
    }

    fn option(&mut self, node: &Node) -> Schema {
        let mut faults = Vec::new();
        let schema = schema::decode(node, &mut faults);
        for fault in faults {
            self.refuse(fault.at, fault.because, fault.remedy);
        }
        schema
    }

    fn rule(&mut self, node: &Node) -> Rule {
        let code = text(node, "code");
        Rule {
            refuse: self.leaf(node, "refuse").unwrap_or_else(never),
            at: text(node, "at"),
            code: if code.is_empty() {
                Code::RuleBroken
            } else {
                Code::with_id(&code).unwrap_or_else(|| {
                    self.refuse(
                        node.get("code").map_or(node.at, |code| code.at),
                        format!("`{code}` is no code of a finding"),
                        "leave `code` out",
                    );
                    Code::RuleBroken
                })
            },
            because: node.get("because").map_or(Template::Null, |value| self.template(value)),
            remedy: node.get("remedy").map_or(Template::Null, |value| self.template(value)),
        }
    }

    fn outside(&mut self, node: &Node) -> Outside {
        Outside {
            kind: text(node, "kind"),
            named: self.named(node),
            why: text(node, "why"),
            keys: texts(node, "keys"),
        }
    }

    /// A text, or a map with `name` and perhaps `each`.
    fn named(&mut self, node: &Node) -> Named {
        Named {
            each: self.leaf(node, "each"),
            name: self.template(node.get("name").unwrap_or(node)),
        }
    }

    /// One virtual host, or a list of them.
    fn queues(&mut self, node: &Node) -> List<Named> {
        match node.get("queue") {
            Some(queue) if queue.as_str().is_some() => Cow::Owned(vec![self.named(queue)]),
            _ => items(node, "queue").map(|name| self.named(name)).collect(),
        }
    }

    /// What expressions read as `database.name` and `queue.vhost` is the first, so it has a name that
    /// does not depend on settings; and every other has one at all.
    fn names_are_names(&mut self, record: &Record, node: &Node) {
        let fixed = |named: &Named| named.each.is_none() && named.name.literal().is_some();
        let is_name = |named: &Named| {
            matches!(named.name, Template::Str(_) | Template::Leaf(_) | Template::Mixed(_))
        };
        let facts = [
            (&record.databases, "databases", true),
            (&record.queues, "queue", true),
            (&record.certificate, "certificate", false),
        ];
        for (names, key, is_read) in facts {
            let at = node.get(key).map_or(node.at, |names| names.at);
            if is_read && !names.first().is_none_or(fixed) {
                self.refuse(
                    at,
                    format!("the first of `{key}` depends on settings"),
                    "let a fixed name stand first: expressions read it",
                );
            }
            if !names.iter().all(is_name) {
                self.refuse(
                    at,
                    format!("one of `{key}` has no name"),
                    "write a text, or {each: \"{{ … }}\", name: \"…{{ item }}\"}",
                );
            }
        }
    }

    fn object(&mut self, node: &Node) -> ObjectRecord {
        let object = node.get("object");
        if let Some(object) = object {
            self.identified(object);
        }
        ObjectRecord {
            distribution: text(node, "for"),
            external: flag(node, "external", false),
            when: self.leaf(node, "when"),
            each: self.leaf(node, "each"),
            keep: flag(node, "keep", false),
            unserved: flag(node, "unserved", false),
            pods: self.pods(node),
            object: object.map_or(Template::Null, |object| self.template(object)),
            at: node.at,
        }
    }

    /// A place that takes all there is to say of pods, or what each place takes.
    fn pods(&mut self, node: &Node) -> List<PodPlace> {
        let Some(node) = node.get("pods") else { return Cow::Borrowed(&[]) };
        if let Some(place) = node.as_str() {
            return pods::all_below(place);
        }
        let mut places = Vec::new();
        let Data::Map(entries) = &node.data else {
            self.refuse(
                node.at,
                "pods is neither one place nor fields by place",
                "write spec, or {spec: [affinity, tolerations]}",
            );
            return Cow::Borrowed(&[]);
        };
        for (place, fields) in entries {
            match &fields.data {
                Data::Str(word) if word == "all" => {
                    places.extend(pods::all_below(&place.name).into_owned());
                }
                Data::List(fields) => {
                    places.extend(fields.iter().filter_map(|field| self.pod_field(place, field)));
                }
                _ => self.refuse(
                    fields.at,
                    "a place of pods needs a list of fields",
                    "write [affinity, tolerations], or all",
                ),
            }
        }
        Cow::Owned(places)
    }

    fn pod_field(&mut self, place: &Key, field: &Node) -> Option<PodPlace> {
        let name = field.as_str().unwrap_or_default();
        let found = pods::below(&place.name, name);
        if found.is_none() {
            self.refuse(
                field.at,
                format!("`{name}` is no field of pods"),
                format!("write one of {}", pods::fields().collect::<Vec<_>>().join(", ")),
            );
        }
        found
    }

    fn identified(&mut self, object: &Node) {
        if object.get("metadata").and_then(|metadata| metadata.get("name")).is_none() {
            self.refuse(object.at, "the object has no metadata.name", "add `metadata: {name: …}`");
        }
        let says = |key, value| object.get(key).and_then(Node::as_str) == Some(value);
        if says("apiVersion", "v1") && says("kind", "Secret") {
            self.refuse(
                object.at,
                "a record must not make a Secret: its contents would be in the output",
                "name the credential under `secrets`; it is then made in the store and delivered by External Secrets",
            );
        }
    }

    fn leaf(&mut self, node: &Node, key: &str) -> Option<Leaf> {
        let node = node.get(key)?;
        match self.template(node) {
            Template::Leaf(leaf) => Some(leaf),
            _ => {
                self.refuse(
                    node.at,
                    format!("`{key}` must be one expression"),
                    format!("write {key}: \"{{{{ … }}}}\""),
                );
                None
            }
        }
    }

    fn template(&mut self, node: &Node) -> Template {
        let mut troubles: Vec<Trouble> = Vec::new();
        let template = Template::parse(node, &mut troubles);
        for (at, because) in troubles {
            let place = (self.place)(at);
            self.findings.push(
                Code::BadExpression
                    .at(place)
                    .because(because)
                    .remedy("write {{ a.b }}, {{ a.b + 1 }} or {{ a if b else c }}, as in Jinja; `strata explain S0202` lists the names"),
            );
        }
        template
    }

    fn refuse(&mut self, at: Span, because: impl Into<String>, remedy: impl Into<String>) {
        let place = (self.place)(at);
        self.findings.push(Code::BadRecord.at(place).because(because).remedy(remedy));
    }
}

/// What the record names, and what its facts make it need, each with where that stands. Keystone comes
/// before the catalog that it has an entry in.
fn needs(node: &Node, phase: Phase) -> Vec<(Text, Span)> {
    let mut needs: Vec<(Text, Span)> =
        items(node, "needs").filter_map(|need| Some((owned(need.as_str()?), need.at))).collect();
    let implied = [
        ("databases", "mariadb"),
        ("queue", "rabbitmq"),
        ("certificate", "certificates"),
        ("identity", "catalog"),
    ];
    for (fact, component) in implied {
        let too_early = component == "catalog" && phase <= Phase::Catalog;
        if let Some((key, _)) = node.entry(fact).filter(|_| !too_early)
            && !needs.iter().any(|(need, _)| need == component)
        {
            needs.push((Cow::Borrowed(component), key.at));
        }
    }
    needs
}

/// Stands in for a rule whose expression could not be read; the record is refused anyway.
fn never() -> Leaf {
    Leaf {
        expression: super::Expression::Path(Cow::Borrowed(&[])),
        optional: true,
        at: Span::default(),
    }
}

fn releases(node: &Node) -> List<(Text, Text)> {
    entries(node, "releases")
        .filter_map(|(key, value)| Some((owned(&key.name), owned(value.as_str()?))))
        .collect()
}

fn owned(text: &str) -> Text {
    Cow::Owned(text.to_owned())
}

fn port(node: &Node) -> Option<i64> {
    number(node, "port")
}

fn number(node: &Node, key: &str) -> Option<i64> {
    match node.get(key).map(|value| &value.data) {
        Some(Data::Int(number)) => Some(*number),
        _ => None,
    }
}

fn text(node: &Node, key: &str) -> Text {
    node.get(key).and_then(Node::as_str).map_or(Cow::Borrowed(""), owned)
}

fn flag(node: &Node, key: &str, default: bool) -> bool {
    match node.get(key).map(|value| &value.data) {
        Some(Data::Bool(flag)) => *flag,
        _ => default,
    }
}

fn items<'a>(node: &'a Node, key: &str) -> std::slice::Iter<'a, Node> {
    match node.get(key).map(|value| &value.data) {
        Some(Data::List(items)) => items.iter(),
        _ => [].iter(),
    }
}

fn entries<'a>(node: &'a Node, key: &str) -> std::slice::Iter<'a, (Key, Node)> {
    match node.get(key).map(|value| &value.data) {
        Some(Data::Map(entries)) => entries.iter(),
        _ => [].iter(),
    }
}

fn texts(node: &Node, key: &str) -> List<Text> {
    items(node, key).filter_map(Node::as_str).map(owned).collect()
}
