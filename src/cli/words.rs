//! Small words that several messages need.

/// `1 object`, `2 objects`.
pub fn many(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// The first of a list, and how many more there are: a message stays readable however long it is.
pub fn first_few(items: &[String]) -> String {
    const FEW: usize = 5;
    let shown = items.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
