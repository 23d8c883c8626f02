//! What to say about text that is no YAML: in words that help, not in those of a grammar.

use granit_parser::{ErrorKind, ScanError};

use crate::yaml::tree::{Fault, FaultKind, Span};

/// `read_to` is where the last thing ends that could be read.
pub(super) fn fault(error: &ScanError, text: &str, read_to: usize) -> Fault {
    let start = text.floor_char_boundary(error.marker().byte_offset().unwrap_or(text.len()));
    if is_about_a_tab(error.kind()) {
        return tab(text, start);
    }
    let start = match error.kind() {
        // The parser noticed at the end of the file, where nobody would look for it.
        ErrorKind::UnclosedQuotedScalar => open_quote(text, read_to, start).unwrap_or(start),
        _ => start,
    };
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let at = Span { start, end: start + length };
    Fault { at, kind: fault_kind(error.kind()), message: message(error.kind()) }
}

fn fault_kind(kind: &ErrorKind) -> FaultKind {
    match kind {
        ErrorKind::RecursionLimitExceeded
        | ErrorKind::AnchorCountOverflow
        | ErrorKind::DirectiveByteLimitExceeded { .. }
        | ErrorKind::TooManyReservedDirectiveParams { .. } => FaultKind::TooLarge,
        ErrorKind::UnsupportedYamlMajorVersion | ErrorKind::UndeclaredTagHandle => {
            FaultKind::Unsupported
        }
        _ => FaultKind::Syntax,
    }
}

fn is_about_a_tab(kind: &ErrorKind) -> bool {
    use ErrorKind as Kind;
    matches!(
        kind,
        Kind::TabInBlockIndentation
            | Kind::TabInIndentation
            | Kind::TabAtBlockScalarStart
            | Kind::TabInPlainScalar
            | Kind::TabNotAllowed
    )
}

/// Points at the tab itself: the parser has passed it, or stands where the text before it starts.
/// Only so far ahead, or many documents with tabs would each cost as much as the whole file.
fn tab(text: &str, near: usize) -> Fault {
    const LINES_AHEAD: usize = 50;
    let before = text.get(..near).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |last| last + 1);
    let lines = text.get(line_start..).unwrap_or_default().split_inclusive('\n');
    let mut start = line_start;
    for line in lines.take(LINES_AHEAD) {
        let mut indentation = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
        if let Some(column) = indentation.position(|byte| byte == b'\t') {
            let message = "this line is indented with a tab; YAML wants spaces".to_owned();
            let at = Span { start: start + column, end: start + column + 1 };
            return Fault { at, kind: FaultKind::Syntax, message };
        }
        start += line.len();
    }
    let message = "a tab stands near here; YAML wants a space".to_owned();
    Fault { at: Span { start: near, end: near }, kind: FaultKind::Syntax, message }
}

/// The quote between two places that opens a text and is never closed.
fn open_quote(text: &str, from: usize, to: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(..to)?;
    let mut at = from;
    let mut may_open = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' if may_open => {
                at += bytes.get(at..)?.iter().position(|byte| *byte == b'\n')?;
            }
            b'"' | b'\'' if may_open => match closed(bytes, at) {
                Some(end) => at = end,
                None => return Some(at),
            },
            _ => {}
        }
        may_open = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',' | b':' | b'#');
        at += 1;
    }
    None
}

