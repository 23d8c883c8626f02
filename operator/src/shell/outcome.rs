//! How a write ended.

use kube::runtime::watcher;

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
    /// It was answered, with this.
    Refused(String),
    Unfit(String),
    /// Somebody else looks after it, so that nothing is written.
    Foreign(String),
    /// Somebody else undoes what is written.
    TakenBack(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Denied(what) => write!(formatter, "not allowed: {what}"),
            Self::Unreachable(what) => write!(formatter, "no answer: {what}"),
            Self::Refused(what) => write!(formatter, "refused: {what}"),
            Self::Unfit(what) | Self::Foreign(what) | Self::TakenBack(what) => {
                formatter.write_str(what)
            }
        }
    }
}

impl std::error::Error for Trouble {}

impl Trouble {
    pub fn of(doing: &str, error: &kube::Error) -> Self {
        match error {
            kube::Error::Api(status) if status.code == 403 => Self::Denied(doing.to_owned()),
            // The server's message names objects and fields; a Secret's contents are in neither.
            kube::Error::Api(status) if status.code >= 500 => {
                Self::Unreachable(format!("{doing}: {} {}", status.code, status.reason))
            }
            kube::Error::Api(status) => {
                Self::Refused(format!("{doing}: {} {}", status.code, status.reason))
            }
            other => Self::Unreachable(format!("{doing}: {}", kind(other))),
        }
    }
}

/// The answer, and what went wrong is noted.
pub fn kept<T>(answer: Result<T, Trouble>, troubles: &mut Vec<Trouble>) -> Result<T, Trouble> {
    answer.map_err(|trouble| {
        troubles.push(trouble);
        Trouble::Unfit(String::new())
    })
}

/// What a watch failed of: the right that it lacks, if that is why.
pub fn watching(error: &(dyn std::error::Error + 'static)) -> Trouble {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(watcher::Error::WatchStartFailed(found) | watcher::Error::WatchFailed(found)) =
            error.downcast_ref()
        {
            return Trouble::of("watch", found);
        }
        if let Some(watcher::Error::InitialListFailed(found)) = error.downcast_ref() {
            return Trouble::of("list", found);
        }
        cause = error.source();
    }
    Trouble::Unreachable("watch".to_owned())
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
