//! Which fields hold the name of another object. This is data: a new custom resource that refers
//! to something in a new way is a new row.

/// A field and what it names.
#[derive(Debug)]
pub struct Row {
    pub field: &'static str,
    /// The API group of the objects in which it means that; any if empty.
    pub within: &'static str,
    /// Where the name stands, if the field holds a map; a text is the name itself.
    pub key: &'static str,
    /// The API group of what is named; any if it is `*`.
    pub group: &'static str,
    /// Its kind, unless the map says it itself.
    pub kind: &'static str,
    /// Where a map says it: almost always `kind`.
    pub kind_key: &'static str,
}

pub const SECRET: &str = "Secret";
/// A secret in the store. It is no object, but it is made and read as one.
pub const STORE_PATH: &str = "StorePath";
/// An authority that somebody outside of the cloud must trust, by the Secret that has it. It is no object
/// either.
pub const TRUST: &str = "TrustedAuthority";

/// The StorageClass that a cluster gives to volumes which name none: it has any name, and must be there.
pub const DEFAULT_CLASS: &str = "DefaultStorageClass";

const fn row(
    field: &'static str,
    within: &'static str,
    group: &'static str,
    kind: &'static str,
) -> Row {
    Row { field, within, key: "name", group, kind, kind_key: "kind" }
}

const fn path_row(field: &'static str) -> Row {
    Row { key: "key", ..row(field, STORE, "", STORE_PATH) }
}

const CEPH: &str = "ceph.rook.io";
const CERTIFICATES: &str = "cert-manager.io";
const CHARTS: &str = "helm.toolkit.fluxcd.io";
const MARIADB: &str = "k8s.mariadb.com";
const ORC: &str = "openstack.k-orc.cloud";
const RABBITMQ: &str = "rabbitmq.com";
const STORE: &str = "external-secrets.io";

