//! Every code, as `strata explain` tells it.

use std::fmt::Write as _;

use crate::finding::Code;
use crate::report::plain::severity;

pub fn findings() -> String {
    let mut out =
        "# Findings\n\nEvery finding has a code that stays. `strata explain S0301` prints the \
                   same text. This page is written by `cargo xtask crds`.\n"
            .to_owned();
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| code.id());
    for code in codes {
        let _ = write!(
            out,
            "\n## {}: {}\n\n*{}*. {}\n",
            code.id(),
            code.title(),
            severity(code.severity()),
            code.text()
        );
    }
    out
}
