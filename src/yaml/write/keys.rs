//! The order of keys within a map: the one kustomize writes, in which `a2` comes before `a10`.
//!
//! It is decided at the first character in which two keys differ, and a letter there hides the
//! digits around it. So it is not transitive: `a2 < a10 < a1b < a2`. Nothing here may rely on it
//! being an order (`slice::sort_by` may panic then), and [`cycle`] finds the keys for which no
//! order exists.

use std::cmp::Ordering;

/// How two keys stand to each other. `Equal` only if they are the same text.
pub fn natural(left: &str, right: &str) -> Ordering {
    let difference = left.bytes().zip(right.bytes()).enumerate().find(|(_, (l, r))| l != r);
    let Some((at, (l, r))) = difference else { return left.len().cmp(&right.len()) };
    // Most keys differ in a letter of the alphabet, and then all is said.
    if l.is_ascii_alphabetic() && r.is_ascii_alphabetic() {
        return l.cmp(&r);
    }
    let at = beginning_of_character(left, at);
    let (Some(l), Some(r)) = (left[at..].chars().next(), right[at..].chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (is_letter(l), is_letter(r)) {
        (true, true) => l.cmp(&r),
        (false, true) => Ordering::Less,
        (true, false) => Ordering::Greater,
        (false, false) => {
            // `10` against `1-`: the zero belongs to a number that has begun before, so it may
            // not count as a leading zero.
            let start = i64::from((l == '0' || r == '0') && ends_in_a_number(&left[..at]));
            number(start, &left[at..]).cmp(&number(start, &right[at..])).then(l.cmp(&r))
        }
    }
}

/// Where the character begins that this byte is part of.
fn beginning_of_character(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The digits at the start of a text as (number, how many), continuing the number `start`.
/// It wraps as the original does; keys long enough for that are looked at by [`cycle`].
fn number(start: i64, text: &str) -> (i64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold((start, 0), |(number, length), digit| {
        (number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')), length + 1)
    })
}

fn ends_in_a_number(text: &str) -> bool {
    text.bytes().rev().take_while(u8::is_ascii_digit).any(|digit| digit != b'0')
}

/// A letter in the sense of Unicode's categories L*. The standard library knows the property
/// Alphabetic only, which has numerals and combining marks as well; what they make of it is left
/// to [`doubtful`].
fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic()
    } else {
        character.is_alphabetic() && !character.is_numeric()
    }
}

/// Scripts in which [`is_letter`] is exact and that have no digits of their own, compared with
/// Go's tables (Unicode 15) character by character.
const SURE: [(char, char); 6] = [
    ('\0', '\u{2FF}'),        // Latin
    ('\u{370}', '\u{481}'),   // Greek, Cyrillic
    ('\u{48A}', '\u{52F}'),   // Cyrillic
    ('\u{3041}', '\u{30FF}'), // Hiragana, Katakana
    ('\u{4E00}', '\u{9FFF}'), // Han
    ('\u{AC00}', '\u{D7A3}'), // Hangul
];

/// The first character of a key of which we do not know whether kustomize takes it for a letter
/// or a digit.
pub fn doubtful(key: &str) -> Option<char> {
    let unsure = |character: &char| {
        character.is_alphanumeric()
            && !SURE.iter().any(|(first, last)| (first..=last).contains(&character))
    };
    if key.is_ascii() { None } else { key.chars().find(unsure) }
}

/// Appends the indices of the keys to `order`, sorted. Whatever the keys, this ends and does not
/// panic; a binary insertion, as maps are small and mostly almost in order.
pub fn sort<'k>(order: &mut Vec<u32>, count: u32, key: impl Fn(u32) -> &'k str) {
    let base = order.len();
    for index in 0..count {
        let name = key(index);
        let before = |&other: &u32| is_before(key(other), name);
        let sorted = &order[base..];
        let at = match sorted.last() {
            Some(last) if !before(last) => base + sorted.partition_point(before),
            _ => order.len(),
        };
        order.insert(at, index);
    }
}

/// The same question as [`natural`] answers, for keys that mostly differ in their first letter.
fn is_before(left: &str, right: &str) -> bool {
    match (left.as_bytes(), right.as_bytes()) {
        ([l, ..], [r, ..]) if l != r && l.is_ascii_alphabetic() && r.is_ascii_alphabetic() => l < r,
        _ => natural(left, right) == Ordering::Less,
    }
}

