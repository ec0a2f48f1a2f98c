//! `cargo run --release -p peers --bin peer-physx`: a drive of PhysX 5.1.3's own vehicle that the tests keep.
#![forbid(unsafe_code)]

use core::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use glam::{DVec3, dvec3};
use serde_json::Value;

/// Trace of a car that its brake holds on 20°, nose down.
const PARKED: &str = "../../tests/reference/physx/traces/slope20_brake.jsonl.gz";

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PARKED);
    let text = BufReader::new(GzDecoder::new(File::open(&path)?));
    let mut places = Vec::new();
    for line in text.lines() {
        places.extend(place(&serde_json::from_str(&line?)?));
    }
    let (Some((_, first)), Some((_, last))) = (places.first(), places.last()) else {
        return Err(format!("{}: has no frames", path.display()).into());
    };
    let asleep = places.iter().find(|(_, place)| place == last);
    let frame = asleep.map_or(0, |(frame, _)| *frame);
    println!("PhysX 5.1.3, PxVehicleDrive4W, 60 Hz");
    println!(
        "parked on 20°, nose down: drift in 10 s {:.1} mm, asleep from frame {frame}",
        1000.0 * (*last - *first).length()
    );
    Ok(())
}

/// Number and position (`m`) of a recorded frame; the first line is none.
fn place(line: &Value) -> Option<(u64, DVec3)> {
    let [x, y, z] = [0, 1, 2].map(|n| line["p"][n].as_f64());
    Some((line["f"].as_u64()?, dvec3(x?, y?, z?)))
}
