//! The reader of `.tir` files on random bytes and on mutations of real files; see `fuzz/README.md`
//! for the same with a fuzzer.

#[path = "../fuzz/tir.rs"]
mod tir;

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::time::Instant;

use proptest::prelude::*;
use tire_models::tir::{MagicFormulaFile, Reading, validate};

/// The real files, from the reference data.
fn files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference");
    let folder = std::env::var_os("JOUNCE_REFERENCE").map_or(own, PathBuf::from);
    let entries = std::fs::read_dir(folder.join("tires")).expect("reference data");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("reference data").path())
        .filter(|path| path.extension().is_some_and(|e| e == "tir"))
        .collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    files
}

#[test]
fn real_files_are_read_strictly_and_round_trip_byte_for_byte() {
    for path in files() {
        let file = MagicFormulaFile::open(&path, Reading::Strict).expect("a good file");
        let bytes = std::fs::read(&path).expect("reference data");
        assert_eq!(file.document.to_bytes(), bytes);
        tir::hold(&bytes);
        println!("{}: {:?}", path.display(), file.version);
        for finding in validate(file.version, &file.coefficients) {
            println!("  {finding}");
        }
    }
}

/// One change of a file.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(usize, u8),
    Insert(usize, &'static str),
    Remove(usize, usize),
    Repeat(usize, usize),
}

/// Meaningful pieces.
const PIECES: &[&str] = &[
    "=",
    "$",
    "!",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "\r",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\0",
    "1e308",
    "d",
    "-",
    "é",
    "\u{feff}",
    "[UNITS]\n",
    "LENGTH='mm'\n",
    "FITTYP=6\n",
    "FITTYP=52\n",
    "PCY2=0.8\n",
    "[MODEL]\nPROPERTY_FILE_FORMAT='PAC_MC'\n",
    "[MODEL]\nPROPERTY_FILE_FORMAT='PAC89'\n",
    "[MODEL]\nPROPERTY_FILE_FORMAT='PAC94'\n",
    "[MODEL]\nPROPERTY_FILE_FORMAT='FIALA'\n",
    "[PARAMETER]\nCSLIP=1\nCALPHA=1\nUMIN=1\nUMAX=1\n[DIMENSION]\nWIDTH=1\n",
    "MASS=1e30\n",
    "IXX='x'\n",
    "FNOMIN=1\nUNLOADED_RADIUS=1\nPCX1=1\nPDX1=1\nPKX1=1\nPCY1=1\nPDY1=1\nPKY1=1\nPKY2=1\n\
     PKY3=1\nPKY6=1\n",
    "USE_MODE=-14\n",
    "[SHAPE]\n1 2\n",
];

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = || any::<usize>();
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        (at(), proptest::sample::select(PIECES)).prop_map(|(at, text)| Mutation::Insert(at, text)),
        (at(), 1..200_usize).prop_map(|(at, n)| Mutation::Remove(at, n)),
        (at(), 1..200_usize).prop_map(|(at, n)| Mutation::Repeat(at, n)),
    ]
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let length = bytes.len().max(1);
    let range = |at: usize, n: usize| {
        let start = (at % length).min(bytes.len());
        start..(start + n).min(bytes.len())
    };
    match *mutation {
        Mutation::Replace(at, byte) => {
            let range = range(at, 1);
            bytes[range].fill(byte);
        }
        Mutation::Insert(at, text) => {
            let start = range(at, 0).start;
            bytes.splice(start..start, text.bytes());
        }
        Mutation::Remove(at, n) => {
            let range = range(at, n);
            bytes.drain(range);
        }
        Mutation::Repeat(at, n) => {
            let range = range(at, n);
            let copy = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, copy);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        tir::hold(&bytes);
    }

    #[test]
    fn any_pieces(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        tir::hold(pieces.concat().as_bytes());
    }

    #[test]
    fn mutations_of_real_files(
        which in any::<usize>(),
        mutations in proptest::collection::vec(mutation(), 1..20),
    ) {
        let files = files();
        let mut bytes = std::fs::read(&files[which % files.len()]).expect("reference data");
        for mutation in &mutations {
            mutate(&mut bytes, mutation);
        }
        tir::hold(&bytes);
    }
}

/// A megabyte of any repetition.
#[test]
fn a_long_file_of_anything_is_read_without_hanging() {
    let head = "[UNITS]\nLENGTH='mm'\n[MODEL]\nFITTYP=61\n[LATERAL_COEFFICIENTS]\n";
    for unit in [
        "\n", "A=\n", "=", "x\n", "[\n", "PCX1=1\n", "'", "1 ", "1", "$", "!", "\t", "é\n",
    ] {
        let text = format!("{head}{}", unit.repeat((1 << 20) / unit.len()));
        let start = Instant::now();
        let _ = MagicFormulaFile::from_bytes(text.as_bytes(), Reading::Tolerant);
        let time = start.elapsed();
        // A megabyte takes some 20 ms; in steps that grow with the file it would take hours.
        assert!(time < Duration::from_secs(60), "{unit:?}: {time:?}");
    }
}
