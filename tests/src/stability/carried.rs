//! Braked cars on platforms and on the bed of a lorry, which drive off, turn and stop again: a car stays at its position, but
//! for what springs and carcasses yield at every rate.

use glam::{DQuat, DVec3, Vec3};
use jounce::core::lanes::W4;
use jounce::core::{CarCommand, Command, Vehicle};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::world::{Pose, WorldKind, chassis};

use super::finding::CarFinding;
use super::loads::{SHARE, foot, held};
use super::riders::{UpdateOrder, step_with_rider};
use super::stage::{FLAT_OUT, GRAVITY, Scene, Setup, Stage, steps};
use super::standing::{BRAKED, settling};
use super::statics;

/// Acceleration of platforms (`m/s²`), and their highest speed (`m/s`), along and up: lower in engines, which may keep positions
/// in single precision, and round those of a platform that has gone 500 m by 0.06 mm in every step, which rocks a car at
/// 240 Hz by a millimeter.
const ACCELERATION: f32 = 3.0;
const SPEED: [f32; 2] = [40.0, 40.0];
const SPEED_IN_ENGINES: [f32; 2] = [20.0, 10.0];
/// Height of a platform's top over the ground (`m`), so that one that goes down does not reach it.
const HEIGHT: f64 = 550.0;
const HEIGHT_IN_ENGINES: f64 = 50.0;
/// Rate at which positions are compared (`Hz`) with those of the fine rate.
const LOOKS: f32 = 30.0;
const FINE: f32 = 480.0;

/// Motion of a platform at full speed.
#[derive(Clone, Copy, Debug)]
struct CarriedRide {
    /// Velocity (`m/s`).
    linear: Vec3,
    /// Angular velocity (`rad/s`), about a point at `pivot` (`m`).
    angular: Vec3,
    pivot: DVec3,
    /// Time until the platform has its full speed (`s`).
    phase: f32,
}

impl CarriedRide {
    /// Rides along the car, across it, up and down, with this part of the full acceleration and speed (–), and in a circle of
    /// 8 m, up to half a g at the car's ends.
    fn all(setup: &Setup<'_>, part: f32) -> [Self; 5] {
        const ARM: f32 = 8.0;
        let ([speed, climb], height) = match setup.world {
            WorldKind::Standalone => (SPEED, HEIGHT),
            _ => (SPEED_IN_ENGINES, HEIGHT_IN_ENGINES),
        };
        let to = |velocity: Vec3| Self {
            linear: velocity * part,
            angular: Vec3::ZERO,
            pivot: DVec3::new(0.0, 0.0, height),
            phase: velocity.length() / ACCELERATION,
        };
        let end = ARM + 0.5 * setup.car.hull.size.x;
        let circle = Self {
            linear: Vec3::ZERO,
            angular: Vec3::Z * (0.5 * GRAVITY.length() / end).sqrt(),
            pivot: DVec3::new(ARM.into(), 0.0, 1.0),
            phase: 4.0,
        };
        [
            to(Vec3::X * speed),
            to(Vec3::Y * speed),
            to(Vec3::Z * climb),
            to(Vec3::NEG_Z * climb),
            circle,
        ]
    }

    /// Deflection of a standing car's carcasses by the ride at this rate (`mm`), with carcasses no stiffer than substeps resolve,
    /// `K·h² = m` (ROWS §5).
    fn deflection(&self, setup: &Setup<'_>, rate: f32) -> f64 {
        let profile = setup.car.model().params().profile;
        let rows = profile.rows().expect("the car is solved by rows");
        let step = 1.0 / rate;
        let substep = step / (step / rows.max_substep).ceil();
        let stiffness = carcass_of(setup.car).min(substep.powi(-2));
        let arm = self.pivot.as_vec3().with_z(0.0);
        let across = self.angular.cross(self.angular.cross(arm)).length();
        let along = (self.linear + self.angular.cross(arm)).length() / self.phase;
        f64::from(1000.0 * across.hypot(along) / stiffness)
    }
}

/// Stiffness of all carcasses of a standing car in the softer direction, over its mass (`1/s²`).
fn carcass_of(car: &Car) -> f32 {
    let model = car.model();
    let mut sums = [0.0; 2];
    for (g, wheels) in model.wheels().iter().enumerate() {
        let load = wheels.rest_mass * W4::splat(GRAVITY.length());
        for (sum, stiffness) in sums.iter_mut().zip(statics::carcass(&model, g, load)) {
            *sum += stiffness.sum();
        }
    }
    sums[0].min(sums[1]) / model.params().chassis.mass
}

/// Method by which a script moves a platform.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CarrierMoves {
    /// The script sets velocities before the car is updated.
    Before,
    /// The script sets velocities afterwards: the car gets the platform's motion of the step before.
    After,
    /// The script guides the platform to poses.
    Poses,
}

