//! `conformance worlds`: the table of worlds against each other. `conformance bless`: accepts the
//! present golden traces.
#![forbid(unsafe_code)]

use core::error::Error;
use std::process::ExitCode;

use conformance::golden;
use conformance::worlds::{compare, heading};
use lab::world::WorldKind;

fn main() -> ExitCode {
    let chore = std::env::args().nth(1);
    let result = match chore.as_deref() {
        Some("worlds") => worlds(),
        Some("bless") => bless(),
        _ => Err("usage: conformance worlds|bless".into()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table and says whether every row holds.
fn worlds() -> Result<bool, Box<dyn Error>> {
    let rows = compare(WorldKind::Rapier)?;
    println!("{}", heading("Rapier"));
    rows.iter().for_each(|row| println!("{row}"));
    let held = rows.iter().filter(|row| row.holds()).count();
    println!("{held} of {} within the bounds", rows.len());
    Ok(held == rows.len())
}

fn bless() -> Result<bool, Box<dyn Error>> {
    for case in golden::cases() {
        let path = case.path();
        std::fs::write(&path, case.record()?.to_csv())?;
        println!("{} written", path.display());
    }
    Ok(true)
}
