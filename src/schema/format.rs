//! Texts with a form. Each has a pattern, which goes into the CRD for servers and editors, and a
//! check of our own, so that reading a spec needs no regular expressions.

use crate::schema::Schedule;
use crate::schema::image::{is_repository, is_tag};
use crate::schema::moment::is_moment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Quantity,
    DnsLabel,
    DnsName,
    Cron,
    Release,
    Duration,
    StorePath,
    TreePath,
    Region,
    Kind,
    Tag,
    Repository,
    Digest,
    LabelValue,
    Url,
    HostPort,
    PhysicalNetwork,
    Interface,
    Moment,
    VaultRole,
    CephPool,
    Class,
    Uuid,
    ProjectId,
}

/// The one table: name in a schema, pattern, what a person should write instead.
const TABLE: &[(Format, &str, &str, &str)] = &[
    (
        Format::Quantity,
        "quantity",
        r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",
        "a quantity such as 500m, 8Gi or 100Gi",
    ),
    (
        Format::DnsLabel,
        "dns-label",
        r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
        "up to 63 lower-case letters, digits and '-', starting and ending with a letter or digit",
    ),
    (
        Format::DnsName,
        "dns-name",
        r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$",
        "lower-case letters, digits, '-' and '.', such as ceph-rbd or cloud.example.com",
    ),
    (
        Format::Cron,
        "cron",
        r"^(@(hourly|daily|weekly|monthly|yearly)|[0-9*,/-]+( [0-9A-Za-z*,/-]+){4})$",
        "five cron fields such as \"0 2 * * *\" (minute, hour, day, month, weekday), or @daily",
    ),
    (Format::Release, "release", r"^[0-9]{4}\.[12]$", "an OpenStack series such as \"2025.2\""),
    (
        Format::Duration,
        "duration",
        r"^([0-9]+(ms|s|m|h))+$",
        "a duration such as 30s, 10m or 1h30m",
    ),
    (
        Format::StorePath,
        "store-path",
        r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$",
        "a path such as openstack or teams/cloud, without a leading or trailing slash",
    ),
    (
        Format::TreePath,
        "tree-path",
        r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
        "a path such as rendered or clouds/rendered, without a leading `/` or `./`",
    ),
    (
        Format::Region,
        "region",
        r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$",
        "letters, digits, '-', '_' and '.', such as RegionOne or eu-de-1",
    ),
    (
        Format::Digest,
        "digest",
        r"^sha256:[0-9a-f]{64}$",
        "sha256: and 64 hexadecimal digits, as `docker inspect` or `crane digest` prints it",
    ),
    (
        Format::Tag,
        "tag",
        r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$",
        "a version such as 28.0.2: letters, digits, '_', '.' and '-'",
    ),
    (
        Format::LabelValue,
        "label-value",
        r"^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$",
        "up to 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit",
    ),
    (
        Format::Repository,
        "repository",
        r"^([A-Za-z0-9.-]+(:[0-9]{1,5})?/)?[a-z0-9]([a-z0-9._-]*[a-z0-9])?(/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)*$",
        "registry and name, such as registry.example.com/openstack/nova; a version goes into `tag`",
    ),
    (
        Format::Url,
        "url",
        r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$",
        "an address such as https://vault.example.com:8200",
    ),
    (
        Format::HostPort,
        "host-port",
        r"^[a-z0-9.-]+:[0-9]{1,5}$",
        "a host and a port such as cache.example.com:11211",
    ),
    (
        Format::PhysicalNetwork,
        "physical-network",
        // Neutron and OVN write `network:bridge,network:bridge`.
        r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
        "letters, digits, '-', '_' and '.', such as physnet1",
    ),
    (
        Format::Interface,
        "interface",
        // A bridge is a network device, and Linux knows those by 15 bytes (IFNAMSIZ less its end).
        r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$",
        "up to 15 letters, digits, '-', '_' and '.', such as br-ex",
    ),
    (
        Format::Moment,
        "moment",
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",
        "a moment such as 2026-05-01T00:00:00Z",
    ),
    (
        Format::VaultRole,
        "vault-role",
        r"^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$",
        "letters, digits, '_', '.' and '-', such as openstack, starting and ending with a letter, digit or '_'",
    ),
    (
        Format::CephPool,
        "ceph-pool",
        r"^[A-Za-z0-9_.-]+$",
        "letters, digits, '-', '_' and '.', such as volumes",
    ),
    (
        Format::Class,
        "class",
        r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
        "a class of Python with its modules, such as cinder.volume.drivers.rbd.RBDDriver",
    ),
    (
        Format::Uuid,
        "uuid",
        r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        "an ID such as 0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9, as `openstack … show -c id` prints it",
    ),
    (
        Format::ProjectId,
        "project-id",
        // Keystone writes its IDs without dashes.
        r"^[0-9a-f]{32}$",
        "an ID of 32 hexadecimal digits, as `openstack project show -c id` prints it",
    ),
    (Format::Kind, "kind", r"^[A-Z][A-Za-z0-9]{0,62}$", "a kind such as Issuer or ClusterIssuer"),
];

