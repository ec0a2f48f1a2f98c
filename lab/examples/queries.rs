//! The ground of the next step is looked for on another thread, while the game does something else: `cargo run
//! --release -p jounce-lab --features rayon --example queries`.
//!
//! At the end of the update loop nothing moves any more until the next one. The probe only reads the world, and so
//! may the game at the same time: here it draws.
//!
//! ```text
//! update ─▶ apply ─▶ step ─┬─▶ probe, on another thread ─┬─▶ update …
//!                          └─▶ draw ─────────────────────┘
//! ```

use core::error::Error;
use core::time::Duration;
use std::thread;
use std::time::Instant;

use glam::DVec3;
use jounce::core::{BodyId, BodyState, Environment};
use jounce::core::{CarCommand, Command, Fleet, RigidBodies as _, Surfaces, UpdateLevel, Vehicle};
use jounce::scene::{BodyDesc, Standalone};
use jounce::{parallel, presets};
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::GRAVITY;

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 180;
const CARS: usize = 60;
/// Time that the game takes to draw.
const DRAWING: Duration = Duration::from_micros(400);

/// Thread that queries the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Queries {
    /// This thread queries before it draws.
    Before,
    /// All cores query before this thread draws.
    OnAllCores,
    /// Another thread queries while this one draws.
    Meanwhile,
}

/// Sedans side by side on hills.
fn park() -> Result<(Standalone, Fleet), Box<dyn Error>> {
    let terrain = Terrain::new(&GroundSpec::Hills(1), MeshUp::Z)?;
    let car = presets::sedan();
    let mut world = Standalone::new(terrain.grounds.clone());
    let mut fleet = Fleet::new();
    for n in 0..CARS {
        let place = terrain.start + glam::DVec2::new(0.0, 5.0 * (n as f64 - 0.5 * CARS as f64));
        let height = terrain.height(place).unwrap_or(0.0) + car.ride_height() + 0.5;
        let place = DVec3::new(place.x, place.y, height);
        let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
        fleet.push(Vehicle::new(car.model(), world.add(&body)?));
    }
    Ok((world, fleet))
}

fn command(n: usize) -> Command {
    Command::Car(CarCommand {
        throttle: 0.3 + 0.01 * n as f32,
        steer: 0.2 - 0.006 * n as f32,
        ..CarCommand::default()
    })
}

/// Stands for drawing: it reads the world.
fn draw(world: &Standalone, bodies: &[BodyId]) -> f64 {
    let (start, mut sum) = (Instant::now(), 0.0);
    let mut states = vec![BodyState::BLANK; bodies.len()];
    while start.elapsed() < DRAWING {
        world.read(bodies, &mut states).expect("all cars are there");
        sum += states.iter().map(|body| body.position.x).sum::<f64>();
    }
    sum
}

/// Time per step, and all states at the end with every bit.
fn drive(queries: Queries) -> Result<(Duration, String), Box<dyn Error>> {
    let (mut world, mut fleet) = park()?;
    let surfaces = Surfaces::new();
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    let bodies: Vec<BodyId> = fleet.vehicles().iter().map(Vehicle::body).collect();
    let commands: Vec<Command> = (0..CARS).map(command).collect();
    let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
    fleet.probe(&world, &environment, full)?;
    let start = Instant::now();
    for _ in 0..STEPS {
        fleet.update(&commands, &environment, DT);
        fleet.apply(&mut world)?;
        world.step(GRAVITY, DT);
        // The end of the update loop: from here on, the world is only read.
        match queries {
            Queries::Before => fleet.probe(&world, &environment, full)?,
            Queries::OnAllCores => parallel::probe(&mut fleet, &world, &environment, full)?,
            Queries::Meanwhile => thread::scope(|scope| {
                let probe = scope.spawn(|| fleet.probe(&world, &environment, full));
                draw(&world, &bodies);
                probe.join().expect("probes do not panic")
            })?,
        }
        if queries != Queries::Meanwhile {
            draw(&world, &bodies);
        }
    }
    let time = start.elapsed() / STEPS as u32;
    let states = fleet.vehicles().iter().map(Vehicle::state);
    Ok((time, states.map(|state| format!("{state:?}\n")).collect()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{CARS} sedans on hills, {} µs of drawing per step",
        DRAWING.as_micros()
    );
    let mut before = None;
    for queries in [Queries::Before, Queries::OnAllCores, Queries::Meanwhile] {
        let (time, end) = drive(queries)?;
        let same = *before.get_or_insert_with(|| end.clone()) == end;
        let bits = if same { "the same bits" } else { "other bits" };
        println!(
            "{queries:?}: {:.0} µs per step, {bits}",
            time.as_secs_f64() * 1e6
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever looks for the ground, the cars drive alike.
    #[test]
    fn the_thread_of_the_queries_does_not_change_a_bit() {
        let (_, before) = drive(Queries::Before).unwrap();
        assert!(!before.contains("NaN"));
        for queries in [Queries::OnAllCores, Queries::Meanwhile] {
            let (_, end) = drive(queries).unwrap();
            assert!(end == before, "{queries:?}");
        }
    }
}
