//! Cars whose poses are set between steps: corrected positions, portals, new origins, an editor's nudges.

use glam::{DQuat, DVec3, Quat, Vec3};
use jounce::core::{BodyState, CarCommand};
use proving_ground::ProvingError;

use super::finding::CarFinding;
use super::stage::{FLAT_OUT, FREE, Scene, Setup, Stage, steps};
use super::standing::{BRAKED, drift, settling};

/// A change of the pose of a car between two steps.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// A shift of the car to the side by 2 mm, to and fro.
    Correction,
    /// A shift of the car by 20 m, and a turn with its velocities: a half turn is exact.
    Portal,
    /// A shift of the world's origin by 112 m.
    NewOrigin,
}

/// A car that drives away and stops, and its displacement.
struct DisplacedCar {
    stage: Stage,
    /// Rotation, then displacement (`m`), from the path of an undisturbed car to this one.
    turned: DQuat,
    moved: DVec3,
    deeds: usize,
}

impl DisplacedCar {
    fn new(setup: &Setup<'_>, rate: f32) -> Result<Self, ProvingError> {
        let scene = Scene {
            speed: 15.0,
            ..Scene::IN_FIRST
        };
        Ok(Self {
            stage: Stage::new(setup, &scene, rate)?,
            turned: DQuat::IDENTITY,
            moved: DVec3::ZERO,
            deeds: 0,
        })
    }

    /// Full throttle, a bend, and a stop.
    fn command(time: f32) -> CarCommand {
        match time {
            0.0..1.5 => FLAT_OUT,
            1.5..3.0 => CarCommand {
                steer: 0.05,
                ..FREE
            },
            _ => CarCommand { brake: 0.6, ..FREE },
        }
    }

    fn step(&mut self, n: usize) -> Result<(), ProvingError> {
        let time = n as f32 * self.stage.dt;
        self.stage.step(&Self::command(time))
    }

    /// Position of the undisturbed car (`m`).
    fn place(&self) -> Result<DVec3, ProvingError> {
        Ok(self.turned.inverse() * (self.stage.position()? - self.moved))
    }

    fn displace(&mut self, deed: Deed) -> Result<(), ProvingError> {
        self.deeds += 1;
        let sign = if self.deeds.is_multiple_of(2) {
            -1.0
        } else {
            1.0
        };
        let (id, before, place) = (self.stage.vehicle.body(), self.stage.body()?, self.place()?);
        match deed {
            Deed::Correction => {
                let by = before.rotation * Vec3::new(0.002, -0.002, 0.0);
                let by = by.with_z(0.0).as_dvec3() * sign;
                self.stage.world.teleport(id, by)?;
            }
            Deed::NewOrigin => {
                let to = DVec3::new(100.0, -50.0, 0.0) * sign;
                self.stage.world.shift_origin(to)?;
            }
            Deed::Portal => {
                let turn = Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);
                let about = |v: Vec3| Vec3::new(-v.x, -v.y, v.z);
                self.set(&BodyState {
                    position: before.position + DVec3::new(20.0, 5.0, 0.0) * sign,
                    rotation: turn * before.rotation,
                    linear_velocity: about(before.linear_velocity),
                    angular_velocity: about(before.angular_velocity),
                    ..before
                })?;
                self.turned = turn.as_dquat() * self.turned;
            }
        }
        // Worlds round positions.
        self.moved = self.stage.position()? - self.turned * place;
        Ok(())
    }

    /// Sets pose and velocities of the body.
    fn set(&mut self, body: &BodyState) -> Result<(), ProvingError> {
        let (id, world) = (self.stage.vehicle.body(), &mut self.stage.world);
        world.place(id, body.position, body.rotation)?;
        world.kick(id, body.linear_velocity, body.angular_velocity)
    }
}

/// Most that a car which is displaced in every step, or every seventh, is away (`mm`) from an undisturbed one, moved along.
pub(super) fn displaced(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const DRIVE: f32 = 6.0;
    CarFinding::at_rates(|rate| {
        let mut undisturbed = DisplacedCar::new(setup, rate)?;
        let count = steps(DRIVE, rate);
        let path = (0..count).map(|n| {
            undisturbed.step(n)?;
            undisturbed.place()
        });
        let path = path.collect::<Result<Vec<_>, ProvingError>>()?;
        let mut worst = 0.0_f64;
        for deed in [Deed::Correction, Deed::Portal, Deed::NewOrigin] {
            for every in [1, 7] {
                let mut car = DisplacedCar::new(setup, rate)?;
                for (n, expected) in path.iter().enumerate() {
                    car.step(n)?;
                    worst = worst.max(1000.0 * car.place()?.distance(*expected));
                    if n % every == 0 {
                        car.displace(deed)?;
                    }
                }
            }
        }
        Ok(worst)
    })
}

/// Most that a car, braked on 10°, moves from where it was put (`mm`), within a second each time.
pub(super) fn nudged(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const SLOPE: f64 = 10.0;
    CarFinding::at_rates(|rate| {
        let scene = Scene::nose_down(SLOPE);
        let mut stage = Stage::new(setup, &scene, rate)?;
        stage.run(settling(setup), &BRAKED)?;
        let mut worst = 0.0_f64;
        for size in [0.002, 0.01, 0.05, 0.5] {
            for direction in [scene.downhill(), -scene.downhill(), Vec3::Y, Vec3::NEG_Y] {
                let by = (direction * size).as_dvec3();
                stage.world.teleport(stage.vehicle.body(), by)?;
                worst = worst.max(drift(&mut stage, 1.0, &BRAKED)?);
            }
        }
        Ok(worst)
    })
}
