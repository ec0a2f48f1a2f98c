//! `conformance worlds`: the table of worlds against each other. `conformance trust`: how far cars
//! can be trusted in every world, `conformance trust --coarse` with coarse substeps. `conformance
//! bless`: accepts the present golden traces.
#![forbid(unsafe_code)]

use core::error::Error;
use std::process::ExitCode;

use conformance::golden;
use conformance::trust::{self, Preset};
use lab::world::WorldKind;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["trust"] => Ok(trust(Preset::Shipped)),
        ["trust", "--fine"] => Ok(trust(Preset::Fine)),
        ["trust", "--coarse"] => Ok(trust(Preset::Coarse)),
        ["bless"] => bless(),
        _ => Err("usage: conformance worlds|trust [--fine|--coarse]|bless".into()),
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

/// Prints one table per world and says whether every row holds.
fn trust(preset: Preset) -> bool {
    let mut all = true;
    for &world in WorldKind::all() {
        println!("{}", trust::heading(&format!("{world:?}"), preset));
        let rows = trust::table(world, preset);
        rows.iter().for_each(|row| println!("{row}"));
        let held = rows.iter().filter(|row| row.holds()).count();
        println!("{held} of {} within the bounds\n", rows.len());
        all &= held == rows.len();
    }
    all
}

fn bless() -> Result<bool, Box<dyn Error>> {
    for case in golden::cases() {
        let path = case.path();
        std::fs::write(&path, case.record()?.to_csv())?;
        println!("{} written", path.display());
    }
    Ok(true)
}