impl Format {
    fn row(self) -> &'static (Format, &'static str, &'static str, &'static str) {
        TABLE.iter().find(|row| row.0 == self).unwrap_or(&TABLE[0])
    }

    pub fn name(self) -> &'static str {
        self.row().1
    }

    pub fn pattern(self) -> &'static str {
        self.row().2
    }

    /// What the text should look like, to follow "write".
    pub fn wanted(self) -> &'static str {
        self.row().3
    }

    /// What such a text is called in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Format::Quantity => "quantity",
            Format::DnsLabel | Format::DnsName => "name that Kubernetes takes",
            Format::Cron => "schedule",
            Format::Release => "release",
            Format::Duration => "duration",
            Format::Region => "name of a region",
            Format::Kind => "kind",
            Format::Tag => "tag of an image",
            Format::Repository => "repository of images",
            Format::Digest => "digest",
            Format::LabelValue => "value of a label",
            Format::StorePath => "path in a store",
            Format::Url => "address",
            Format::HostPort => "host with its port",
            Format::PhysicalNetwork => "name of a physical network",
            Format::Interface => "name of a network device",
            Format::Moment => "moment",
            Format::TreePath => "path in a repository",
            Format::VaultRole => "name of a role in OpenBao or Vault",
            Format::CephPool => "name of a Ceph pool",
            Format::Class => "name of a class",
            Format::Uuid => "ID",
            Format::ProjectId => "ID of a project",
        }
    }

    /// What was meant by a text that is nearly right.
    pub fn meant(self, text: &str) -> Option<String> {
        let text = match self {
            Format::Quantity => with_known_unit(&text.replace(' ', "")),
            Format::DnsLabel | Format::DnsName => {
                text.to_lowercase().replace([' ', '_'], "-").trim_matches('-').to_owned()
            }
            Format::StorePath => text.trim_matches('/').to_owned(),
            Format::Repository => {
                text.strip_prefix("https://").unwrap_or(text).trim_end_matches('/').to_owned()
            }
            Format::TreePath => {
                text.strip_prefix("./").unwrap_or(text).trim_matches('/').to_owned()
            }
            Format::Cron
            | Format::Release
            | Format::Duration
            | Format::Region
            | Format::Kind
            | Format::LabelValue
            | Format::Tag
            | Format::Digest
            | Format::Url
            | Format::HostPort
            | Format::PhysicalNetwork
            | Format::Interface
            | Format::Moment
            | Format::VaultRole
            | Format::CephPool
            | Format::Class
            | Format::Uuid
            | Format::ProjectId => {
                return None;
            }
        };
        self.accepts(&text).then_some(text)
    }

    pub fn names() -> Vec<&'static str> {
        TABLE.iter().map(|row| row.1).collect()
    }

    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    pub fn with_pattern(pattern: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == pattern).map(|row| row.0)
    }

    pub fn accepts(self, text: &str) -> bool {
        match self {
            Format::Quantity => is_quantity(text),
            Format::DnsLabel => is_dns_label(text),
            Format::DnsName => text.len() <= 253 && text.split('.').all(is_dns_label),
            Format::Cron => Schedule::parse(text).is_some(),
            Format::Release => is_release(text),
            Format::Duration => is_duration(text),
            Format::Region | Format::PhysicalNetwork => {
                is_word(text, |b| b.is_ascii_alphanumeric(), b"-_.")
            }
            Format::Interface => {
                text.len() <= 15 && is_word(text, |b| b.is_ascii_alphanumeric(), b"-_.")
            }
            Format::Moment => is_moment(text),
            Format::Kind => is_word(text, |b| b.is_ascii_uppercase(), b""),
            Format::Tag => is_tag(text),
            Format::Repository => is_repository(text),
            Format::Digest => text.strip_prefix("sha256:").is_some_and(|hash| is_hex(hash, 64)),
            Format::LabelValue => text.is_empty() || is_label_word(text),
            Format::Url => is_url(text),
            Format::HostPort => text.rsplit_once(':').is_some_and(|(host, port)| {
                is_word_of(host, |b| !b.is_ascii_uppercase(), b".-") && is_port(port)
            }),
            Format::TreePath => text
                .split('/')
                .all(|part| is_word_of_any_length(part, b"_.-") && !part.starts_with('.')),
            Format::StorePath => text.split('/').all(|part| is_word_of_any_length(part, b"_-")),
            Format::VaultRole => {
                is_word_of_any_length(text, b"_.-")
                    && !text.starts_with(['.', '-'])
                    && !text.ends_with(['.', '-'])
            }
            Format::CephPool => is_word_of_any_length(text, b"_.-"),
            Format::Uuid => is_uuid(text),
            Format::ProjectId => is_hex(text, 32),
            Format::Class => text.split('.').all(|part| {
                is_word_of_any_length(part, b"_") && !part.starts_with(|c: char| c.is_ascii_digit())
            }),
        }
    }
}

