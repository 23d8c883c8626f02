//! Objects in an order that is nobody's.

use crate::objects::object;
use strata::value::Value;

const KINDS: &[(&str, &str)] = &[
    ("v1", "Namespace"),
    ("example.com/v1", "Namespace"),
    ("another.example/v1", "Namespace"),
    ("v1", "ResourceQuota"),
    ("storage.k8s.io/v1", "StorageClass"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("v1", "ServiceAccount"),
    ("policy/v1beta1", "PodSecurityPolicy"),
    ("rbac.authorization.k8s.io/v1", "Role"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    ("v1", "ConfigMap"),
    ("v1", "Secret"),
    ("v1", "Endpoints"),
    ("v1", "Service"),
    ("serving.knative.dev/v1", "Service"),
    ("v1", "LimitRange"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("v1", "PersistentVolume"),
    ("v1", "PersistentVolumeClaim"),
    ("apps/v1", "Deployment"),
    ("apps/v1", "StatefulSet"),
    ("batch/v1", "CronJob"),
    ("policy/v1", "PodDisruptionBudget"),
    ("v1", "Pod"),
    ("v1", "ReplicationController"),
    ("apps/v1", "DaemonSet"),
    ("apps/v1", "ReplicaSet"),
    ("batch/v1", "Job"),
    ("autoscaling/v1", "HorizontalPodAutoscaler"),
    ("autoscaling/v2", "HorizontalPodAutoscaler"),
    ("networking.k8s.io/v1", "Ingress"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("gateway.networking.k8s.io/v1", "HTTPRoute"),
    ("k8s.mariadb.com/v1alpha1", "MariaDB"),
    ("k8s.mariadb.com/v1alpha1", "Grant"),
    ("rabbitmq.com/v1beta1", "RabbitmqCluster"),
    ("external-secrets.io/v1", "ExternalSecret"),
    ("external-secrets.io/v1alpha1", "PushSecret"),
    ("generators.external-secrets.io/v1alpha1", "Password"),
    ("cert-manager.io/v1", "Certificate"),
    ("example/v1", "Thing"),
    ("example.com/v1", "Thing"),
    ("example-b/v1", "Thing"),
    ("example/v1", "ThingA"),
    ("example/v2", "Thing"),
    ("example/v10", "Thing"),
    ("example/v1beta1", "Thing"),
    ("Upper/v1", "Thing"),
    ("0.example/v1", "Thing"),
    ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
    ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"),
    ("another.example/v1", "ValidatingWebhookConfiguration"),
    ("another.example/v1", "Deployment"),
    ("zz.example/v1", "Role"),
    ("v2", "Thing"),
];

/// No name stands twice, as kinds without a namespace are told apart by it alone.
const PLACES: &[(&str, &str)] = &[
    ("", "a"),
    ("", "z"),
    ("openstack", "b"),
    ("openstack", "b-b"),
    ("openstack", "b.b"),
    ("openstack", "b1"),
    ("openstack", "b10"),
    ("openstack", "b2"),
    ("openstack-b", "y"),
    ("openstack2", "0"),
    ("default", "m"),
    ("zz", "n"),
];

pub fn mixed() -> Vec<Value> {
    let all: Vec<Value> = KINDS
        .iter()
        .flat_map(|kind| PLACES.iter().map(move |place| (kind, place)))
        .map(|((api_version, kind), (namespace, name))| {
            object(api_version, kind, namespace, name).into()
        })
        .collect();
    // 277 is a prime that the number of objects is no multiple of: each is taken once.
    (0..all.len()).map(|index| all[index * 277 % all.len()].clone()).collect()
}
