//! Effect of the air on each vehicle: greatest speed on level ground without and with it, and the time to 100 km/h
//! with it: `cargo run --release -p jounce-lab --example air`.
//!
//! Prints a table: speeds on level ground at full throttle.

use jounce::file::TargetFigure::{TopSpeed, ZeroTo100};
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::changed::car_edited;
use proving_ground::performance::measure;

fn main() -> Result<(), ProvingError> {
    println!("| | without [km/h] | with air [km/h] | 0–100 km/h, with air [s] |");
    println!("|---|---|---|---|");
    for (name, _) in presets::FILES {
        let mut drags = false;
        let bare = car_edited(name, |file| {
            drags = file.remove("aerodynamics").is_some();
            Ok(())
        })?;
        if drags {
            let without = measure(&bare, &[TopSpeed])?[0];
            let with = measure(&car_edited(name, |_| Ok(()))?, &[TopSpeed, ZeroTo100])?;
            let time = seconds(with[1]);
            println!("| `{name}` | {without:.0} | {:.0} | {time} |", with[0]);
        }
    }
    Ok(())
}

/// Writes a time with tenths below 20 s; a dash where a vehicle is never that fast.
fn seconds(time: f64) -> String {
    match time {
        time if time.is_nan() => "–".to_owned(),
        ..20.0 => format!("{time:.1}"),
        _ => format!("{time:.0}"),
    }
}
