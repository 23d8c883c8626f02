//! Names and values in a line of a file, in whichever language the file is: `password = x` of an ini file,
//! `"password": "x"` of JSON and YAML, `--password=x` and `--password x` of a command, and
//! `{default_pass, <<"x">>}` of Erlang. A line may have several.

/// Signs with which a comment begins, in one of these languages.
const COMMENTS: &[&str] = &["#", ";", "%", "//"];

/// Around names and values, and part of neither.
const QUOTES: &[char] = &['"', '\'', '\\', '<', '>'];

pub(super) fn assignments(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_comment = COMMENTS.iter().any(|sign| line.trim_start().starts_with(sign));
    let signs = line.match_indices([':', '=', ',', ' ']).filter(move |_| !is_comment);
    signs.filter_map(|(at, sign)| {
        let (before, after) = (line.get(..at)?, line.get(at + sign.len()..)?);
        let is_comparison = sign == "=" && after.starts_with('=');
        let name = name(before, sign).filter(|_| !is_comparison)?;
        Some((name, value(after)))
    })
}

/// The word before the sign, if the sign gives it a value.
fn name<'a>(before: &'a str, sign: &str) -> Option<&'a str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    // `DATABASES["default"]["PASSWORD"] = …`, and `:=` and `+=`.
    let around = |c: char| QUOTES.contains(&c) || matches!(c, ' ' | '\t' | ']' | ':' | '+');
    let before = match sign {
        " " => before,
        // What `{"password": "",` ends with is a value already.
        "," => before.trim_end_matches(QUOTES),
        _ => before.trim_end_matches(around),
    };
    let outside = before.trim_end_matches(is_part);
    let word = before.strip_prefix(outside)?;
    let gives = match sign {
        " " => word.starts_with("--"),
        "," => outside.trim_end_matches(QUOTES).ends_with(['{', '(']),
        _ => true,
    };
    let name = word.trim_start_matches(['-', '.']);
    (gives && !name.is_empty()).then_some(name)
}

/// What stands between quotes, or goes on to the next sign that ends a value.
fn value(after: &str) -> &str {
    let after = after.trim_start_matches([' ', '\t', ':', '=', '>']);
    let text = after.strip_prefix("<<").unwrap_or(after).trim_start_matches('\\');
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let is_comment = after.starts_with("# ") || after == "#";
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '}' | ']' | ')');
        return after.split(ends).next().filter(|_| !is_comment).unwrap_or_default();
    };
    let inner = text.get(quote.len_utf8()..).unwrap_or_default();
    inner.split([quote, '\\']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::assignments;

    #[test]
    fn a_line_gives_values_to_names_in_many_languages() {
        for (line, expected) in [
            ("password = hunter2", &[("password", "hunter2")][..]),
            ("  - \"password\": 'hunter 2'  # old", &[("password", "hunter 2")]),
            ("export OS_PASSWORD=hunter2", &[("OS_PASSWORD", "hunter2")]),
            ("ssl_options.password=x", &[("ssl_options.password", "x")]),
            ("PASSWORD := x", &[("PASSWORD", "x"), ("PASSWORD", "x")]),
            ("DATABASES['default']['PASSWORD'] = 'x'", &[("PASSWORD", "x")]),
            ("mysql -h db --password=a --user b", &[("password", "a"), ("user", "b")]),
            (
                r#"[{rabbit, [{default_pass, <<"x">>}]}]."#,
                &[("rabbit", "[{default_pass"), ("default_pass", "x")],
            ),
            (r#"{<<"password">>, <<"x">>}"#, &[("password", "x")]),
            (r#"{"user":"a","password":"b"}"#, &[("user", "a"), ("password", "b")]),
            (r#"{\"password\": \"b\"}"#, &[("password", "b")]),
            ("{user: a, password: b}", &[("user", "a"), ("password", "b")]),
            (r#"{"password": "", "user": "a"}"#, &[("password", ""), ("user", "a")]),
            ("password: ''", &[("password", "")]),
            ("password: # none", &[("password", "")]),
            ("password", &[]),
            ("a, password, b", &[]),
            ("self.type in ['password'] == has(self.password)", &[]),
            ("# password = x", &[]),
            ("  % {default_pass, x}", &[]),
            ("“password” = ü", &[]),
            ("épassword = ü", &[("password", "ü")]),
            ("", &[]),
        ] {
            assert_eq!(assignments(line).collect::<Vec<_>>(), expected, "{line}");
        }
    }
}
