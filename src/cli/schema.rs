//! `strata schema`: JSON Schema, so that editors complete and check what people write.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use strata::catalogue::{
    Catalogue, HYPERVISOR_CLUSTER_SCHEMA, RECORD_SCHEMA, STORAGE_CLUSTER_SCHEMA,
};
use strata::record;
use strata::schema::{Schema as Fields, editor};
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
    /// A tenant's claim to a cloud, which becomes a ControlPlane
    Openstackcluster,
    /// A pool of hypervisors that clouds consume
    Hypervisorcluster,
    /// A pool of storage that clouds consume
    Storagecluster,
    /// Values that clouds have unless their own spec says otherwise
    Defaults,
    /// A record that describes one component of a cloud
    Generator,
}

impl Schema {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let Some(kind) = self.kind else { return terminal.print(list()) };
        let catalogue = || records::catalogue(&self.generators, terminal);
        let schema = match kind {
            Kind::Controlplane => control_plane(&catalogue()?),
            Kind::Defaults => {
                let schema = catalogue()?.defaults_schema();
                let about = "Values that clouds have unless their own spec says otherwise.";
                editor(&named(schema, about), "strata.c5c3.io/v1alpha1", "Defaults")
            }
            Kind::Openstackcluster => {
                let about = "A tenant's claim to a cloud.";
                let schema = named(catalogue()?.claim_schema(), about);
                editor(&schema, "c5c3.io/v1alpha1", "OpenStackCluster")
            }
            Kind::Hypervisorcluster => {
                let about = "A pool of hypervisors that clouds consume.";
                let schema = named(HYPERVISOR_CLUSTER_SCHEMA.clone(), about);
                editor(&schema, "crossplane.c5c3.io/v1alpha1", "HypervisorCluster")
            }
            Kind::Storagecluster => {
                let about = "A pool of storage that clouds consume.";
                let schema = named(STORAGE_CLUSTER_SCHEMA.clone(), about);
                editor(&schema, "crossplane.c5c3.io/v1alpha1", "StorageCluster")
            }
            Kind::Generator => editor(&RECORD_SCHEMA, record::API_VERSION, record::KIND),
        };
        terminal.print(text(&schema))
    }
}

/// What `strata schema controlplane` prints.
pub fn control_plane_schema() -> String {
    text(&control_plane(&Catalogue::built_in()))
}

fn control_plane(catalogue: &Catalogue) -> Value {
    let schema = catalogue.control_plane_schema().into_owned();
    let about = "A cloud: what `strata render` reads.";
    editor(&named(schema, about), "c5c3.io/v1alpha1", "ControlPlane")
}

/// The loader wants a name itself, to say more about it than a schema can; an editor is told here.
fn named(mut schema: Fields, about: &'static str) -> Fields {
    schema.description = about.into();
    schema.required.to_mut().push("metadata".into());
    if let Some(metadata) = schema.property_mut("metadata") {
        metadata.required.to_mut().push("name".into());
    }
    schema
}

fn list() -> String {
    let line = |kind: &Kind| {
        let value = kind.to_possible_value()?;
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        Some(format!("{:19}{help}\n", value.get_name()))
    };
    Kind::value_variants().iter().filter_map(line).collect()
}

fn text(schema: &Value) -> String {
    let mut text = String::new();
    strata::json_text::write(schema, 0, &mut text);
    text.push('\n');
    text
}
