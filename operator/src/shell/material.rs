//! Keys and passwords as bytes: the only place that makes them or looks into them.

use std::collections::BTreeMap;
use std::fmt;

use k8s_openapi::ByteString;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::names;
use crate::core::ring::{Marked, Slot};
use crate::core::{Digest, Ring, Time};

pub type Data = BTreeMap<String, ByteString>;

/// Keystone ignores files whose names are no numbers, so what is known about the keys travels with them.
const NOTES: &str = "notes.json";

#[derive(Clone, PartialEq, Eq)]
pub struct Key(Zeroizing<Vec<u8>>);

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key")
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Notes {
    staged: i64,
    promoted: i64,
    demoted: BTreeMap<u32, i64>,
}

/// 32 bytes as Keystone wants them: 44 characters of base64 for URLs.
pub fn new_key() -> Result<Key, getrandom::Error> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bytes.as_mut())?;
    Ok(Key(Zeroizing::new(encode(bytes.as_ref(), true).into_bytes())))
}

/// 32 letters and digits: about 190 bits, and nothing to quote anywhere.
pub fn new_password() -> Result<Zeroizing<String>, getrandom::Error> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut password = Zeroizing::new(String::with_capacity(32));
    while password.len() < 32 {
        let mut bytes = Zeroizing::new([0_u8; 64]);
        getrandom::fill(bytes.as_mut())?;
        // What is left of 256 beyond the last multiple of 62 would favour the first letters.
        let fair =
            bytes.iter().filter(|byte| usize::from(**byte) < 256 / LETTERS.len() * LETTERS.len());
        let room = 32 - password.len();
        password.extend(
            fair.take(room).map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])),
        );
    }
    Ok(password)
}

/// RFC 4648, with padding.
pub fn encode(bytes: &[u8], for_urls: bool) -> String {
    let (plus, slash) = if for_urls { ('-', '_') } else { ('+', '/') };
    let digit = |value: u32| match (value & 63) as u8 {
        value @ 0..26 => char::from(b'A' + value),
        value @ 26..52 => char::from(b'a' + value - 26),
        value @ 52..62 => char::from(b'0' + value - 52),
        62 => plus,
        _ => slash,
    };
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            match place <= chunk.len() {
                true => text.push(digit(bits >> (18 - 6 * place))),
                false => text.push('='),
            }
        }
    }
    text
}

fn is_key(bytes: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    bytes.len() == 44 && bytes[43] == b'=' && bytes[..43].iter().all(letter)
}

/// The keys in a Secret; None if it is no ring.
pub fn ring(data: &Data) -> Option<Ring<Key>> {
    let notes = match data.get(NOTES) {
        Some(text) => serde_json::from_slice::<Notes>(&text.0).ok()?,
        None => Notes::default(),
    };
    let mut slots = Vec::new();
    for (name, bytes) in data.iter().filter(|(name, _)| *name != NOTES) {
        let index = names::counted(name).filter(|_| is_key(&bytes.0))?;
        let key = Key(Zeroizing::new(bytes.0.clone()));
        slots.push(Slot { index, key, demoted: notes.demoted.get(&index).map(|time| Time(*time)) });
    }
    slots.sort_by_key(|slot| slot.index);
    Ring::of(slots, Time(notes.staged), Time(notes.promoted))
}

pub fn data(ring: &Ring<Key>) -> Data {
    let demoted = ring.slots().iter().filter_map(|slot| Some((slot.index, slot.demoted?.0)));
    let notes =
        Notes { staged: ring.staged.0, promoted: ring.promoted.0, demoted: demoted.collect() };
    let notes = serde_json::json!(notes).to_string().into_bytes();
    let keys =
        ring.slots().iter().map(|slot| (slot.index.to_string(), ByteString(slot.key.0.to_vec())));
    keys.chain([(NOTES.to_owned(), ByteString(notes))]).collect()
}

/// What the core knows of it.
pub fn marked(data: &Data) -> Option<Marked> {
    let ring = ring(data)?.map(|key| of_bytes(&[&key.0]));
    Some(Marked { ring, digest: digest(data) })
}

/// Of a Secret's contents, names included.
pub fn digest(data: &Data) -> Digest {
    let parts: Vec<&[u8]> =
        data.iter().flat_map(|(name, value)| [name.as_bytes(), &value.0[..]]).collect();
    of_bytes(&parts)
}

fn of_bytes(parts: &[&[u8]]) -> Digest {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hash = hash.finalize();
    let half: [u8; 16] = std::array::from_fn(|place| hash[place]);
    Digest(u128::from_be_bytes(half))
}

pub fn hex(digest: Digest) -> String {
    format!("{:032x}", digest.0)
}

pub fn from_hex(text: &str) -> Option<Digest> {
    u128::from_str_radix(text, 16).ok().map(Digest)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let fresh = Ring::fresh(new_key().unwrap(), new_key().unwrap(), Time(7));
        let later = fresh.promote(Time(8)).restage(new_key().unwrap(), Time(9));
        for ring in [fresh, later] {
            let data = data(&ring);
            assert_eq!(super::ring(&data).unwrap(), ring);
            assert_eq!(marked(&data).unwrap().digest, digest(&data));
            assert!(data.iter().all(|(name, value)| name == NOTES || value.0.len() == 44));
        }
    }

    #[test]
    fn what_is_no_ring_is_refused() {
        let good = data(&Ring::fresh(new_key().unwrap(), new_key().unwrap(), Time(7)));
        let broken = |name: &str, value: &[u8]| {
            let mut data = good.clone();
            data.insert(name.to_owned(), ByteString(value.to_vec()));
            ring(&data).is_none()
        };
        assert!(broken("0", b"") && broken("1", b"short") && broken("x", &good["0"].0));
        assert!(broken("01", &good["0"].0) && broken(NOTES, b"{"));
        let mut without = good.clone();
        without.remove("0");
        assert!(ring(&without).is_none());
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(encode(bytes.as_bytes(), true), text);
        }
        assert_eq!(encode(&[0xfb, 0xff], true), "-_8=");
        assert_eq!(encode(&[0xfb, 0xff], false), "+/8=");
    }

    #[test]
    fn a_key_does_not_show_itself() {
        assert_eq!(format!("{:?}", new_key().unwrap()), "Key");
        assert_eq!(new_password().unwrap().len(), 32);
        assert_ne!(new_password().unwrap(), new_password().unwrap());
    }
}
