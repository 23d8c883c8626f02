//! The names of what the operator makes, all from the name of the rotation.

pub use crate::api::names::{BROKER_READS, MANAGER, first, migration, next, place, published};

/// On what belongs to a rotation: its name.
pub const ROTATION_LABEL: &str = "c5c3.io/rotation";
/// On the Secrets of alternating users, on what is published, and on Jobs.
pub const GENERATION: &str = "c5c3.io/generation";
pub const MADE: &str = "c5c3.io/made";
pub const RING: &str = "c5c3.io/ring";
/// What External Secrets is told: it looks when an annotation changes.
pub const SYNC: &str = "c5c3.io/sync";
/// On PushSecrets: what External Secrets said that it had pushed when it was told last.
pub const PUSHED_BEFORE: &str = "c5c3.io/pushed-before";
/// A person's wish, on the rotation.
pub const ROTATE_NOW: &str = "c5c3.io/rotate-now";

/// On pods and their templates: the digest of what they have of this Secret. A pod has several that rotate,
/// each for itself, so one name for all would not do.
pub fn content(secret: &str) -> String {
    format!("content-hash.c5c3.io/{secret}")
}

pub fn generation(rotation: &str, number: u32) -> String {
    format!("{rotation}-g{number}")
}

/// The number in the name of a generation of this rotation.
pub fn number(rotation: &str, name: &str) -> Option<u32> {
    counted(name.strip_prefix(rotation)?.strip_prefix("-g")?)
}

/// A number as the operator writes it. One that counting does not reach is nobody's: whoever may name a credential in
/// Keystone could else bring it to where there is no next one.
pub fn counted(text: &str) -> Option<u32> {
    const MOST: u32 = 1 << 30;
    text.parse().ok().filter(|number: &u32| *number < MOST && number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_known_by_its_name() {
        assert_eq!(number("nova", &generation("nova", 12)), Some(12));
        let beyond = generation("nova", u32::MAX);
        for name in ["nova-g", "nova-g01", "nova-gx", "nova-api-g1", "nova", "glance-g1", &beyond] {
            assert_eq!(number("nova", name), None, "{name}");
        }
    }
}
