//! Our car through a recorded drive.

use core::f32::consts::FRAC_PI_4;

use glam::Vec3;
use jounce::core::CarCommand;
use jounce::file::Car;
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage};
use proving_ground::world::WorldKind;

use super::figures::{CoursePoint, DrivenCourse};
use super::recorded::Take;

/// Steps per second: a multiple of every recorded rate (`Hz`).
const RATE: f32 = 200.0;
/// Rate at which the recorded cars steer (`rad/s`).
const STEERING_SPEED: f32 = 0.4;
/// Steering angle at full command in the files of these cars (`rad`).
const FULL_LOCK: f32 = FRAC_PI_4;
/// Deceleration at full brakes in the files of these cars (`m/s²`).
const FULL_BRAKES: f32 = 10.0;

/// The commands of a drive, as it goes on.
struct Hands<'a> {
    take: &'a Take,
    /// The angle now (`rad`).
    angle: f32,
}

impl Hands<'_> {
    /// The command for the step that begins at `time` (`s`).
    fn at(&mut self, time: f64, dt: f32) -> CarCommand {
        let take = self.take;
        // Times of steps are multiples of a hundredth, give or take rounding.
        let since = |start: f64| time > start - 1e-6;
        let turned = take.turns.iter().filter(|turn| since(**turn)).count();
        let sign = if turned % 2 == 0 { 1.0 } else { -1.0 };
        let wanted = if since(take.start) {
            sign * take.steer_deg.to_radians() as f32
        } else {
            0.0
        };
        let most = STEERING_SPEED * dt;
        let turn = (wanted - self.angle).clamp(-most, most);
        let mean = self.angle + 0.5 * turn;
        self.angle += turn;
        let braked = since(take.brake_start);
        CarCommand {
            steer: -mean / FULL_LOCK,
            brake: if braked {
                take.braking as f32 / FULL_BRAKES
            } else {
                0.0
            },
            ..FREE
        }
    }
}

/// Drives our car as a recorded drive.
pub(super) fn drive(car: &Car, take: &Take) -> Result<DrivenCourse, ProvingError> {
    let scene = Scene {
        speed: (take.speed_kmh / 3.6) as f32,
        hull: false,
        ..Scene::LEVEL
    };
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    let mut stage = Stage::new(&setup, &scene, RATE)?;
    let mut hands = Hands { take, angle: 0.0 };
    let interval = take.course.interval;
    let between = (interval * f64::from(RATE)).round() as usize;
    let (mut instants, mut way, mut last) = (Vec::new(), 0.0, stage.velocity());
    for n in 0..=between * (take.course.instants.len() - 1) {
        if n > 0 {
            last = stage.velocity();
            stage.step(&hands.at((n - 1) as f64 / f64::from(RATE), stage.dt))?;
            way += f64::from(0.5 * (last + stage.velocity()).length() * stage.dt);
        }
        if n % between == 0 {
            instants.push(instant(&stage, last, way)?);
        }
    }
    Ok(DrivenCourse { interval, instants })
}

fn instant(stage: &Stage, before: Vec3, way: f64) -> Result<CoursePoint, ProvingError> {
    let body = stage.body()?;
    let ahead = (body.rotation * Vec3::X).with_z(0.0).normalize();
    let left = Vec3::Z.cross(ahead);
    let velocity = stage.velocity();
    let gained = (velocity - before) / stage.dt;
    Ok(CoursePoint {
        speed: velocity.dot(ahead).into(),
        way,
        yaw_rate: stage.vehicle.updated_velocity().1.z.into(),
        lateral_acceleration: gained.dot(left).into(),
        roll: f64::from((body.rotation * Vec3::Y).z).asin(),
    })
}
