//! Cars under other bodies: a box or another car rides on the roof, something hits the car.

use glam::Vec3;
use jounce::core::params::WheelParams;
use jounce::core::{Air, BodyState, CarCommand, Command, Environment, Vehicle, step};
use jounce::file::Car;
use jounce::scene::{BodyDesc, CollisionBox};
use proving_ground::ProvingError;
use proving_ground::world::{Pose, chassis};

use super::finding::CarFinding;
use super::loads::{SHARE, foot, held};
use super::stage::{FREE, GRAVITY, PushKind, Scene, Setup, Stage, steps};
use super::standing::{
    ALL_BRAKES, BRAKED, RoofLoad, drift_from, reports, settling, settling_under,
};
use super::statics::{self, rolling_resistance};

/// Duration of a measurement after settling (`s`).
const WATCH: f32 = 10.0;
/// Boxes on a roof, over the car's weight (–).
const BOXES: [f32; 2] = [1.0, 2.0];
/// Worlds whose contacts hold the second box, too; on Avian it slides on the roof, and rocks a truck by 5 mm.
const HOLDS_BOTH: [&str; 2] = ["standalone", "rapier"];
/// The slope (`°`).
const SLOPE: f64 = 10.0;

/// Height of the top of a car's hull over its center of mass (`m`).
fn roof(setup: &Setup<'_>) -> f32 {
    let hull = setup.car.hull;
    hull.center.z + 0.5 * hull.size.z - setup.car.center_of_mass().z
}

/// Drift (`mm`) of the car's foot under a box of the car's own weight on its roof, and of twice its weight, at most 0.95 of what
/// it holds; infinite where the wheels do not carry most of it, too.
pub(super) fn roof_load(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene::nose_down(SLOPE);
    let most = SHARE * held(setup, Vec3::X)? / -scene.downhill().z - 1.0;
    let holds_both = HOLDS_BOTH.contains(&setup.world.name());
    let boxes = if holds_both { &BOXES } else { &BOXES[..1] };
    CarFinding::at_rates(|rate| {
        boxes.iter().try_fold(0.0_f64, |worst, load| {
            Ok(worst.max(drift_under_box(setup, &scene, load.min(most), rate)?))
        })
    })
}

/// Drift (`mm`) of the car's foot under a box with this load over the car's weight (–).
fn drift_under_box(
    setup: &Setup<'_>,
    scene: &Scene,
    load: f32,
    rate: f32,
) -> Result<f64, ProvingError> {
    /// Half the box' length and height (`m`).
    const HALF: f32 = 0.5;
    const HALF_HEIGHT: f32 = 0.2;
    let mut stage = Stage::new(setup, scene, rate)?;
    let car = stage.body()?;
    let hull = CollisionBox {
        half_extents: Vec3::new(HALF, HALF, HALF_HEIGHT),
        center: Vec3::ZERO,
        friction: 1.0,
        layers: u32::MAX,
    };
    let load = RoofLoad {
        mass: load * car.mass,
        over: roof(setup) + HALF_HEIGHT + 0.002,
    };
    let over = car.rotation * Vec3::Z * load.over;
    let inertia = BodyDesc::box_inertia(load.mass, hull.half_extents);
    stage.world.add_box(&BodyDesc {
        rotation: car.rotation,
        hull: Some(hull),
        ..BodyDesc::at_rest(car.position + over.as_dvec3(), load.mass, inertia)
    })?;
    stage.run(settling_under(setup, &load), &BRAKED)?;
    let carried: f32 = reports(&stage.vehicle).map(|wheel| wheel.load).sum();
    let weight = (car.mass + load.mass) * GRAVITY.length() * SLOPE.to_radians().cos() as f32;
    if carried < 0.75 * weight {
        return Ok(f64::INFINITY);
    }
    let stood = foot(setup, &stage)?;
    drift_from(stood, 0..steps(WATCH, rate), |_| {
        stage.step(&BRAKED)?;
        foot(setup, &stage)
    })
}

/// Drift (`mm`) of the further of two braked cars, of which one stands on the other's roof, in either order of updates.
pub(super) fn stacked(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    CarFinding::at_rates(|rate| {
        let settled = Stack::settling(setup);
        let first = Stack::new(setup, rate)?.drift(settled, |[carrier, rider]| [rider, carrier])?;
        Ok(first.max(Stack::new(setup, rate)?.drift(settled, |cars| cars)?))
    })
}

