//! "Did you mean": the nearest known name to one that a person wrote.

/// The candidate fewest edits away, if it is near enough to be what was meant.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A third of a word may be a slip; more of it is another word.
    let budget = (written.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (distance(written, candidate), candidate))
        .filter(|(edits, _)| *edits <= budget)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edits between two names: insertions, deletions, changes and swaps of neighbours, letters
/// compared without case, because `storageclass` for `storageClass` is the commonest slip.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).take(64).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).take(64).collect();
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    fn check(written: &str, expect: Option<&str>) {
        let known =
            ["replicas", "storageSize", "storageClass", "image", "resources", "nova", "neutron"];
        assert_eq!(nearest(written, known.into_iter()), expect, "{written}");
    }

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        check("replcias", Some("replicas"));
        check("storageclass", Some("storageClass"));
        check("neturon", Some("neutron"));
        check("ressources", Some("resources"));
    }

    #[test]
    fn another_word_is_not() {
        check("horizon", None);
        check("size", None);
        check("novum", None);
    }
}
