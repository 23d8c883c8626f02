//! What every cloud has in Keystone: what its bootstrap makes, and what we make for the services.

use crate::catalogue::Catalogue;
use crate::generate::object_name;
use crate::record::Identity;
use crate::resolve::Sort;

/// The domain that bootstrap makes. Its object is called so; in Keystone it is `Default`.
pub const DOMAIN: &str = "default";
/// The project of the services' accounts. Bootstrap makes none, so it is ours.
pub const PROJECT: &str = "service";
/// The roles of bootstrap that every cloud imports.
pub const ROLES: &[&str] = &["admin", "member", "reader", "service"];
/// The credential of Keystone's first administrator.
pub const ADMIN_CREDENTIAL: &str = "keystone-admin-credentials";

/// What else bootstrap makes (keystone, `cmd/bootstrap.py`): there, and not yet referred to.
const BOOTSTRAPPED: &[(Sort, &str)] =
    &[(Sort::Project, "admin"), (Sort::Role, "manager"), (Sort::User, "admin")];

/// Whose a name in the default domain is, if it is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// An object of ours stands for it.
    Own,
    /// It is there and may be imported.
    Bootstrapped,
}

/// The names of ours that others may refer to.
pub fn own(sort: Sort) -> impl Iterator<Item = &'static str> {
    let names: &'static [&'static str] = match sort {
        Sort::Domain => &[DOMAIN],
        Sort::Project => &[PROJECT],
        Sort::Role => ROLES,
        Sort::Group | Sort::User => &[],
    };
    names.iter().copied()
}

/// What a service has in Keystone: the names of our objects and those in Keystone itself.
pub fn of_service(sort: Sort, identity: &Identity) -> impl Iterator<Item = (String, &str)> {
    let domain = identity.domain.as_ref();
    let names: Vec<&str> = match sort {
        Sort::Domain => domain.iter().map(|domain| domain.name.as_ref()).collect(),
        Sort::Role => identity.own_roles.iter().map(AsRef::as_ref).collect(),
        Sort::User => {
            let administrator = domain.iter().map(|domain| domain.user.as_ref());
            [identity.user.as_ref()].into_iter().chain(administrator).collect()
        }
        Sort::Group | Sort::Project => Vec::new(),
    };
    names.into_iter().map(|name| (object_name(name), name))
}

/// Keystone's databases compare without regard to case. The accounts of services that are off are
/// not free either: switching one on must not take over somebody's account.
pub fn standing(sort: Sort, name: &str, catalogue: &Catalogue) -> Option<Standing> {
    let is = |other: &str| name.to_lowercase() == other.to_lowercase();
    let is_service = || {
        let mut services = catalogue.records().filter_map(|record| record.identity.as_ref());
        services.any(|identity| of_service(sort, identity).any(|(key, name)| is(&key) || is(name)))
    };
    if own(sort).any(is) || is_service() {
        return Some(Standing::Own);
    }
    let bootstrapped = BOOTSTRAPPED.iter().any(|(other, reserved)| *other == sort && is(reserved));
    bootstrapped.then_some(Standing::Bootstrapped)
}
