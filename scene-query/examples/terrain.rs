//! Writes hills as a Wavefront file to standard output: nearly a kilometer square, y up as most
//! programs expect. `cargo xtask terrain` stores the result as `vehicles/hills.obj`.

use std::io::{self, Write};

use scene_query::GroundError;
use scene_query::generate::{Hills, hills, to_obj};
use vehicle_core::Axis;

fn main() -> Result<(), GroundError> {
    let field = hills(&Hills {
        seed: 7,
        size: 65,
        cell: 14.0,
        amplitude: 14.0,
        up: Axis::Y,
    })?;
    // A closed pipe is not an error.
    let _ = io::stdout().write_all(to_obj(&field).as_bytes());
    Ok(())
}