/// Three keys, each before the next and the last before the first, if there are any: kustomize
/// writes such a map now this way and now that.
pub fn cycle<'k>(keys: impl Iterator<Item = &'k str> + Clone) -> Option<[&'k str; 3]> {
    if no_number_decides(keys.clone()) || !keys.clone().any(may_break_the_order) {
        return None;
    }
    let keys: Vec<&str> = keys.collect();
    let before = |a: &str, b: &str| natural(a, b) == Ordering::Less;
    let wins: Vec<usize> =
        keys.iter().map(|a| keys.iter().filter(|b| before(a, b)).count()).collect();
    // An order without cycles gives every key another number of keys behind it. If `a` is before
    // `b` and has no more behind it than `b`, then some `c` is behind `b` and before `a`.
    for (i, a) in keys.iter().enumerate() {
        for (j, b) in keys.iter().enumerate() {
            if wins[i] <= wins[j] && before(a, b) {
                let c = keys.iter().find(|c| before(b, c) && before(c, a))?;
                return Some([a, b, c]);
            }
        }
    }
    None
}

/// Whether the keys stand in the order of their bytes and no two neighbours differ first in a digit.
/// Then no two others do either, and without numbers the first difference alone makes an order.
fn no_number_decides<'k>(mut keys: impl Iterator<Item = &'k str>) -> bool {
    let Some(mut last) = keys.next() else { return true };
    keys.all(|key| {
        let mut bytes = last.bytes().zip(key.bytes());
        last = key;
        match bytes.find(|(left, right)| left != right) {
            Some((l, r)) => l < r && !l.is_ascii_digit() && !r.is_ascii_digit(),
            // One begins with the other: an order only if the shorter comes first.
            None => false,
        }
    })
}

/// Only a letter behind a digit, or a number too long for 64 bits, can close a cycle.
fn may_break_the_order(key: &str) -> bool {
    let mut digits = 0;
    key.chars().any(|character| {
        let hidden = digits > 0 && is_letter(character);
        digits = if character.is_ascii_digit() { digits + 1 } else { 0 };
        // i64::MAX has 19 digits, and a number may be continued from a 1.
        hidden || digits >= 18
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted<'k>(keys: &[&'k str]) -> Vec<&'k str> {
        let mut order = Vec::new();
        sort(&mut order, keys.len() as u32, |index| keys[index as usize]);
        order.into_iter().map(|index| keys[index as usize]).collect()
    }

    fn check(expect: &[&str]) {
        let mut keys = expect.to_vec();
        keys.reverse();
        assert_eq!(sorted(&keys), expect);
        keys.rotate_left(expect.len() / 2);
        assert_eq!(sorted(&keys), expect);
    }

    #[test]
    fn keys_sort_as_kustomize_sorts_them() {
        check(&["", "-", "_a", "1", "9", "10", "A", "Z", "a", "a2", "a10", "ab"]);
        check(&["a", "a-b", "a.b", "a/b", "a_b", "ab"]);
        check(&["a1", "a01", "a001", "a2"]);
        check(&["a1-", "a10", "a11", "a100"]);
        check(&["a0", "a0-", "a00", "a1"]);
        check(&["a", "b", "é", "ü", "中"]);
        check(&["→", "😀", "a", "é"]);
        check(&["apiVersion", "kind", "metadata", "spec"]);
    }

    #[test]
    fn a_cycle_is_found() {
        assert_eq!(cycle(["a2", "a10", "a1b"].into_iter()), Some(["a2", "a10", "a1b"]));
        assert_eq!(
            cycle(["x", "a1b", "y", "a2", "z", "a10"].into_iter()),
            Some(["a1b", "a2", "a10"])
        );
        assert_eq!(cycle(["a2", "a10", "a1", "b1c"].into_iter()), None);
        assert_eq!(cycle(["ed25519key", "x509cert", "ipv4addr", "ipv6addr"].into_iter()), None);
    }

    #[test]
    fn keys_of_unknown_script_are_named() {
        assert_eq!(doubtful("clé→中😀"), None);
        assert_eq!(doubtful("a٣"), Some('٣'));
        assert_eq!(doubtful("का"), Some('क'));
    }

    proptest! {
        #[test]
        fn without_a_cycle_every_pair_is_in_order(keys in prop::collection::btree_set("[ab012_.-]{0,4}", 0..12)) {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let sorted = sorted(&keys);
            let in_order = (0..keys.len()).all(|i| {
                (i + 1..keys.len()).all(|j| natural(sorted[i], sorted[j]) == Ordering::Less)
            });
            prop_assert_eq!(in_order, cycle(keys.iter().copied()).is_none());
        }

        #[test]
        fn either_of_two_keys_comes_first(left in "[a-c0-2é٣-]{0,4}", right in "[a-c0-2é٣-]{0,4}") {
            prop_assert_eq!(natural(&left, &right), natural(&right, &left).reverse());
        }

        #[test]
        fn no_keys_make_the_sort_panic(keys in prop::collection::vec("a[0-9]{1,2}[a-c]?", 0..200)) {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            prop_assert_eq!(sorted(&keys).len(), keys.len());
        }
    }
}
