//! A cloud as a drawing: its plan, and the way of each secret. Text for the terminal, Mermaid for
//! pages.

mod mermaid;
mod plan;
mod secrets;

pub use mermaid::page;
pub use plan::{plan_mermaid, plan_text};
pub use secrets::{Reader, Secret, secrets, secrets_mermaid, secrets_text};

use crate::resolve::Cloud;

/// `openstack/production`.
fn title(cloud: &Cloud) -> String {
    format!("{}/{}", cloud.namespace, cloud.name)
}
