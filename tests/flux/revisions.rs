//! A cloud from nothing to ready, held back in between, and then its next revision.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::{Value, json};

use crate::cloud::{Cloud, Tree};
use crate::real::{Object, progress, report, wait_for};
use crate::world::World;

const FIRST: &str = "main@sha1:1111111111111111111111111111111111111111";
const SECOND: &str = "main@sha1:2222222222222222222222222222222222222222";

#[test]
fn flux_brings_a_cloud_up_in_order_and_takes_it_to_its_next_revision() {
    let mut cloud = Cloud::production();
    cloud.render(&[]);
    let first = cloud.tree();
    let world = World::start();
    world.bootstrap(&cloud, &first);
    world.publish(&cloud, &first, FIRST);

    let started = Instant::now();
    let held = held_back(&first);
    hold_back(&world, &first, &held);
    world.settle(&first, FIRST, None);
    report(&format!(
        "flux: {} components with {} objects brought up in {:.0?}, held back once at {held}",
        first.components.len(),
        first.objects(),
        started.elapsed()
    ));

    let before = seen(&world, &first);
    let gone = removable(&first);
    cloud.spec["spec"]["release"] = json!("2026.1");
    cloud.spec["spec"]["services"]["keystone"]["replicas"] = json!(5);
    cloud.spec["spec"]["services"][&gone] = json!({"enabled": false});
    refused_without_permission(&cloud, &gone);
    cloud.render(&["--allow-removal", &gone]);
    let second = cloud.tree();
    world.publish(&cloud, &second, SECOND);
    world.settle(&second, SECOND, None);

    only_what_changed_in_the_tree_changed(&before, &seen(&world, &second), &first, &second);
    state_of_what_is_gone_stays(&world, &first, &gone);
    report(&format!("flux: a next revision, without {gone}, after {:.0?}", started.elapsed()));
}

/// Of the components that others wait for and others do not, the one that most wait for.
fn held_back(tree: &Tree) -> String {
    let share = |name: &&String| {
        let waiting = tree.dependents(name).len();
        (waiting + 1 < tree.components.len() / 2, waiting)
    };
    let name = tree.components.keys().max_by_key(share).unwrap();
    assert!(share(&name).1 > 0, "nothing waits for {name}");
    name.clone()
}

fn hold_back(world: &World, tree: &Tree, held: &str) {
    world.settle(tree, FIRST, Some(held));
    let dependents = tree.dependents(held);
    progress(&format!("{held} is held back, and with it {}", join(&dependents)));
    for dependent in &dependents {
        for object in &tree.components[dependent] {
            let state = world.server.state(object);
            assert!(state.is_null(), "{} is there without {held}", object.label());
        }
    }
    let blocked: BTreeSet<String> = world
        .not_ready(tree, FIRST, &BTreeSet::new())
        .iter()
        .filter_map(|line| line.split(':').next().map(str::to_owned))
        .collect();
    let staging = &tree.staging;
    let mut expected: BTreeSet<String> =
        dependents.iter().map(|name| staging.stage_name(name)).collect();
    expected.extend([staging.stage_name(held), staging.control_plane.clone()]);
    assert_eq!(blocked, expected, "exactly the dependents of {held} wait");
}

/// A service with a database that nothing waits for.
fn removable(tree: &Tree) -> String {
    let has_database =
        |name: &&String| tree.components[*name].iter().any(|object| object.kind == "Database");
    let free = |name: &&String| tree.dependents(name).is_empty();
    tree.components
        .keys()
        .filter(has_database)
        .find(free)
        .expect("one service is free to go")
        .clone()
}

fn refused_without_permission(cloud: &Cloud, gone: &str) {
    let output = cloud.try_render(&[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("S0703") && said.contains(&format!("--allow-removal {gone}")), "{said}");
}

/// Each object's text in the tree, its identity in the cluster and how often its spec has changed.
type Seen = BTreeMap<String, (String, Value, Value)>;

fn seen(world: &World, tree: &Tree) -> Seen {
    let all = tree.components.values().flatten();
    all.map(|object| {
        let metadata = &world.server.state(object)["metadata"];
        let of = |key: &str| metadata[key].clone();
        (object.label(), (object.text.clone(), of("uid"), of("generation")))
    })
    .collect()
}

fn only_what_changed_in_the_tree_changed(before: &Seen, after: &Seen, first: &Tree, second: &Tree) {
    let mut changed = 0;
    for (label, (text, uid, generation)) in after {
        assert!(!uid.is_null(), "{label} is not in the cluster");
        let Some((old_text, old_uid, old_generation)) = before.get(label) else { continue };
        assert_eq!(uid, old_uid, "{label} was deleted and made again");
        if text == old_text {
            assert_eq!(generation, old_generation, "{label} changed, and not in the tree");
        }
        changed += usize::from(generation != old_generation);
    }
    let replicas = |tree: &Tree| {
        let keystone = tree.components["keystone"].iter().find(|object| object.kind == "Keystone");
        keystone.map(|object| object.value()["spec"]["replicas"].clone())
    };
    assert_ne!(replicas(first), replicas(second));
    assert!(changed > 0, "nothing changed");
    progress(&format!("{changed} of {} objects changed", after.len()));
}

fn state_of_what_is_gone_stays(world: &World, first: &Tree, gone: &str) {
    let objects = &first.components[gone];
    let is_kept =
        |object: &&Object| object.text.contains("kustomize.toolkit.fluxcd.io/prune: disabled");
    let (kept, others): (Vec<&Object>, Vec<&Object>) = objects.iter().partition(is_kept);
    assert!(!kept.is_empty() && !others.is_empty());
    wait_for(
        "what is gone",
        std::time::Duration::from_secs(120),
        || world.last_words(),
        || {
            let there = others.iter().filter(|object| !world.server.state(object).is_null());
            there.map(|object| object.label()).collect()
        },
    );
    for object in kept {
        assert!(!world.server.state(object).is_null(), "{} is gone", object.label());
    }
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}
