//! How a write ended.

use std::collections::BTreeSet;

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
    /// A write that the server does not take as it is, now or later.
    Rejected(String),
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
            Self::Refused(what) | Self::Rejected(what) => write!(formatter, "refused: {what}"),
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

    /// Of a write. Which fields are at fault is told, but not the server's message: it quotes what was sent.
    pub fn of_write(doing: &str, error: &kube::Error) -> Self {
        // The login has run out, or the server is busy: that passes.
        const PASSING: [u16; 4] = [401, 403, 408, 429];
        match error {
            kube::Error::Api(status)
                if (400..500).contains(&status.code) && !PASSING.contains(&status.code) =>
            {
                let causes = status.details.iter().flat_map(|details| &details.causes);
                let fields: BTreeSet<&str> = causes.map(|cause| cause.field.as_str()).collect();
                let fields: Vec<&str> =
                    fields.into_iter().filter(|field| !field.is_empty()).collect();
                let mut text = format!("{doing}: {} {}", status.code, status.reason);
                if !fields.is_empty() {
                    text.push_str(&format!(" ({})", fields.join(", ")));
                }
                Self::Rejected(text)
            }
            error => Self::of(doing, error),
        }
    }
}

/// All of them as one text, which does not depend on who was asked first; None if there is nothing to tell.
pub fn told<'a>(troubles: impl IntoIterator<Item = &'a Trouble>) -> Option<String> {
    let texts: BTreeSet<String> = troubles.into_iter().map(Trouble::to_string).collect();
    (!texts.is_empty()).then(|| Vec::from_iter(texts).join("; "))
}

/// The answer, and what went wrong is noted.
pub fn kept<T>(answer: Result<T, Trouble>, troubles: &mut Vec<Trouble>) -> Result<T, Trouble> {
    answer.map_err(|trouble| {
        troubles.push(trouble);
        Trouble::Unfit(String::new())
    })
}

/// What a watch of these failed of: the right that it lacks, if that is why. And whether it was the list that it begins
/// with.
pub fn watching(error: &(dyn std::error::Error + 'static), what: &str) -> (bool, Trouble) {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(watcher::Error::WatchStartFailed(found) | watcher::Error::WatchFailed(found)) =
            error.downcast_ref()
        {
            return (false, Trouble::of(&format!("watch {what}"), found));
        }
        if let Some(watcher::Error::InitialListFailed(found)) = error.downcast_ref() {
            return (true, Trouble::of(&format!("list {what}"), found));
        }
        cause = error.source();
    }
    (false, Trouble::Unreachable(format!("watch {what}")))
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(code: u16) -> Trouble {
        let status = serde_json::from_value(json!({
            "status": "Failure", "code": code, "reason": "Invalid",
            "message": "Secret is invalid: data[a b]: Invalid value: \"canary\"",
            "details": {"causes": [
                {"field": "data[a b]", "message": "Invalid value: \"canary\"", "reason": "FieldValueInvalid"},
                {"field": "data[a b]", "message": "canary", "reason": "FieldValueInvalid"},
            ]},
        }));
        Trouble::of_write("create Secret nova", &kube::Error::Api(status.unwrap()))
    }

    #[test]
    fn what_the_server_does_not_take_is_told_by_field_and_not_by_value() {
        assert!(matches!(told(422), Trouble::Rejected(_)));
        assert_eq!(told(422).to_string(), "refused: create Secret nova: 422 Invalid (data[a b])");
    }

    #[test]
    fn what_passes_is_no_refusal() {
        assert!(matches!(told(403), Trouble::Denied(_)));
        assert!(matches!(told(503), Trouble::Unreachable(_)));
        assert!(matches!(told(429), Trouble::Refused(_)));
    }
}
