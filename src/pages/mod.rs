//! Pages of the documentation that follow from data: what can be set, and what can be found.

mod findings;
mod settings;

pub use findings::findings;
pub use settings::settings;

/// Inside a cell of a table a bar would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
