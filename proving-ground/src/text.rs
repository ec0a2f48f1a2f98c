//! Reads text files, including compressed ones.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use jounce::scene::text::{decode, read_text};

/// The text of a file, decompressed if its name ends in `.gz`.
///
/// # Errors
/// If it cannot be read or decompressed, or as
/// [`decode`].
pub fn read(path: &Path) -> io::Result<String> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return read_text(path);
    }
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path)?).read_to_end(&mut bytes)?;
    decode(bytes)
}
