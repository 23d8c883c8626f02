//! What every cloud has in Keystone: what its bootstrap makes, and what we make for the services.

use crate::catalogue::Catalogue;
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

/// Keystone's databases compare without regard to case. The accounts of services that are off are
/// not free either: switching one on must not take over somebody's account.
pub fn standing(sort: Sort, name: &str, catalogue: &Catalogue) -> Option<Standing> {
    let is = |other: &str| name.to_lowercase() == other.to_lowercase();
    let is_service = || {
        let mut users = catalogue.records().filter_map(|record| record.identity.as_ref());
        sort == Sort::User && users.any(|identity| is(&identity.user))
    };
    if own(sort).any(is) || is_service() {
        return Some(Standing::Own);
    }
    let bootstrapped = BOOTSTRAPPED.iter().any(|(other, reserved)| *other == sort && is(reserved));
    bootstrapped.then_some(Standing::Bootstrapped)
}
