//! A page with the plan drawn: phases as columns, components as boxes, what needs what as lines. It
//! holds all it needs, so that it can be sent by mail or kept beside a release.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::generate::Contents;
use crate::graph::plan::phases;
use crate::graph::title;
use crate::plan::{Plan, needs};
use crate::resolve::{Cloud, Component};

const SKELETON: &str = include_str!("page.html");

/// Sizes of the drawing, in its own units.
const WIDTH: usize = 168;
const HEIGHT: usize = 38;
const BETWEEN_COLUMNS: usize = 96;
const BETWEEN_ROWS: usize = 14;
const HEAD: usize = 34;
const MARGIN: usize = 8;

/// One page of the parts that the clouds gave.
pub fn page(parts: &[String]) -> String {
    SKELETON.replace("{{clouds}}", &parts.concat())
}

/// The plan of one cloud.
pub fn plan_html(cloud: &Cloud, plan: &Plan, contents: &Contents) -> String {
    let columns: Vec<_> = phases(cloud, plan).collect();
    let mut places: HashMap<&str, (usize, usize)> = HashMap::new();
    for (column, (_, components)) in columns.iter().enumerate() {
        for (row, component) in components.iter().enumerate() {
            let x = MARGIN + column * (WIDTH + BETWEEN_COLUMNS);
            let y = HEAD + row * (HEIGHT + BETWEEN_ROWS);
            places.insert(component.name(), (x, y));
        }
    }
    let rows = columns.iter().map(|(_, components)| components.len()).max().unwrap_or(0);
    let width = 2 * MARGIN + columns.len() * (WIDTH + BETWEEN_COLUMNS);
    let height = HEAD + rows * (HEIGHT + BETWEEN_ROWS) + MARGIN;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<section>\n<h2>{}</h2>\n<p>OpenStack {}, {} objects in {} components</p>\n\
         <svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">",
        escaped(&title(cloud)),
        escaped(&cloud.release),
        contents.objects.len(),
        cloud.components.len(),
    );
    for (column, (phase, _)) in columns.iter().enumerate() {
        let x = MARGIN + column * (WIDTH + BETWEEN_COLUMNS);
        let _ = writeln!(out, "<text class=\"phase\" x=\"{x}\" y=\"20\">{}</text>", phase.name());
    }
    for component in plan.components(cloud) {
        for need in direct_needs(cloud, component) {
            if let (Some(from), Some(to)) = (places.get(need), places.get(component.name())) {
                line(&mut out, (need, *from), (component.name(), *to));
            }
        }
    }
    for component in plan.components(cloud) {
        if let Some(place) = places.get(component.name()) {
            let count = contents.objects.iter().filter(|made| made.component == component.name());
            node(&mut out, cloud, component, *place, count.count());
        }
    }
    out.push_str("</svg>\n</section>\n");
    out
}

/// Needs that do not follow from others: the lines between all of them would hide each other.
fn direct_needs<'a>(cloud: &'a Cloud, component: &'a Component) -> Vec<&'a str> {
    let own: Vec<&str> = needs(cloud, component).collect();
    let follows = |need: &&str| {
        own.iter().any(|other| other != need && all_needs(cloud, other).contains(*need))
    };
    let direct: BTreeSet<&str> = own.iter().filter(|need| !follows(need)).copied().collect();
    direct.into_iter().collect()
}

fn all_needs<'a>(cloud: &'a Cloud, component: &str) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    let mut open: Vec<&str> = vec![component];
    while let Some(name) = open.pop() {
        for need in cloud.component(name).into_iter().flat_map(|component| needs(cloud, component))
        {
            if all.insert(need) {
                open.push(need);
            }
        }
    }
    all
}

/// From the right side of what is needed; within a column, around the boxes between.
fn line(
    out: &mut String,
    (from, start): (&str, (usize, usize)),
    (to, end): (&str, (usize, usize)),
) {
    let (x1, y1) = (start.0 + WIDTH, start.1 + HEIGHT / 2);
    let y2 = end.1 + HEIGHT / 2;
    let path = if start.0 == end.0 {
        let bend = x1 + BETWEEN_COLUMNS / 3;
        format!("M{x1} {y1}C{bend} {y1} {bend} {y2} {x1} {y2}")
    } else {
        let (x2, half) = (end.0, BETWEEN_COLUMNS / 2);
        format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + half, x2.saturating_sub(half))
    };
    let _ = writeln!(
        out,
        "<path class=\"edge\" data-from=\"{}\" data-to=\"{}\" d=\"{path}\"/>",
        escaped(from),
        escaped(to)
    );
}

fn node(
    out: &mut String,
    cloud: &Cloud,
    component: &Component,
    (x, y): (usize, usize),
    objects: usize,
) {
    let name = escaped(component.name());
    let needs: Vec<&str> = needs(cloud, component).collect();
    let state = if component.record.stateful { " stateful" } else { "" };
    let told = match needs.as_slice() {
        [] => format!("{}. Needs nothing.", component.record.summary),
        needs => format!("{}. Needs {}.", component.record.summary, needs.join(", ")),
    };
    let _ = writeln!(
        out,
        "<g class=\"node{state}\" data-name=\"{name}\" tabindex=\"0\"><title>{}</title>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\
         <text x=\"{}\" y=\"{}\">{name}</text><text class=\"count\" x=\"{}\" y=\"{}\">{objects}</text></g>",
        escaped(&told),
        x + 12,
        y + HEIGHT / 2 + 5,
        x + WIDTH - 12,
        y + HEIGHT / 2 + 5,
    );
}

/// Names come from the spec, and a page is read by a browser.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
