//! The contents of one line.

use core::ops::Range;

use super::number;
use super::remark::Remark;

/// A line without its ending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line<'a> {
    /// Number of the line, from 1.
    pub number: u32,
    /// Start of the line in the text (`bytes`).
    pub start: usize,
    pub text: &'a str,
}

/// The lines of a text, which end with CR, LF or CR LF.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    next: usize,
    number: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text,
            next: 0,
            number: 0,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = &self.text[self.next..];
        if rest.is_empty() {
            return None;
        }
        let start = self.next;
        let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
        self.next = start + length + ending(&rest[length..]).len();
        self.number += 1;
        Some(Line {
            number: self.number,
            start,
            text: &rest[..length],
        })
    }
}

/// The line ending at the beginning of `text`.
pub(super) fn ending(text: &str) -> &str {
    let length = match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    };
    &text[..length]
}

/// The contents of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content<'a> {
    /// Blank, a comment, the head of a table or a quoted text.
    Nothing,
    /// `[name]`.
    Section(&'a str, Option<Remark>),
    /// `key = value`.
    Entry(Entry<'a>),
    /// Numbers.
    Row(&'a str),
    /// Anything else.
    Unknown,
}

/// `key = value`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry<'a> {
    pub key: &'a str,
    /// Text of the value, without quotation marks and comment.
    pub value: &'a str,
    /// Position of the value in its line, quotation marks included (`bytes`).
    pub span: Range<usize>,
    pub remark: Option<Remark>,
}

/// Blanks, tabs and other invisible characters, such as the end-of-file mark of DOS.
fn blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Parses a line.
pub(super) fn content(line: &str) -> Content<'_> {
    let said = line.trim_matches(blank);
    match said.as_bytes().first() {
        None | Some(b'$' | b'!' | b'{' | b'(' | b'\'' | b'"') => return Content::Nothing,
        Some(b'[') => return section(&said[1..]),
        Some(_) => {}
    }
    let before_comment = said.split('$').next().unwrap_or_default();
    if let Some(equals) = before_comment.find('=') {
        // Both are parts of `line`: the difference of their lengths is an index into it.
        let indent = line.len() - line.trim_start_matches(blank).len();
        return Content::Entry(entry(said, equals, indent));
    }
    if numbers(before_comment).all(|number| number.is_some()) {
        Content::Row(before_comment)
    } else {
        Content::Unknown
    }
}

/// The words of a row as numbers.
pub(super) fn numbers(row: &str) -> impl Iterator<Item = Option<f64>> {
    let words = row.split(|c| blank(c) || c == ',');
    words.filter(|word| !word.is_empty()).map(number::parse)
}

fn section(rest: &str) -> Content<'_> {
    match rest.find(']') {
        Some(end) => {
            let trailing = trailing(&rest[end + 1..]);
            Content::Section(rest[..end].trim_matches(blank), trailing)
        }
        None => {
            let name = rest.split('$').next().unwrap_or_default();
            Content::Section(name.trim_matches(blank), Some(Remark::OpenSection))
        }
    }
}

fn entry(said: &str, equals: usize, indent: usize) -> Entry<'_> {
    let rest = &said[equals + 1..];
    let bare = rest.trim_start_matches(blank);
    let start = equals + 1 + rest.len() - bare.len();
    let value = value(bare);
    Entry {
        key: said[..equals].trim_matches(blank),
        value: value.text,
        span: indent + start..indent + start + value.length,
        remark: value
            .remark
            .or(value.text.is_empty().then_some(Remark::Empty)),
    }
}

/// A value at the start of a text.
struct Value<'a> {
    text: &'a str,
    /// Length of the value with quotation marks (`bytes`).
    length: usize,
    remark: Option<Remark>,
}