/// A platform that gains speed, and loses it again.
struct Carrier<'a> {
    ride: &'a CarriedRide,
    moves: CarrierMoves,
    /// Place of the middle of its top (`m`), and how far it has turned (`rad`).
    top: DVec3,
    turned: f64,
}

impl Carrier<'_> {
    /// Steps the platform and the braked car on it, at this part of its speed.
    fn step(&mut self, stage: &mut Stage, part: f32) -> Result<(), ProvingError> {
        let id = stage.platform.expect("the car stands on one");
        let (linear, angular) = (self.ride.linear * part, self.ride.angular * part);
        self.top += linear.as_dvec3() * f64::from(stage.dt);
        self.turned += f64::from(angular.z) * f64::from(stage.dt);
        match self.moves {
            CarrierMoves::Before => stage.world.set_platform_velocity(id, linear, angular)?,
            CarrierMoves::After => (),
            CarrierMoves::Poses => {
                let rotation = DQuat::from_rotation_z(self.turned).as_quat();
                stage.world.guide_platform(id, self.top, rotation)?;
            }
        }
        stage.update(&Command::Car(BRAKED), stage.dt)?;
        if self.moves == CarrierMoves::After {
            stage.world.set_platform_velocity(id, linear, angular)?;
        }
        stage.world.advance(stage.gravity, stage.dt);
        Ok(())
    }
}

