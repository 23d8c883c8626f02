//! `strata schema`: JSON Schema, so that editors complete and check what people write.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use strata::catalogue::RECORD_SCHEMA;
use strata::record;
use strata::schema::editor;
use strata::value::Value;

use crate::cli::records;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

/// Print the JSON Schema of a kind, for editors
///
/// Without a kind, lists the kinds.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata schema controlplane > controlplane.schema.json

Then, as the first line of a spec, for editors with the YAML language server:
  # yaml-language-server: $schema=controlplane.schema.json")]
pub struct Schema {
    kind: Option<Kind>,
    /// Add the settings of the records in this folder; may be repeated
    #[arg(long, value_name = "DIR")]
    generators: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A cloud: what `strata render` reads
    Controlplane,
    /// A record that describes one component of a cloud
    Generator,
}

impl Schema {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let Some(kind) = self.kind else { return terminal.print(list()) };
        let schema = match kind {
            Kind::Controlplane => {
                let catalogue = records::catalogue(&self.generators, terminal)?;
                let mut schema = catalogue.control_plane_schema().into_owned();
                named(&mut schema);
                editor(&schema, "c5c3.io/v1alpha1", "ControlPlane")
            }
            Kind::Generator => editor(&RECORD_SCHEMA, record::API_VERSION, record::KIND),
        };
        terminal.print(text(&schema))
    }
}

/// The loader wants a name itself, to say more about it than a schema can; an editor is told here.
fn named(control_plane: &mut strata::schema::Schema) {
    control_plane.description = "A cloud: what `strata render` reads.".into();
    control_plane.required.to_mut().push("metadata".into());
    let properties = control_plane.properties.to_mut().iter_mut();
    for (_, metadata) in properties.filter(|(name, _)| name == "metadata") {
        metadata.required.to_mut().push("name".into());
    }
}

fn list() -> String {
    let line = |kind: &Kind| {
        let value = kind.to_possible_value()?;
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        Some(format!("{:14}{help}\n", value.get_name()))
    };
    Kind::value_variants().iter().filter_map(line).collect()
}

fn text(schema: &Value) -> String {
    let mut text = String::new();
    strata::json_text::write(schema, 0, &mut text);
    text.push('\n');
    text
}