fn value(text: &str) -> Value<'_> {
    let quoted = text.strip_prefix(['\'', '"']);
    if let Some(string) = quoted
        && let Some(end) = string.find(&text[..1])
    {
        return Value {
            text: string[..end].trim_matches(blank),
            length: end + 2,
            remark: trailing(&string[end + 1..]),
        };
    }
    let before = text.split('$').next().unwrap_or_default();
    let before = before.trim_end_matches(blank);
    let (before, remark) = match before.split_once('!') {
        Some((number, _)) if number_or_nothing(number) => {
            (number.trim_end_matches(blank), Some(Remark::Exclamation))
        }
        _ if quoted.is_some() => (before, Some(Remark::OpenString)),
        _ => (before, None),
    };
    Value {
        text: before.trim_start_matches(['\'', '"']),
        length: before.len(),
        remark: remark.filter(|_| !before.is_empty()),
    }
}

fn number_or_nothing(text: &str) -> bool {
    let text = text.trim_matches(blank);
    text.is_empty() || number::parse(text).is_some()
}

/// Remark on text after a value that is not a comment.
fn trailing(text: &str) -> Option<Remark> {
    let text = text.trim_start_matches(blank);
    (!text.is_empty() && !text.starts_with(['$', '!'])).then_some(Remark::Trailing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn lines_end_in_three_ways() {
        let found: Vec<_> = Lines::of("a\rb\nc\r\n\nd")
            .map(|line| (line.number, line.start, line.text))
            .collect();
        let expected = [
            (1, 0, "a"),
            (2, 2, "b"),
            (3, 4, "c"),
            (4, 7, ""),
            (5, 8, "d"),
        ];
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case("KEY = 1.5", "KEY", "1.5", "1.5", None)]
    #[case("  LONGVL=16.7$no space", "LONGVL", "16.7", "16.7", None)]
    #[case("\tVXLOW\t=\t1\t$ tabs", "VXLOW", "1", "1", None)]
    #[case("A = 'x $ y' $ z", "A", "x $ y", "'x $ y'", None)]
    #[case("A = \" it's \"", "A", "it's", "\" it's \"", None)]
    #[case("A = LEFT side", "A", "LEFT side", "LEFT side", None)]
    #[case("A = b = c", "A", "b = c", "b = c", None)]
    #[case("A =   $ none", "A", "", "", Some(Remark::Empty))]
    #[case("A =", "A", "", "", Some(Remark::Empty))]
    #[case("A = ''", "A", "", "''", Some(Remark::Empty))]
    #[case("A = ! none", "A", "", "", Some(Remark::Empty))]
    #[case("A = 3 ! three", "A", "3", "3", Some(Remark::Exclamation))]
    #[case("A = wow!", "A", "wow!", "wow!", None)]
    #[case("A = 'open $ c", "A", "open", "'open", Some(Remark::OpenString))]
    #[case("A = 'x' y", "A", "x", "'x'", Some(Remark::Trailing))]
    #[case("= 1", "", "1", "1", None)]
    fn entries(
        #[case] line: &str,
        #[case] key: &str,
        #[case] value: &str,
        #[case] span: &str,
        #[case] remark: Option<Remark>,
    ) {
        let Content::Entry(entry) = content(line) else {
            panic!("{:?}", content(line));
        };
        assert_eq!((entry.key, entry.value, entry.remark), (key, value, remark));
        assert_eq!(&line[entry.span], span);
    }

    #[rstest]
    #[case("", Content::Nothing)]
    #[case("\u{1a}", Content::Nothing)]
    #[case("$ a = b", Content::Nothing)]
    #[case("! [A] a = b", Content::Nothing)]
    #[case("{pen fz}", Content::Nothing)]
    #[case("(COMMENTS)", Content::Nothing)]
    #[case("'Tire 205/60 = R15'", Content::Nothing)]
    #[case(" [ Units ] $ c", Content::Section("Units", None))]
    #[case("[UNITS", Content::Section("UNITS", Some(Remark::OpenSection)))]
    #[case("[UNITS] x", Content::Section("UNITS", Some(Remark::Trailing)))]
    #[case(" 1.0\t0.4 $ a = b", Content::Row("1.0\t0.4 "))]
    #[case("1.0 x", Content::Unknown)]
    #[case("words", Content::Unknown)]
    fn other_lines(#[case] line: &str, #[case] expected: Content<'_>) {
        assert_eq!(content(line), expected);
    }
}
