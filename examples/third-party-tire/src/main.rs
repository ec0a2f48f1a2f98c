//! Drives the kart: full throttle, a bend, the brake. Prints a line per second.

use std::error::Error;

use third_party_tire::kart::{Drive, kart};

fn main() -> Result<(), Box<dyn Error>> {
    let mut drive = Drive::new(&kart()?)?;
    for second in 1..=9 {
        for _ in 0..60 {
            drive.step()?;
        }
        let state = drive.state()?;
        let (place, speed) = (state.position, state.linear_velocity.length());
        let warmth: Vec<_> = drive.warmth().iter().map(|w| format!("{w:.2}")).collect();
        println!(
            "{second} s: x {:6.2} m, y {:6.2} m, {speed:5.2} m/s, warmth {}",
            place.x,
            place.y,
            warmth.join(" ")
        );
    }
    Ok(())
}
