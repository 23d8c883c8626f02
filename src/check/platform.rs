//! Operators stand once in a cluster: of the clouds of one input, one installs each.

use crate::finding::{Code, Findings, Path};
use crate::record::PLATFORM;
use crate::resolve::Cloud;

/// What of the platform each cloud installs, by the cloud's `namespace/name`.
#[derive(Debug, Default)]
pub struct Owners(Vec<(String, Vec<String>)>);

impl Owners {
    /// Adds what a cloud installs; a finding for each cloud that has some of it already.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        let parts = cloud.components.iter().filter(|component| component.record.is_platform());
        let installs: Vec<String> = parts.map(|component| component.name().to_owned()).collect();
        for (owner, owned) in &self.0 {
            let twice: Vec<&str> =
                installs.iter().filter(|part| owned.contains(part)).map(String::as_str).collect();
            if !twice.is_empty() {
                findings.push(
                    Code::PlatformTwice
                        .at(cloud.written.place(&Path::from("spec").key(PLATFORM)))
                        .because(format!("{owner} already installs {}", twice.join(", ")))
                        .remedy("install it with one of the two, or render them one by one if they are of different clusters"),
                );
            }
        }
        if !installs.is_empty() {
            self.0.push((format!("{}/{}", cloud.namespace, cloud.name), installs));
        }
    }
}
