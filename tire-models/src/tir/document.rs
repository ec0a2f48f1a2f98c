//! A `.tir` file as text with lookup and changes, otherwise preserved.

use std::path::Path;

use super::encoding::{self, Encoding};
use super::error::{TirError, TirFault};
use super::line::{self, Content, Entry, Line, Lines};
use super::number;

/// The text of a `.tir` file. Every lookup reads the text again: there is no second copy that could
/// differ.
///
/// Names of sections and keys are compared case-insensitively. Unchanged text is written byte for
/// byte as it was read.
///
/// ```
/// use tire_models::tir::TirDocument;
///
/// let mut document = TirDocument::parse(b"[MODEL]\nLONGVL = 16.7 $ as measured\n")?;
/// assert_eq!(document.get("MODEL", "LONGVL"), Some("16.7"));
/// document.set_number("MODEL", "LONGVL", 20.0)?;
/// document.set_text("MODEL", "TYRESIDE", "LEFT")?;
/// assert_eq!(
///     document.text(),
///     "[MODEL]\nLONGVL = 20 $ as measured\nTYRESIDE                 = 'LEFT'\n",
/// );
/// # Ok::<(), tire_models::tir::TirError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TirDocument {
    text: String,
    encoding: Encoding,
}

/// A line of a document with its section.
pub(super) struct Statement<'a> {
    pub line: Line<'a>,
    /// Name of the section; a section's header belongs to that section.
    pub section: &'a str,
    pub content: Content<'a>,
}

impl Default for TirDocument {
    fn default() -> Self {
        Self::new()
    }
}

