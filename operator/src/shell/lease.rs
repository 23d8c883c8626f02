//! One operator at a time, by a Lease. It only saves work: that two do no harm is what preconditions are
//! for, because a process that was asleep does not know that it has lost the lease.

use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use kube::api::PostParams;
use kube::core::ObjectMeta;
use kube::{Api, Client};
use tokio::time::timeout;

use super::outcome::Trouble;

pub const LASTS: Duration = Duration::from_secs(15);
pub const RENEW_EVERY: Duration = Duration::from_secs(5);
/// Who hears nothing for longer has had the lease for as long as it lasts, since it was last renewed.
const ANSWERED_WITHIN: Duration = LASTS.saturating_sub(RENEW_EVERY);

#[derive(Debug)]
pub struct Leadership {
    leases: Api<Lease>,
    name: String,
    me: String,
    /// What the holder last wrote, and when we first saw that: the clocks of others are not trusted.
    seen: Option<(String, Instant)>,
    answered_within: Duration,
}

impl Leadership {
    pub fn new(client: Client, namespace: &str, name: &str, me: String) -> Self {
        let leases = Api::namespaced(client, namespace);
        Self { leases, name: name.to_owned(), me, seen: None, answered_within: ANSWERED_WITHIN }
    }

    /// Takes or keeps the lease. False while another has it.
    pub async fn hold(&mut self) -> Result<bool, Trouble> {
        self.hold_within(self.answered_within).await
    }

    /// The same for one who leads, and has no more time than this.
    pub async fn hold_within(&mut self, left: Duration) -> Result<bool, Trouble> {
        let silence = Trouble::Unreachable("hold the Lease: nothing was heard".to_owned());
        timeout(left.min(self.answered_within), self.ask()).await.unwrap_or(Err(silence))
    }

    async fn ask(&mut self) -> Result<bool, Trouble> {
        let found = self.leases.get_opt(&self.name).await;
        let found = found.map_err(|error| Trouble::of("get the Lease", &error))?;
        let Some(mut lease) = found else {
            let lease = Lease {
                metadata: ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() },
                spec: Some(self.claim(None)),
            };
            let created = self.leases.create(&PostParams::default(), &lease).await;
            return won("create the Lease", created);
        };
        let spec = lease.spec.clone().unwrap_or_default();
        let holder = spec.holder_identity.clone().unwrap_or_default();
        if holder != self.me && !holder.is_empty() && !self.is_over(&lease) {
            return Ok(false);
        }
        lease.spec = Some(self.claim(Some(spec)));
        // The version in it is the precondition: of two who want it, one gets it.
        // Who is too late reads at the next try who has it now.
        let kept = self.leases.replace(&self.name, &PostParams::default(), &lease).await;
        won("update the Lease", kept)
    }

    /// On the way out, so that the next one need not wait. Should nobody answer, it waits.
    pub async fn release(&self) {
        let _ = timeout(self.answered_within, self.give_up()).await;
    }

    async fn give_up(&self) {
        if let Ok(Some(mut lease)) = self.leases.get_opt(&self.name).await
            && let Some(spec) = &mut lease.spec
            && spec.holder_identity.as_deref() == Some(&self.me)
        {
            spec.holder_identity = None;
            let _ = self.leases.replace(&self.name, &PostParams::default(), &lease).await;
        }
    }

    fn is_over(&mut self, lease: &Lease) -> bool {
        let version = lease.metadata.resource_version.clone().unwrap_or_default();
        match &self.seen {
            Some((known, since)) if *known == version => since.elapsed() > LASTS,
            _ => {
                self.seen = Some((version, Instant::now()));
                false
            }
        }
    }

    fn claim(&self, before: Option<LeaseSpec>) -> LeaseSpec {
        let before = before.unwrap_or_default();
        let now = MicroTime(Timestamp::now());
        let kept = before.holder_identity.as_deref() == Some(&self.me);
        LeaseSpec {
            holder_identity: Some(self.me.clone()),
            lease_duration_seconds: i32::try_from(LASTS.as_secs()).ok(),
            renew_time: Some(now.clone()),
            acquire_time: if kept { before.acquire_time } else { Some(now) },
            lease_transitions: Some(before.lease_transitions.unwrap_or(0) + i32::from(!kept)),
            ..LeaseSpec::default()
        }
    }
}

fn won(doing: &str, answer: kube::Result<Lease>) -> Result<bool, Trouble> {
    answer.map(|_| true).map_err(|error| Trouble::of(doing, &error))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_hears_nothing_does_not_wait_for_long() {
        // It takes every connection and never says a word.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let client = Client::try_from(kube::Config::new(url.parse().unwrap())).unwrap();
        let mut leadership = Leadership::new(client, "own", "lease", "me".to_owned());
        leadership.answered_within = Duration::from_millis(50);
        let both = async {
            assert!(matches!(leadership.hold().await, Err(Trouble::Unreachable(_))));
            leadership.release().await;
        };
        assert!(timeout(LASTS, both).await.is_ok(), "it still waits");
    }
}