/// A car on the roof of its like, nose down.
struct Stack {
    carrier: Stage,
    rider: Vehicle,
}

impl Stack {
    /// Margin of the roof beyond the axles and contacts of the car on it (`m`).
    const MARGIN: f32 = 0.1;

    /// The car with a roof on which the wheels of its like find room.
    fn roofed(car: &Car) -> Car {
        let mut roofed = car.clone();
        let model = car.model();
        for wheel in &model.params().wheels {
            let needed = 2.0 * ((wheel.position - car.hull.center).abs() + Self::MARGIN);
            roofed.hull.size = roofed.hull.size.max(needed.with_z(0.0));
        }
        roofed
    }

    /// Time in which both come to rest (`s`), one on the other's springs and its own.
    fn settling(setup: &Setup<'_>) -> f32 {
        let like = RoofLoad {
            mass: setup.car.model().params().chassis.mass,
            over: roof(setup) + setup.car.ride_height() as f32,
        };
        settling_under(setup, &like) + settling(setup)
    }

    fn new(setup: &Setup<'_>, rate: f32) -> Result<Self, ProvingError> {
        let height = Stage::new(setup, &Scene::LEVEL, rate)?.position()?.z;
        let car = Self::roofed(setup.car);
        let setup = &Setup {
            car: &car,
            ..*setup
        };
        let mut carrier = Stage::new(setup, &Scene::nose_down(SLOPE), rate)?;
        carrier.world.drive_on_vehicles()?;
        let BodyState {
            position, rotation, ..
        } = carrier.body()?;
        let over = Vec3::Z * (roof(setup) + height as f32) - setup.car.center_of_mass();
        let pose = Pose {
            origin: position + (rotation * over).as_dvec3(),
            rotation,
        };
        let desc = BodyDesc {
            sleep_threshold: 0.0,
            ..chassis(setup.car, &pose)
        };
        let rider = Vehicle::new(setup.car.model(), carrier.world.add_body(&desc)?);
        Ok(Self { carrier, rider })
    }

    /// Distance that the car that moves further moves while both are watched (`mm`), after `settled` (`s`).
    fn drift(mut self, settled: f32, order: UpdateOrder) -> Result<f64, ProvingError> {
        let rate = 1.0 / self.carrier.dt;
        for _ in 0..steps(settled, rate) {
            step_with_rider(&mut self.carrier, BRAKED, &mut self.rider, order)?;
        }
        let places = |stack: &Self| {
            let rider = stack.carrier.world.body_state(stack.rider.body())?;
            Ok::<_, ProvingError>([stack.carrier.position()?, rider.position])
        };
        let (stood, mut most) = (places(&self)?, 0.0_f64);
        for _ in 0..steps(WATCH, rate) {
            step_with_rider(&mut self.carrier, BRAKED, &mut self.rider, order)?;
            let now = places(&self)?;
            most = (0..2)
                .map(|n| now[n].distance(stood[n]))
                .fold(most, f64::max);
        }
        Ok(1000.0 * most)
    }
}

/// The order in which two cars with their commands are updated.
pub(super) type UpdateOrder =
    fn([(&mut Vehicle, CarCommand); 2]) -> [(&mut Vehicle, CarCommand); 2];

/// One step of a car and of a braked one on it, updated in this order.
pub(super) fn step_with_rider(
    carrier: &mut Stage,
    command: CarCommand,
    rider: &mut Vehicle,
    order: UpdateOrder,
) -> Result<(), ProvingError> {
    let (gravity, dt) = (carrier.gravity, carrier.dt);
    let environment = Environment {
        gravity,
        surfaces: &carrier.surfaces,
        air: Air::STILL,
    };
    for (car, command) in order([(&mut carrier.vehicle, command), (rider, ALL_BRAKES)]) {
        let command = Command::Car(command);
        step(car, &mut *carrier.world, &command, &environment, dt)?;
    }
    carrier.world.advance(gravity, dt);
    Ok(())
}