impl TirDocument {
    /// An empty document.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            encoding: Encoding::Utf8,
        }
    }

    /// Decodes the text of a file; its contents are not checked.
    ///
    /// # Errors
    /// If there are too many bytes, or its byte-order mark is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, TirError> {
        let (text, encoding) = encoding::decode(bytes)?;
        Ok(Self { text, encoding })
    }

    /// Reads a file; its contents are not checked.
    ///
    /// # Errors
    /// If it cannot be read, is too long, or has a wrong byte-order mark. The error names the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TirError> {
        let path = path.as_ref();
        std::fs::read(path)
            .map_err(|error| TirFault::Io(error.to_string()).into())
            .and_then(|bytes| Self::parse(&bytes))
            .map_err(|error| error.in_file(path.display()))
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text's encoding.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encoding::encode(&self.text, self.encoding)
    }

    /// Every line with its section.
    pub(super) fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        let mut section = "";
        Lines::of(&self.text).map(move |line| {
            let content = line::content(line.text);
            if let Content::Section(name, _) = content {
                section = name;
            }
            Statement {
                line,
                section,
                content,
            }
        })
    }

    /// Section, key and value of every `key = value`, without quotation marks and comments, in the
    /// order of the file.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.statements().filter_map(|s| match s.content {
            Content::Entry(entry) => Some((s.section, entry.key, entry.value)),
            _ => None,
        })
    }

    /// The value of a key in a section; the last one that is not empty if there are several.
    #[must_use]
    pub fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.entries()
            .filter(|(s, k, value)| same(s, section) && same(k, key) && !value.is_empty())
            .last()
            .map(|(_, _, value)| value)
    }

    /// The rows of two numbers in a section, such as `[SHAPE]`, in the file's units.
    #[must_use]
    pub fn table(&self, section: &str) -> Vec<[f64; 2]> {
        let rows = self.statements().filter_map(|s| match s.content {
            Content::Row(row) if same(s.section, section) => pair(row),
            _ => None,
        });
        rows.collect()
    }

    /// Sections that have rows of numbers, each once.
    pub(super) fn sections_with_rows(&self) -> Vec<&str> {
        let rows = self.statements();
        let rows = rows.filter(|s| matches!(s.content, Content::Row(_)));
        let mut sections: Vec<&str> = rows.map(|s| s.section).collect();
        sections.dedup();
        sections
    }

    /// Sets a key to a number, where it exists or else at the end of its section.
    ///
    /// # Errors
    /// If the number is not finite, or a name is not allowed in a file.
    pub fn set_number(&mut self, section: &str, key: &str, value: f64) -> Result<(), TirError> {
        if !value.is_finite() {
            let fault = TirFault::Unwritable(value.to_string());
            return Err(TirError::at(None, key, fault));
        }
        self.set(section, key, &number::written(value))
    }

    /// Sets a key to a quoted text, where it exists or else at the end of its section.
    ///
    /// # Errors
    /// If the text has line endings or both kinds of quotation marks, or a name is not allowed in a
    /// file.
    pub fn set_text(&mut self, section: &str, key: &str, value: &str) -> Result<(), TirError> {
        let mark = if value.contains('\'') { '"' } else { '\'' };
        if value.contains(['\r', '\n', mark]) {
            let fault = TirFault::Unwritable(super::remark::excerpt(value));
            return Err(TirError::at(None, key, fault));
        }
        self.set(section, key, &format!("{mark}{value}{mark}"))
    }

    fn set(&mut self, section: &str, key: &str, value: &str) -> Result<(), TirError> {
        let place = match self.place(section, key) {
            Some(place) => place,
            None => self.make_place(section, key)?,
        };
        let empty = place.is_empty();
        self.text.replace_range(place.clone(), value);
        if empty {
            // A blank on both sides of the new value.
            self.text.insert(place.start + value.len(), ' ');
            self.text.insert(place.start, ' ');
        }
        Ok(())
    }

    /// Position of a key's last value in the text.
    fn place(&self, section: &str, key: &str) -> Option<core::ops::Range<usize>> {
        let values = self.statements().filter_map(|s| match s.content {
            Content::Entry(Entry { key: k, span, .. }) if same(s.section, section) => {
                same(k, key).then(|| s.line.start + span.start..s.line.start + span.end)
            }
            _ => None,
        });
        values.last()
    }

    /// Adds a key with a placeholder value, and its section if needed.
    fn make_place(
        &mut self,
        section: &str,
        key: &str,
    ) -> Result<core::ops::Range<usize>, TirError> {
        /// Width of keys, which aligns the equals signs of files in a column.
        const WIDTH: usize = 24;
        let ending = self.line_ending();
        check_names(section, key)?;
        let mut line = format!("{key:<WIDTH$} = 0");
        let at = match self.end_of(section) {
            Some(end) => end,
            None if section.is_empty() => 0,
            None => {
                line = format!("[{section}]{ending}{line}");
                self.text.len()
            }
        };
        let open = at > 0 && !self.text[..at].ends_with(['\r', '\n']);
        let before = if open { ending } else { "" };
        self.text.insert_str(at, &format!("{before}{line}{ending}"));
        let value = at + before.len() + line.len();
        Ok(value - 1..value)
    }

    /// End of the last non-blank line of a section; `None` if there is no such section.
    fn end_of(&self, section: &str) -> Option<usize> {
        let said = self.statements().filter(|s| {
            same(s.section, section) && !matches!(s.content, Content::Nothing | Content::Unknown)
        });
        let end = said.last().map(|s| s.line.start + s.line.text.len())?;
        Some(end + line::ending(&self.text[end..]).len())
    }

    /// The document's line ending, from its first line.
    fn line_ending(&self) -> &'static str {
        let end = self.text.find(['\r', '\n']).unwrap_or(self.text.len());
        match line::ending(&self.text[end..]) {
            "\r\n" => "\r\n",
            "\r" => "\r",
            _ => "\n",
        }
    }
}

/// Fails on names that would not be read back as such.
fn check_names(section: &str, key: &str) -> Result<(), TirError> {
    let one_line = |name: &str| !name.contains(['\r', '\n']);
    let unwritable = |name, what: &str| {
        let fault = TirFault::Unwritable(format!("no name of {what}"));
        Err(TirError::at(None, name, fault))
    };
    let entry = format!("{key} = 0");
    match line::content(&entry) {
        Content::Entry(entry)
            if entry.key == key && entry.value == "0" && one_line(key) && !key.is_empty() => {}
        _ => return unwritable(key, "a key"),
    }
    let header = format!("[{section}]");
    match line::content(&header) {
        Content::Section(name, None) if name == section && one_line(section) => Ok(()),
        _ => unwritable(section, "a section"),
    }
}

