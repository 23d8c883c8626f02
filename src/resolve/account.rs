//! What people want in Keystone of their own, every name of it decided and leading somewhere.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::resolve::identity::{self, DOMAIN, Standing};
use crate::resolve::{Cloud, Component};
use crate::schema::{Format, nearest};
use crate::value::{Map, Value};

/// The component whose settings these are.
const HOME: &str = "accounts";

/// A domain, project, group, role or user.
#[derive(Debug)]
pub struct Account {
    pub sort: Sort,
    /// What it is referred to by, and what its object is called.
    pub key: String,
    /// Its name in Keystone.
    pub name: String,
    /// The domain it belongs to, by its key; none for what belongs to none.
    pub domain: Option<String>,
    /// Whether it is in Keystone already and stays as it is.
    pub imported: bool,
    pub description: Option<String>,
    pub enabled: Option<bool>,
    pub tags: Vec<String>,
    /// The project that a user works in.
    pub project: Option<String>,
    pub grants: Vec<Grant>,
}

/// A role in a project or a domain.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    pub place: Sort,
    pub target: String,
    pub role: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Domain,
    Project,
    Role,
    Group,
    User,
}

impl Sort {
    const ALL: &[Sort] = &[Sort::Domain, Sort::Project, Sort::Role, Sort::Group, Sort::User];

    pub const fn kind(self) -> &'static str {
        match self {
            Sort::Domain => "Domain",
            Sort::Project => "Project",
            Sort::Role => "Role",
            Sort::Group => "Group",
            Sort::User => "User",
        }
    }

    /// Where they stand below `identity`.
    const fn field(self) -> &'static str {
        match self {
            Sort::Domain => "domains",
            Sort::Project => "projects",
            Sort::Role => "roles",
            Sort::Group => "groups",
            Sort::User => "users",
        }
    }

    fn noun(self) -> String {
        self.kind().to_lowercase()
    }

    /// The longest name that K-ORC passes on.
    const fn longest_name(self) -> usize {
        match self {
            Sort::User => 255,
            _ => 64,
        }
    }

    /// The longest description.
    const fn longest_description(self) -> usize {
        match self {
            Sort::Project => 65535,
            _ => 255,
        }
    }
}

/// All of them, in an order that does not depend on the input's.
pub(super) fn accounts(
    cloud: &Cloud,
    catalogue: &Catalogue,
    findings: &mut Findings,
) -> Vec<Account> {
    let Some(component) = cloud.component(HOME) else { return Vec::new() };
    let mut desk = Desk { cloud, catalogue, component, findings };
    let mut accounts = Vec::new();
    for &sort in Sort::ALL {
        for (key, settings) in desk.written(sort) {
            let at = component.path.key(sort.field()).key(key);
            accounts.push(desk.account(sort, key, settings, &at));
        }
    }
    accounts.sort_by(|a, b| (a.sort, &a.key).cmp(&(b.sort, &b.key)));
    desk.each_once(&accounts);
    accounts
}

struct Desk<'a, 'f> {
    cloud: &'a Cloud<'a>,
    catalogue: &'a Catalogue,
    component: &'a Component<'a>,
    findings: &'f mut Findings,
}

