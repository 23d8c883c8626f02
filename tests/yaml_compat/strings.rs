//! Texts that some reader or writer of YAML is known to get wrong, or might.

/// What stands as it is.
#[rustfmt::skip]
const LISTED: &[&str] = &[
    // Null and booleans in all spellings, and what only resembles them.
    "", "~", "~~", "null", "Null", "NULL", "nULL", "nil", "none", "None", "y", "Y", "n", "N",
    "yes", "Yes", "YES", "yEs", "no", "No", "NO", "nO", "on", "On", "ON", "oN", "off", "Off",
    "OFF", "oFF", "true", "True", "TRUE", "tRUE", "false", "False", "FALSE", "fALSE", "t", "f",
    "T", "F", "yy", "yes ", "true,",
    // Integers.
    "0", "-0", "+0", "1", "-1", "+1", "00", "01", "007", "08", "09", "0755", "-0755", "0o755",
    "0O755", "0o8", "0x1F", "0X1f", "0xg", "0x", "-0x1", "+0x1", "0x+1", "0b11", "0B11", "0b2",
    "0b", "0b-1", "0b+1", "0B-1", "-0b1", "-0b-1", "1_000", "1__0", "_1", "1_", "+_1", "-_",
    "0x_1", "0_7", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0xFFFFFFFFFFFFFFFF",
    "+0xFFFFFFFFFFFFFFFF", "0x10000000000000000", "0o1777777777777777777777",
    "0o2777777777777777777777", "12345678901234567890123", "1,000", "1 000", "1a", "3Gi", "500m",
    "١٢",
    // Floats.
    "1.0", "1.", ".5", ".", "..", "-.5", "+.5", "1.5e3", "1e3", "1E3", "1e+3", "1e-3", "1e", "e3",
    "1e400", "-1e400", ".5e400", "1e-400", "1.e5", ".e5", ".5_0", "._5", ".5_", ".5__0",
    ".5_0e1_0", ".5_e1", "1_0.5_0", "1.2.3", "08.5", "0x1p4", "0x1.8p1", "0e0", "1e0_3", ".inf",
    ".Inf", ".INF", ".iNF", "+.inf", "-.inf", "-.INF", "inf", "Inf", "Infinity", "-Infinity",
    ".nan", ".NaN", ".NAN", "-.nan", "nan", "NaN",
    // To the base of 60.
    "1:30", "190:20:30", "12:30:45.5", "1:60", "1:59", "-1:30", "+1_0:30", "1:", "1:2:", ":1",
    "1:000", "22:22", "0:0", "1:2.3.4", "12:30.a", "aa:bb:cc", "00:1a:2b:3c:4d:5e",
    "11:22:33:44:55:59", "11:22:33:44:55:60",
    // Points in time.
    "2024-01-01", "2024-1-1", "2024-13-01", "2024-02-30", "2024-02-29", "2023-02-29", "0000-01-01",
    "2024-01", "2024-01-01T00:00:00Z", "2024-01-01t0:0:0Z", "2024-01-01T0:0:0",
    "2024-01-01 00:00:00", "2024-01-01   1:2:3.4", "2024-01-01 00:00:00Z", "2024-01-01 ",
    "2024-01-01T00:00:00+24:60", "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00.5-01:30",
    "2024-01-01T00:00:00,5Z", "2024-01-01T24:00:00Z", "2024-01-01 00:00:00 -5", "12024-01-01",
    "20240101",
    // Indicators at the start, alone and before text.
    "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`",
    "- ", "-a", "- a", "?a", "? a", ":a", ": a", ",a", "[a]", "[a", "{a: b}", "{}", "[]", "#a",
    "&a", "*a", "!a", "!!str a", "|a", "|-", ">a", ">-", "'a'", "\"a\"", "%a", "@a", "`a`", "--",
    "---", "--- a", "---a", "...", "... a", "....", "-- a", "=", "<", "<<", "<<: a", "$a", "(a)",
    "/a", "\\a", "^a", "_a", "+a", ";a",
    // Indicators within and at the end.
    "a:", "a: b", "a:b", "a :b", "a : b", "a#b", "a #b", "a # b", "a# b", "a -b", "a - b", "a,b",
    "a, b", "a]b", "a}b", "a&b", "a*b", "a!b", "a|b", "a>b", "a'b", "a\"b", "a%b", "a@b", "a`b",
    "a\\b", "a\\nb", "it's", "''", "\"\"", "'\"", "a''b", "http://x:80/y?z=1#w", "key: 'v' # c",
    "a: b: c", "x = [1, 2]", "${A:-b}", "{{ .Values.a }}", "%(asctime)s %(message)s", "::", "a::",
    "::1", "fe80::1%eth0", "1.2.3.4:80", "[::1]:80", "* * * * *", "*/5 * * * *", "C:\\x", "a:\tb",
    // Spaces.
    " ", "  ", " a", "a ", "  a  ", "a  b", "a b", " - a", " # a", ": ", " :",
    // Control characters that survive, and characters that need escapes.
    "\t", "a\tb", "\ta", "a\t", "\r", "a\rb", "a\r", "\ra", "\0", "a\0b", "\u{1}", "\u{7}",
    "\u{8}", "\u{B}", "\u{C}", "\u{E}", "\u{1B}[0m", "\u{1F}", "a\t#b", "a:\t", "- \t", "\u{A0}",
    "a\u{A0}b", "\u{AD}", "é", "É→ü", "ß", "中文", "日本語 テキスト", "한국어", "Ωμέγα", "привет", "שלום",
    "مرحبا", "नमस्ते", "\u{200B}", "\u{200D}", "\u{202E}abc", "\u{2027}", "\u{202A}", "\u{D7FF}",
    "\u{E000}", "\u{FEFF}", "a\u{FEFF}b", "\u{FEFF}a é\u{A0}\"\\→😀", "\u{FFFD}", "\u{10000}", "😀", "a😀b", "😀 text: x",
    "👩‍👩‍👧", "\u{1F1E9}\u{1F1EA}", "\u{10FFFF}", "e\u{301}", "\u{301}",
    // Line breaks.
    "\n", "\n\n", "\n\n\n", "a\n", "a\n\n", "a\n\n\n", "\na", "\n\na", "\na\n", "a\nb", "a\nb\n",
    "a\n\nb", "a\n\n\nb\n", " a\nb", "  a\nb\n", "a\n b", "a\n  b\n c\n", "a \nb", "a\nb ",
    "a\n \nb", "a\n ", "a\n  \n", " \na", "\n a", "\n a\n", "a\tb\nc", "\ta\nb", "a\n\tb",
    "a\r\nb", "a\r\nb\r\n", "a\n\r", "a\n#b", "#a\nb", "# a\n# b\n", "a: b\nc: d\n", "- a\n- b",
    "---\na\n", "a\n---\nb\n", "a\n...\nb", "é\nü", "😀\na", "a\n😀", "\u{FEFF}a\nb", "'\n", "\"\n",
    "|\n", "1\n2", "true\nfalse", "%\n", "a\n\u{A0}\nb", "{\n  \"a\": 1\n}\n",
    "#!/bin/sh\nset -eu\nexec \"$@\"\n", "[DEFAULT]\ndebug = true\n\n[database]\nconnection = x\n",
];

