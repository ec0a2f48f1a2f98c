//! Properties of the `.tir` reader that must hold for any bytes.

use tire_models::tir::{Format, MagicFormulaFile, Reading, TirDocument, TirError, validate};
use tire_models::{FialaParams, Pacejka89Params, Pacejka94Params};

/// Reads `bytes`, inspects everything, writes and reads again.
///
/// # Panics
/// If a property does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(document) = TirDocument::parse(bytes) else {
        return;
    };
    assert_eq!(
        document.to_bytes(),
        bytes,
        "a file is written back unchanged"
    );
    // Only a few: each look-up reads the whole text.
    for (section, key, value) in document.entries().take(8) {
        assert!(value.is_empty() || document.get(section, key).is_some());
    }
    let _ = document.table("SHAPE");
    hold_small(&document);
    let strict = MagicFormulaFile::from_document(document.clone(), Reading::Strict);
    match MagicFormulaFile::from_document(document, Reading::Tolerant) {
        Ok(file) => {
            assert!(strict.is_err() || file.warnings.count() == 0);
            hold_file(file);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(strict.is_err(), "strict reading accepts no more");
        }
    }
}

/// The laws of other files are read or refused in words, and only their own is read.
fn hold_small(document: &TirDocument) {
    let told = |error: TirError| assert!(!error.to_string().is_empty());
    let read = [
        (
            Format::Pac89,
            Pacejka89Params::from_document(document).map(drop),
        ),
        (
            Format::Pac94,
            Pacejka94Params::from_document(document).map(drop),
        ),
        (
            Format::Fiala,
            FialaParams::from_document(document).map(drop),
        ),
    ];
    let own = Format::of(document);
    for (format, read) in read {
        match read {
            Ok(()) => assert_eq!(own, Ok(format)),
            Err(error) => told(error),
        }
    }
    if let Err(error) = own {
        told(error);
    }
}

/// A file that was read has finite numbers, which can be changed and read again.
fn hold_file(mut file: MagicFormulaFile) {
    assert!(file.coefficients.iter().all(|(_, x)| x.is_finite()));
    for finding in validate(file.version, &file.coefficients) {
        assert!(!finding.to_string().is_empty());
    }
    assert!(file.warnings.iter().all(|w| w.to_string().len() < 1000));
    let mut other = file.coefficients.clone();
    other.PCX1 = 0.5 - other.PCX1;
    other.RIM_WIDTH = 0.25;
    file.store(&other).expect("finite numbers can be written");
    let again = MagicFormulaFile::from_document(file.document.clone(), Reading::Tolerant)
        .expect("what was written can be read");
    assert_eq!(again.coefficients.PCX1, other.PCX1);
    let off = again.coefficients.RIM_WIDTH - other.RIM_WIDTH;
    assert!(off.abs() <= 1e-15);
    assert_eq!(again.version, file.version);
}
