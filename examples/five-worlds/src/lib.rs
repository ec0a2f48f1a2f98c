//! The car and its driver, independent of the world.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use core::error::Error;

use glam::Vec3;
use jounce::core::{
    Air, BodyId, CarCommand, Command, Environment, RigidBodies, SceneQuery, Surfaces, Vehicle, step,
};
use jounce::file::Car;

/// Gravity of all five worlds [m/s²]: z is up.
pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
/// Time step (`s`).
pub const DT: f32 = 1.0 / 60.0;

/// A world with the two contracts of vehicles.
pub trait Contracts: SceneQuery + RigidBodies {}

impl<T: SceneQuery + RigidBodies> Contracts for T {}

/// The interface of an engine in this program.
pub trait Engine {
    /// Lends its world to `act`.
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts));

    /// The engine's own step of [`DT`].
    fn pass(&mut self);
}

/// Position and speed of a car after a second.
#[derive(Clone, Copy, Debug)]
pub struct Second {
    /// Distance along x (`m`).
    pub x: f64,
    /// Speed (`m/s`).
    pub speed: f32,
    /// Spin of the front left wheel (`rad/s`).
    pub spin: f32,
}

/// Full throttle for five seconds, brakes for five; prints a line per second.
///
/// # Errors
/// If the world loses the chassis, or an update fails.
pub fn drive(
    engine: &mut dyn Engine,
    car: &Car,
    chassis: BodyId,
) -> Result<Vec<Second>, Box<dyn Error>> {
    let mut vehicle = Vehicle::new(car.model(), chassis);
    let surfaces = &Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces,
        air: Air::STILL,
    };
    let mut seconds = Vec::new();
    for tick in 1..=600 {
        let pedal = if tick <= 300 { [1.0, 0.0] } else { [0.0, 1.0] };
        let command = Command::Car(CarCommand {
            throttle: pedal[0],
            brake: pedal[1],
            ..CarCommand::default()
        });
        let mut done = Ok(());
        engine.lend(&mut |world| done = step(&mut vehicle, world, &command, &environment, DT));
        done?;
        engine.pass();
        if tick % 60 == 0 {
            seconds.push(look(engine, &vehicle)?);
        }
    }
    Ok(seconds)
}

/// Reads the chassis and prints its position.
fn look(engine: &mut dyn Engine, vehicle: &Vehicle) -> Result<Second, Box<dyn Error>> {
    let mut body = [jounce::core::BodyState::BLANK];
    let mut read = Ok(());
    engine.lend(&mut |world| read = world.read(&[vehicle.body()], &mut body));
    read?;
    let second = Second {
        x: body[0].position.x,
        speed: body[0].linear_velocity.length(),
        spin: vehicle.wheel_report(0).spin,
    };
    println!(
        "x {:6.2} m, {:5.2} m/s, front left wheel {:5.1} rad/s",
        second.x, second.speed, second.spin
    );
    Ok(second)
}
