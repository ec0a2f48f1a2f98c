//! Prints stops of a sedan from 100 km/h, with and without the ABS.

use std::error::Error;

use third_party_aid::Abs;
use third_party_aid::stop::stop;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "friction left, right    rate      without: m  yaw  locked     with ABS: m  yaw  locked"
    );
    for frictions in [[0.9, 0.9], [0.3, 0.3], [0.8, 0.1]] {
        for rate in [30.0, 60.0, 120.0, 240.0] {
            let [left, right] = frictions;
            print!("{left:10.1} {right:5.1} {rate:12.0} Hz");
            for abs in [None, Some(Abs::CAR)] {
                let stop = stop(abs, frictions, rate)?;
                print!(
                    "{:14.2} {:5.1}° {:4.1} s",
                    stop.distance,
                    stop.yaw.to_degrees(),
                    stop.locked
                );
            }
            println!();
        }
    }
    Ok(())
}
