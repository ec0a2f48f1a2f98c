//! Prints a launch of a sports car with two motors, at four rates.

use std::error::Error;

use jounce::core::CarCommand;
use third_party_drive::TwinMotors;
use third_party_drive::launch::Launch;

fn main() -> Result<(), Box<dyn Error>> {
    println!("    rate     4 s: m/s    energy: kJ    motor: K");
    for rate in [30.0, 60.0, 120.0, 240.0] {
        let mut launch = Launch::new(TwinMotors::SPORTS_CAR, 1.0)?;
        let full = CarCommand {
            throttle: 1.0,
            ..CarCommand::default()
        };
        let [speed, _] = launch.drive(full, 4.0, rate)?;
        let [energy, temperature, ..] = *launch.memory() else {
            continue;
        };
        println!(
            "{rate:5.0} Hz {speed:11.2} {:13.1} {temperature:11.2}",
            1e-3 * energy
        );
    }
    Ok(())
}
