//! Prints `car ground hash` for every golden drive; with `bless`, stores traces and hashes anew.
#![forbid(unsafe_code)]

use core::error::Error;
use std::process::ExitCode;

use golden_drives::{bless, hashes};

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        None => print(),
        Some("bless") => bless(),
        Some(other) => Err(format!("unknown argument `{other}`: only `bless` is known").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print() -> Result<(), Box<dyn Error>> {
    print!("{}", hashes()?);
    Ok(())
}
