//! What people do to the example of the blueprint, and what they are told. Each mutation is refused
//! with the finding a person would want, at the place where they would mend it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use drive::{Mutated, Mutation};

const EXAMPLE: Mutated = Mutated { fixture: "seed-001", file: "controlplane.yaml" };

#[rustfmt::skip]
const MUTATIONS: &[Mutation] = &[
    (
        "a field of the document in the wrong place",
        "metadata:\n  name: production\n",
        "meta:\n  name: production\n",
        &["S0013 controlplane.yaml:1:1 metadata: the control plane has no name | help: add `metadata: {name: production, namespace: openstack}`", "S0101 controlplane.yaml:3:1 meta: there is no field `meta` here | help: remove it, or use one of: apiVersion, kind, metadata, spec"],
    ),
    (
        "a typo in kind",
        "kind: ControlPlane",
        "kind: ControlPlain",
        &["S0010 controlplane.yaml:2:7 kind: there is no kind ControlPlain in c5c3.io/v1alpha1 | help: did you mean `ControlPlane`?"],
    ),
    (
        "kind in lower case",
        "kind: ControlPlane",
        "kind: controlplane",
        &["S0010 controlplane.yaml:2:7 kind: there is no kind controlplane in c5c3.io/v1alpha1 | help: did you mean `ControlPlane`?"],
    ),
    (
        "another version",
        "c5c3.io/v1alpha1",
        "c5c3.io/v1",
        &["S0010 controlplane.yaml:1:13 apiVersion: ControlPlane is known as c5c3.io/v1alpha1, not as c5c3.io/v1 | help: write apiVersion: c5c3.io/v1alpha1"],
    ),
    (
        "another group",
        "c5c3.io/v1alpha1",
        "c5c3.com/v1alpha1",
        &["S0010 controlplane.yaml:1:13 apiVersion: ControlPlane is known as c5c3.io/v1alpha1, not as c5c3.com/v1alpha1 | help: write apiVersion: c5c3.io/v1alpha1"],
    ),
    (
        "no apiVersion",
        "apiVersion: c5c3.io/v1alpha1\n",
        "",
        &["S0010 controlplane.yaml:1:1 apiVersion: this ControlPlane has no apiVersion | help: write apiVersion: c5c3.io/v1alpha1"],
    ),
    (
        "no name",
        "  name: production\n",
        "",
        &["S0013 controlplane.yaml:3:1 metadata: the control plane has no name | help: add `metadata: {name: production, namespace: openstack}`"],
    ),
    (
        "an empty name",
        "name: production",
        "name: \"\"",
        &["S0013 controlplane.yaml:4:9 metadata.name: `` is not fit to be a name | help: write up to 63 lower-case letters, digits and '-', starting and ending with a letter or digit"],
    ),
    (
        "a number for a name",
        "name: production",
        "name: 2025",
        &["S0102 controlplane.yaml:4:9 metadata.name: expected text, found the number 2025 | help: put it in quotes, so that YAML reads it as text"],
    ),
    (
        "a name in capitals",
        "name: production",
        "name: Production",
        &["S0013 controlplane.yaml:4:9 metadata.name: `Production` is not fit to be a name | help: did you mean `production`?"],
    ),
    (
        "a name with an underscore",
        "name: production",
        "name: prod_eu",
        &["S0013 controlplane.yaml:4:9 metadata.name: `prod_eu` is not fit to be a name | help: did you mean `prod-eu`?"],
    ),
    (
        "a path for a namespace",
        "namespace: openstack",
        "namespace: ../kube-system",
        &["S0013 controlplane.yaml:5:14 metadata.namespace: `../kube-system` is not fit to be a namespace | help: write up to 63 lower-case letters, digits and '-', starting and ending with a letter or digit"],
    ),
    (
        "a typo in a field of the spec",
        "  infrastructure:\n",
        "  infrastucture:\n",
        &["S0101 controlplane.yaml:8:3 spec.infrastucture: there is no field `infrastucture` here | help: did you mean `infrastructure`?"],
    ),
    (
        "a typo in a component",
        "    mariadb:\n",
        "    mariabd:\n",
        &["S0101 controlplane.yaml:9:5 spec.infrastructure.mariabd: there is no field `mariabd` here | help: did you mean `mariadb`?"],
    ),
    (
        "a typo in a setting",
        "storageSize: 100Gi",
        "storgaeSize: 100Gi",
        &["S0101 controlplane.yaml:11:7 spec.infrastructure.mariadb.storgaeSize: there is no field `storgaeSize` here | help: did you mean `storageSize`?"],
    ),
    (
        "a setting in the wrong case",
        "storageClass: ceph-rbd",
        "storageclass: ceph-rbd",
        &["S0101 controlplane.yaml:12:7 spec.infrastructure.mariadb.storageclass: there is no field `storageclass` here | help: did you mean `storageClass`?"],
    ),
    (
        "a typo deep inside",
        "      sentinel:\n        enabled",
        "      sentinel:\n        enable",
        &["S0101 controlplane.yaml:19:9 spec.infrastructure.valkey.sentinel.enable: there is no field `enable` here | help: did you mean `enabled`?"],
    ),
    (
        "a typo in a process",
        "      conductor:\n",
        "      conducter:\n",
        &["S0101 controlplane.yaml:41:7 spec.services.nova.conducter: there is no field `conducter` here | help: did you mean `conductor`?"],
    ),
    (
        "a setting of another component",
        "memory: 1Gi",
        "storageClass: fast",
        &["S0101 controlplane.yaml:22:7 spec.infrastructure.memcached.storageClass: there is no field `storageClass` here | help: remove it, or use one of: annotations, enabled, external, extraConfig, image, labels, memory, overrides, patches, replicas, resources, sasl, tls, topologySpreadConstraints"],
    ),
    (
        "a service outside of services",
        "  # Global Settings\n",
        "  horizon: {enabled: true}\n  # Global Settings\n",
        &["S0101 controlplane.yaml:71:3 spec.horizon: there is no field `horizon` here | help: did you mean `openstack.horizon` or `services.horizon`?"],
    ),
    (
        "an unknown service",
        "    glance:\n",
        "    trove:\n",
        &["S0101 controlplane.yaml:29:5 spec.services.trove: there is no field `trove` here | help: remove it, or use one of: …"],
    ),
    (
        "a service among the infrastructure",
        "    memcached:\n",
        "    keystone:\n",
        &["S0101 controlplane.yaml:20:5 spec.infrastructure.keystone: there is no field `keystone` here | help: move it to `spec.services.keystone`"],
    ),
    (
        "replicas of a component that is several processes",
        "    neutron:\n      enabled: true\n",
        "    neutron:\n      enabled: true\n      replicas: 3\n",
        &["S0101 controlplane.yaml:45:7 spec.services.neutron.replicas: there is no field `replicas` here | help: did you mean `api.replicas`?"],
    ),
    (
        "no replicas",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: 0\n      storageSize: 100Gi",
        &["S0104 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: 0 is out of range | help: write a number from 1 to 1000"],
    ),
    (
        "negative replicas",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: -1\n      storageSize: 100Gi",
        &["S0104 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: -1 is out of range | help: write a number from 1 to 1000"],
    ),
    (
        "an even number of Galera members",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: 4\n      storageSize: 100Gi",
        &["S0301 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: with 4 members a split leaves two halves of 2, and neither may write | help: set replicas to 3 or 5"],
    ),
    (
        "a billion replicas",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: 1000000000\n      storageSize: 100Gi",
        &["S0104 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: 1000000000 is out of range | help: write a number from 1 to 1000"],
    ),
    (
        "a billion replicas, as a float",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: 1e9\n      storageSize: 100Gi",
        &["S0104 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: 1000000000 is out of range | help: write a number from 1 to 1000"],
    ),
    (
        "half a replica",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: 2.5\n      storageSize: 100Gi",
        &["S0102 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: expected a whole number, found the number 2.5 | help: write a whole number"],
    ),
    (
        "a quoted number",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: \"3\"\n      storageSize: 100Gi",
        &["S0102 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: expected a whole number, found the text \"3\" | help: leave the quotes off: 3"],
    ),
    (
        "a word for a number",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: three\n      storageSize: 100Gi",
        &["S0102 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: expected a whole number, found the text \"three\" | help: write a whole number"],
    ),
    (
        "a list for a number",
        "      replicas: 3\n      storageSize: 100Gi",
        "      replicas: [3]\n      storageSize: 100Gi",
        &["S0102 controlplane.yaml:10:17 spec.infrastructure.mariadb.replicas: expected a whole number, found a list | help: write a whole number"],
    ),
    (
        "a quantity in bytes' own unit",
        "storageSize: 100Gi",
        "storageSize: 100GB",
        &["S0105 controlplane.yaml:11:20 spec.infrastructure.mariadb.storageSize: `100GB` is no quantity | help: did you mean `100G`?"],
    ),
    (
        "a quantity with a space",
        "storageSize: 100Gi",
        "storageSize: 100 Gi",
        &["S0105 controlplane.yaml:11:20 spec.infrastructure.mariadb.storageSize: `100 Gi` is no quantity | help: did you mean `100Gi`?"],
    ),
    (
        "a quantity without its unit",
        "storageSize: 100Gi",
        "storageSize: 100",
        &["S0102 controlplane.yaml:11:20 spec.infrastructure.mariadb.storageSize: expected text, found the number 100 | help: add a unit, such as 100Gi"],
    ),
    (
        "a negative quantity",
        "storageSize: 100Gi",
        "storageSize: -100Gi",
        &["S0105 controlplane.yaml:11:20 spec.infrastructure.mariadb.storageSize: `-100Gi` is no quantity | help: write a quantity such as 500m, 8Gi or 100Gi"],
    ),
    (
        "a cache that holds nothing",
        "memory: 1Gi",
        "memory: 1Mi",
        &["S0307 controlplane.yaml:22:15 spec.infrastructure.memcached.memory: memcached cannot work with 1Mi | help: write 64Mi or more"],
    ),
    (
        "a storage class with a space",
        "storageClass: ceph-rbd",
        "storageClass: Ceph RBD",
        &["S0105 controlplane.yaml:12:21 spec.infrastructure.mariadb.storageClass: `Ceph RBD` is no name that Kubernetes takes | help: did you mean `ceph-rbd`?"],
    ),
    (
        "a flag for a component",
        "    glance:\n      enabled: true\n      replicas: 2\n",
        "    glance: true\n",
        &["S0102 controlplane.yaml:29:13 spec.services.glance: expected a map of fields, found true | help: write {enabled: true}"],
    ),
    (
        "a quoted flag",
        "    keystone:\n      enabled: true",
        "    keystone:\n      enabled: \"true\"",
        &["S0102 controlplane.yaml:27:16 spec.services.keystone.enabled: expected true or false, found the text \"true\" | help: leave the quotes off: true"],
    ),
    (
        "a word for a flag",
        "    keystone:\n      enabled: true",
        "    keystone:\n      enabled: always",
        &["S0102 controlplane.yaml:27:16 spec.services.keystone.enabled: expected true or false, found the text \"always\" | help: write true or false"],
    ),
    (
        "a list of services",
        "  services:\n    keystone:\n      enabled: true\n      replicas: 3\n    glance:",
        "  services:\n  - keystone\n  other:\n    glance:",
        &["S0102 controlplane.yaml:26:5 spec.services: expected a map of fields, found a list | help: write `key: value` pairs in place of the list", "S0101 controlplane.yaml:27:3 spec.other: there is no field `other` here | help: remove it, or use one of: compute, cortex, delivery, distribution, endpoints, global, identity, infrastructure, korc, network, openstack, platform, release, rotation, secrets, services, size, storage, tempest"],
    ),
    (
        "a spec with nothing in it",
        "spec:\n  # Infra",
        "spec:\nstatus:\n  # Infra",
        &["S0106 controlplane.yaml:6:1: `spec` has nothing in it | help: indent what belongs to it, or write `spec: {}`", "S0101 controlplane.yaml:7:1 status: there is no field `status` here | help: remove it, or use one of: apiVersion, kind, metadata, spec"],
    ),
    (
        "what belongs into a service beside it",
        "    keystone:\n      enabled: true\n      replicas: 3\n",
        "    keystone:\n    replicas: 3\n",
        &["S0101 controlplane.yaml:27:5 spec.services.replicas: there is no field `replicas` here | help: indent it: it belongs into `keystone`"],
    ),
    (
        "no space behind a colon",
        "    keystone:\n      enabled: true\n      replicas: 3\n",
        "    keystone:{replicas: 3}\n",
        &["S0101 controlplane.yaml:26:5 spec.services.keystone:{replicas: there is no field `keystone:{replicas` here | help: write a space behind the colon: `keystone: {replicas`"],
    ),
    (
        "the spec as text",
        "spec:\n  # Infra",
        "spec: |\n  # Infra",
        &["S0102 controlplane.yaml:7:3 spec: expected a map of fields, found the text \"# Infrastructure (c5c3-operator creates CRs for external ope…\" | help: write a map of fields, such as {compute: …}"],
    ),
    (
        "no spec at all, but a typo of it",
        "spec:\n  # Infra",
        "specs:\n  # Infra",
        &["S0101 controlplane.yaml:6:1 specs: there is no field `specs` here | help: did you mean `spec`?"],
    ),
    (
        "a schedule in words",
        "schedule: \"0 2 * * *\"",
        "schedule: nightly",
        &["S0105 controlplane.yaml:62:15 spec.tempest.schedule: `nightly` is no schedule | help: write five cron fields such as \"0 2 * * *\" (minute, hour, day, month, weekday), or @daily"],
    ),
    (
        "a schedule at hour 25",
        "schedule: \"0 2 * * *\"",
        "schedule: \"0 25 * * *\"",
        &["S0105 controlplane.yaml:62:15 spec.tempest.schedule: `0 25 * * *` is no schedule | help: write five cron fields such as \"0 2 * * *\" (minute, hour, day, month, weekday), or @daily"],
    ),
    (
        "a word outside the list",
        "      - domains\n",
        "      - domain\n",
        &["S0103 controlplane.yaml:68:9 spec.korc.bootstrapResources[0]: `domain` is not a value this field takes | help: did you mean `domains`? Known: domains, projects, roles, users"],
    ),
    (
        "a text for a list",
        "    bootstrapResources:\n      - domains\n      - projects\n",
        "    bootstrapResources: domains\n",
        &["S0102 controlplane.yaml:67:25 spec.korc.bootstrapResources: expected a list, found the text \"domains\" | help: write [domains]"],
    ),
    (
        "an issuer by its name alone",
        "      issuerRef:\n        name: letsencrypt-prod\n        kind: ClusterIssuer",
        "      issuerRef: letsencrypt-prod",
        &["S0102 controlplane.yaml:76:18 spec.global.tls.issuerRef: expected a map of fields, found the text \"letsencrypt-prod\" | help: write {name: letsencrypt-prod}"],
    ),
    (
        "an issuer without a name",
        "        name: letsencrypt-prod\n",
        "",
        &["S0106 controlplane.yaml:77:9 spec.global.tls.issuerRef: `name` is missing here | help: add `name:` (lower-case letters, digits, '-' and '.', such as ceph-rbd or cloud.example.com)"],
    ),
    (
        "a region that is a number",
        "region: RegionOne",
        "region: 1",
        &["S0102 controlplane.yaml:73:13 spec.global.region: expected text, found the number 1 | help: put it in quotes, so that YAML reads it as text"],
    ),
    (
        "an unquoted release",
        "  # Infrastructure (",
        "  release: 2025.2\n  # Infrastructure (",
        &["S0102 controlplane.yaml:7:12 spec.release: expected text, found the number 2025.2 | help: put it in quotes, so that YAML reads it as text"],
    ),
    (
        "a release by its nickname",
        "  # Infrastructure (",
        "  release: flamingo\n  # Infrastructure (",
        &["S0105 controlplane.yaml:7:12 spec.release: `flamingo` is no release | help: write one of: 2024.2, 2025.1, 2025.2, 2026.1"],
    ),
    (
        "a release before our time",
        "  # Infrastructure (",
        "  release: \"2019.1\"\n  # Infrastructure (",
        &["S0302 controlplane.yaml:7:12 spec.release: the catalogue has no release 2019.1 | help: write one of: 2024.2, 2025.1, 2025.2, 2026.1"],
    ),
    (
        "an unknown size",
        "  # Infrastructure (",
        "  size: huge\n  # Infrastructure (",
        &["S0103 controlplane.yaml:7:9 spec.size: `huge` is not a value this field takes | help: write one of: small, medium, large, xlarge"],
    ),
    (
        "a size with a typo",
        "  # Infrastructure (",
        "  size: meduim\n  # Infrastructure (",
        &["S0103 controlplane.yaml:7:9 spec.size: `meduim` is not a value this field takes | help: did you mean `medium`? Known: small, medium, large, xlarge"],
    ),
    (
        "an unknown distribution",
        "  # Infrastructure (",
        "  distribution: kolla\n  # Infrastructure (",
        &["S0103 controlplane.yaml:7:17 spec.distribution: `kolla` is not a value this field takes | help: write one of: reference, cobaltcore, openstack-helm"],
    ),
    (
        "a distribution that is not built",
        "  # Infrastructure (",
        "  distribution: openstack-helm\n  # Infrastructure (",
        &["S0008 controlplane.yaml:7:17 spec.distribution: the distribution openstack-helm cannot be rendered by this version | help: write reference or cobaltcore"],
    ),
    (
        "services under both names",
        "  # Optional: Cortex (",
        "  openstack:\n    heat: {enabled: true}\n  # Optional: Cortex (",
        &["S0002 controlplane.yaml:54:3 spec.openstack: `openstack` is another name for `services`, and both are here | help: write all services under one of the two"],
    ),
    (
        "keystone switched off",
        "    keystone:\n      enabled: true",
        "    keystone:\n      enabled: false",
        &["S0304 controlplane.yaml:27:16 spec.services.keystone.enabled: keystone is off and needed by catalog, cinder, neutron, nova, glance, placement | help: switch keystone on, or switch off all that need it: korc, services.cinder, services.neutron, services.nova, services.glance, services.placement"],
    ),
    (
        "the database switched off",
        "    mariadb:\n      replicas: 3",
        "    mariadb:\n      enabled: false\n      replicas: 3",
        &["S0304 controlplane.yaml:10:16 spec.infrastructure.mariadb.enabled: mariadb is off and needed by cinder, neutron, nova, glance, placement, keystone | help: switch mariadb on, say where it runs (`spec.infrastructure.mariadb.external`), or switch off all that need it: services.cinder, services.neutron, services.nova, services.glance, services.placement, services.keystone"],
    ),
    (
        "a patch for nothing",
        "    keystone:\n      enabled: true",
        "    keystone:\n      patches: [{kind: Keystnoe, merge: {spec: {}}}]\n      enabled: true",
        &["S0308 controlplane.yaml:27:24 spec.services.keystone.patches[0].kind: no object of this component is of kind `Keystnoe` | help: did you mean Keystone/keystone? There are also: Database/keystone, Grant/keystone-keystone, User/keystone, Certificate/keystone-tls, PushSecret/keystone-admin-credentials, ExternalSecret/keystone-admin-credentials, PushSecret/keystone-db-credentials, ExternalSecret/keystone-db-credentials"],
    ),
    (
        "an indentation by a tab",
        "    mariadb:\n      replicas: 3",
        "    mariadb:\n\treplicas: 3",
        &["S0001 controlplane.yaml:10:1: this line is indented with a tab | help: YAML wants spaces"],
    ),
    (
        "a line indented by one space more",
        "      storageSize: 100Gi",
        "       storageSize: 100Gi",
        &["S0001 controlplane.yaml:11:19: this `:` makes a second key where a value stands | help: quote the value, or put the key on its own line with the right indentation"],
    ),
    (
        "no space behind a colon",
        "      storageSize: 100Gi",
        "      storageSize:100Gi",
        &["S0001 controlplane.yaml:11:7: expected `key: value` on one line (a key has up to 1,024 characters) | help: mend the text here; the other documents were read"],
    ),
    (
        "a key twice",
        "      storageSize: 100Gi\n",
        "      storageSize: 100Gi\n      replicas: 5\n",
        &["S0002 controlplane.yaml:12:7: the key `replicas` stands twice; first at line 10 | help: remove one of the two"],
    ),
    (
        "a component twice",
        "    rabbitmq:\n",
        "    mariadb:\n",
        &["S0002 controlplane.yaml:13:5: the key `mariadb` stands twice; first at line 9 | help: remove one of the two"],
    ),
    (
        "a quote that is never closed",
        "schedule: \"0 2 * * *\"",
        "schedule: \"0 2 * * *",
        &["S0001 controlplane.yaml:64:3: a quote above is still open here | help: close it, or indent what belongs to it"],
    ),
    (
        "a quote at the end that is never closed",
        "    monitoring:\n      enabled: true\n",
        "    monitoring: # it's\n      enabled: true\n  release: \"2025.2",
        &["S0001 controlplane.yaml:81:12: this quote is never closed | help: mend the text here; the other documents were read"],
    ),
    (
        "patches beside the components",
        "  global:\n",
        "  patches: []\n  global:\n",
        &["S0101 controlplane.yaml:72:3 spec.patches: there is no field `patches` here | help: write it below what it is for, such as `infrastructure.mariadb.patches`"],
    ),
    (
        "a slip in apiVersion and kind",
        "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane",
        "apiVersion: c5c3.io/v1aplha1\nkind: ControlPlan",
        &["S0010 controlplane.yaml:2:7 kind: there is neither a kind ControlPlan nor an apiVersion c5c3.io/v1aplha1 | help: did you mean `kind: ControlPlane` with `apiVersion: c5c3.io/v1alpha1`?"],
    ),
    (
        "a bracket that is never closed",
        "    bootstrapResources:\n      - domains\n      - projects\n",
        "    bootstrapResources: [domains, projects\n",
        &["S0001 controlplane.yaml:70:3: expected `,` or `]` before this | help: close the `[` above, or put a comma between two items"],
    ),
    (
        "a template of another tool",
        "name: production",
        "name: {{ .Values.name }}",
        &["S0102 controlplane.yaml:4:9 metadata.name: expected text, found a map | help: write text", "S0003 controlplane.yaml:4:10: a key must be text, and this one is a list or a map | help: write it in plain YAML"],
    ),
    (
        "the marks of a merge",
        "    mariadb:\n",
        "<<<<<<< HEAD\n    mariadb:\n",
        &["S0001 controlplane.yaml:9:1: expected `key: value` on one line (a key has up to 1,024 characters) | help: mend the text here; the other documents were read"],
    ),
    (
        "a tag of another tool",
        "storageClass: ceph-rbd",
        "storageClass: !Ref StorageClass",
        &["S0003 controlplane.yaml:12:21: Kubernetes knows no tag `!Ref` | help: remove it", "S0105 controlplane.yaml:12:26 spec.infrastructure.mariadb.storageClass: `StorageClass` is no name that Kubernetes takes | help: did you mean `storageclass`?"],
    ),
    (
        "an alias to nothing",
        "storageClass: ceph-rbd",
        "storageClass: *fast",
        &["S0003 controlplane.yaml:12:21: no anchor `&fast` stands above this alias | help: write it in plain YAML", "S0105 controlplane.yaml:12:21 spec.infrastructure.mariadb.storageClass: `*fast` is no name that Kubernetes takes | help: write lower-case letters, digits, '-' and '.', such as ceph-rbd or cloud.example.com"],
    ),
    (
        "a region of nothing",
        "region: RegionOne",
        "region: \"\"",
        &["S0105 controlplane.yaml:73:13 …"],
    ),
    (
        "an issuer's kind in lower case",
        "kind: ClusterIssuer",
        "kind: clusterissuer",
        &["S0105 controlplane.yaml:78:15 …"],
    ),
    (
        "a namespace of Kubernetes itself",
        "namespace: openstack",
        "namespace: kube-system",
        &["S0013 controlplane.yaml:5:14 metadata.namespace: the namespace `kube-system` belongs to Kubernetes, and a cloud owns its own | help: write another one, such as openstack"],
    ),
    (
        "a volume that holds nothing",
        "storageSize: 20Gi",
        "storageSize: 20Ki",
        &["S0300 controlplane.yaml:15:20 spec.infrastructure.rabbitmq.storageSize: 20Ki does not hold even an empty server's files | help: write 1Gi or more"],
    ),
    (
        "only half of the example",
        "spec:\n  # Infra",
        "---\nspec:\n  # Infra",
        &["S0106 controlplane.yaml:1:1: `spec` is missing here | help: add `spec:`"],
    ),
];

#[test]
fn every_mutation_gives_the_finding_a_person_would_want() {
    EXAMPLE.check(MUTATIONS);
}

#[test]
fn the_example_itself_has_no_error() {
    assert!(!EXAMPLE.answer("", "").outcome.findings.has_errors());
}
