//! Which tags of images stay what they are. A registry does not say it; by custom a whole version does, the
//! day of a build or a commit in it, and a tag with less than that is set anew with every release.

/// Whether a tag points to another image from time to time.
pub fn floats(tag: &str) -> bool {
    let parts = || tag.split(['-', '_', '+']);
    // Behind the first number stands what the image is built on: `2025.1-ubuntu-22.04.1`.
    let version = parts().find(|part| numbers(part).next().is_some_and(is_number));
    !(version.is_some_and(is_whole) || parts().any(is_hash) || has_day(tag))
}

fn numbers(part: &str) -> impl Iterator<Item = &str> {
    part.strip_prefix('v').unwrap_or(part).split('.')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `v1.2.3`, and what some put directly behind it: `1.2.3rc1`, `1.2.3.p1`.
fn is_whole(version: &str) -> bool {
    let mut numbers = numbers(version);
    let third = numbers.by_ref().take(2).all(is_number).then(|| numbers.next()).flatten();
    third.is_some_and(|third| third.starts_with(|c: char| c.is_ascii_digit()))
}

/// A commit, or a time written without marks between its parts. Seven digits are Git's own short form.
fn is_hash(part: &str) -> bool {
    part.len() >= 7
        && part.bytes().all(|b| b.is_ascii_hexdigit())
        && part.bytes().any(|b| b.is_ascii_digit())
}

/// `2026-05-01` anywhere.
fn has_day(tag: &str) -> bool {
    tag.as_bytes().windows("2026-05-01".len()).any(|day| {
        day.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => matches!(byte, b'-' | b'.' | b'_'),
            _ => byte.is_ascii_digit(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::floats;

    #[test]
    fn a_tag_floats_unless_it_names_one_build() {
        for exact in [
            "1.2.3",
            "v32.0.1",
            "11.8.3-ubi",
            "4.2.1-management",
            "1.6.39-debian-12-r5",
            "32.0.0.0rc1",
            "1.2.3.p1",
            "1.2.3rc1",
            "release-1.2.3",
            "commit-c22784c",
            "2025.2-20260501",
            "2025.1-ubuntu_jammy-2026-05-01",
            "RELEASE.2026-05-01T20-20-33Z",
            "0123456789abcdef0123456789abcdef01234567",
        ] {
            assert!(!floats(exact), "{exact}");
        }
        for floating in [
            "",
            "latest",
            "main",
            "stable",
            "stable-2025.2",
            "2025.2",
            "v32",
            "14",
            "1.6",
            "lts",
            "1.2.x",
            "1.6-alpine3.19.1",
            "1.6-alpine-3.19.1",
            "2025.1-ubuntu-22.04.1",
            "facades",
        ] {
            assert!(floats(floating), "{floating}");
        }
    }
}
