use crate::desk::{Desk, RECORD, SPEC};

fn desk() -> Desk {
    let spec = SPEC.replace(
        "spec: {}",
        "spec:\n  size: small\n  services:\n    motto:\n      text: Onward\n      labels: {tier: gold}\n      patches:\n      - json: [{op: add, path: /data/more, value: x}]",
    );
    Desk::new().file("cloud.yaml", &spec).file("records/motto.yaml", RECORD)
}

#[test]
fn every_field_of_an_object_is_explained() {
    let ran = desk().run("explain --object ConfigMap/motto cloud.yaml --generators records");
    insta::assert_snapshot!(ran, @r#"
    ConfigMap openstack/motto, of component motto
    made by records/motto.yaml:10:3 objects[0]

    FIELD                                            VALUE           LAYER     FROM
    apiVersion                                       v1              built-in  records/motto.yaml:10:3 objects[0].object.apiVersion
    kind                                             ConfigMap       built-in  records/motto.yaml:10:3 objects[0].object.kind
    metadata.name                                    motto           built-in  records/motto.yaml:3:12 component
    metadata.namespace                               openstack       code      Strata's code (marks); cloud.yaml:3:35 metadata.namespace
    metadata.labels["app.kubernetes.io/managed-by"]  strata          code      Strata's code (marks)
    metadata.labels["app.kubernetes.io/part-of"]     test            code      Strata's code (marks); cloud.yaml:3:18 metadata.name
    metadata.labels["strata.c5c3.io/component"]      motto           code      Strata's code (marks)
    metadata.labels.tier                             gold            spec      cloud.yaml:9:22 spec.services.motto.labels.tier
    metadata.annotations["strata.c5c3.io/owner"]     openstack/test  spec      cloud.yaml:3:35 metadata.namespace
                                                                     code      Strata's code (marks); cloud.yaml:3:18 metadata.name
    data.text                                        Onward          spec      cloud.yaml:8:13 spec.services.motto.text
    data.more                                        x               patch     cloud.yaml:11:16 spec.services.motto.patches[0].json[0]
    exit 0
    "#);
}

#[test]
fn one_field_is_explained_with_all_reasons() {
    insta::assert_snapshot!(
        desk().run("explain --object configmap/motto --field data cloud.yaml --generators records"),
        @r#"
    ConfigMap openstack/motto, of component motto

    data.text: Onward
      template  records/motto.yaml:14:18 objects[0].object.data.text: {{ options.text }}
      spec      set for this component
                cloud.yaml:8:13 spec.services.motto.text

    data.more: x
      patch     an operation of a JSON patch
                cloud.yaml:11:16 spec.services.motto.patches[0].json[0]
    exit 0
    "#
    );
    insta::assert_snapshot!(
        desk().run("explain --object MariaDB/openstack-db --field spec.replicas cloud.yaml --generators records"),
        @r#"
    MariaDB.k8s.mariadb.com openstack/openstack-db, of component mariadb

    spec.replicas: 1
      template  generators/infrastructure/mariadb.yaml objects[0].object.spec.replicas: {{ replicas }}
      size      the size is small
                cloud.yaml:5:9 spec.size
                generators/infrastructure/mariadb.yaml replicas.small
    exit 0
    "#
    );
}

#[test]
fn programs_get_explanations_as_json() {
    let words = "explain --object ConfigMap/motto --field data.text cloud.yaml --generators records --format json";
    insta::assert_snapshot!(desk().run(words), @r#"
    [
      {
        "object": "ConfigMap openstack/motto",
        "component": "motto",
        "maker": "records/motto.yaml:10:3 objects[0]",
        "because": [],
        "fields": [
          {
            "path": "data.text",
            "value": "Onward",
            "template": "records/motto.yaml:14:18 objects[0].object.data.text: {{ options.text }}",
            "origins": [
              {
                "layer": "spec",
                "why": "set for this component",
                "place": "cloud.yaml:8:13",
                "field": "spec.services.motto.text"
              }
            ]
          }
        ]
      }
    ]
    exit 0
    "#);
}

#[test]
fn an_object_that_is_not_there_is_told_with_its_neighbours() {
    let desk = desk();
    for (object, help) in [
        ("MariaDB/openstack-bd", "did you mean one of: MariaDB/openstack-db"),
        ("Vhost/nowa", "did you mean one of: Vhost/nova, Vhost/cinder, Vhost/neutron"),
        ("Zebra/striped", "`strata render` prints all objects"),
    ] {
        let ran = desk.run(&format!("explain --object {object} cloud.yaml --generators records"));
        assert_eq!(ran.status, 1, "{ran}");
        assert!(ran.stderr.contains(&format!("the spec makes no object `{object}`")), "{ran}");
        assert!(ran.stderr.contains(help), "{ran}");
    }
}

#[test]
fn what_cannot_be_meant_is_wrong_usage() {
    let desk = desk();
    for (words, help) in [
        ("explain --object Nova/nova", "name its file or folder"),
        ("explain --object Nova cloud.yaml", "write its kind and name"),
        ("explain S0301 S0302", "try `strata explain S0301`"),
        ("explain --field spec S0301", "--object"),
    ] {
        let ran = desk.run(words);
        assert_eq!(ran.status, 2, "{ran}");
        assert!(ran.stderr.contains(help), "{ran}");
    }
    let ran =
        desk.run("explain --object Nova/nova --field spec.apis cloud.yaml --generators records");
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("the object has no field `spec.apis`"), "{ran}");
}

#[test]
fn what_is_refused_is_not_explained() {
    let desk = Desk::new().file("cloud.yaml", &SPEC.replace("spec: {}", "spec: {sice: small}"));
    let ran = desk.run("explain --object Nova/nova cloud.yaml");
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran}");
    assert!(ran.stderr.contains("S0101"), "{ran}");
}

/// The database and the broker have a `User` each, of one name.
#[test]
fn kinds_of_one_name_are_told_apart() {
    let desk = Desk::with_spec();
    let headings = |object: &str| {
        let ran = desk.run_words(&["explain", "--object", object, "cloud.yaml"]);
        let lines = ran.stdout.lines().filter(|line| line.ends_with(", of component nova"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let of_database = "User.k8s.mariadb.com openstack/nova";
    let own = format!("{of_database}, of component nova");
    let both = headings("User/nova");
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(both.contains(&own) && both[0] != both[1], "{both:?}");
    for asked in [of_database, "User.k8s.mariadb.com/nova", "user.k8s.mariadb.com/openstack/nova"] {
        assert_eq!(headings(asked), [own.as_str()], "{asked}");
    }
    assert!(headings("User.k8s.mariadb.com/elsewhere/nova").is_empty());
}

/// Nothing is cut but on a terminal.
#[test]
fn long_values_are_whole_in_a_pipe() {
    let long = "a ".repeat(60) + "end";
    let desk = Desk::new()
        .file(
            "cloud.yaml",
            &SPEC.replace("spec: {}", &format!("spec: {{services: {{motto: {{text: {long}}}}}}}")),
        )
        .file("records/motto.yaml", RECORD);
    let ran = desk.run("explain --object ConfigMap/motto cloud.yaml --generators records");
    assert!(ran.stdout.contains(&long), "{ran}");
}
