//! A secret that was written into a spec is refused, and the refusal itself does not tell it.

use crate::desk::Desk;

/// An option, an address, a text of many lines, and two secrets beside another mistake on one line.
const TOLD: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: told, namespace: told}
spec:
  services:
    nova:
      extraConfig:
        extraConfig:
          neutron:
            metadata_proxy_shared_secret: hunter2
    cinder:
      overrides:
        ExternalSecret/cinder-rabbitmq-credentials:
          spec: {target: {template: {data: {transport_url: \"rabbit://nova:hunter2@host\"}}}}
    placement:
      overrides:
        ExternalSecret/placement-db-credentials:
          spec:
            target:
              template:
                data:
                  placement.conf: |
                    [placement_database]
                    password = hunter2
    glance:
      extraConfig: {extraConfig: {a: {password: hunter2}, b: {password: hunter2}, keystone_authtoken: {region_name: x}}}
";

#[test]
fn a_report_shows_where_a_secret_stands_and_not_the_secret() {
    let desk = Desk::new().file("cloud.yaml", TOLD);
    let ran = desk.run("validate cloud.yaml");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.stderr.matches("error[S0507]").count(), 5, "{ran}");
    let lines = ran.stderr.lines().filter_map(|line| line.split_once(" | "));
    let quoted = lines.filter(|(number, _)| number.trim().parse::<u32>().is_ok());
    let quoted: Vec<String> = quoted.map(|(_, text)| text.trim().to_owned()).collect();
    insta::assert_snapshot!(quoted.join("\n"), @r"
    spec:
    metadata_proxy_shared_secret: ••••
    spec: {target: {template: {data: {transport_url: ••••
    ••••
    extraConfig: {extraConfig: {a: {password: ••••
    extraConfig: {extraConfig: {a: {password: ••••
    extraConfig: {extraConfig: {a: {password: ••••
    ");
}

#[test]
fn a_password_in_the_address_of_a_source_is_not_repeated() {
    let spec = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: told, namespace: told}
spec: {delivery: {source: {url: \"https://reader:hunter2@git.example.com/clouds\"}}}
";
    let ran = Desk::new().file("cloud.yaml", spec).run("validate cloud.yaml");
    assert!(ran.stderr.contains("error[S0507]"), "{ran}");
    assert!(ran.stderr.contains("url: ••••"), "{ran}");
    assert!(!ran.stderr.contains("hunter2"), "{ran}");
}

#[test]
fn a_secret_where_a_spec_takes_none_is_not_repeated() {
    for line in [
        "infrastructure: {mariadb: {external: {host: db, password: hunter2}}}",
        "infrastructure: {mariadb: {external: {host: 'mysql://root:hunter2@db'}}}",
        "secrets: {store: {vault: {server: 'https://user:hunter2@vault', role: a}}}",
        "identity: {users: {bob: {password: hunter2}}}",
        "identity: {users: {bob: {password: 47114711}}}",
    ] {
        let head = "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: told, namespace: told}\n";
        let desk = Desk::new().file("cloud.yaml", &format!("{head}spec:\n  {line}\n"));
        for ran in [desk.run("validate cloud.yaml"), desk.run("validate cloud.yaml --format json")]
        {
            let said = format!("{}{}", ran.stdout, ran.stderr);
            let is_told = said.contains("hunter2") || said.contains("47114711");
            assert!(said.contains("S0507") && !is_told, "{line}\n{ran}");
        }
    }
}

#[test]
fn no_form_of_a_report_tells_a_secret() {
    let desk = Desk::new().file("cloud.yaml", TOLD);
    let item = TOLD.replace('\n', "\n  ");
    let list = format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {}\n",
        item.trim_end()
    );
    for ran in [
        desk.run("validate cloud.yaml"),
        desk.run("validate cloud.yaml --format json"),
        desk.run("render cloud.yaml --color always"),
        desk.run_with_input("", &list),
    ] {
        assert!(ran.stderr.contains("S0507") || ran.stdout.contains("S0507"), "{ran}");
        assert!(!ran.stderr.contains("hunter2"), "{ran}");
        let results = ran.stdout.split("\nresults:").last().unwrap_or_default();
        assert!(!results.contains("hunter2"), "{ran}");
    }
}