fn is_quantity(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &text[digits.len()..];
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    is_number(whole)
        && fraction.is_none_or(is_number)
        && matches!(
            suffix,
            "" | "m" | "k" | "M" | "G" | "T" | "P" | "E" | "Ki" | "Mi" | "Gi" | "Ti" | "Pi" | "Ei"
        )
}

/// `100GB`, `8gib` and `10K` are how people say it; Kubernetes leaves the byte out and minds the case.
fn with_known_unit(text: &str) -> String {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let said = &text[digits.len()..];
    let unit = said.strip_suffix(['b', 'B']).unwrap_or(said);
    match unit.to_ascii_lowercase().as_str() {
        "k" => format!("{digits}k"),
        // Thousandths, unless they are of bytes.
        "m" if said == "m" => text.to_owned(),
        lower => {
            let (first, rest) = lower.split_at(lower.len().min(1));
            format!("{digits}{}{rest}", first.to_ascii_uppercase())
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_dns_label(text: &str) -> bool {
    let edge = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    // RFC 1123: a label has at most 63 bytes.
    (1..=63).contains(&bytes.len())
        && edge(bytes[0])
        && edge(bytes[bytes.len() - 1])
        && bytes.iter().all(|&b| edge(b) || b == b'-')
}

/// One to 63 letters and digits, the first of its own sort, and a few more characters behind it.
fn is_word(text: &str, first: fn(u8) -> bool, more: &[u8]) -> bool {
    let bytes = text.as_bytes();
    (1..=63).contains(&bytes.len())
        && first(bytes[0])
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || more.contains(b))
}

pub(super) fn is_word_of_any_length(text: &str, more: &[u8]) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || more.contains(&b))
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_uuid(text: &str) -> bool {
    let mut parts = text.split('-');
    let all =
        [8, 4, 4, 4, 12].iter().all(|digits| parts.next().is_some_and(|p| is_hex(p, *digits)));
    all && parts.next().is_none()
}

/// A value of a label, or the part of its key behind the slash.
pub fn is_label_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    // 63 bytes: apimachinery, `LabelValueMaxLength`.
    (1..=63).contains(&bytes.len())
        && bytes[0].is_ascii_alphanumeric()
        && bytes[bytes.len() - 1].is_ascii_alphanumeric()
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(b))
}

/// The part of RFC 3986 that the address of a server needs: no user, no query, no fragment.
fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return false };
    let (server, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = server.split_once(':').map_or((server, None), |(h, p)| (h, Some(p)));
    is_word_of(host, |_| true, b".-")
        && port.is_none_or(is_port)
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~/-".contains(&b))
}

pub(super) fn is_port(text: &str) -> bool {
    is_number(text) && text.len() <= 5
}

fn is_word_of(text: &str, letter: fn(&u8) -> bool, more: &[u8]) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() && letter(&b) || more.contains(&b))
}

fn is_release(text: &str) -> bool {
    matches!(text.split_once('.'), Some((year, half)) if year.len() == 4 && is_number(year) && matches!(half, "1" | "2"))
}