/// Where the text that opens at a quote is closed.
fn closed(bytes: &[u8], open: usize) -> Option<usize> {
    let quote = *bytes.get(open)?;
    let mut at = open + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

fn message(kind: &ErrorKind) -> String {
    use ErrorKind as Kind;
    let message = match kind {
        Kind::UnclosedQuotedScalar => "this quote is never closed",
        Kind::DocumentIndicatorInQuotedScalar => {
            "a document starts here (`---`) while a quote is still open"
        }
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote; quote the whole value, or escape the inner quote"
        }
        Kind::InvalidQuotedScalarIndent => {
            "a quote above is still open here; close it, or indent what belongs to it"
        }
        Kind::UnknownQuotedScalarEscape => {
            "no such escape in double quotes; write `\\\\` for a backslash, or use single quotes"
        }
        Kind::InvalidQuotedScalarHexEscape => "this escape needs hexadecimal digits",
        Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate => "this escape is half of a surrogate pair, no character",
        Kind::InvalidUnicodeEscape => "this escape stands for no character",

        Kind::UnclosedFlowCollection { open } => {
            return format!("this `{open}` is never closed");
        }
        Kind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("this `{open}` is closed by a `{close}`");
        }
        Kind::MisplacedFlowCollectionEnd => "this bracket closes nothing",
        Kind::UnexpectedEofFlowSequence | Kind::ExpectedFlowSequenceSeparator => {
            "expected `,` or `]` before this; close the `[` above, or put a comma between two items"
        }
        Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofImplicitFlowMapping
        | Kind::ExpectedFlowMappingSeparator => {
            "expected `,` or `}` before this; close the `{` above, or put a comma between two fields"
        }
        Kind::BlockEntryInFlowCollection => "a `- ` item may not stand inside brackets",
        Kind::PlainScalarStartsWithDashFlowIndicator => "quote this value: it starts with `-`",
        Kind::FlowMappingValueAdjacentCollection | Kind::InvalidColonPlacement => {
            "this `:` follows no key"
        }
        Kind::InvalidFlowScalarIndent => {
            "what stands in brackets must be indented deeper than its key"
        }

        Kind::MappingValueNotAllowed => {
            "this `:` makes a second key where a value stands; quote the value, or put the key \
             on its own line with the right indentation"
        }
        Kind::MappingKeyNotAllowed => "no key may stand here; put it on its own line",
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => {
            "expected `key: value` on one line (a key has up to 1,024 characters)"
        }
        Kind::ExpectedBlockMappingKey | Kind::UnexpectedEofBlockMapping => {
            "expected a key here; is this line indented like the others of its map?"
        }
        Kind::ExpectedBlockSequenceEntry | Kind::UnexpectedEofBlockSequence => {
            "expected a `- ` item here; is this line indented like the others of its list?"
        }
        Kind::BlockSequenceEntryNotAllowed => {
            "a `- ` item may not stand here; put it on its own line"
        }
        Kind::InvalidBlockEntryWhitespace | Kind::InvalidMappingValueWhitespace => {
            "a tab follows the indicator; YAML wants a space"
        }
        Kind::InvalidIndentation => "this line is indented like no line above it",
        Kind::ExpectedNodeContent => "expected a value here",
        Kind::UnexpectedEndOfPlainScalar => "expected a value here; quote it if it is text",

        Kind::InvalidBlockScalarIndent => {
            "a line of this text block is indented less than its first line"
        }
        Kind::ZeroBlockScalarIndent => "a text block is indented by 1 to 9 spaces, not by 0",
        Kind::InvalidBlockScalarHeader => "nothing but a comment may follow `|` or `>` on its line",

        Kind::UnexpectedCharacter { character } => {
            return format!(
                "no value may start with `{}`; quote it if it is text",
                character.escape_debug()
            );
        }
        Kind::CommentNotSeparated => "a comment needs a space before its `#`",
        Kind::CommentInterceptedScalar => "a comment stands in the middle of a text",
        Kind::ExpectedWhitespace => "expected a space here",
        Kind::BomInsideDocument => "a byte order mark stands inside the text; remove it",

        Kind::UnknownAnchor => "no anchor of this name stands above",
        Kind::MissingAnchorOrAliasName => {
            "a name must follow `&` or `*`; quote the value if it is text"
        }
        Kind::AnchorCountOverflow => "too many anchors",
        Kind::RecursionLimitExceeded => "lists and maps are nested too deeply",

        Kind::InvalidDocumentEnd => "nothing but a comment may follow `...`",
        Kind::ExpectedDocumentStart => "expected `---` before another document",
        Kind::MissingDocumentEndBeforeDirective => "a directive needs `...` on the line before it",
        Kind::DuplicateVersionDirective => "a document has one `%YAML` line",
        Kind::DuplicateTagDirective => "this `%TAG` stands twice",
        Kind::UnsupportedYamlMajorVersion => "no YAML but 1.x is understood",
        Kind::UndeclaredTagHandle => "no `%TAG` line declares this tag",
        Kind::DirectiveByteLimitExceeded { .. } | Kind::TooManyReservedDirectiveParams { .. } => {
            "this directive is too long"
        }
        Kind::InvalidDirectiveTerminator
        | Kind::MissingYamlVersionSeparator
        | Kind::MissingDirectiveName
        | Kind::InvalidDirectiveName
        | Kind::YamlVersionTooLong
        | Kind::MissingYamlVersion
        | Kind::InvalidTagDirectiveTerminator
        | Kind::ExpectedTagDirectiveBang => {
            "a line that starts with `%` is a directive, and this is none"
        }
        Kind::ExpectedTagBang
        | Kind::InvalidGlobalTagCharacter
        | Kind::InvalidTagTerminator
        | Kind::MissingTagUri
        | Kind::UnclosedVerbatimTag
        | Kind::InvalidTagEscape
        | Kind::InvalidTagUtf8LeadingByte
        | Kind::InvalidTagUtf8TrailingByte
        | Kind::InvalidTagUtf8 => {
            "a value that starts with `!` is a tag, and this is none; quote it if it is text"
        }

        // What reading from memory cannot give, and what a later parser may add.
        other => return format!("this is no YAML ({other:?})"),
    };
    message.to_owned()
}
