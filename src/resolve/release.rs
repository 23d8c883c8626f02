//! Which OpenStack series the cloud runs.

use crate::Options;
use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::Written;

/// Series, and the day after which no fixes are made for it (openstack/releases, series_status).
const END_OF_LIFE: &[(&str, &str)] = &[
    ("2024.2", "2026-04-29"),
    ("2025.1", "2026-10-02"),
    ("2025.2", "2027-04-28"),
    ("2026.1", "2027-10-27"),
];

/// The series a spec gets that names none. It moves with releases of Strata, never with the day.
const DEFAULT: &str = "2026.1";

pub fn choose(
    written: &Written,
    catalogue: &Catalogue,
    options: &Options,
    findings: &mut Findings,
) -> Option<String> {
    let release = written.spec.release.as_deref().unwrap_or(DEFAULT);
    let place = written.place(&Path::from("spec.release"));
    let known = catalogue.releases();
    if !known.contains(&release) {
        findings.push(
            Code::UnknownRelease
                .at(place)
                .because(format!("the catalogue has no release {release}"))
                .remedy(format!("write one of: {}", known.join(", "))),
        );
        return None;
    }
    let ended = END_OF_LIFE.iter().find(|(series, _)| *series == release).map(|(_, day)| *day);
    if let (Some(ended), Some(today)) = (ended, options.as_of.as_deref())
        && today > ended
    {
        findings.push(
            Code::EndOfLife
                .at(place)
                .because(format!("{release} was maintained until {ended}"))
                .remedy(format!("plan the upgrade to {DEFAULT}")),
        );
    }
    Some(release.to_owned())
}
