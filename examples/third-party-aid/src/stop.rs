//! A full stop of a sedan, with and without an ABS, in a world without an engine.

use std::error::Error;
use std::sync::Arc;

use jounce::core::{
    Air, BodyState, CarCommand, Command, Environment, MaterialId, SurfaceType, Surfaces, TireType,
    Vehicle, step,
};
use jounce::presets;
use jounce::scene::{Block, BodyDesc, GroundPart, Grounds, Standalone};

use crate::Abs;

/// Gravity (`m/s²`): z is up.
const GRAVITY: [f32; 3] = [0.0, 0.0, -9.81];
/// Speed at which it begins (`m/s`): 100 km/h.
const SPEED: f32 = 100.0 / 3.6;
/// Speed above which a wheel that stands is locked (`m/s`): 10 km/h.
const LOCKED: f32 = 10.0 / 3.6;

/// Results of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Distance (`m`).
    pub distance: f64,
    /// Greatest yaw angle to either side (`rad`).
    pub yaw: f32,
    /// Longest time for which a wheel was locked above 10 km/h (`s`).
    pub locked: f32,
}

/// Stops a sedan from 100 km/h by a full pedal on ground with these frictions on the left and on the right, at this
/// `rate` (`Hz`). Its driver steers against the yaw.
///
/// # Errors
/// If the world rejects it, or an update fails.
pub fn stop(abs: Option<Abs>, frictions: [f32; 2], rate: f32) -> Result<Stop, Box<dyn Error>> {
    let sedan = presets::sedan();
    let mut model = (*sedan.model()).clone();
    if let Some(abs) = abs {
        model = model.with_aids(&[Arc::new(abs)])?;
    }
    let mut world = Standalone::new(road()?);
    let start = [0.0, 0.0, sedan.ride_height()].into();
    let mut desc = BodyDesc::at_rest(start, sedan.mass(), sedan.inertia());
    desc.linear_velocity.x = SPEED;
    let body = world.add(&desc)?;
    let mut car = Vehicle::new(Arc::new(model), body);
    for wheels in car.state_mut().wheels.iter_mut() {
        wheels.spin = jounce::core::lanes::W4::splat(SPEED / 0.32);
    }
    let mut surfaces = Surfaces::new();
    for (side, friction) in (0_u16..).zip(frictions) {
        surfaces.map(MaterialId(u32::from(side)), SurfaceType(side));
        surfaces.set_friction(SurfaceType(side), TireType(0), friction)?;
    }
    let (mut stop, mut locked) = (
        Stop {
            distance: 0.0,
            yaw: 0.0,
            locked: 0.0,
        },
        [0.0; 4],
    );
    let dt = 1.0 / rate;
    for _ in 0..(20.0 * rate) as usize {
        let state = world.body(body)?.state();
        if state.linear_velocity.length() < 0.1 {
            break;
        }
        stop.distance = state.position.x;
        let yaw = yaw(&state);
        stop.yaw = stop.yaw.max(yaw.abs());
        let command = Command::Car(CarCommand {
            brake: 1.0,
            clutch: 1.0,
            steer: driver(&state, yaw),
            ..CarCommand::default()
        });
        let environment = Environment {
            gravity: GRAVITY.into(),
            surfaces: &surfaces,
            air: Air::STILL,
        };
        step(&mut car, &mut world, &command, &environment, dt)?;
        world.step(GRAVITY.into(), dt);
        for (n, time) in locked.iter_mut().enumerate() {
            let stands = car.wheel_report(n).spin.abs() < 1.0;
            *time = if stands && state.linear_velocity.length() > LOCKED {
                *time + dt
            } else {
                0.0
            };
            stop.locked = stop.locked.max(*time);
        }
    }
    Ok(stop)
}

/// Two boxes side by side, of material 0 to the left of the x axis and 1 to the right.
fn road() -> Result<Grounds, Box<dyn Error>> {
    let side = |y: f64| {
        Block::new(
            [450.0, y, -1.0].into(),
            Default::default(),
            [500.0, 50.0, 1.0].into(),
        )
    };
    let material = |n| MaterialId(n);
    Ok(Grounds(vec![
        GroundPart::new(side(50.0)?).of(material(0)),
        GroundPart::new(side(-50.0)?).of(material(1)),
    ]))
}

/// Yaw angle, to the left (`rad`).
fn yaw(state: &BodyState) -> f32 {
    let ahead = state.rotation * jounce::core::glam::Vec3::X;
    ahead.y.atan2(ahead.x)
}

/// Steering of a driver who corrects yaw, yaw rate and position (–), positive to the right.
fn driver(state: &BodyState, yaw: f32) -> f32 {
    let angle = 1.5 * yaw + 0.4 * state.angular_velocity.z + 0.1 * state.position.y as f32;
    (angle / 0.63).clamp(-1.0, 1.0)
}
