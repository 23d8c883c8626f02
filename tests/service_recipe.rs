//! Adding a service is one record: an invented one, outside the source tree, gets its database,
//! user, grant, secrets, catalog entries and custom resource; and a mistake in a record is told
//! where it stands. The recipe that CONTRIBUTING.md gives is followed to the letter.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;
#[path = "recipe/mod.rs"]
mod recipe;

use drive::Answer;

const RECORD: &str = r#"apiVersion: strata.c5c3.io/v1alpha1
kind: Component
component: zephyr
phase: extras
summary: Forecasts
needs: [keystone, catalog, mariadb]
image: registry.example.com/zephyr
releases: {"2025.2": 1.3.0, "2026.1": 1.4.0}
replicas: {small: 1, medium: 3, large: 3, xlarge: 5}
workers: 2
port: 8990
identity: {type: weather, user: zephyr, roles: [service, reader], path: /v1}
databases: [zephyr, zephyr_history]
secrets:
  upstream: {name: zephyr-upstream-credentials, username: forecaster}
options:
  station: {type: string, format: dns-label, default: oslo, description: Who is asked.}
  interval: {type: integer, minimum: 1}
rules:
- refuse: "{{ options.station == 'atlantis' }}"
  at: station
  because: "{{ options.station }} is under water"
  remedy: ask another station
objects:
- object:
    apiVersion: zephyr.example.com/v1
    kind: Zephyr
    metadata: {name: "{{ name }}"}
    spec:
      replicas: "{{ replicas }}"
      image: "{{ image.repository }}:{{ image.tag }}"
      station: "{{ options.station }}"
      interval: "{{ options.interval | optional }}"
      authUrl: "{{ keystone.authUrl }}"
      database: {host: "{{ mariadb.host }}", secretRef: {name: "{{ database.secret }}"}}
      identity: {secretRef: {name: "{{ identity.secret }}"}}
      upstream: {secretRef: {name: "{{ secrets.upstream.name }}"}}
"#;

#[test]
fn one_record_gives_all_that_a_service_needs() {
    let names = render("spec: {}", RECORD).names();
    let of_zephyr: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| name.contains("zephyr")).collect();
    assert_eq!(
        of_zephyr,
        [
            "catalog Endpoint zephyr-internal",
            "catalog Endpoint zephyr-public",
            "catalog ExternalSecret zephyr-keystone-credentials",
            "catalog PushSecret zephyr-keystone-credentials",
            "catalog RoleAssignment zephyr-reader",
            "catalog RoleAssignment zephyr-service",
            "catalog Service zephyr",
            "catalog User zephyr",
            "zephyr Database zephyr",
            "zephyr Database zephyr-history",
            "zephyr ExternalSecret zephyr-db-credentials",
            "zephyr ExternalSecret zephyr-upstream-credentials",
            "zephyr Grant zephyr-zephyr",
            "zephyr Grant zephyr-zephyr-history",
            "zephyr PushSecret zephyr-db-credentials",
            "zephyr PushSecret zephyr-upstream-credentials",
            "zephyr User zephyr",
            "zephyr Zephyr zephyr",
        ]
    );
}

#[test]
fn its_objects_hold_the_facts() {
    let answer = render("spec: {}", RECORD);
    let holds = |kind: &str, name: &str, lines: &[&str]| {
        let yaml = &answer.object(kind, name).yaml;
        for line in lines {
            assert!(yaml.contains(line), "{kind} {name} has no {line:?}:\n{yaml}");
        }
    };
    // Without a certificate there is no TLS, though the cloud has it.
    holds(
        "Endpoint",
        "zephyr-internal",
        &["url: http://zephyr.openstack.svc.cluster.local:8990/v1\n"],
    );
    holds("Service", "zephyr", &["type: weather\n", "onDelete: detach\n"]);
    holds("RoleAssignment", "zephyr-reader", &["roleRef: reader\n", "userRef: zephyr\n"]);
    holds("Database", "zephyr-history", &["name: zephyr_history\n", "cleanupPolicy: Skip\n"]);
    holds(
        "PushSecret",
        "zephyr-upstream-credentials",
        &[
            "remoteKey: openstack/openstack/production/zephyr-upstream-credentials\n",
            "username: forecaster\n",
        ],
    );
    holds(
        "Zephyr",
        "zephyr",
        &[
            "replicas: 3\n",
            "image: registry.example.com/zephyr:1.4.0\n",
            "authUrl: https://keystone.openstack.svc.cluster.local:5000/v3\n",
            "host: openstack-db-mxs.openstack.svc.cluster.local\n",
            "name: zephyr-db-credentials\n",
            "name: zephyr-keystone-credentials\n",
            "name: zephyr-upstream-credentials\n",
            "strata.c5c3.io/component: zephyr\n",
        ],
    );
    let yaml = &answer.object("Zephyr", "zephyr").yaml;
    assert!(!yaml.contains("interval"), "an option that is absent leaves no key:\n{yaml}");
}

