//! What delivery must know of a cloud beside its objects: the plan, and how Flux follows the tree.
//!
//! The sentinel carries it. Whoever has the objects of a cloud can so write its tree, whether they
//! come from rendering or have been through kustomize.

use crate::map;
use crate::plan::{self, Plan};
use crate::record::{HEALTH, TIMEOUT};
use crate::resolve::{Cloud, Delivery};
use crate::value::{Map, Value};
use crate::yaml::read::read;
use crate::yaml::write;

#[derive(Clone, Debug, PartialEq)]
pub struct Staging {
    pub control_plane: String,
    /// The namespace of the cloud.
    pub namespace: String,
    /// In the order of the plan.
    pub stages: Vec<Stage>,
    pub delivery: Delivery,
}

/// One component, as Flux is to bring it up.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    pub component: String,
    pub needs: Vec<String>,
    pub timeout: String,
    /// As a record says it.
    pub health: String,
    pub stateful: bool,
}

/// Keys of the sentinel's data.
const CONTROL_PLANE: &str = "controlPlane";
const PLAN: &str = "plan";
const DELIVERY: &str = "delivery";

impl Staging {
    pub fn of(cloud: &Cloud, plan: &Plan) -> Self {
        let stages = plan.components(cloud).map(|component| Stage {
            component: component.name().to_owned(),
            needs: plan::needs(cloud, component).map(str::to_owned).collect(),
            timeout: component.record.timeout.to_string(),
            health: component.record.health.to_string(),
            stateful: component.record.stateful,
        });
        Staging {
            control_plane: cloud.name.clone(),
            namespace: cloud.namespace.clone(),
            stages: stages.collect(),
            delivery: cloud.delivery.clone(),
        }
    }

    /// What the sentinel says of it: the plan line by line, for people too, and the rest.
    pub fn to_data(&self) -> Map {
        let mut plan = String::new();
        for stage in &self.stages {
            plan.push_str(&stage.component);
            plan.push(':');
            for need in &stage.needs {
                plan.push(' ');
                plan.push_str(need);
            }
            plan.push('\n');
        }
        let Delivery { path, namespace, interval, retry_interval, source_ref, source, with } =
            &self.delivery;
        let mut delivery = map! {
            "interval" => interval.clone(),
            "namespace" => namespace.clone(),
            "path" => path.clone(),
            "retryInterval" => retry_interval.clone(),
            "sourceRef" => source_ref.clone(),
        };
        if let Some(source) = source {
            delivery.insert("source", source.clone());
        }
        if !with.pairs().is_empty() {
            delivery.insert("with", with.clone());
        }
        let stages: Vec<_> = self.stages.iter().filter_map(Stage::to_pair).collect();
        if !stages.is_empty() {
            delivery.insert("stages", Map::from_pairs(stages));
        }
        let mut text = String::new();
        write::write(&Value::Map(delivery), &mut text);
        map! { CONTROL_PLANE => self.control_plane.clone(), PLAN => plan, DELIVERY => text }
    }

    /// Reads a sentinel again; none if it is none.
    pub fn of_sentinel(object: &Value) -> Option<Self> {
        let data = |key| object.at(&["data", key])?.as_str();
        let delivery: Value = read(data(DELIVERY)?).documents.into_iter().next()?.root.into();
        let text = |key| Some(delivery.at(&[key])?.as_str()?.to_owned());
        let map = |key| delivery.at(&[key]).and_then(Value::as_map).cloned();
        let stages = data(PLAN)?.lines().map(|line| {
            let (component, needs) = line.split_once(':')?;
            let said = delivery.at(&["stages", component]);
            let text = |key, default: &str| {
                let said = said.and_then(|stage| stage.at(&[key])?.as_str());
                said.unwrap_or(default).to_owned()
            };
            let is_stateful = said.and_then(|stage| stage.at(&["stateful"])?.as_bool());
            Some(Stage {
                component: component.to_owned(),
                needs: needs.split_whitespace().map(str::to_owned).collect(),
                timeout: text("timeout", TIMEOUT),
                health: text("health", HEALTH),
                stateful: is_stateful.unwrap_or(false),
            })
        });
        Some(Staging {
            control_plane: data(CONTROL_PLANE)?.to_owned(),
            namespace: object.at(&["metadata", "namespace"])?.as_str()?.to_owned(),
            stages: stages.collect::<Option<_>>()?,
            delivery: Delivery {
                path: text("path")?,
                namespace: text("namespace")?,
                interval: text("interval")?,
                retry_interval: text("retryInterval")?,
                source_ref: map("sourceRef")?,
                source: map("source"),
                with: map("with").unwrap_or_default(),
            },
        })
    }

    /// The name of the Kustomization that applies a component.
    pub fn stage_name(&self, component: &str) -> String {
        format!("{}-{component}", self.control_plane)
    }
}

impl Stage {
    /// What is not as usual; none if all is.
    fn to_pair(&self) -> Option<(crate::value::Text, Value)> {
        let mut said = Map::new();
        if self.timeout != TIMEOUT {
            said.insert("timeout", self.timeout.clone());
        }
        if self.health != HEALTH {
            said.insert("health", self.health.clone());
        }
        if self.stateful {
            said.insert("stateful", true);
        }
        (!said.pairs().is_empty()).then(|| (self.component.clone().into(), said.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentinel_is_read_as_it_was_written() {
        let stage = |component: &str, needs: &[&str]| Stage {
            component: component.to_owned(),
            needs: needs.iter().map(|need| (*need).to_owned()).collect(),
            timeout: TIMEOUT.to_owned(),
            health: HEALTH.to_owned(),
            stateful: false,
        };
        let staging = Staging {
            control_plane: "production".to_owned(),
            namespace: "openstack".to_owned(),
            stages: vec![
                stage("namespace", &[]),
                Stage {
                    timeout: "30m".to_owned(),
                    health: "status.phase == 'Up'".to_owned(),
                    stateful: true,
                    ..stage("mariadb", &["namespace"])
                },
            ],
            delivery: Delivery {
                path: "clouds/rendered".to_owned(),
                namespace: "flux-system".to_owned(),
                interval: "1h".to_owned(),
                retry_interval: "30s".to_owned(),
                source_ref: map! { "kind" => "GitRepository", "name" => "clouds" },
                source: Some(map! { "kind" => "GitRepository", "spec" => map! { "on" => "off" } }),
                with: map! { "serviceAccountName" => "applier" },
            },
        };
        let sentinel = map! {
            "metadata" => map! { "namespace" => "openstack" },
            "data" => staging.to_data(),
        };
        assert_eq!(Staging::of_sentinel(&Value::Map(sentinel)), Some(staging));
        assert_eq!(Staging::of_sentinel(&Value::Map(map! { "data" => Map::new() })), None);
    }
}
