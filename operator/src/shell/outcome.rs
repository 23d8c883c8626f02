//! How a write ended.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// What it was decided on is no longer so; look again.
    Outdated,
}

/// Why something could not be done. Never with a value in it.
#[derive(Debug)]
pub enum Trouble {
    /// The verb and the kind that the operator has no right to.
    Denied(String),
    Unreachable(String),
    Unfit(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Denied(what) => write!(formatter, "not allowed: {what}"),
            Self::Unreachable(what) => write!(formatter, "no answer: {what}"),
            Self::Unfit(what) => formatter.write_str(what),
        }
    }
}

impl std::error::Error for Trouble {}

impl Trouble {
    pub fn of(doing: &str, error: &kube::Error) -> Self {
        match error {
            kube::Error::Api(status) if status.code == 403 => Self::Denied(doing.to_owned()),
            // The server's message names objects and fields; a Secret's contents are in neither.
            kube::Error::Api(status) => {
                Self::Unreachable(format!("{doing}: {} {}", status.code, status.reason))
            }
            other => Self::Unreachable(format!("{doing}: {}", kind(other))),
        }
    }
}

/// The kind of an error alone: its text may quote what was sent.
fn kind(error: &kube::Error) -> &'static str {
    match error {
        kube::Error::HyperError(_) | kube::Error::Service(_) => "the connection failed",
        kube::Error::SerdeError(_) => "the answer is not what it should be",
        kube::Error::Auth(_) => "logging in failed",
        _ => "the request failed",
    }
}