#[test]
fn it_starts_after_all_it_needs() {
    let answer = render("spec: {}", RECORD);
    let sentinel = &answer.object("ConfigMap", "strata-production").yaml;
    let plan: Vec<&str> = sentinel.lines().map(str::trim).collect();
    let place = |line: &str| {
        plan.iter()
            .position(|other| other.starts_with(line))
            .unwrap_or_else(|| panic!("{line}: {plan:#?}"))
    };
    let zephyr = place("zephyr: keystone catalog mariadb");
    for need in ["keystone:", "catalog:", "mariadb:"] {
        assert!(place(need) < zephyr, "{need} comes after zephyr: {plan:#?}");
    }
}

#[test]
fn the_spec_may_then_configure_it() {
    let answer = render(
        "spec: {release: \"2025.2\", services: {zephyr: {replicas: 7, station: bergen, interval: 5}}}",
        RECORD,
    );
    let yaml = &answer.object("Zephyr", "zephyr").yaml;
    for line in ["replicas: 7\n", "station: bergen\n", "interval: 5\n", "zephyr:1.3.0\n"] {
        assert!(yaml.contains(line), "no {line:?} in\n{yaml}");
    }
}

#[test]
fn it_can_be_switched_off() {
    let names = render("spec: {services: {zephyr: {enabled: false}}}", RECORD).names();
    assert!(!names.iter().any(|name| name.contains("zephyr")), "{names:#?}");
}

#[test]
fn what_the_spec_says_of_it_is_checked() {
    let check = |settings: &str, expected: &str| {
        let spec = format!("spec:\n  services:\n    zephyr: {settings}");
        check_refused(&render(&spec, RECORD), expected);
    };
    check(
        "{sation: oslo}",
        "S0101 controlplane.yaml:8:14 spec.services.zephyr.sation: there is no field `sation` here | help: did you mean `station`?",
    );
    check(
        "{interval: 0}",
        "S0104 controlplane.yaml:8:24 spec.services.zephyr.interval: 0 is out of range | help: write 1 or more",
    );
    check(
        "{station: atlantis}",
        "S0300 controlplane.yaml:8:23 spec.services.zephyr.station: atlantis is under water | help: ask another station",
    );
}

/// Its facts depend on what a person writes, and it may run elsewhere.
const STATIONS: &str = r#"apiVersion: strata.c5c3.io/v1alpha1
kind: Component
component: stations
phase: extras
summary: Weather stations
databases: [stations, {each: "{{ options.stations }}", name: "stations_{{ item.name }}"}]
queue: [stations, {each: "{{ options.stations }}", name: "{{ 'stations_' ~ item.name if item.loud | optional }}"}]
certificate: [{name: "{{ name if options.secure | optional }}"}]
secrets:
  key: {name: stations-key, username: chief, keys: {login: "<username>:<password>"}, when: "{{ options.secure }}"}
options:
  secure: {type: boolean, default: false}
  stations:
    type: array
    default: []
    items:
      type: object
      properties: {name: {type: string}, loud: {type: boolean, default: false}}
  external: {type: object, required: [host], properties: {host: {type: string}, port: {type: integer, default: 80}}}
objects:
- object:
    apiVersion: stations.example.com/v1
    kind: Network
    metadata: {name: here}
    spec:
      stations:
      - first
      - {$each: "{{ options.stations }}", name: "{{ item.name }}", $when: "{{ item.loud }}"}
- external: true
  object:
    apiVersion: stations.example.com/v1
    kind: Network
    metadata: {name: elsewhere}
    spec: {host: "{{ options.external.host }}", port: "{{ options.external.port }}"}