/// Sorted by field.
pub const FIELDS: &[Row] = &[
    row("accessKeyIdSecretKeyRef", "", "", SECRET),
    row("adminCertIssuerRef", "", CERTIFICATES, "Issuer"),
    row("adminPasswordSecretRef", "", "", SECRET),
    row("backupRef", MARIADB, MARIADB, "Backup"),
    row("barbicanRef", "barbican.openstack.c5c3.io", "barbican.openstack.c5c3.io", "Barbican"),
    row("caBundleSecretRef", "", "", SECRET),
    row("caCertificateRefs", "gateway.networking.k8s.io", "", SECRET),
    Row { kind_key: "type", ..row("caProvider", STORE, "", SECRET) },
    row("caSecretKeyRef", "", "", SECRET),
    row("caSecretName", "", "", SECRET),
    row("caSecretRef", "", "", SECRET),
    row("cephClientRef", "", CEPH, "CephClient"),
    row("cephConfRef", "", "", SECRET),
    row("cephSecretRef", "", "", SECRET),
    row("certSecretRef", "", "", SECRET),
    row("certificateSecretRef", "", "", SECRET),
    row("chartRef", CHARTS, "source.toolkit.fluxcd.io", "OCIRepository"),
    row("cinderServiceUserRef", "", ORC, "User"),
    row("clientCertIssuerRef", "", CERTIFICATES, "Issuer"),
    row("clientCertSecretRef", "", "", SECRET),
    row("clusterRef", "neutron.openstack.c5c3.io", "ovn.c5c3.io", "OVNCluster"),
    row("computeRef", "nova.openstack.c5c3.io", "crossplane.c5c3.io", "HypervisorCluster"),
    row("configMap", "", "", "ConfigMap"),
    row("configMapKeyRef", "", "", "ConfigMap"),
    row("configMapRef", "", "", "ConfigMap"),
    row("configSecretName", "c5c3.io", "", SECRET),
    row("connectionSecret", RABBITMQ, "", SECRET),
    row("credentialsSecretRef", "", "", SECRET),
    row("defaultProjectRef", ORC, ORC, "Project"),
    row("dependsOn", "", "*", ""),
    row("domainRef", ORC, ORC, "Domain"),
    row("encryptionKeySecretRef", "", "", SECRET),
    row("externalSecretName", "c5c3.io", STORE, "ExternalSecret"),
    path_row("extract"),
    row("firstPushSecretName", "c5c3.io", STORE, "PushSecret"),
    row("generatorRef", STORE, "generators.external-secrets.io", "Password"),
    row("glanceRef", "glance.openstack.c5c3.io", "glance.openstack.c5c3.io", "Glance"),
    row("glanceServiceUserRef", "", ORC, "User"),
    row("groupRef", ORC, ORC, "Group"),
    row("heartbeatKeySecretRef", "", "", SECRET),
    row("imagePullSecrets", "", "", SECRET),
    row("importCredentialsSecret", "", "", SECRET),
    row("issuer", "cache.cs.sap.com", CERTIFICATES, "Issuer"),
    row("issuerRef", "", CERTIFICATES, "Issuer"),
    row("keysSecretRef", "", "", SECRET),
    row("listenerCertIssuerRef", "", CERTIFICATES, "Issuer"),
    row("mariaDbRef", "", MARIADB, "MariaDB"),
    row("maxScaleRef", "", MARIADB, "MaxScale"),
    row("myCnfConfigMapKeyRef", MARIADB, "", "ConfigMap"),
    row("neutronServiceUserRef", "", ORC, "User"),
    row("parentRef", "", "gateway.networking.k8s.io", "Gateway"),
    row("parentRefs", "gateway.networking.k8s.io", "gateway.networking.k8s.io", "Gateway"),
    row("passwordRef", ORC, "", SECRET),
    row("passwordSecretKeyRef", "", "", SECRET),
    row("passwordSecretRef", "", "", SECRET),
    Row { key: "claimName", ..row("persistentVolumeClaim", "", "", "PersistentVolumeClaim") },
    row("placementServiceUserRef", "", ORC, "User"),
    row("priorityClassName", "", "scheduling.k8s.io", "PriorityClass"),
    row("projectRef", ORC, ORC, "Project"),
    row("pushSecretName", "c5c3.io", STORE, "PushSecret"),
    row("rabbitmqClusterReference", "", RABBITMQ, "RabbitmqCluster"),
    path_row("remoteRef"),
    row("roleRef", ORC, ORC, "Role"),
    row("rootPasswordSecretKeyRef", "", "", SECRET),
    row("secret", "", "", SECRET),
    row("secretAccessKeySecretKeyRef", "", "", SECRET),
    row("secretKeyRef", "", "", SECRET),
    row("secretName", "", "", SECRET),
    row("secretRef", "", "", SECRET),
    row("secretStoreRef", STORE, STORE, "SecretStore"),
    row("secretStoreRefs", STORE, STORE, "SecretStore"),
    row("serverCASecretRef", "", "", SECRET),
    row("serverCaSecretRef", "", "", SECRET),
    row("serverCertIssuerRef", "", CERTIFICATES, "Issuer"),
    row("serviceAccountName", "", "", "ServiceAccount"),
    row("serviceAccountRef", STORE, "", "ServiceAccount"),
    row("serviceRef", ORC, ORC, "Service"),
    row("sharedSecretRef", "", "", SECRET),
    row("sourceRef", "", "source.toolkit.fluxcd.io", ""),
    row("statusRef", "c5c3.io", "*", ""),
    row("storageClass", "", "storage.k8s.io", "StorageClass"),
    row("storageClassName", "", "storage.k8s.io", "StorageClass"),
    row("substituteFrom", "kustomize.toolkit.fluxcd.io", "", SECRET),
    row("userRef", "", ORC, "User"),
    row("userReference", RABBITMQ, RABBITMQ, "User"),
    row("valuesFrom", CHARTS, "", SECRET),
];

