//! `strata crds`: the CustomResourceDefinitions of our kinds.

use std::path::PathBuf;

use clap::Args;

use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;
use crate::cli::words::many;
use crate::cli::{files, records};

/// Print the CRDs of Strata's own kinds
///
/// The reference distribution's are among them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata crds | kubectl apply --server-side -f -
  strata crds --out crds")]
pub struct Crds {
    /// Write one file per CRD into this folder, in place of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Add the settings of the records in this folder; may be repeated
    #[arg(long, value_name = "DIR")]
    generators: Vec<PathBuf>,
}

impl Crds {
    pub fn run(self, terminal: &Terminal) -> Result<(), Stop> {
        let catalogue = records::catalogue(&self.generators, terminal)?;
        let crds = strata::crds::crds(&catalogue);
        let Some(folder) = self.out else {
            let texts: Vec<String> = crds.into_iter().map(|crd| crd.yaml).collect();
            return terminal.print(texts.join("---\n"));
        };
        let count = many(crds.len(), "file");
        let crds: Vec<_> = crds.into_iter().map(|crd| (crd.file, crd.yaml.into_bytes())).collect();
        files::replace_all(&folder, &crds)?;
        terminal.tell(&format!("{count} written to {}", folder.display()));
        Ok(())
    }
}
