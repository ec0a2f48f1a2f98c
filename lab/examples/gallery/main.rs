//! Pictures of the README and the book, each made by a real drive: `cargo run --release -p jounce-lab --example gallery
//! FOLDER` writes them into a folder, as `cargo xtask gallery` does into `book/src/img`.

mod experiment;
mod tires;
mod tuning;

use core::error::Error;
use std::fs;
use std::path::PathBuf;

use jounce_lab::report::map_picture;
use proving_ground::drive::{DrivePlan, run};

/// Width of the map (`px`).
const MAP: f64 = 888.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("name a folder to write into")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let mut pictures = vec![("drive.svg", drive()?), ("tires.svg", tires::picture()?)];
    for experiment in tuning::experiments() {
        pictures.push((experiment.file, experiment.picture()?.svg()));
    }
    for (name, svg) in pictures {
        fs::write(folder.join(name), svg)?;
    }
    Ok(())
}

/// The map of the default drive of `jounce drive`.
fn drive() -> Result<String, Box<dyn Error>> {
    let drive = run(&DrivePlan::of("sedan"), |_time, _longest| ())?;
    let what = "The default drive over hills, seen from above, colored by speed";
    Ok(map_picture(&drive, what, MAP))
}
