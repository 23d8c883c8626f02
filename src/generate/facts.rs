//! What the facts of a record come to once the settings are known: the names of databases and
//! virtual hosts, who uses them, and which credentials there are.

use crate::generate::scope::Scope;
use crate::generate::{Batch, alternating};
use crate::record::{Credential, Named};
use crate::resolve::Component;
use crate::value::Value;

#[derive(Debug, Default)]
pub struct Facts<'a> {
    pub databases: Vec<String>,
    /// Who may use all of them.
    pub database_users: Vec<Account>,
    /// Where two of them take turns.
    pub database_turns: Option<Turns>,
    pub vhosts: Vec<String>,
    /// Who may use all of them.
    pub queue_users: Vec<Account>,
    /// Where two of them take turns.
    pub queue_turns: Option<Turns>,
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

/// Two users that take turns, and where their service finds the one in use.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The name of the rotation.
    pub rotation: String,
    /// The Secret that the service reads.
    pub delivered: String,
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
        let name = component.name();
        let turns = |is_used: bool, rotates: bool, what: &str, delivered| {
            let rotation = format!("{name}-{what}-password");
            (is_used && rotates).then_some(Turns { rotation, delivered })
        };
        let users = |is_used: bool, turns: &Option<Turns>, secret| match turns {
            _ if !is_used => Vec::new(),
            Some(turns) => alternating::accounts(name, &turns.rotation),
            None => vec![Account { user: name.to_owned(), secret }],
        };
        let rotation = &self.cloud.rotation;
        let (has_databases, has_vhosts) = (!databases.is_empty(), !vhosts.is_empty());
        let (database, queue) = (database_secret(component), queue_secret(component));
        let rotates = rotation.database_passwords.is_some();
        let database_turns = turns(has_databases, rotates, "db", database.clone());
        let rotates = rotation.messaging_passwords.is_some();
        let queue_turns = turns(has_vhosts, rotates, "rabbitmq", queue.clone());
        Facts {
            database_users: users(has_databases, &database_turns, database),
            database_turns,
            queue_users: users(has_vhosts, &queue_turns, queue),
            queue_turns,
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
