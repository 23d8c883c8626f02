//! What is installed, and at which version. Where a newer version exists, the reason not to take it
//! stands beside the row.

use super::recipe::{GoProgram, Recipe};

/// One pinned tool, or the CRDs of one project.
#[derive(Debug)]
pub struct Part {
    pub name: &'static str,
    pub version: &'static str,
    pub recipe: Recipe,
    /// A program of this name on the user's PATH is as good, if it answers to these arguments.
    pub or_from_path: Option<&'static [&'static str]>,
}

/// Kubernetes keeps its libraries in its own repository, at this version beside [`KUBERNETES`].
const KUBERNETES_LIBRARIES: &str = "v0.36.1";
const KUBERNETES: &str = "v1.36.1";

/// Unstamped, the programs call themselves `v0.0.0-master+$Format`, which kubectl refuses to parse.
const KUBERNETES_STAMPS: &[(&str, &str)] = &[
    ("k8s.io/component-base/version.gitVersion", KUBERNETES),
    ("k8s.io/component-base/version.gitMajor", "1"),
    ("k8s.io/component-base/version.gitMinor", "36"),
];

const fn kubernetes(package: &'static str) -> Recipe {
    Recipe::GoProgram(GoProgram {
        module: "k8s.io/kubernetes",
        package,
        staging: Some(KUBERNETES_LIBRARIES),
        stamps: KUBERNETES_STAMPS,
    })
}

const fn go(module: &'static str, package: &'static str) -> Recipe {
    Recipe::GoProgram(GoProgram::new(module, package))
}

const fn part(name: &'static str, version: &'static str, recipe: Recipe) -> Part {
    Part { name, version, recipe, or_from_path: None }
}

const fn crds(
    name: &'static str,
    version: &'static str,
    module: &'static str,
    path: &'static str,
) -> Part {
    part(name, version, Recipe::Manifests { module, path })
}

pub static TABLE: &[Part] = &[
    // v5.8.3 wants Go 1.27.
    part("kustomize", "v5.8.2", go("sigs.k8s.io/kustomize/kustomize/v5", "")),
    Part {
        or_from_path: Some(&["version", "--client"]),
        ..part("kubectl", KUBERNETES, kubernetes("/cmd/kubectl"))
    },
    part("etcd", "v3.7.3", go("go.etcd.io/etcd/server/v3", "")),
    part("kube-apiserver", KUBERNETES, kubernetes("/cmd/kube-apiserver")),
    part(
        "flux",
        "v2.9.5",
        Recipe::GoFolder {
            module: "github.com/fluxcd/flux2/v2",
            package: "./cmd/flux",
            // It embeds `manifests/*.yaml`, which its release job puts there.
            missing_file: "cmd/flux/manifests/placeholder.yaml",
        },
    ),
    // v1.10.1 needs a module that is not published.
    part("kustomize-controller", "v1.9.4", go("github.com/fluxcd/kustomize-controller", "")),
    part(
        "k-orc-manager",
        "v2.6.0",
        go("github.com/k-orc/openstack-resource-controller/v2", "/cmd/manager"),
    ),
    // Later versions are split into modules that are not published.
    part(
        "external-secrets-manager",
        "v0.20.4",
        go("github.com/external-secrets/external-secrets", ""),
    ),
    part(
        "keystone",
        "30.0.0",
        Recipe::PythonPackage {
            package: "keystone",
            // A server for its WSGI application, and the client that people use.
            beside: &["waitress", "python-openstackclient"],
            constraints: include_str!("keystone-constraints.txt"),
        },
    ),
    // v26 is not published as a module.
    crds(
        "mariadb-operator",
        "v25.10.4",
        "github.com/mariadb-operator/mariadb-operator/v25",
        "config/crd/bases",
    ),
    // v2.21 and later are not published as modules.
    crds(
        "rabbitmq-cluster-operator",
        "v2.20.0",
        "github.com/rabbitmq/cluster-operator/v2",
        "config/crd/bases",
    ),
    crds(
        "rabbitmq-topology-operator",
        "v1.20.1",
        "github.com/rabbitmq/messaging-topology-operator",
        "config/crd/bases",
    ),
    crds("memcached-operator", "v0.4.0", "github.com/c5c3/memcached-operator", "config/crd/bases"),
    crds(
        "k-orc",
        "v2.6.0",
        "github.com/k-orc/openstack-resource-controller/v2",
        "config/crd/bases",
    ),
    crds(
        "external-secrets",
        "v1.3.2",
        "github.com/external-secrets/external-secrets",
        "config/crds/bases",
    ),
    crds(
        "flux-source-controller",
        "v1.9.1",
        "github.com/fluxcd/source-controller",
        "config/crd/bases",
    ),
    crds(
        "flux-kustomize-controller",
        "v1.9.4",
        "github.com/fluxcd/kustomize-controller",
        "config/crd/bases",
    ),
    crds("flux-helm-controller", "v1.6.3", "github.com/fluxcd/helm-controller", "config/crd/bases"),
    crds("cert-manager", "v1.21.1", "github.com/cert-manager/cert-manager", "deploy/crds"),
    crds("rook", "v1.20.6", "github.com/rook/rook", "deploy/examples/crds.yaml"),
    crds("crossplane", "v2.3.4", "github.com/crossplane/crossplane/v2", "cluster/crds"),
    crds(
        "crossplane-kubernetes",
        "v1.2.1",
        "github.com/crossplane-contrib/provider-kubernetes",
        "package/crds",
    ),
    crds(
        "prometheus-operator",
        "v0.93.0",
        "github.com/prometheus-operator/prometheus-operator",
        "example/prometheus-operator-crd",
    ),
    crds("gateway-api", "v1.6.1", "sigs.k8s.io/gateway-api", "config/crd/standard"),
];
