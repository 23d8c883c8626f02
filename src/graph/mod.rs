//! A cloud as a drawing: its plan, and the way of each secret. Text for the terminal, Mermaid for
//! pages that draw it, DOT for Graphviz, and a page of its own.

mod dot;
mod drawing;
mod html;
mod mermaid;
mod plan;
mod secrets;

pub use dot::page as dot_page;
pub use html::{page as html_page, plan_html};
pub use mermaid::page as mermaid_page;
pub use plan::{plan_dot, plan_mermaid, plan_text};
pub use secrets::{Reader, Secret, secrets, secrets_dot, secrets_mermaid, secrets_text};

use crate::resolve::Cloud;

/// `openstack/production`.
fn title(cloud: &Cloud) -> String {
    format!("{}/{}", cloud.namespace, cloud.name)
}
