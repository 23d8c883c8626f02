//! What the facts of a record come to once the settings are known: the names of databases and
//! virtual hosts, who uses them, and which credentials there are.

use crate::generate::Batch;
use crate::generate::scope::Scope;
use crate::record::{Credential, Named};
use crate::resolve::Component;
use crate::value::Value;

#[derive(Debug, Default)]
pub struct Facts<'a> {
    pub databases: Vec<String>,
    /// Who may use all of them.
    pub database_users: Vec<Account>,
    pub vhosts: Vec<String>,
    /// Who may use all of them.
    pub queue_users: Vec<Account>,
    /// The Services that a certificate is for.
    pub services: Vec<String>,
    /// What the record names itself.
    pub secrets: Vec<&'a Credential>,
}

/// A user of a database or queue, and the Secret that holds its password.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: String,
    pub secret: String,
}

pub fn database_secret(component: &Component) -> String {
    format!("{}-db-credentials", component.name())
}

pub fn queue_secret(component: &Component) -> String {
    format!("{}-rabbitmq-credentials", component.name())
}

/// An object's name cannot hold the `_` that OpenStack puts into the names of databases.
pub fn object_name(name: &str) -> String {
    name.replace('_', "-")
}

impl<'a> Batch<'a, '_, '_> {
    /// Nothing for what runs elsewhere.
    pub(super) fn facts(&mut self, scope: &Scope) -> Facts<'a> {
        let component = self.component;
        if component.is_external() {
            return Facts::default();
        }
        let databases = self.all_names(&component.record.databases, scope);
        let vhosts = match component.queue() {
            Some(_) => self.all_names(&component.record.queues, scope),
            None => Vec::new(),
        };
        let account = |secret| Account { user: component.name().to_owned(), secret };
        let user = |is_used: bool, secret| is_used.then(|| account(secret)).into_iter().collect();
        Facts {
            database_users: user(!databases.is_empty(), database_secret(component)),
            queue_users: user(!vhosts.is_empty(), queue_secret(component)),
            databases,
            vhosts,
            services: self.all_names(&component.record.certificate, scope),
            secrets: component
                .secrets()
                .filter(|secret| self.holds(secret.when.as_ref(), scope))
                .collect(),
        }
    }

    fn all_names(&mut self, names: &[Named], scope: &Scope) -> Vec<String> {
        names.iter().flat_map(|named| self.names(named, scope)).collect()
    }

    pub(super) fn names(&mut self, named: &Named, scope: &Scope) -> Vec<String> {
        match &named.each {
            None => self.name(named, scope).into_iter().collect(),
            Some(each) => {
                let items = self.list(each, scope);
                items
                    .into_iter()
                    .filter_map(|item| self.name(named, &scope.with_item(item)))
                    .collect()
            }
        }
    }

    fn name(&mut self, named: &Named, scope: &Scope) -> Option<String> {
        match self.evaluator.template(&named.name, scope) {
            Ok(Some(Value::Str(name))) => Some(name.into_owned()),
            Ok(_) => None,
            Err(troubles) => {
                for trouble in troubles {
                    self.findings.push(trouble.finding(self.component.record));
                }
                None
            }
        }
    }
}
