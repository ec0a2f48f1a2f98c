//! Bytes to text and back, so that unchanged text is restored byte for byte.

use super::error::{TirError, TirFault};

/// Encoding of a file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, ASCII included.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8WithMark,
    /// Windows-1252: the fallback for bytes that are not UTF-8.
    Windows1252,
}

/// Larger files are refused; tire files have a few thousand bytes.
pub const LARGEST_FILE: usize = 16 << 20;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Characters of the bytes 0x80 to 0x9F. Five of them are unassigned and map to the control
/// characters of the same number, so that every byte has its own character.
const UPPER_CONTROLS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of `bytes`.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Encoding), TirError> {
    if bytes.len() > LARGEST_FILE {
        return Err(TirFault::TooLarge(bytes.len()).into());
    }
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(TirFault::Utf16.into());
    }
    let (rest, encoding) = match bytes.strip_prefix(MARK) {
        Some(rest) => (rest, Encoding::Utf8WithMark),
        None => (bytes, Encoding::Utf8),
    };
    if let Ok(text) = core::str::from_utf8(rest) {
        return Ok((text.to_owned(), encoding));
    }
    let length = bytes.iter().map(|&b| character(b).len_utf8()).sum();
    let mut text = String::with_capacity(length);
    text.extend(bytes.iter().map(|&b| character(b)));
    Ok((text, Encoding::Windows1252))
}

/// The bytes of `text`: UTF-8 if Windows-1252 lacks one of its characters.
pub(super) fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8WithMark => [MARK, text.as_bytes()].concat(),
        Encoding::Windows1252 => {
            let bytes: Option<Vec<u8>> = text.chars().map(byte).collect();
            bytes.unwrap_or_else(|| text.as_bytes().to_vec())
        }
    }
}

fn character(byte: u8) -> char {
    match byte {
        0x80..=0x9F => UPPER_CONTROLS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn byte(character: char) -> Option<u8> {
    let same = u8::try_from(character).ok();
    same.filter(|byte| !(0x80..=0x9F).contains(byte))
        .or_else(|| {
            let at = UPPER_CONTROLS.iter().position(|&c| c == character)?;
            u8::try_from(0x80 + at).ok()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_windows_1252_round_trips() {
        let bytes: Vec<u8> = (0..=255).collect();
        let (text, encoding) = decode(&bytes).unwrap();
        assert_eq!(encoding, Encoding::Windows1252);
        assert!(text.contains("€") && text.contains("é"));
        assert_eq!(encode(&text, encoding), bytes);
    }

    #[test]
    fn a_byte_order_mark_is_not_text_and_is_restored() {
        let bytes = b"\xEF\xBB\xBF[MODEL]";
        let (text, encoding) = decode(bytes).unwrap();
        assert_eq!(
            (text.as_str(), encoding),
            ("[MODEL]", Encoding::Utf8WithMark)
        );
        assert_eq!(encode(&text, encoding), bytes);
    }

    #[test]
    fn text_beyond_windows_1252_is_written_in_utf_8() {
        assert_eq!(encode("Ω é", Encoding::Windows1252), "Ω é".as_bytes());
        assert_eq!(encode("€ é", Encoding::Windows1252), b"\x80 \xE9");
    }

    #[test]
    fn utf_16_is_refused_with_a_clear_message() {
        let error = decode(b"\xFF\xFE[\0M\0").unwrap_err();
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }
}
