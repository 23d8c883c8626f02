//! How an image is named: its repository and its tag.

use crate::schema::format::{is_port, is_word_of_any_length};

/// As registries take it: 128 characters, the first neither `.` nor `-`.
pub(super) fn is_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=128).contains(&bytes.len())
        && !matches!(bytes[0], b'.' | b'-')
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(b))
}

/// Only a registry has a port: behind a name, what follows a colon is a tag.
pub(super) fn is_repository(text: &str) -> bool {
    let is_name = |part: &str| {
        let is_part = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        part.bytes().all(|b| is_part(b) || b"._-".contains(&b))
            && part.bytes().next().is_some_and(is_part)
            && part.bytes().next_back().is_some_and(is_part)
    };
    let is_registry = |part: &str| {
        let (host, port) = part.split_once(':').map_or((part, None), |(h, p)| (h, Some(p)));
        is_word_of_any_length(host, b".-") && port.is_none_or(is_port)
    };
    match text.split_once('/') {
        Some((first, names)) => {
            (is_registry(first) || is_name(first)) && names.split('/').all(is_name)
        }
        None => is_name(text),
    }
}

#[cfg(test)]
mod tests {
    use super::is_repository;

    #[test]
    fn a_repository_has_no_tag_and_no_scheme() {
        for good in [
            "nova",
            "ghcr.io/c5c3/nova",
            "localhost:5000/nova",
            "my_org/nova-api",
            "R.example.com/a/b.c",
        ] {
            assert!(is_repository(good), "{good}");
        }
        let bad = [
            "",
            "nova:1",
            "c5c3/nova:1",
            "https://ghcr.io/nova",
            "a//b",
            "a/B",
            "/a",
            "a/",
            "a/-b",
            "a@b",
        ];
        for bad in bad {
            assert!(!is_repository(bad), "{bad}");
        }
    }
}
