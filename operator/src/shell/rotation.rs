//! A CredentialRotation as it was read for one decision.

use kube::ResourceExt;

use super::access::stamp;
use super::names;
use super::outcome::Trouble;
use crate::api::{
    CredentialRotation, CredentialRotationSpec, CredentialRotationStatus, RotationType,
};
use crate::core::cron::Cron;
use crate::core::schedule::{DAY, Schedule};
use crate::core::{Stamp, Time};

#[derive(Debug, Clone)]
pub struct Rotation {
    pub name: String,
    pub namespace: String,
    pub stamp: Stamp,
    pub generation: Option<i64>,
    pub spec: CredentialRotationSpec,
    pub status: CredentialRotationStatus,
    pub schedule: Schedule,
    request: Option<String>,
}

impl Rotation {
    pub fn of(object: &CredentialRotation) -> Result<Self, Trouble> {
        let spec = object.spec.clone();
        let stamp = stamp(&object.metadata).ok_or_else(|| {
            Trouble::Unfit("the server gave no version that can be compared".to_owned())
        })?;
        let pre = match spec.rotation_type {
            // Keys have no expiry that one would have to be ahead of.
            RotationType::FernetKeys | RotationType::CredentialKeys => 0,
            _ => spec.schedule.pre_rotation_days,
        };
        let schedule = match &spec.schedule.cron {
            Some(cron) => Schedule::Cron(parse(cron)?),
            None => Schedule::Every(i64::from(spec.schedule.interval_days - pre) * DAY),
        };
        Ok(Self {
            name: object.name_any(),
            namespace: object.namespace().unwrap_or_default(),
            stamp,
            generation: object.metadata.generation,
            schedule,
            request: object.annotations().get(names::ROTATE_NOW).cloned(),
            status: object.status.clone().unwrap_or_default(),
            spec,
        })
    }

    /// What the process remembers of it is kept under this.
    pub fn key(&self) -> String {
        Self::key_of(&self.namespace, &self.name)
    }

    pub fn key_of(namespace: &str, name: &str) -> String {
        format!("{namespace}/{name}")
    }

    pub fn requested(&self) -> bool {
        self.request.is_some() && self.request != self.status.acknowledged
    }

    /// Whether the last two generations that were tried came to nothing.
    pub fn is_fruitless(&self) -> bool {
        let last = self.status.intended.max(self.status.generation.unwrap_or(0));
        self.spec.keys.is_none() && self.status.given_up.saturating_sub(last) >= 2
    }

    pub fn request(&self) -> Option<&str> {
        self.request.as_deref()
    }
}

/// Seconds that the server lets nobody write today may stand in objects from before.
pub fn bounded(seconds: i64) -> i64 {
    seconds.clamp(0, 365 * DAY)
}

fn parse(text: &str) -> Result<Cron, Trouble> {
    let unfit = |why: String| Trouble::Unfit(format!("spec.schedule.cron `{text}`: {why}"));
    let cron: Cron = text.parse().map_err(unfit)?;
    match cron.after(Time(0)) {
        Some(_) => Ok(cron),
        None => Err(unfit("no year has such a day".to_owned())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
impl Rotation {
    /// As a server would give it.
    pub fn example(name: &str, spec: &serde_json::Value, status: &serde_json::Value) -> Self {
        let object: CredentialRotation = serde_json::from_value(serde_json::json!({
            "apiVersion": "c5c3.io/v1alpha1", "kind": "CredentialRotation",
            "metadata": {
                "name": name, "namespace": "openstack",
                "uid": "0f0e1d2c-3b4a-5968-7786-95a4b3c2d1e0", "resourceVersion": "1",
            },
            "spec": spec, "status": status,
        }))
        .unwrap();
        Self::of(&object).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_that_never_comes_is_refused() {
        assert!(parse("0 3 * * 0").is_ok());
        for text in ["0 0 31 2 *", "61 * * * *", "daily"] {
            let trouble = parse(text).err().map(|trouble| trouble.to_string()).unwrap_or_default();
            assert!(trouble.contains(text), "{trouble}");
        }
    }
}