/// All of them, with those that are long: around the width at which lines fold, and around the
/// length up to which a key is simple.
pub fn strings() -> Vec<String> {
    let mut strings: Vec<String> = LISTED.iter().map(|text| (*text).to_owned()).collect();
    for length in [60, 70, 76, 77, 78, 79, 80, 81, 82, 90, 126, 127, 128, 129, 130, 200] {
        strings.push("x".repeat(length));
        strings.push("x".repeat(length) + " y z");
        strings.push("'".to_owned() + &"x".repeat(length) + " 'y' z");
        strings.push("\t".to_owned() + &"x".repeat(length) + " y z");
    }
    for word in [
        "word ",
        "wörd→ ",
        "a ",
        "two  spaces ",
        "three   spaces ",
        "it's: ",
        "tab\t ",
        "😀 ",
        "# ",
        "\\ ",
    ] {
        for count in [8, 16, 30, 70] {
            strings.push(word.repeat(count));
            strings.push(word.repeat(count) + "end");
            strings.push(format!(" {}", word.repeat(count)));
            strings.push(word.repeat(count) + "\nend\n");
        }
    }
    strings.push("é".repeat(64));
    strings.push("é".repeat(65));
    strings.push(" ".repeat(100));
    strings.push("a".to_owned() + &" ".repeat(100) + "b");
    strings.push("\t".repeat(50) + "  " + &"\t".repeat(50) + "  x  ");
    strings
}