/// Whether two names are equal, ignoring case.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The numbers of a row, if there are two.
fn pair(row: &str) -> Option<[f64; 2]> {
    let mut numbers = line::numbers(row);
    let pair = [numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FILE: &str =
        "$ a tire\r\n[model]\r\nFITTYP = 61 $ law\r\n PCX1=\r\n\r\n[INERTIA]\r\nMASS = 9";

    fn document() -> TirDocument {
        TirDocument::parse(FILE.as_bytes()).unwrap()
    }

    #[test]
    fn keys_are_found_by_section_in_any_case() {
        let d = document();
        assert_eq!(d.get("MODEL", "fittyp"), Some("61"));
        assert_eq!(d.get("UNITS", "MASS"), None);
        assert_eq!(d.get("inertia", "MASS"), Some("9"));
        assert_eq!(d.get("MODEL", "PCX1"), None);
    }

    #[rstest]
    #[case::in_place("MODEL", "FITTYP", "FITTYP = 61 $ law", "FITTYP = 62 $ law")]
    #[case::empty("MODEL", "PCX1", " PCX1=", " PCX1= 62 ")]
    #[case::at_the_end_of_the_text("INERTIA", "MASS", "MASS = 9", "MASS = 62")]
    #[case::new(
        "MODEL",
        "VXLOW",
        " PCX1=\r\n",
        " PCX1=\r\nVXLOW                    = 62\r\n"
    )]
    #[case::new_behind_an_open_line(
        "INERTIA",
        "IXX",
        "MASS = 9",
        "MASS = 9\r\nIXX                      = 62\r\n"
    )]
    #[case::new_section(
        "SHAPE",
        "X",
        "MASS = 9",
        "MASS = 9\r\n[SHAPE]\r\nX                        = 62\r\n"
    )]
    #[case::before_all_sections("", "X", "$ a tire", "X                        = 62\r\n$ a tire")]
    fn setting_a_key_changes_only_its_value(
        #[case] section: &str,
        #[case] key: &str,
        #[case] from: &str,
        #[case] to: &str,
    ) {
        let mut d = document();
        d.set_number(section, key, 62.0).unwrap();
        assert_eq!(d.text(), FILE.replacen(from, to, 1));
        assert_eq!(d.get(section, key), Some("62"));
    }

    #[rstest]
    #[case("A=B")]
    #[case("")]
    #[case("[A]")]
    #[case("$A")]
    #[case("A\nB")]
    #[case(" A")]
    fn names_that_would_not_be_read_back_are_refused(#[case] name: &str) {
        let mut d = document();
        assert!(d.set_number("MODEL", name, 1.0).is_err());
        assert_eq!(d, document());
    }

    #[test]
    fn values_that_would_not_be_read_back_are_refused() {
        let mut d = document();
        assert!(d.set_number("MODEL", "X", f64::NAN).is_err());
        assert!(d.set_text("MODEL", "X", "'\"").is_err());
        assert!(d.set_text("MODEL", "X", "a\nb").is_err());
        assert!(d.set_number("A]B", "X", 1.0).is_err());
        assert_eq!(d, document());
    }

    #[test]
    fn tables_have_rows_of_two() {
        let d = TirDocument::parse(b"[SHAPE]\n{radial width}\n1 0\n1 2 3\n .9, 1.0 $ c\n").unwrap();
        assert_eq!(d.table("Shape"), [[1.0, 0.0], [0.9, 1.0]]);
    }

    #[test]
    fn a_new_document_can_be_filled() {
        let mut d = TirDocument::new();
        d.set_text("UNITS", "LENGTH", "meter").unwrap();
        d.set_number("MODEL", "FITTYP", 61.0).unwrap();
        assert_eq!(d.get("MODEL", "FITTYP"), Some("61"));
    }
}
