//! A tree as one archive, the same bytes on every machine: a tar of the files alone, sorted, with no
//! owner, no time and one mode, behind gzip. Flux's sources and `flux push artifact` speak this format.

use std::io::{self, Write as _};

use flate2::{Compression, GzBuilder};

/// A file of the archive: its path, with `/` between folders, and its bytes.
pub type Entry<'a> = (&'a str, &'a [u8]);

const BLOCK: usize = 512;
/// What a name may have in the header itself; a longer one has a header of its own before it.
const NAME: usize = 100;

/// # Errors
/// None happen: it is written to memory. The compressor's interface has them.
pub fn archive(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    // No time and an unknown system: a gzip header has both.
    let mut out =
        GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::new(6));
    for (path, bytes) in sorted {
        if path.len() > NAME {
            let record = long_name(path);
            write_entry(&mut out, "path", b'x', record.as_bytes())?;
        }
        write_entry(&mut out, path, b'0', bytes)?;
    }
    // Two empty blocks are the end.
    out.write_all(&[0; 2 * BLOCK])?;
    out.finish()
}

fn write_entry(out: &mut impl io::Write, path: &str, kind: u8, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&header(path, kind, bytes.len()))?;
    out.write_all(bytes)?;
    out.write_all(&vec![0; bytes.len().next_multiple_of(BLOCK) - bytes.len()])
}

/// The header of POSIX.1-1988 (ustar).
fn header(path: &str, kind: u8, size: usize) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &path.as_bytes()[..path.len().min(NAME)]);
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    // The sum is taken with blanks in its own place.
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// A record of POSIX.1-2001 (pax): its own length counts, the digits of it included.
fn long_name(path: &str) -> String {
    let rest = format!(" path={path}\n");
    let mut length = rest.len();
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    format!("{length}{rest}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_order_of_files_does_not_matter() {
        let (a, b): (Entry, Entry) = (("a/x.yaml", b"kind: X\n"), ("b.yaml", b"kind: Y\n"));
        assert_eq!(archive(&[a, b]).unwrap(), archive(&[b, a]).unwrap());
        assert_ne!(archive(&[a]).unwrap(), archive(&[b]).unwrap());
    }

    #[test]
    fn the_length_of_a_long_name_counts_itself() {
        for length in [92, 93, 200, 990] {
            let record = long_name(&"a".repeat(length));
            let said: usize = record.split(' ').next().unwrap().parse().unwrap();
            assert_eq!(said, record.len());
        }
    }
}