impl<'a> Desk<'a, '_> {
    fn written(&self, sort: Sort) -> impl Iterator<Item = (&'a str, &'a Map)> + use<'a> {
        let entries = self.component.options.get(sort.field()).and_then(Value::as_map);
        let pairs = entries.map(Map::pairs).unwrap_or_default().iter();
        pairs.filter_map(|(key, value)| Some((key.as_ref(), value.as_map()?)))
    }

    fn account(&mut self, sort: Sort, key: &str, settings: &Map, at: &Path) -> Account {
        let text = |field: &str| settings.get(field).and_then(Value::as_str).map(str::to_owned);
        let flag = |field: &str| settings.get(field).and_then(Value::as_bool);
        let mut account = Account {
            sort,
            key: key.to_owned(),
            name: text("name").unwrap_or_else(|| key.to_owned()),
            domain: text("domain"),
            imported: flag("import") == Some(true),
            description: text("description"),
            enabled: flag("enabled"),
            tags: list(settings.get("tags")),
            project: text("project"),
            grants: Vec::new(),
        };
        self.well_formed(&account, at);
        self.free(&account, at);
        if let Some(domain) = &account.domain {
            self.leads(Sort::Domain, domain, &at.key("domain"));
        }
        if let Some(project) = &account.project {
            self.leads(Sort::Project, project, &at.key("project"));
        }
        account.grants = self.grants(settings, &at.key("roles"));
        if account.imported {
            self.left_alone(sort, at);
        }
        account
    }

    fn grants(&mut self, settings: &Map, at: &Path) -> Vec<Grant> {
        let mut grants = Vec::new();
        let written = settings.get("roles").and_then(Value::as_map);
        for place in [Sort::Project, Sort::Domain] {
            let at = at.key(place.field());
            let by_target = written.and_then(|roles| roles.get(place.field())?.as_map());
            for (target, roles) in by_target.map(Map::pairs).unwrap_or_default() {
                let at = at.key(target.to_string());
                self.leads(place, target, &at);
                for (number, role) in list(Some(roles)).into_iter().enumerate() {
                    self.leads(Sort::Role, &role, &at.index(number));
                    grants.push(Grant { place, target: target.to_string(), role });
                }
            }
        }
        grants.sort();
        grants.dedup();
        grants
    }

    /// What cannot become the name of an object, or a name in Keystone.
    fn well_formed(&mut self, account: &Account, at: &Path) {
        let Account { sort, key, name, description, .. } = account;
        if !Format::DnsLabel.accepts(key) {
            let remedy = match Format::DnsLabel.meant(key) {
                Some(meant) => format!("write `{meant}`, and the name in Keystone as `name: …`"),
                None => format!("write {}", Format::DnsLabel.wanted()),
            };
            let because = format!("`{}` cannot be the name of an object", key.escape_debug());
            self.refuse(Code::Malformed, at, because, remedy);
        }
        // A template of External Secrets would read braces, and Keystone no list of names.
        let is_odd = |c: char| c.is_control() || matches!(c, '{' | '}' | ',');
        let longest = sort.longest_name();
        let is_said = name == key && !Format::DnsLabel.accepts(key);
        if is_said {
            return;
        }
        if name.is_empty() || name.chars().count() > longest || name.contains(is_odd) {
            let because = format!("`{}` cannot be a name in Keystone", name.escape_debug());
            let remedy = format!("write up to {longest} characters without commas and braces");
            self.refuse(Code::Malformed, &at.key("name"), because, remedy);
        }
        let longest = sort.longest_description();
        if description.as_ref().is_some_and(|it| !(1..=longest).contains(&it.chars().count())) {
            let because = "a description has at least one character and not too many";
            let remedy = format!("write up to {longest} characters, or leave it out");
            self.refuse(Code::Malformed, &at.key("description"), because, remedy);
        }
    }

    /// What the cloud has already is neither made nor imported again.
    fn free(&mut self, account: &Account, at: &Path) {
        let Account { sort, key, name, imported, .. } = account;
        let in_default = account.domain.as_deref().is_none_or(|domain| domain == DOMAIN);
        let noun = sort.noun();
        let by_key = identity::standing(*sort, key, self.catalogue);
        let by_name = identity::standing(*sort, name, self.catalogue).filter(|_| in_default);
        let (at, standing) = match (by_key, by_name) {
            (Some(Standing::Own), _) => (at.clone(), Standing::Own),
            (_, Some(standing)) if name == key => (at.clone(), standing),
            (_, Some(standing)) => (at.key("name"), standing),
            _ => return,
        };
        let (because, remedy) = match standing {
            Standing::Own => (
                format!("the {noun} `{name}` belongs to the cloud itself"),
                match identity::own(*sort).find(|own| own.eq_ignore_ascii_case(name)) {
                    Some(own) => {
                        format!("choose another name; `{own}` can be referred to as it is")
                    }
                    None => "choose another name".to_owned(),
                },
            ),
            Standing::Bootstrapped if *imported => return,
            Standing::Bootstrapped => (
                format!("the {noun} `{name}` is made by Keystone's own start"),
                "add `import: true`, or choose another name".to_owned(),
            ),
        };
        self.refuse(Code::ReservedIdentity, &at, because, remedy);
    }

    fn leads(&mut self, sort: Sort, key: &str, at: &Path) {
        let written = self.written(sort).map(|(key, _)| key.to_owned());
        let services = self.cloud.components.iter().filter_map(Component::identity);
        let services = services.flat_map(|identity| identity::of_service(sort, identity));
        let own = identity::own(sort).map(str::to_owned);
        let known: Vec<String> = written.chain(own).chain(services.map(|(key, _)| key)).collect();
        if known.iter().any(|other| other == key) {
            return;
        }
        let declare = format!("{}.{}", self.component.path, sort.field());
        let remedy = match nearest(key, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "declare it under {declare}, with `import: true` if it is in Keystone already"
            ),
        };
        let because = format!("there is no {} `{}` here", sort.noun(), key.escape_debug());
        self.refuse(Code::UnknownIdentity, at, because, remedy);
    }

    /// Settings that an import does not pass on.
    fn left_alone(&mut self, sort: Sort, at: &Path) {
        for field in ["description", "enabled", "tags", "project"] {
            let path = at.key(field);
            // Only what was written, not what was filled in.
            if self.cloud.written.get(&path).is_some() {
                let because =
                    format!("a {} that is imported stays as it is in Keystone", sort.noun());
                self.refuse(
                    Code::NoEffect,
                    &path,
                    because,
                    "leave it out, or do not import".to_owned(),
                );
            }
        }
    }

    fn each_once(&mut self, accounts: &[Account]) {
        let same = |a: &Account, b: &Account| {
            a.sort == b.sort
                && a.domain == b.domain
                && a.name.to_lowercase() == b.name.to_lowercase()
        };
        for (index, account) in accounts.iter().enumerate() {
            let Some(first) = accounts[..index].iter().find(|other| same(other, account)) else {
                continue;
            };
            let at = self.component.path.key(account.sort.field()).key(account.key.clone());
            let because = format!(
                "`{}` and `{}` are both the {} `{}`",
                first.key,
                account.key,
                account.sort.noun(),
                account.name
            );
            let remedy = "remove one of the two, or give it another name or domain".to_owned();
            self.refuse(Code::IdentityTwice, &at, because, remedy);
        }
    }

    fn refuse(&mut self, code: Code, at: &Path, because: impl Into<String>, remedy: String) {
        let place = self.cloud.written.place(at);
        self.findings.push(code.at(place).because(because).remedy(remedy));
    }
}

fn list(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