fn is_duration(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let unit = ["ms", "s", "m", "h"].iter().find(|unit| rest[digits..].starts_with(**unit));
        match unit {
            Some(unit) if digits > 0 => rest = &rest[digits + unit.len()..],
            _ => return false,
        }
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::Format;

    fn check(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.accepts(text), "{format:?} should accept {text:?}");
        }
        for text in bad {
            assert!(!format.accepts(text), "{format:?} should refuse {text:?}");
        }
    }

    #[test]
    fn a_size_as_people_say_it_is_understood() {
        for (said, meant) in [
            ("100GB", "100G"),
            ("100GiB", "100Gi"),
            ("8 GiB", "8Gi"),
            ("100gb", "100G"),
            ("100gi", "100Gi"),
            ("100g", "100G"),
            ("10K", "10k"),
            ("10kib", "10Ki"),
            ("1.5TB", "1.5T"),
            ("500 m", "500m"),
            // Not a tenth of a byte, which `100m` is.
            ("100mb", "100M"),
        ] {
            assert_eq!(Format::Quantity.meant(said).as_deref(), Some(meant), "{said}");
        }
        for other in ["", "lots", "gb", "100 apples", "1,5Gi", "½g"] {
            assert_eq!(Format::Quantity.meant(other), None, "{other}");
        }
    }

    #[test]
    fn each_format_knows_its_own() {
        check(
            Format::Quantity,
            &["0", "3", "500m", "1.5", "100Gi", "2k"],
            &["", "Gi", "100GB", "-1", "1.", "1e3", "1 Gi", "½"],
        );
        check(
            Format::DnsLabel,
            &["a", "openstack", "a-1", "0"],
            &["", "-a", "a-", "A", "a.b", "a_b", &"a".repeat(64)],
        );
        check(Format::DnsName, &["example.com", "a"], &["", ".a", "a..b", "a.B"]);
        check(
            Format::Cron,
            &["0 2 * * *", "*/5 0-6 1,15 * mon-fri", "@daily"],
            &[
                "",
                "* * * *",
                "60 * * * *",
                "0 24 * * *",
                "a b c d e",
                "0  2 * * *",
                "@never",
                "*/0 * * * *",
            ],
        );
        check(
            Format::Release,
            &["2025.2", "2026.1"],
            &["2025.3", "25.2", "2025", "flamingo", "2025.2.1"],
        );
        check(Format::Duration, &["30s", "1h30m", "500ms"], &["", "30", "s", "1d", "h1"]);
        check(Format::Region, &["RegionOne", "eu-de-1", "a.b_c"], &["", "a b", "A\nB", "-a", "é"]);
        check(Format::PhysicalNetwork, &["physnet1", "ex-1"], &["", "a:b", "a,b", "a b"]);
        check(Format::Interface, &["br-ex", "br0.100"], &["", "br ex", "a-name-too-long-by-far"]);
        check(
            Format::Moment,
            &["2026-05-01T00:00:00Z", "2024-02-29T23:59:59.5+02:00", "2026-12-31T01:02:03-10:30"],
            &[
                "",
                "2026-05-01",
                "2026-05-01 00:00:00Z",
                "2026-05-01T00:00:00",
                "2026-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-05-01T24:00:00Z",
                "2026-05-01T00:00Z",
                "2026-05-01T00:00:00.Z",
                "2026-05-01T00:00:00+2",
                "2026-05-01T00:00:00Zulu",
                "tomorrow",
            ],
        );
        let hash = format!("sha256:{}", "0a".repeat(32));
        check(Format::Digest, &[&hash], &["", "sha256:abc", &hash.to_uppercase(), &hash[7..]]);
        check(Format::Tag, &["28.0.2", "28.0.0-p1", "_x"], &["", ".1", "a:b", "a@sha256", "a b"]);
        check(
            Format::LabelValue,
            &["", "a", "A_b.c-1", &"a".repeat(63)],
            &["-a", "a.", "a b", "a/b", &"a".repeat(64)],
        );
        check(
            Format::Url,
            &["https://a.example.com:8200", "http://a", "https://a/b-c/d"],
            &[
                "",
                "a.example.com",
                "ftp://a",
                "https://",
                "https://a:b",
                "https://a b",
                "https://u@a",
            ],
        );
        check(
            Format::HostPort,
            &["cache.example.com:11211", "10.0.0.1:1"],
            &["", "cache", "cache:", ":1", "Cache:1", "a:b", "a:123456", "a b:1"],
        );
        check(Format::VaultRole, &["a", "own-store", "_a.b_"], &["", "-a", "a-", ".a", "a b"]);
        check(Format::CephPool, &["volumes", ".rgw.root"], &["", "a b", "a/b"]);
        let id = "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9";
        check(Format::Uuid, &[id], &["", &id[1..], &id.to_uppercase(), "a-b", &format!("{id}-0")]);
        check(Format::ProjectId, &[&id.replace('-', "")], &["", id, "g"]);
        check(Format::Class, &["a.b_c.D1", "_a"], &["", "a.", ".a", "a..b", "1a", "a-b"]);
        check(Format::Kind, &["Issuer", "ClusterIssuer"], &["", "issuer", "Cluster Issuer"]);
        check(
            Format::TreePath,
            &["rendered", "a/b.c", "-"],
            &["", "/a", "a/", "a//b", "../a", "a/..", "./a", "a b"],
        );
        check(Format::StorePath, &["openstack", "a/b-c"], &["", "/a", "a/", "a//b", "../a"]);
    }
}