"#;

fn of_stations(settings: &str) -> Vec<String> {
    let spec = format!("spec: {{services: {{stations: {settings}}}}}");
    let names = render(&spec, STATIONS).names();
    names.into_iter().filter_map(|name| Some(name.strip_prefix("stations ")?.to_owned())).collect()
}

#[test]
fn its_facts_follow_the_settings() {
    assert_eq!(
        of_stations("{secure: true, stations: [{name: oslo}, {name: bergen, loud: true}]}"),
        [
            "Certificate stations-tls",
            "Database stations",
            "Database stations-bergen",
            "Database stations-oslo",
            "ExternalSecret stations-db-credentials",
            "ExternalSecret stations-key",
            "ExternalSecret stations-rabbitmq-credentials",
            "Grant stations-stations",
            "Grant stations-stations-bergen",
            "Grant stations-stations-oslo",
            "Network here",
            "Permission stations-stations",
            "Permission stations-stations-bergen",
            "PushSecret stations-db-credentials",
            "PushSecret stations-key",
            "PushSecret stations-rabbitmq-credentials",
            "User stations",
            "User stations",
            "Vhost stations",
            "Vhost stations-bergen",
        ]
    );
    let plain = of_stations("{}");
    for made in ["Certificate", "stations-key", "oslo"] {
        assert!(!plain.iter().any(|name| name.contains(made)), "{made} in {plain:#?}");
    }
}

#[test]
fn an_item_of_a_list_is_made_for_each() {
    let spec =
        "spec: {services: {stations: {stations: [{name: oslo}, {name: bergen, loud: true}]}}}";
    let yaml = render(spec, STATIONS).object("Network", "here").yaml.clone();
    assert!(yaml.contains("stations:\n  - first\n  - name: bergen\n"), "{yaml}");
    assert!(!yaml.contains("oslo"), "{yaml}");
}

#[test]
fn a_secret_holds_whole_addresses() {
    let spec = "spec: {services: {stations: {secure: true, stations: [{name: oslo, loud: true}]}}}";
    let answer = render(spec, STATIONS);
    for (secret, lines) in [
        (
            "stations-db-credentials",
            [
                "connection: mysql+pymysql://{{ .username }}:{{ .password }}@openstack-db-mxs.openstack.svc.cluster.local:3306/stations?charset=utf8mb4&ssl_ca=/etc/mysql/certs/ca.crt\n",
                "stations_oslo_connection: mysql+pymysql://{{ .username }}:{{ .password }}@openstack-db-mxs.openstack.svc.cluster.local:3306/stations_oslo?charset=utf8mb4&ssl_ca=/etc/mysql/certs/ca.crt\n",
            ],
        ),
        (
            "stations-rabbitmq-credentials",
            [
                "transport_url: rabbit://{{ .username }}:{{ .password }}@openstack-rabbitmq.openstack.svc.cluster.local:5671/stations?ssl=1&ssl_ca_file=/etc/rabbitmq/certs/ca.crt\n",
                "stations_oslo_transport_url: rabbit://{{ .username }}:{{ .password }}@openstack-rabbitmq.openstack.svc.cluster.local:5671/stations_oslo?ssl=1&ssl_ca_file=/etc/rabbitmq/certs/ca.crt\n",
            ],
        ),
        (
            "stations-key",
            ["login: '{{ .username }}:{{ .password }}'\n", "password: '{{ .password }}'\n"],
        ),
    ] {
        let yaml = &answer.object("ExternalSecret", secret).yaml;
        for line in lines {
            assert!(yaml.contains(line), "{secret} has no {line:?}:\n{yaml}");
        }
    }
}

#[test]
fn of_what_runs_elsewhere_only_the_way_there_is_made() {
    assert_eq!(
        of_stations("{secure: true, external: {host: far.example.com}}"),
        ["Network elsewhere"]
    );
    assert!(!of_stations("{}").contains(&"Network elsewhere".to_owned()));
}