/// Place of a braked car's foot on a platform (`m`), at every look.
fn carried_off_at(
    setup: &Setup<'_>,
    ride: &CarriedRide,
    moves: CarrierMoves,
    rate: f32,
) -> Result<Vec<DVec3>, ProvingError> {
    let scene = Scene {
        platform: Some(ride.pivot),
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    let mut carrier = Carrier {
        ride,
        moves,
        top: ride.pivot,
        turned: 0.0,
    };
    let mut places = Vec::new();
    let settled = steps(settling(setup), rate);
    for n in 0..settled + steps(2.0 * ride.phase + 2.0, rate) {
        // In the middle of the step: the platform is at the same position at every rate.
        let time = (n as f32 + 0.5 - settled as f32).max(0.0) / rate;
        let part = time.min(2.0 * ride.phase - time).max(0.0) / ride.phase;
        carrier.step(&mut stage, part)?;
        if (n + 1) % steps(1.0 / LOOKS, rate) == 0 {
            let motion = stage.platform.and_then(|id| stage.world.ground_motion(id));
            let middle = motion.map_or(DVec3::ZERO, |motion| motion.position);
            let arm = foot(setup, &stage)? - middle;
            places.push(DQuat::from_rotation_z(-carrier.turned) * arm);
        }
    }
    Ok(places)
}

/// Greatest difference of positions (`mm`).
fn apart(found: &[DVec3], fine: &[DVec3]) -> f64 {
    let off = found.iter().zip(fine).map(|(a, b)| a.distance(*b));
    1000.0 * off.fold(0.0, f64::max)
}

/// Worst of these `rides` at each rate (`mm`): `apart` of the positions there and those in the standalone world at 480 Hz,
/// without what has `yielded` at this rate.
fn carried_by(
    setup: &Setup<'_>,
    rides: &[CarriedRide],
    moves: CarrierMoves,
    apart: fn(&[DVec3], &[DVec3]) -> f64,
    yielded: impl Fn(&CarriedRide, f32) -> f64,
) -> Result<CarFinding, ProvingError> {
    let alone = Setup {
        world: WorldKind::Standalone,
        ..*setup
    };
    let fine = rides
        .iter()
        .map(|ride| carried_off_at(&alone, ride, CarrierMoves::Before, FINE));
    let fine: Vec<_> = fine.collect::<Result<_, _>>()?;
    CarFinding::at_rates(|rate| {
        let mut rides = rides.iter().zip(&fine);
        rides.try_fold(0.0_f64, |most, (ride, fine)| {
            let found = carried_off_at(setup, ride, moves, rate)?;
            Ok(most.max(apart(&found, fine) - yielded(ride, rate)))
        })
    })
}

/// Most that the car is away from where the standalone world at 480 Hz has it (`mm`), beyond what its carcasses yield more
/// than there.
fn astray(setup: &Setup<'_>, moves: CarrierMoves) -> Result<CarFinding, ProvingError> {
    let rides = CarriedRide::all(setup, 1.0);
    carried_by(setup, &rides, moves, apart, |ride, rate| {
        ride.deflection(setup, rate) - ride.deflection(setup, FINE)
    })
}

/// Drift on platforms whose velocities are set.
pub(super) fn carried_off(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    astray(setup, CarrierMoves::Before)
}

/// Drift on platforms that follow poses.
pub(super) fn guided(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    astray(setup, CarrierMoves::Poses)
}

/// Drift of the car once the platform stands again, which its script moves after the car is updated (`mm`). Where the
/// platform begins to slow down, a step changes its velocity by twice its acceleration per step: no more than the tires hold.
pub(super) fn carried_late(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let most = SHARE * held(setup, Vec3::X)? * GRAVITY.length();
    let rides = CarriedRide::all(setup, (0.5 * most / ACCELERATION).min(1.0));
    carried_by(
        setup,
        &rides,
        CarrierMoves::After,
        |found, fine| apart(&found[found.len() - 1..], &fine[fine.len() - 1..]),
        |_, _| 0.0,
    )
}

/// A car on the bed of a lorry.
struct CarriedCar {
    lorry: Stage,
    rider: Vehicle,
    /// Height of the rider's center of mass over the ground (`m`).
    height: f32,
}

impl CarriedCar {
    /// The lorry launches, takes a bend to the left and one to the right, and brakes (`s`).
    const LAUNCH: f32 = 6.0;
    const BENDS: f32 = 10.0;
    const DRIVE: f32 = 22.0;
    const SETTLING: f32 = 6.0;

    /// An articulated lorry whose body is a flat bed.
    fn lorry() -> Car {
        let mut lorry = presets::load("eighteen-wheeler").expect("it is a preset");
        lorry.hull.center = Vec3::new(-3.0, 0.0, 1.0);
        lorry.hull.size = Vec3::new(14.5, 2.5, 0.4);
        lorry
    }

    fn new(setup: &Setup<'_>, rate: f32) -> Result<Self, ProvingError> {
        let height = Stage::new(setup, &Scene::LEVEL, rate)?.position()?.z as f32;
        let car = Self::lorry();
        let mut lorry = Stage::new(
            &Setup {
                car: &car,
                ..*setup
            },
            &Scene::IN_FIRST,
            rate,
        )?;
        lorry.world.drive_on_vehicles()?;
        let (hull, center) = (car.hull, car.center_of_mass());
        let bed = Vec3::new(0.0, 0.0, hull.center.z + 0.5 * hull.size.z) - center;
        let over = bed.with_x(0.0) + Vec3::Z * height - setup.car.center_of_mass();
        let body = lorry.body()?;
        let pose = Pose {
            origin: body.position + (body.rotation * over).as_dvec3(),
            rotation: body.rotation,
        };
        let desc = jounce::scene::BodyDesc {
            sleep_threshold: 0.0,
            ..chassis(setup.car, &pose)
        };
        let rider = Vehicle::new(setup.car.model(), lorry.world.add_body(&desc)?);
        Ok(Self {
            lorry,
            rider,
            height,
        })
    }

    /// Command of the lorry's driver at a time (`s`).
    fn command(time: f32) -> CarCommand {
        let bends = (time - Self::LAUNCH) / Self::BENDS;
        match bends {
            ..0.0 => FLAT_OUT,
            0.0..1.0 => CarCommand {
                throttle: 0.4,
                steer: -0.4 * libm::sinf(bends * core::f32::consts::TAU),
                ..FLAT_OUT
            },
            _ => BRAKED,
        }
    }

    fn step(&mut self, command: CarCommand, order: UpdateOrder) -> Result<(), ProvingError> {
        step_with_rider(&mut self.lorry, command, &mut self.rider, order)
    }

    /// Place of the rider's foot along and across the bed (`m`, from the lorry's center of mass, in its axes).
    fn place(&self) -> Result<DVec3, ProvingError> {
        let lorry = self.lorry.body()?;
        let rider = self.lorry.world.body_state(self.rider.body())?;
        let foot = rider.position + (rider.rotation * Vec3::NEG_Z * self.height).as_dvec3();
        Ok((lorry.rotation.as_dquat().inverse() * (foot - lorry.position)).with_z(0.0))
    }

    /// Most that the rider has moved once the lorry stands again (`mm`).
    fn moved(mut self, order: UpdateOrder) -> Result<f64, ProvingError> {
        let rate = 1.0 / self.lorry.dt;
        for _ in 0..steps(Self::SETTLING, rate) {
            self.step(BRAKED, order)?;
        }
        let stood = self.place()?;
        for n in 0..steps(Self::DRIVE, rate) {
            self.step(Self::command(n as f32 / rate), order)?;
        }
        let speed = self.lorry.velocity().length();
        assert!(speed < 0.1, "it stands again: {speed}");
        Ok(1000.0 * self.place()?.distance(stood))
    }
}

/// Distance that a braked car has moved on the bed of a lorry that has driven and stands again (`mm`), in either order of
/// updates.
pub(super) fn hauled(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    if setup.car.mass() >= CarriedCar::lorry().mass() {
        return Err(ProvingError::Lacks {
            world: setup.world.name(),
            what: "a lorry that carries as much as it weighs",
        });
    }
    CarFinding::at_rates(|rate| {
        let first = CarriedCar::new(setup, rate)?.moved(|[lorry, rider]| [rider, lorry])?;
        Ok(first.max(CarriedCar::new(setup, rate)?.moved(|cars| cars)?))
    })
}
