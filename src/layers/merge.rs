//! Puts one layer over another. Maps join; lists and single values replace what lies below; a key
//! with nothing behind it takes what lies below away, and the built-in value shows again.

use crate::yaml::tree::{Data, Node};

pub fn over(upper: &Node, lower: Node) -> Node {
    let (Data::Map(fields), Data::Map(mut merged)) = (&upper.data, lower.data) else {
        return upper.clone();
    };
    for (key, value) in fields {
        match merged.iter().position(|(known, _)| known.name == key.name) {
            Some(index) => {
                let (_, below) = merged.swap_remove(index);
                merged.push((key.clone(), over(value, below)));
            }
            None => merged.push((key.clone(), value.clone())),
        }
    }
    Node { at: upper.at, data: Data::Map(merged) }
}

#[cfg(test)]
mod tests {
    use super::over;
    use crate::yaml::read::read;

    fn check(lower: &str, upper: &str, expect: &str) {
        let tree = |text: &str| read(text).documents.remove(0).root;
        let sorted = |node: crate::yaml::tree::Node| {
            let mut text = String::new();
            crate::yaml::write::write(&node.to_value(), &mut text);
            text
        };
        assert_eq!(sorted(over(&tree(upper), tree(lower))), sorted(tree(expect)));
    }

    #[test]
    fn maps_join_and_all_else_replaces() {
        check("{a: 1, b: {c: 2}}", "{b: {d: 3}}", "{a: 1, b: {c: 2, d: 3}}");
        check("{a: [1, 2]}", "{a: [3]}", "{a: [3]}");
        check("{a: {b: 1}}", "{a: 2}", "{a: 2}");
        check("{a: 2}", "{a: {b: 1}}", "{a: {b: 1}}");
    }

    #[test]
    fn nothing_behind_a_key_takes_away_what_lies_below() {
        check("{a: {b: 1}, c: 2}", "{a: null}", "{a: null, c: 2}");
        check("{a: null}", "{a: {b: 1}}", "{a: {b: 1}}");
    }
}
