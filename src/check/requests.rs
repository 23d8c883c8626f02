//! No pod asks for more than it may have: an API server refuses such a pod, long after the object that it
//! is made of was accepted.

use crate::check::quantity::{amount, text};
use crate::finding::{Code, Finding, Findings, Path, Place};
use crate::resolve::{Cloud, Component};
use crate::value::Value;

/// What people wrote as `resources` of components and their processes.
pub(super) fn check(cloud: &Cloud, findings: &mut Findings) {
    for component in cloud.components.iter().filter(|component| component.is_set) {
        for (path, resources) in resources(component) {
            for beyond in beyond(resources) {
                let at = path.key("requests").key(beyond.resource);
                findings.push(beyond.finding(component.name(), cloud.written.place(&at)));
            }
        }
    }
}

fn resources<'a>(component: &'a Component) -> impl Iterator<Item = (Path, &'a Value)> {
    let of = |path: &Path, resources: &'a Option<Value>| {
        resources.as_ref().map(|resources| (path.key("resources"), resources))
    };
    // The one process of a component without a name has the component's own.
    let processes = component.processes.iter().filter(|process| !process.name.is_empty());
    of(&component.path, &component.resources).into_iter().chain(processes.filter_map(
        move |process| of(&component.path.key(process.name.as_str()), &process.resources),
    ))
}

/// A request beyond its limit.
pub(super) struct Beyond<'a> {
    pub resource: &'a str,
    request: &'a Value,
    limit: &'a Value,
}

/// All in a map of `requests` and `limits`, if it is one.
pub(super) fn beyond(resources: &Value) -> impl Iterator<Item = Beyond<'_>> {
    let amounts = |field: &str| resources.at(&[field]).and_then(Value::as_map);
    let limits = amounts("limits");
    amounts("requests").into_iter().flat_map(|requests| requests.iter()).filter_map(
        move |(resource, request)| {
            let limit = limits?.get(resource)?;
            let is_beyond = amount(request)? > amount(limit)?;
            is_beyond.then_some(Beyond { resource, request, limit })
        },
    )
}

impl Beyond<'_> {
    pub fn finding(&self, whose: &str, at: Place) -> Finding {
        let Beyond { resource, request, limit } = self;
        let (request, limit) = (text(request), text(limit));
        Code::BeyondLimit
            .at(at)
            .because(format!(
                "{whose} asks for {} of {} and may have {}",
                request.escape_debug(),
                resource.escape_debug(),
                limit.escape_debug()
            ))
            .remedy(format!("ask for {limit} or less, or raise the limit"))
    }
}

#[cfg(test)]
mod tests {
    use crate::map;

    #[test]
    fn a_request_is_held_against_the_limit_of_the_same_name() {
        let beyond = |request: &'static str, limit: &'static str| {
            let resources = map! {
                "requests" => map! { "memory" => request, "cpu" => "64" },
                "limits" => map! { "memory" => limit },
            };
            super::beyond(&resources.into()).count()
        };
        assert_eq!(beyond("2Gi", "1Gi"), 1);
        assert_eq!(beyond("1Gi", "1024Mi"), 0);
        assert_eq!(beyond("1G", "1Gi"), 0);
        assert_eq!(beyond("much", "1Gi"), 0);
    }
}
