//! The key that kube-apiserver insists on for service account tokens, which no test here uses.

use std::fs::File;
use std::io::Read;

/// DER of an EC private key on P-256 (RFC 5915) around 32 bytes of secret: the public half may be left
/// out, and nearly every 32 bytes are a valid secret. So no cryptography is needed to make one.
const BEFORE: &[u8] = &[0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20];
const AFTER: &[u8] = &[0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];

pub fn generate() -> String {
    let mut secret = [0; 32];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut secret))
        .expect("/dev/urandom can be read");
    // The order of the curve is just below 2^256: a clear top bit keeps the secret below it.
    secret[0] &= 0x7f;
    let kind = "EC PRIVATE KEY";
    let der = base64(&[BEFORE, &secret, AFTER].concat());
    format!("-----BEGIN {kind}-----\n{der}\n-----END {kind}-----\n")
}

/// Of a length that is a multiple of three, so there is never any padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert_eq!(bytes.len() % 3, 0);
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_usize, |word, byte| word << 8 | usize::from(*byte));
        text.extend([18, 12, 6, 0].map(|shift| char::from(DIGITS[word >> shift & 63])));
    }
    text
}