/// Most that momentum is off, as a part of the impulse (`%`), after hits on a free car that stands: along it on its
/// wheels, and in any direction in the air.
pub(super) fn hit(setup: &Setup<'_>, kind: PushKind) -> Result<CarFinding, ProvingError> {
    CarFinding::at_rates(|rate| {
        let mut worst = 0.0_f64;
        for size in [0.05, 0.3, 0.5, 0.8, 1.0, 1.5, 5.0, 100.0] {
            for (direction, height) in [
                (Vec3::X, 0.0),
                (Vec3::NEG_X, 0.0),
                (Vec3::Y, 20.0),
                (Vec3::Z, 20.0),
                (Vec3::NEG_Z, 20.0),
                (Vec3::new(-0.8, 0.0, 0.6), 20.0),
                (Vec3::new(0.6, -0.64, -0.48), 20.0),
            ] {
                worst = worst.max(lost(setup, kind, rate, direction * size, height)?);
            }
        }
        Ok(100.0 * worst)
    })
}

/// Momentum that is lost or gained over the impulse of a hit by `pushes` times the weight in one step (–).
fn lost(
    setup: &Setup<'_>,
    kind: PushKind,
    rate: f32,
    pushes: Vec3,
    height: f64,
) -> Result<f64, ProvingError> {
    let scene = Scene {
        lift: height,
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    if height == 0.0 {
        stage.run(settling(setup), &FREE)?;
    }
    stage.step(&FREE)?;
    let before = momentum(&stage)?;
    let (mass, along) = (stage.body()?.mass, pushes.normalize());
    let impulse = pushes * (mass * stage.gravity.length() * stage.dt);
    let Resisted { in_all, late } = push_for_a_step(&mut stage, kind, impulse)?;
    let fallen = if height > 0.0 {
        stage.gravity * (mass * 9.0 * stage.dt)
    } else {
        Vec3::ZERO
    };
    let impulse = impulse.length();
    let kept = (momentum(&stage)? - before - fallen).dot(along);
    let off = if in_all < impulse {
        let off = kept - (impulse - in_all);
        (off - off.clamp(0.0, late)).abs()
    } else {
        // Too light to roll the car: it sways on its tires.
        (kept.abs() - impulse).max(0.0)
    };
    Ok(f64::from(off / impulse))
}

/// Momentum of a car and, by their spins, of its wheels and what turns with them (`N·s`), from which the next update will start.
fn momentum(stage: &Stage) -> Result<Vec3, ProvingError> {
    let model = stage.vehicle.model();
    let groups = stage.vehicle.state().wheels.iter();
    let groups = groups.zip(model.wheels().iter());
    let spins = groups.map(|(w, k)| (w.spin * k.inertia / k.radius).sum());
    let (wheels, turning) = (&model.params().wheels, stage.spins());
    let nodes = statics::geared_nodes(model).into_iter();
    let nodes = nodes.map(|(inertia, ratios)| {
        let over = |of: fn(&WheelParams, f32) -> f32| -> f32 {
            let each = ratios.iter().zip(wheels).zip(&turning);
            each.map(|((ratio, wheel), spin)| ratio * of(wheel, *spin))
                .sum()
        };
        inertia * over(|_, spin| spin) * over(|wheel, _| 1.0 / wheel.radius)
    });
    let body = stage.body()?;
    let velocity = stage.vehicle.state().at_end_of_step(&body).linear_velocity;
    Ok(velocity * body.mass + Vec3::X * (spins.sum::<f32>() + nodes.sum::<f32>()))
}

/// Impulse by which rolling resistance slows a car that was hit (`N·s`).
struct Resisted {
    in_all: f32,
    /// Impulse in one step: laws are evaluated at the speeds at the start of a substep.
    late: f32,
}

impl Resisted {
    /// Adds the impulse of the last step.
    fn count(&mut self, stage: &Stage) {
        self.late = rolling_resistance(stage) * stage.dt;
        self.in_all += self.late;
    }
}

/// Pushes a free car by an `impulse` (`N·s`) for one step, and waits for eight more.
fn push_for_a_step(
    stage: &mut Stage,
    kind: PushKind,
    impulse: Vec3,
) -> Result<Resisted, ProvingError> {
    stage.push(kind, impulse / stage.dt)?;
    stage.step(&FREE)?;
    stage.push(kind, Vec3::ZERO)?;
    let mut resisted = Resisted {
        in_all: 0.0,
        late: 0.0,
    };
    if kind == PushKind::Impulse {
        resisted.count(stage);
    }
    for _ in 0..8 {
        stage.step(&FREE)?;
        resisted.count(stage);
    }
    Ok(resisted)
}