/// Fields whose content is not ours to read: (API group, kind, field); any group or kind if empty.
pub const OPAQUE: &[(&str, &str, &str)] = &[
    ("", "", "metadata"),
    ("", "", "status"),
    ("", "ConfigMap", "data"),
    ("apiextensions.k8s.io", "CustomResourceDefinition", "spec"),
    ("c5c3.io", "SecretAggregate", "target"),
    ("cert-manager.io", "Certificate", "secretName"),
    (CHARTS, "HelmRelease", "values"),
];

/// Fields by which an operator makes a Secret: (API group, kind, field of the name below `spec`).
pub const DELIVERED: &[(&str, &str, &[&str])] = &[
    ("external-secrets.io", "ExternalSecret", &["target", "name"]),
    ("cert-manager.io", "Certificate", &["secretName"]),
    ("c5c3.io", "SecretAggregate", &["target", "name"]),
    ("keystone.openstack.c5c3.io", "Keystone", &["configSecretName"]),
];

/// Secrets that an operator makes beside an object, by its name: (API group, kind, before, after).
pub const BESIDE: &[(&str, &str, &str, &str)] = &[
    ("cache.cs.sap.com", "Valkey", "valkey-", "-binding"),
    ("rabbitmq.com", "RabbitmqCluster", "", "-default-user"),
];

/// Parts of a chart's values that are parts of its pods, in Kubernetes' own form; what other values mean is the chart's.
pub const OF_PODS: &[&str] = &[
    "env",
    "envFrom",
    "extraEnv",
    "extraEnvFrom",
    "extraVolumes",
    "imagePullSecrets",
    "priorityClassName",
    "volumes",
];

/// What every namespace, or every cluster, has without anybody making it.
pub const ALWAYS: &[(&str, &str)] = &[
    ("ServiceAccount", "default"),
    ("ConfigMap", "kube-root-ca.crt"),
    ("PriorityClass", "system-cluster-critical"),
    ("PriorityClass", "system-node-critical"),
];

impl Row {
    /// Whether a plain text there is a name: it could be anything in a field called `secret`.
    pub fn takes_text(&self) -> bool {
        ["Ref", "Name", "Class"].iter().any(|end| self.field.ends_with(end))
    }
}

/// The lengths that fields of the table have, as bits, by their first byte and by their last.
const LENGTHS: [[u64; 2]; 256] = {
    let mut lengths = [[0; 2]; 256];
    let mut row = 0;
    while row < FIELDS.len() {
        let field = FIELDS[row].field.as_bytes();
        lengths[field[0] as usize][0] |= 1 << field.len();
        lengths[field[field.len() - 1] as usize][1] |= 1 << field.len();
        row += 1;
    }
    lengths
};

/// Almost every field of every object is none of the table, and length, first and last byte tell.
fn may_be_in_the_table(field: &str) -> bool {
    let [first, .., last] = field.as_bytes() else { return false };
    let lengths = LENGTHS[usize::from(*first)][0] & LENGTHS[usize::from(*last)][1];
    field.len() < 64 && lengths & (1 << field.len()) != 0
}

/// The row for a field of an object of a group.
pub fn row_of(field: &str, group: &str) -> Option<&'static Row> {
    if !may_be_in_the_table(field) {
        return None;
    }
    let index = FIELDS.binary_search_by(|row| row.field.cmp(field)).ok()?;
    FIELDS.get(index).filter(|row| row.within.is_empty() || row.within == group)
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, row_of};

    #[test]
    fn every_field_is_found() {
        for row in FIELDS {
            let found = row_of(row.field, row.within).map(|found| found.field);
            assert_eq!(found, Some(row.field));
        }
        for other in ["", "name", "xecretRef", &"f".repeat(64), &"f".repeat(200)] {
            assert!(row_of(other, "").is_none(), "{other}");
        }
    }

    #[test]
    fn fields_are_sorted_and_stand_once() {
        for pair in FIELDS.windows(2) {
            assert!(pair[0].field < pair[1].field, "{} {}", pair[0].field, pair[1].field);
        }
    }
}
