//! The names of what the operator makes, all from the name of the rotation.

pub const MANAGER: &str = "strata-operator";
/// On what belongs to a rotation: its name.
pub const ROTATION_LABEL: &str = "c5c3.io/rotation";
/// On the Secrets of alternating users, on what is published, and on Jobs.
pub const GENERATION: &str = "c5c3.io/generation";
pub const MADE: &str = "c5c3.io/made";
pub const RING: &str = "c5c3.io/ring";
/// What External Secrets is told: it looks when an annotation changes.
pub const SYNC: &str = "c5c3.io/sync";
/// On pods: the digest of the credential, or of the keys, that they have.
pub const CONTENT: &str = "c5c3.io/content-hash";
/// A person's wish, on the rotation.
pub const ROTATE_NOW: &str = "c5c3.io/rotate-now";

pub fn next(keys: &str) -> String {
    format!("{keys}-next")
}

pub fn first(keys: &str) -> String {
    format!("{keys}-first")
}

pub fn generation(rotation: &str, number: u32) -> String {
    format!("{rotation}-g{number}")
}

/// The number in the name of a generation of this rotation.
pub fn number(rotation: &str, name: &str) -> Option<u32> {
    let number = name.strip_prefix(rotation)?.strip_prefix("-g")?;
    number.parse().ok().filter(|parsed: &u32| parsed.to_string() == number)
}

pub fn place(rotation: &str, number: u32) -> String {
    format!("{rotation}-{}", if number % 2 == 1 { "a" } else { "b" })
}

pub fn published(rotation: &str) -> String {
    format!("{rotation}-current")
}

pub fn migration(rotation: &str) -> String {
    format!("{rotation}-migrate")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_known_by_its_name() {
        assert_eq!(number("nova", &generation("nova", 12)), Some(12));
        for name in ["nova-g", "nova-g01", "nova-gx", "nova-api-g1", "nova", "glance-g1"] {
            assert_eq!(number("nova", name), None, "{name}");
        }
    }
}
