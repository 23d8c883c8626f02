//! What the tests report beyond passed and failed, and the table that a run ends with.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::{Failure, While};
use crate::tally::Tally;

/// Lines that start with one of these are repeated in the summary.
const REPEATED: &[&str] = &["judged:", "not judged:", "identity:", "flux:", "rotation:"];

/// A file that tests append lines to, named to them by `STRATA_REPORT`.
#[derive(Debug)]
pub struct Report(PathBuf);

impl Report {
    pub fn empty(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).while_(format!("creating {}", folder.display()))?;
        let path = folder.join("test-report.txt");
        fs::write(&path, "").while_(format!("writing {}", path.display()))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn lines(&self) -> Result<BTreeSet<String>, Failure> {
        let text = fs::read_to_string(&self.0).while_("reading the tests' report")?;
        let verdicts =
            text.lines().filter(|line| REPEATED.iter().any(|start| line.starts_with(start)));
        Ok(verdicts.map(str::to_owned).collect())
    }
}

#[derive(Debug)]
pub struct Row {
    pub layer: &'static str,
    pub tally: Tally,
    pub time: Duration,
}

pub fn summary(rows: &[Row], lines: &BTreeSet<String>) -> String {
    let mut text = format!("{:<12} {:>7} {:>7} {:>9}\n", "layer", "passed", "failed", "time");
    for row in rows {
        let time = format!("{:.1} s", row.time.as_secs_f64());
        text.push_str(&format!(
            "{:<12} {:>7} {:>7} {time:>9}\n",
            row.layer, row.tally.passed, row.tally.failed
        ));
    }
    for line in lines {
        text.push_str(&format!("{line}\n"));
    }
    for row in rows {
        for failure in &row.tally.failures {
            text.push_str(&format!("failed: {}: {failure}\n", row.layer));
        }
    }
    let sum = |count: fn(&Tally) -> usize| rows.iter().map(|row| count(&row.tally)).sum::<usize>();
    text.push_str(&format!(
        "{} passed, {} failed",
        sum(|tally| tally.passed),
        sum(|tally| tally.failed)
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_with_one_plain_line() {
        let failed = Tally { passed: 1, failed: 1, failures: vec!["two".to_owned()] };
        let rows = [
            Row {
                layer: "unit",
                tally: Tally { passed: 10, ..Tally::default() },
                time: Duration::from_millis(1250),
            },
            Row { layer: "golden", tally: failed, time: Duration::from_secs(2) },
        ];
        let lines = BTreeSet::from(["judged: 3 objects of 2 kinds".to_owned()]);
        assert_eq!(
            summary(&rows, &lines),
            "layer         passed  failed      time\n\
             unit              10       0     1.2 s\n\
             golden             1       1     2.0 s\n\
             judged: 3 objects of 2 kinds\n\
             failed: golden: two\n\
             11 passed, 1 failed"
        );
    }
}
