//! The lines of each item, comments included, as they stand in the text. What is not ours is
//! copied and never written anew: an author's comments and quotes are part of the package.

use crate::yaml::read::read;
use crate::yaml::tree::{Data, Node};

/// Where the dash of an item stands.
#[derive(Clone, Copy)]
struct Dash {
    /// Of its line.
    line: usize,
    column: usize,
}

/// How far the dashes are indented, and the lines of each item. There are none if the list is in
/// brackets, as in JSON, nor for an item that needs other parts of the text, as an alias does.
pub fn of_items<'t>(text: &'t str, root: &Node) -> (usize, Vec<Option<&'t str>>) {
    let Some(items) = root.get("items") else { return (0, Vec::new()) };
    let Data::List(nodes) = &items.data else { return (0, Vec::new()) };
    let dashes: Option<Vec<Dash>> = nodes.iter().map(|node| dash(text, node.at.start)).collect();
    let Some(dashes) = dashes else { return (0, vec![None; nodes.len()]) };
    let column = dashes.first().map_or(0, |dash| dash.column);
    if dashes.iter().any(|dash| dash.column != column) {
        return (0, vec![None; nodes.len()]);
    }
    let mut starts: Vec<usize> =
        dashes.iter().map(|dash| with_comments_above(text, dash.line, column)).collect();
    starts.push(end_of_list(text, root, items));
    let lines = nodes
        .iter()
        .zip(starts.windows(2))
        .map(|(node, bounds)| {
            let lines = text.get(*bounds.first()?..*bounds.last()?)?;
            says_the_same(lines, node).then_some(lines)
        })
        .collect();
    (column, lines)
}

/// The dash before an item. Comments may stand between the two: that is where Go's YAML puts the
/// licence at the head of a file.
fn dash(text: &str, item: usize) -> Option<Dash> {
    let mut line = start_of_line(text, item);
    let mut before = text.get(line..item)?;
    loop {
        let blank = before.trim_start_matches(' ');
        if let Some(behind) = blank.strip_prefix('-') {
            let behind = behind.trim();
            let found = behind.is_empty() || behind.starts_with('#');
            return found.then_some(Dash { line, column: before.len() - blank.len() });
        }
        if !blank.trim().is_empty() && !blank.starts_with('#') || line == 0 {
            return None;
        }
        let above = start_of_line(text, line - 1);
        before = text.get(above..line)?;
        line = above;
    }
}

/// Comments right above a dash, and as far to the left, speak of what follows. Anything within the
/// item before it stands further to the right.
fn with_comments_above(text: &str, mut line: usize, column: usize) -> usize {
    while line > 0 {
        let above = start_of_line(text, line - 1);
        let content = text.get(above..line).unwrap_or_default();
        let blank = content.trim_start_matches(' ');
        if !blank.starts_with('#') || content.len() - blank.len() != column {
            break;
        }
        line = above;
    }
    line
}

/// Where the next field of the ResourceList starts, or the document ends.
fn end_of_list(text: &str, root: &Node, items: &Node) -> usize {
    let Data::Map(entries) = &root.data else { return items.at.end };
    let keys = entries.iter().map(|(key, _)| key.at.start);
    if let Some(key) = keys.filter(|start| *start >= items.at.end).min() {
        return with_comments_above(text, start_of_line(text, key), 0);
    }
    let rest = text.get(items.at.end..).unwrap_or_default();
    rest.find("\n...").map_or(text.len(), |end| items.at.end + end + 1)
}

fn start_of_line(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// Looking is better than a proof: whatever a text may hold, lines that are copied are read once
/// more by themselves, and are the item or are not used.
fn says_the_same(lines: &str, item: &Node) -> bool {
    let reading = read(lines);
    let [document] = reading.documents.as_slice() else { return false };
    let Data::List(found) = &document.root.data else { return false };
    let [found] = found.as_slice() else { return false };
    reading.faults.is_empty() && found.to_value() == item.to_value()
}
