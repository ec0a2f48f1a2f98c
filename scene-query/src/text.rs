//! Text files as programs on any platform write them: UTF-8 with or without a byte-order mark, UTF-16 with one.

use std::io;
use std::path::Path;

/// The Unicode character that stands first in a marked text; as bytes, it tells the encoding.
const MARK: char = '\u{feff}';

/// The text of the file at `path`, without its byte-order mark.
///
/// # Errors
/// If the file cannot be read, or as [`decode`].
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    decode(std::fs::read(path)?)
}

/// The text of a file's bytes, without its byte-order mark: UTF-16 if the mark says so, otherwise UTF-8.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] if the bytes are not text in that encoding.
pub fn decode(bytes: Vec<u8>) -> io::Result<String> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let (units, rest) = bytes[2..].as_chunks::<2>();
        let units: Vec<u16> = units.iter().copied().map(unit).collect();
        let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
        text.ok_or_else(|| invalid("is not UTF-16, as its byte-order mark says"))
    };
    match bytes[..] {
        [0xFF, 0xFE, ..] => wide(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => wide(u16::from_be_bytes),
        _ => {
            let text = String::from_utf8(bytes);
            let mut text = text.map_err(|_| invalid("is not UTF-8"))?;
            text.drain(..text.len() - unmarked(&text).len());
            Ok(text)
        }
    }
}

/// A text without the byte-order mark that it may begin with.
#[must_use]
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain(b"v \xC3\xA4\n")]
    #[case::marked(b"\xEF\xBB\xBFv \xC3\xA4\n")]
    #[case::little_endian(b"\xFF\xFEv\0 \0\xE4\0\n\0")]
    #[case::big_endian(b"\xFE\xFF\0v\0 \0\xE4\0\n")]
    fn every_encoding_gives_the_same_text(#[case] bytes: &[u8]) {
        assert_eq!(decode(bytes.to_vec()).unwrap(), "v ä\n");
    }

    #[test]
    fn only_a_mark_at_the_beginning_is_none_of_the_text() {
        let text = decode("\u{feff}a\u{feff}b".into()).unwrap();
        assert_eq!(text, "a\u{feff}b");
        assert_eq!(decode(Vec::new()).unwrap(), "");
        assert_eq!(unmarked("\u{feff}a"), "a");
    }

    #[rstest]
    #[case::latin_1(b"\xE4", "is not UTF-8")]
    #[case::half_a_character(b"\xFF\xFEv", "is not UTF-16")]
    #[case::half_a_pair(b"\xFF\xFE\x00\xD8", "is not UTF-16")]
    fn other_bytes_are_refused(#[case] bytes: &[u8], #[case] why: &str) {
        let error = decode(bytes.to_vec()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
