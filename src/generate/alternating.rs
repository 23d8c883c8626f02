//! Passwords that rotate: of each service two users, of which one is in use. The companion operator
//! gives the other one a password, hands it out, and shuts the first one out when nobody has it any more.

use strata_rotation_api::{AlternatingUsers, RotationType, names};

use crate::generate::facts::{Account, Facts, Turns};
use crate::generate::scope::Scope;
use crate::generate::{database, messaging, rotation};
use crate::resolve::{Cloud, Component, Rhythm};
use crate::value::{Map, Text};

/// The keys of what the companion operator publishes.
const KEYS: &[&str] = &["username", "password"];

/// The two users of a component, and the Secret with the password of each.
pub fn accounts(component: &str, rotation: &str) -> Vec<Account> {
    // The operator gives the first of them the odd numbers.
    let account = |number, letter: char| Account {
        user: format!("{component}-{letter}"),
        secret: names::place(rotation, number),
    };
    vec![account(1, 'a'), account(2, 'b')]
}

pub fn objects(cloud: &Cloud, component: &Component, facts: &Facts, scope: &Scope) -> Vec<Map> {
    let Facts { database_users, database_turns, queue_users, queue_turns, .. } = facts;
    let mut objects = Vec::new();
    if let (Some(turns), Some(rhythm)) = (database_turns, cloud.rotation.database_passwords) {
        let way = Way {
            rotation_type: RotationType::DatabasePassword,
            api_version: database::API,
            users: database_users,
            addresses: database::addresses(facts, scope),
        };
        objects.extend(way.objects(cloud, component, turns, rhythm));
    }
    if let (Some(turns), Some(rhythm)) = (queue_turns, cloud.rotation.messaging_passwords) {
        let way = Way {
            rotation_type: RotationType::MessagingPassword,
            api_version: messaging::API,
            users: queue_users,
            addresses: messaging::addresses(facts, scope),
        };
        objects.extend(way.objects(cloud, component, turns, rhythm));
    }
    objects
}

/// What differs between databases and brokers.
struct Way<'a> {
    rotation_type: RotationType,
    api_version: &'static str,
    users: &'a [Account],
    /// Further keys of the Secret that is delivered.
    addresses: Vec<(Text, String)>,
}

impl Way<'_> {
    fn objects(
        &self,
        cloud: &Cloud,
        component: &Component,
        turns: &Turns,
        rhythm: Rhythm,
    ) -> [Map; 3] {
        let Turns { rotation: name, delivered } = turns;
        let consumers = rotation::consumers(component);
        let mut spec = rotation::spec(self.rotation_type, rhythm, delivered, consumers);
        spec.target_service_user = Some(component.name().to_owned());
        spec.alternating_users = Some(AlternatingUsers {
            api_version: self.api_version.to_owned(),
            names: self.users.iter().map(|account| account.user.clone()).collect(),
            // Operators look at a changed Secret at once; this is for the time they take with many.
            settle_seconds: 120,
        });
        [
            rotation::object(name, &spec),
            rotation::push(cloud, name, delivered),
            rotation::deliver(cloud, delivered, KEYS, &self.addresses),
        ]
    }
}