#[test]
fn a_folder_of_records_and_a_record_among_the_input_give_the_same() {
    let spec = control_plane("spec: {}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("zephyr.yaml"), RECORD).unwrap();
    let record = std::fs::read_to_string(folder.path().join("zephyr.yaml")).unwrap();
    let apart = drive::render(&[("controlplane.yaml", &spec), ("zephyr.yaml", &record)]);
    let together = drive::render(&[("all.yaml", &format!("{RECORD}---\n{spec}"))]);
    assert_eq!(apart.stream(), together.stream());
}

#[test]
fn a_given_record_replaces_the_built_in_one() {
    let record = "apiVersion: strata.c5c3.io/v1alpha1
kind: Component
component: memcached
phase: infrastructure
summary: A cache that is somewhere else
needs: [namespace]
provides:
  servers: [cache.example.com:11211]
  cache: {backend: dogpile.cache.pymemcache, servers: [cache.example.com:11211]}
  djangoBackend: django.core.cache.backends.memcached.PyMemcacheCache
";
    let answer = render("spec: {}", record);
    assert!(!answer.names().iter().any(|name| name.contains("Memcached")), "{:#?}", answer.names());
    let keystone = &answer.object("Keystone", "keystone").yaml;
    assert!(keystone.contains("- cache.example.com:11211\n"), "{keystone}");
}

#[test]
fn a_mistake_in_a_record_is_told_where_it_stands() {
    for (from, to, expected) in MISTAKES {
        assert!(RECORD.contains(from), "the record does not hold {from:?}");
        check_refused(&render("spec: {}", &RECORD.replacen(from, to, 1)), expected);
    }
}

/// What is replaced in the record, by what, and the first thing that is said about it.
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str)] = &[
    ("\"{{ replicas }}\"", "\"{{ replicas + }}\"", "S0202 zephyr.yaml:30:17: unexpected end of input, expected expression | help: write {{ a.b }}, {{ a.b + 1 }} or {{ a if b else c }}, as in Jinja; `strata explain S0202` lists the names"),
    ("\"{{ replicas }}\"", "\"{{ replicsa }}\"", "S0202 zephyr.yaml:30:17: `replicsa` is no name that this record can read | help: did you mean `replicas`?"),
    ("\"{{ replicas }}\"", "\"{{ replicas\"", "S0202 zephyr.yaml:30:17: `{{` is never closed with `}}` | help: write {{ a.b }}, {{ a.b + 1 }} or {{ a if b else c }}, as in Jinja; `strata explain S0202` lists the names"),
    ("keystone.authUrl", "keystone.authURI", "S0202 zephyr.yaml:34:16: keystone provides no `authURI` | help: did you mean `keystone.authUrl`?"),
    ("mariadb.host", "rabbitmq.host", "S0202 zephyr.yaml:35:24: `rabbitmq` is no name that this record can read | help: name `rabbitmq` under `needs`; it is then there first"),
    ("options.station }}\"\n      interval", "options.stationn }}\"\n      interval", "S0202 zephyr.yaml:32:16: the record declares no `options.stationn` | help: did you mean `options.station`?"),
    ("secrets.upstream.name", "secrets.downstream.name", "S0202 zephyr.yaml:37:36: the record declares no `secrets.downstream` | help: declare `downstream` under `secrets` in the record"),
    ("options.interval | optional", "options.interval", "S0202 zephyr.yaml:33:17: `options.interval` is undefined here | help: correct the expression; if the value may be absent, end it with `| optional` and the key is left out"),
    ("needs: [keystone, catalog, mariadb]", "needs: [keystone, catalog, marriadb]", "S0203 zephyr.yaml:6:28: `zephyr` names `marriadb`, and there is no such component | help: did you mean `mariadb`?"),
    ("needs: [keystone, catalog, mariadb]", "needs: [keystone, catalog, mariadb, zephyr]", "S0204 zephyr.yaml:6:37: zephyr needs zephyr | help: remove one of these needs; `talksTo` is for what only speaks to the other"),
    ("type: integer, minimum: 1", "type: integer, exclusiveMinimum: 1", "S0201 zephyr.yaml:18:29: a Kubernetes server refuses `exclusiveMinimum` in a CRD | help: use only: type, description, properties, required, items, additionalProperties, enum, format, pattern, minimum, maximum, minItems, default, nullable, x-kubernetes-preserve-unknown-fields, x-kubernetes-int-or-string, x-kubernetes-validations, x-kubernetes-list-type, x-kubernetes-list-map-keys"),
    ("type: integer, minimum: 1", "type: int", "S0201 zephyr.yaml:18:13: a schema needs a type | help: add `type:`, or `x-kubernetes-preserve-unknown-fields: true` for anything at all"),
    ("format: dns-label", "format: hostname", "S0201 zephyr.yaml:17:35: `hostname` is no format that is checked | help: write one of: quantity, dns-label, dns-name, cron, release, duration, store-path, tree-path, region, digest, tag, label-value, repository, url, host-port, physical-network, interface, moment, vault-role, ceph-pool, class, uuid, project-id, kind"),
    ("zephyr.example.com/v1\n    kind: Zephyr\n", "v1\n    kind: Secret\n", "S0201 zephyr.yaml:26:5: a record must not make a Secret: its contents would be in the output | help: name the credential under `secrets`; it is then made in the store and delivered by External Secrets"),
    ("metadata: {name: \"{{ name }}\"}", "metadata: {labels: {}}", "S0201 zephyr.yaml:26:5: the object has no metadata.name | help: add `metadata: {name: …}`"),
    ("metadata: {name: \"{{ name }}\"}", "metadata: {name: \"{{ '' }}\"}", "S0206 zephyr.yaml:25:3: this makes an object of zephyr without metadata.name | help: every object has an apiVersion, a kind and a name"),
    ("component: zephyr\n", "", "S0106 zephyr.yaml:1:1: `component` is missing here | help: add `component:` (up to 63 lower-case letters, digits and '-', starting and ending with a letter or digit)"),
    ("component: zephyr\n", "component: Zephyr\n", "S0105 zephyr.yaml:3:12 component: `Zephyr` is no name that Kubernetes takes | help: did you mean `zephyr`?"),
    ("phase: extras", "phase: last", "S0103 zephyr.yaml:4:8 phase: `last` is not a value this field takes | help: write one of: platform, infrastructure, identity, catalog, core, compute, extras, scheduler, testing"),
    ("databases: [zephyr", "databases: [\"{{ options.station }}\"", "S0201 zephyr.yaml:13:12: the first of `databases` depends on settings | help: let a fixed name stand first: expressions read it"),
    ("zephyr_history]", "{each: \"{{ [1] }}\"}]", "S0201 zephyr.yaml:13:12: one of `databases` has no name | help: write a text, or {each: \"{{ … }}\", name: \"…{{ item }}\"}"),
    ("identity: {secretRef:", "identity: {$each: \"{{ [1] }}\", secretRef:", "S0202 zephyr.yaml:36:25: `$each` stands in an item of a list alone | help: write {{ a.b }}, {{ a.b + 1 }} or {{ a if b else c }}, as in Jinja; `strata explain S0202` lists the names"),
    ("databases: [zephyr", "database: [zephyr", "S0101 zephyr.yaml:13:1 database: there is no field `database` here | help: did you mean `databases`?"),
    ("{small: 1, medium: 3, large: 3, xlarge: 5}", "{small: 1, medium: 3}", "S0201 zephyr.yaml:9:11: replicas is neither one number nor a number for each size | help: write 3, or {small: 1, medium: 3, large: 3, xlarge: 5}"),
    ("refuse: \"{{ options.station == 'atlantis' }}\"", "refuse: true", "S0102 zephyr.yaml:20:11 rules[0].refuse: expected text, found true | help: put it in quotes, so that YAML reads it as text"),
    ("identity: {type: weather, user: zephyr,", "identity: {type: weather,", "S0106 zephyr.yaml:12:11 identity: `user` is missing here | help: add `user:` (up to 63 lower-case letters, digits and '-', starting and ending with a letter or digit)"),
];

fn render(spec: &str, record: &str) -> Answer {
    drive::render(&[("controlplane.yaml", &control_plane(spec)), ("zephyr.yaml", record)])
}

/// Five lines stand before the spec.
fn control_plane(spec: &str) -> String {
    format!(
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata:\n  name: production\n  namespace: openstack\n{spec}\n"
    )
}

/// The first error, and nothing rendered.
fn check_refused(answer: &Answer, expected: &str) {
    let report = answer.report();
    let first = report.lines().find(|line| !line.starts_with("S04")).unwrap_or_default();
    assert_eq!(first, expected, "\n{report}");
    assert!(answer.outcome.objects.is_empty(), "there are objects in spite of\n{report}");
}
