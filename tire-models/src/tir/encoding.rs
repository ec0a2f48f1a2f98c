//! Bytes to text and back, so that unchanged text is restored byte for byte.

use super::error::{TirError, TirFault};

/// Encoding of a file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, ASCII included.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8WithMark,
    /// UTF-16, the lower byte first, with a byte order mark.
    Utf16Le,
    /// UTF-16, the upper byte first, with a byte order mark.
    Utf16Be,
    /// Windows-1252: the fallback for bytes that are not UTF-8.
    Windows1252,
}

/// Larger files are refused; tire files have a few thousand bytes.
pub const LARGEST_FILE: usize = 16 << 20;

const MARK: &[u8] = b"\xEF\xBB\xBF";
const MARK_LE: &[u8] = b"\xFF\xFE";
const MARK_BE: &[u8] = b"\xFE\xFF";

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
    if let Some(rest) = bytes.strip_prefix(MARK_LE) {
        return Ok((wide(rest, u16::from_le_bytes)?, Encoding::Utf16Le));
    }
    if let Some(rest) = bytes.strip_prefix(MARK_BE) {
        return Ok((wide(rest, u16::from_be_bytes)?, Encoding::Utf16Be));
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

/// The text of UTF-16 without its mark.
fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, TirError> {
    let (units, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = units.iter().copied().map(unit).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    text.ok_or_else(|| TirFault::Utf16.into())
}

/// The bytes of `text`: UTF-8 if Windows-1252 lacks one of its characters.
pub(super) fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8WithMark => [MARK, text.as_bytes()].concat(),
        Encoding::Utf16Le => widened(MARK_LE, text, u16::to_le_bytes),
        Encoding::Utf16Be => widened(MARK_BE, text, u16::to_be_bytes),
        Encoding::Windows1252 => {
            let bytes: Option<Vec<u8>> = text.chars().map(byte).collect();
            bytes.unwrap_or_else(|| text.as_bytes().to_vec())
        }
    }
}

fn widened(mark: &[u8], text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = text.encode_utf16().flat_map(bytes);
    mark.iter().copied().chain(text).collect()
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
    fn utf_16_round_trips_in_either_order() {
        for (bytes, order) in [
            (&b"\xFF\xFE[\0\xE9\0\x3D\xD8\x97\xDE"[..], Encoding::Utf16Le),
            (b"\xFE\xFF\0[\0\xE9\xD8\x3D\xDE\x97", Encoding::Utf16Be),
        ] {
            let (text, encoding) = decode(bytes).unwrap();
            assert_eq!((text.as_str(), encoding), ("[é🚗", order));
            assert_eq!(encode(&text, encoding), bytes);
        }
    }

    #[test]
    fn half_a_character_of_utf_16_is_refused() {
        for bytes in [&b"\xFF\xFE[\0M"[..], b"\xFE\xFF\xD8\x3D"] {
            let error = decode(bytes).unwrap_err();
            assert!(error.to_string().contains("UTF-16"), "{error}");
        }
    }
}
